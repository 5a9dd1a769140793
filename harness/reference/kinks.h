/*
 * kinks.h - where the rate d_t g of a constraint jumps or bends in time, as at the corner of a
 * wall's motion.
 */
#ifndef IL_REFERENCE_KINKS_H
#define IL_REFERENCE_KINKS_H

#include "problems/problem.h"

/* The first time in (t, until] at which the rate d_t g of a constraint, q[d] being fixed, jumps or
 * bends: just past it; until unless there is one. work is scratch. */
double il_kinks_smooth_until(const il_problem *problem, double t, double until, const double *q,
                             il_rows *work);

#endif
