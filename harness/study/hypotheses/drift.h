/*
 * drift.h - does the drift f(t,q) of a problem of order 1 jump as q moves; do gradients of
 * constraints?
 *
 * Theorems on sweeping processes ask for a drift that is Lipschitz in q. What is looked for is what
 * contradicts it: two points of Q(t), a billionth of the scale apart, with drifts that differ. One
 * body at a time is led along a straight way; of sixteen parts that with the largest change is
 * halved for as long as it keeps some of it. Jumps that are found are there; where none is found
 * there may be one all the same.
 */
#ifndef IL_DRIFT_H
#define IL_DRIFT_H

#include <stdint.h>

#include "problems/problem.h"

/* The largest |f(t,a) - f(t,b)| found, Euclidean, into *jump; 0 where none is, and for problems of
 * order 2. scale > 0 is a length over which the set bends, seed is not 0. IL_ENOMEM. */
il_status il_drift_jump(const il_problem *problem, double scale, uint64_t seed, double *jump,
                        il_error *err);

/* The same of the gradients and rates of constraints: the largest jump of (grad g_i, d_t g_i) in
 * time, or in q within Q(t), into *jump. Theorems ask for constraints that are twice
 * differentiable, or whose gradients are Lipschitz at least. */
il_status il_constraints_jump(const il_problem *problem, double scale, uint64_t seed, double *jump,
                              il_error *err);

#endif
