/*
 * replay.h - samples of another program as a scheme: step n ends in sample n. So a run measures them
 * as it measures our own steps.
 *
 * With v = u_{n+1} - u_n - h M^{-1} fbar (order 2) or (q_{n+1} - q_n) - h f (order 1) a step leaves
 *
 *     the impulses Lambda >= 0 that the file names, or those of
 *         min |v - M^{-1} sum_i Lambda_i grad g_i|_M  over Lambda >= 0
 *
 * of the contacts that could have closed within it; the residual is what is left of v. Gradients are
 * taken where the step begins, ends, or half way on, whichever leaves least: schemes differ there.
 * The minimum is a projection: of -v onto {x : <grad g_i, x> >= 0}, with the multipliers Lambda.
 */
#ifndef IL_JUDGE_REPLAY_H
#define IL_JUDGE_REPLAY_H

#include "harness/judge/track.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

/* What a program means between samples: positions are straight in each case of the first two.
 *
 *     AFFINE      the velocity of a sample is that of the interval which ends there, as in our files
 *     CONSTANT    the velocity of a sample holds until the next
 *     BALLISTIC   bodies fly from a sample on: the velocity changes by the force alone, and jumps at
 *                 the next sample */
typedef enum { IL_BETWEEN_AFFINE, IL_BETWEEN_CONSTANT, IL_BETWEEN_BALLISTIC } il_between;

typedef struct {
    double largest; /* |residual|_inf of a step, as a velocity (order 1: a displacement) */
    size_t step;    /* where; 0: nowhere */
    double sum;     /* of all steps */
    double speed;   /* the largest |u|_inf, to compare with */
    double pull;    /* the most negative impulse that the file names; 0: none is */
    size_t pull_step, pull_id;
    double open; /* the largest gap, at its smaller end, of a contact with an impulse */
    size_t open_step;
    double bent; /* how far (q_{n+1} - q_n)/h lies outside [u_n, u_{n+1}], a velocity */
    size_t bent_step, bent_coordinate;
} il_residuals;

typedef struct {
    il_scheme_type type; /* first: what a run creates */
    il_track *track;
    il_between between;
    il_residuals found; /* of the last run */
} il_replay;

/* A scheme called name of the track's samples, which must outlive it. */
void il_replay_init(il_replay *replay, const char *name, il_track *track, il_between between);

#endif
