/*
 * replay.h - samples of another program as a scheme: step n ends in sample n. So a run measures
 * them like our own steps. The impulses of a step: dynamics.h.
 */
#ifndef IL_OUTSIDE_REPLAY_H
#define IL_OUTSIDE_REPLAY_H

#include "harness/base/progress.h"
#include "harness/outside/dynamics.h"
#include "harness/outside/track.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

/* The meaning of a sample's velocity. In the first two cases positions are affine between samples.
 *
 *     AFFINE      the velocity of a sample is that of the interval that ends there, as in our files
 *     CONSTANT    the velocity of a sample holds until the next
 *     BALLISTIC   free flight between samples: the velocity changes by the force alone, and jumps
 *                 at the next sample
 *     DENSE       the motion between samples is given, by its pieces or as cubics (dense.h) */
typedef enum {
    IL_BETWEEN_AFFINE,
    IL_BETWEEN_CONSTANT,
    IL_BETWEEN_BALLISTIC,
    IL_BETWEEN_DENSE,
    IL_BETWEEN_MEANINGS
} il_between;

/* "affine", "constant", "ballistic" or "dense", as --between names it. */
const char *il_between_name(il_between between);

typedef struct {
    double largest; /* |residual|_inf of a step, as a velocity (order 1: a displacement) */
    size_t step;    /* where; 0: nowhere */
    double sum;     /* of all steps */
    double speed;   /* the largest |u|_inf, to compare with */
    double pull;    /* the most negative impulse that the file names; 0: none is */
    size_t pull_step, pull_id;
    double open; /* the largest gap, at its smaller end, of a contact with an impulse */
    size_t open_step;
    double bent;          /* how far (q_{n+1} - q_n)/h lies outside [u_n, u_{n+1}], a velocity */
    char bent_place[320]; /* where: "'a.csv', line 7, column 3 (q1)" */
    double *residuals, *opens; /* [steps] of each step, the caller's; NULL: not wanted */
} il_residuals;

typedef struct {
    il_scheme_type type; /* first: what a run creates */
    const il_track *track;
    il_between between;
    il_residuals found;    /* of the last run */
    il_progress *progress; /* or NULL */
} il_replay;

/* The functions of such a scheme. */
extern const il_scheme_type il_replay_type;

/* A scheme called name of the track's samples, which must outlive it. */
void il_replay_init(il_replay *replay, const char *name, const il_track *track, il_between between);

#endif
