/*
 * tangent.h - the projection of a velocity onto the tangent cone of the contacts that are predicted
 * to be active, with Newton's restitution.
 *
 *     min 1/2 |v - target|_M^2   over   d_t g_i + <grad g_i, v> >= -e (d_t g_i + <grad g_i, u>),
 *
 * for the constraints i whose predicted gap is not above a threshold. The set of rows is part of
 * the scheme's definition, so that there is nothing to add to it afterwards (correct.h is for
 * linearised sets, where the answer decides).
 */
#ifndef IL_STEPPING_TANGENT_H
#define IL_STEPPING_TANGENT_H

#include "schemes/scheme.h"

typedef struct il_tangent il_tangent;

/* Gaps at q[d] up to this are closed: 64 roundings of one plus its largest coordinate. Bodies that
 * touch have gaps of some roundings, of either sign, and all of them take part in an impact. */
double il_tangent_closed(const double *q, size_t d);

il_status il_tangent_create(il_tangent **out, const il_problem *problem,
                            const il_scheme_options *options, il_error *err);
void il_tangent_destroy(il_tangent *tangent);

/* Constraint i of (t, q) is kept if g_i - back d_t g_i + ahead <grad g_i, u> <= threshold: with t
 * the end of a step h, ahead = gamma h and back = (1 - gamma) h, that is its gap carried on by
 * gamma h. */
typedef struct {
    double t;
    const double *q, *u; /* [d] */
    double ahead, back, threshold;
} il_prediction;

il_status il_tangent_predict(il_tangent *tangent, const il_prediction *prediction,
                             il_step_report *report, il_error *err);

/* Keep, instead of what was predicted, the rows i of `from` with speed[i] < below. */
void il_tangent_take(il_tangent *tangent, const il_rows *from, const double *speed, double below);

/* The rows kept, and what is asked of each, a_i + <grad g_i, v> >= 0: offsets[p], to be written
 * before il_tangent_project. Both are the tangent's own, valid until the next prediction. */
const il_rows *il_tangent_rows(const il_tangent *tangent);
double *il_tangent_offsets(il_tangent *tangent);

/* Project target[d] onto the set of the rows kept, into v[d]. report as il_correct_solve fills it;
 * lambda are percussions: M (v - target) = sum lambda_i grad g_i. */
il_status il_tangent_project(il_tangent *tangent, double t, const double *target, double *v,
                             il_step_report *report, il_error *err);

/* The same with restitution e from the velocity u[d]: a_i = d_t g_i + e (d_t g_i + <grad g_i, u>).
 */
il_status il_tangent_solve(il_tangent *tangent, double t, double e, const double *u,
                           const double *target, double *v, il_step_report *report, il_error *err);

/* lambda *= factor. */
void il_tangent_scale_lambda(il_tangent *tangent, double factor);

#endif
