/*
 * true_set.h - the projection onto the true feasible set Q(t), by linearised projections.
 *
 *     x_{k+1} = x_k + theta (P_{Qtilde(t, x_k)} (V) - x_k),    x_0 = q_n.
 *
 * theta is 1 until the way from x_k to its image stops shrinking: deep in a curved valley the plain
 * iteration swings from side to side, and theta is halved then. A fixed point satisfies M (x - V) =
 * sum lambda_i grad g_i(t,x), lambda >= 0, complementarity and g(t,x) >= 0. It is the projection
 * where that is unique, within the prox-regularity radius of Q(t) (Adly & Thieu, Proposition 3.1;
 * Venel, Proposition 2.9), and a local minimiser farther out.
 */
#ifndef IL_STEPPING_TRUE_SET_H
#define IL_STEPPING_TRUE_SET_H

#include "schemes/stepping/linear.h"

/* Project q + w->v onto Q(t), w->v a displacement: the answer, as a displacement from q, is left in
 * w->x. report as il_correct_solve fills it, but its rows and certificate are those of the original
 * problem at the answer, and lambda is in units of M times displacement. With an iterative
 * projector the gaps are judged to its tolerance. IL_ESTALLED when the fixed point is not reached.
 */
il_status il_true_set_project(il_linear *w, double t, const double *q, il_step_report *report,
                              il_error *err);

#endif
