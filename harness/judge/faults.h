/*
 * faults.h - what is wrong with samples, in words: each explanation that is known is tried on the
 * data, and named where it explains what was left over a hundred times better.
 */
#ifndef IL_JUDGE_FAULTS_H
#define IL_JUDGE_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/judge/replay.h"
#include "problems/problem.h"

enum { IL_FAULTS_MAX = 12 };

typedef struct {
    const char *name; /* "shifted samples", ... */
    char text[400];   /* with the numbers that show it */
} il_fault;

typedef struct {
    size_t n;
    il_fault list[IL_FAULTS_MAX];
    bool whole; /* false: there were too many samples to look for faults */
} il_faults;

/* Look at the samples of track, which a replay has gone through with what it found. IL_ENOMEM. */
il_status il_faults_find(il_faults *faults, const il_problem *problem, const il_track *track,
                         il_between between, const il_residuals *found, il_error *err);

#endif
