/*
 * nearest.h - is a stationary point of the distance to a set the nearest point of it?
 *
 * Let x be stationary for V, M (V - x) = -sum lambda_i b_i with lambda >= 0 on contacts of x, and
 * rho_i the radius of the ball that rolls along contact i (problem.h). With w_i = <b_i, M^{-1} b_i>
 * and any y in Q,
 *
 *     2 <M (V - x), y - x> = -2 sum lambda_i <b_i, y - x> <= sum (lambda_i w_i/rho_i) |y - x|_i^2
 *                         <= s |y - x|_M^2,      s = max_k sum_{i about k} lambda_i w_i/rho_i,
 *     |y - V|_M^2 >= |x - V|_M^2 + (1 - s) |y - x|_M^2,
 *
 * k running over coordinates. So x is a nearest point where s <= 1, and the only one where s < 1;
 * beyond 1 it is undecided, and x may be a saddle. With one contact s is the distance |x - V|_M
 * over the radius of prox-regularity of that contact alone (Adly & Thieu 2022, Proposition 3.1),
 * and the first inequality that of Venel 2011, Definition 2.3.
 */
#ifndef IL_STEPPING_NEAREST_H
#define IL_STEPPING_NEAREST_H

#include "problems/problem.h"

/* s of rows taken at x, at t, with their multipliers lambda[rows->p] as above; work[d] is written.
 * NAN where the curvature of an active row is unknown. */
double il_nearest_share(const il_problem *problem, double t, const il_rows *rows,
                        const double *lambda, double *work);

#endif
