/*
 * balance.h - the energy that a run gained beyond the work of its force, and what its impacts did
 * to it.
 *
 *     B(n) = E(n) - E(0) - sum_{k<n} <f_k, q_{k+1} - q_k>,    E = 1/2 <u,u>_M,
 *
 * f_k the mean force of step k: the work along the motion that was made. It is fbar_k where the
 * force does not depend on q, else the mean of those at q_k and q_{k+1} (at the middle of the step
 * in time where the problem knows no mean). Fixed constraints only take energy: of an exact motion
 * B never rises. Constraints that move do work, which is not in the sum.
 *
 * An impact stands alone if one contact acts, alone, on at most four steps in a row, with a step
 * without contact before (or the start) and after it, and if it is no rounding of a computed
 * impulse. From node to node B then changes by
 *
 *     -(1 - e^2)/2 a^2/W + (1 + e) a d_t g/W,   a = min(0, d_t g + <grad g, u->),
 *                                               W = <grad g, M^{-1} grad g>,
 *
 * by Newton's law at the node before, up to O(h) where a force acts.
 */
#ifndef IL_BALANCE_H
#define IL_BALANCE_H

#include <stdbool.h>

#include "harness/base/sum.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

typedef struct {
    double final, largest; /* B at the last node, and its largest value after the start */
    double largest_step;   /* largest rise of B in a step; <= 0: never rose */
    size_t events;         /* impacts that stand alone */
    double gained_most; /* most that one of them changed B by beyond the law; NaN without events */
    double lost_least;  /* least that one of them took from B, whatever the law; NaN likewise */
} il_balance_result;

typedef struct {
    const il_problem *problem;
    il_balance_result result;
    double *f;     /* [2d] forces at both ends of a step, of a problem of order 2; else NULL */
    double *q, *u; /* [d] inside a step */
    il_rows row;
    double start;     /* E(0) */
    il_sum work;      /* the sum */
    size_t steps;     /* in a row in which one contact acts alone; 0: none, MANY: no impact */
    size_t id;        /* of that contact */
    double from, due; /* B before them, and what the law changes it by */
    double W, speed;  /* of that contact, and |u|_M before them */
    double impulse;   /* that it had in them */
} il_balance;

/* From the velocity u0[d]. */
void il_balance_init(il_balance *w, const il_problem *problem, const double *u0);
void il_balance_free(il_balance *w);

/* The step from (t0, in) to (t1, out), which ends with the kinetic energy `energy`. */
void il_balance_step(il_balance *w, double t0, double t1, const il_state *in, const il_state *out,
                     const il_step_report *report, double energy);

/* NaN for order 1, and without a step. */
il_balance_result il_balance_finish(const il_balance *w);

#endif
