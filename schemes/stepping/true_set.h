/*
 * true_set.h - the projection onto the true feasible set Q(t), by linearised projections.
 *
 *     x_k = P_{Qtilde(t, z_k)} (V),    z_0 = q_n.
 *
 * A fixed point satisfies M (x - V) = sum lambda_i grad g_i(t,x), lambda >= 0, complementarity and
 * g(t,x) >= 0. It is the projection where that is unique, within the prox-regularity radius of Q(t)
 * (Adly & Thieu, Proposition 3.1; Venel, Proposition 2.9), and a stationary point farther out: a
 * local minimiser, or a saddle. report->share says which of the two is shown (il_nearest_share).
 *
 * Where every g_i is convex, Qtilde(t,z) lies in Q(t) for any z. So every x_k is feasible, and with
 * z_{k+1} = x_k, which is in its own Qtilde, |x_k - V|_M never grows: the plain iteration descends,
 * but as slowly as the contacts' curvature bids. It is accelerated, by momentum far from the
 * answer, z_{k+1} = x_k + beta (x_k - x_{k-1}), and by Anderson's method near it; a point z whose
 * image is farther from V than the nearest so far is dropped for that one.
 *
 * Elsewhere z_{k+1} = z_k + theta (x_k - z_k), where theta is 1 until the way from z_k to x_k stops
 * shrinking: deep in a curved valley the plain iteration swings from side to side, and theta is
 * halved then.
 */
#ifndef IL_STEPPING_TRUE_SET_H
#define IL_STEPPING_TRUE_SET_H

#include "schemes/stepping/anderson.h"
#include "schemes/stepping/linear.h"

typedef struct {
    il_linear linear;
    il_anderson *mixing; /* NULL where constraints are affine, or not convex */
    double *nearest;     /* [d] the nearest x_k so far */
} il_true_set;

/* il_true_set as the whole state of a scheme: create and destroy of its table. */
il_status il_true_set_create(void **self, const il_problem *problem,
                             const il_scheme_options *options, il_error *err);
void il_true_set_destroy(void *self);

/* Project q + v onto Q(t), v = linear.v a displacement: the answer, as a displacement from q, is
 * left in linear.x. report as il_correct_solve fills it, but its rows and certificate are those of
 * the original problem at the answer, and lambda is in units of M times displacement. With an
 * iterative projector, or a tolerance, the answer is judged to that tolerance. IL_ESTALLED when the
 * fixed point is not reached. */
il_status il_true_set_project(il_true_set *s, double t, const double *q, il_step_report *report,
                              il_error *err);

/* Is a stationary point the nearest point of the set?
 *
 * Let x be stationary for V, M (V - x) = -sum lambda_i b_i with lambda >= 0 on contacts of x, and
 * rho_i the radius of the ball that rolls along contact i (il_problem_type). With
 * w_i = <b_i, M^{-1} b_i> and any y in Q,
 *
 *     2 <M (V - x), y - x> = -2 sum lambda_i <b_i, y - x> <= sum (lambda_i w_i/rho_i) |y - x|_i^2
 *                         <= s |y - x|_M^2,      s = max_k sum_{i about k} lambda_i w_i/rho_i,
 *     |y - V|_M^2 >= |x - V|_M^2 + (1 - s) |y - x|_M^2,
 *
 * k running over coordinates. So x is a nearest point where s <= 1, and the only one where s < 1;
 * beyond 1 it is undecided, and x may be a saddle. With one contact s is the distance |x - V|_M
 * over the radius of prox-regularity of that contact alone (Adly & Thieu 2022, Proposition 3.1),
 * and the first inequality that of Venel 2011, Definition 2.3.
 *
 * Returns s of rows taken at x, at t, with their multipliers lambda[rows->p] as above; NAN where
 * the curvature of an active row is unknown. work[d] is written. */
double il_nearest_share(const il_problem *problem, double t, const il_rows *rows,
                        const double *lambda, double *work);

#endif
