/*
 * ballistic.h - a reference seen by samples between which bodies fly.
 *
 * A run's measures take positions to be straight and velocities constant on a step. In flight, with
 * a = M^{-1} fbar, they differ from that by
 *
 *     a (t - t_n)(t - t_{n+1})/2   and   a (t - t_n - h/2),
 *
 * which is taken off the reference instead: the difference of both is the same, and a reference
 * that is quadratic stays so.
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

/* Of problem's exact solutions, by samples; both outlive it. IL_ENOMEM. The creator frees. */
il_status il_ballistic_init(il_ballistic *w, const il_problem *problem,
                            const il_trajectory *samples, il_error *err);
void il_ballistic_free(il_ballistic *w);

#endif
