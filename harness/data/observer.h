/*
 * observer.h - one who watches a run step by step. Whatever is kept of a run besides its record is
 * kept by observers: snapshots, series, the range of states.
 */
#ifndef IL_OBSERVER_H
#define IL_OBSERVER_H

#include <stddef.h>

#include "harness/base/archive.h"
#include "harness/base/status.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

/* How far contacts have moved the momentum, and the centre of mass off its line, at the end of a
 * step (measure.h); NaN where neither is conserved. */
typedef struct {
    double momentum, centre;
} il_drift;

/* A step as those who watch see it. */
typedef struct {
    size_t n; /* 1..N */
    double t0, t1;
    const il_state *in, *out;
    const il_step_report *report;
    const il_drift *drift; /* NULL where the run is not measured */
} il_watched;

/* One who watches a run. begin comes once, before the first step, and may refuse (IL_EUNSUPPORTED):
 * then nothing runs. step comes after every step; what it returns other than IL_OK ends the run,
 * with its message. archive is what it has seen so far, in or out: a run that goes on from a
 * state has called begin before; NULL: a run that it watches leaves none. */
typedef struct {
    void *self;
    il_status (*begin)(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err);
    il_status (*step)(void *self, const il_watched *now, il_error *err);
    void (*archive)(void *self, il_archive *a);
} il_observer;

#endif
