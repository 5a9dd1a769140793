/*
 * ballistic.h - a reference for samples with free flight between them.
 *
 * A run's measures assume affine positions and constant velocities on a step. In free flight, with
 * a = M^{-1} fbar, the motion differs from that by
 *
 *     a (t - t_n)(t - t_{n+1})/2   and   a (t - t_n - h/2).
 *
 * This is subtracted from the reference instead: the difference of the two is the same, and a
 * quadratic reference stays quadratic.
 */
#ifndef IL_JUDGE_BALLISTIC_H
#define IL_JUDGE_BALLISTIC_H

#include "harness/data/trajectory.h"
#include "problems/problem.h"

typedef struct {
    const il_trajectory *samples;
    double *a; /* [nodes - 1][d] accelerations of the intervals */
    size_t n;
    double **breaks;                      /* [n] of each: its own, and the samples */
    il_exact *seen;                       /* [n] what a run compares with */
    struct il_ballistic_reference *inner; /* [n] */
} il_ballistic;

/* The wrapper of problem's exact solutions, by samples; both outlive it. The creator frees. */
void il_ballistic_init(il_ballistic *w, const il_problem *problem, const il_trajectory *samples);
void il_ballistic_free(il_ballistic *w);

#endif
