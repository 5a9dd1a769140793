/*
 * slack.h - the projection of a velocity onto contacts that may be missed by R_i times their
 * impulse,
 *
 *     M (v - target) = sum p_i grad g_i,   p_i >= 0,   a_i + <grad g_i, v> + R_i p_i >= 0,
 *     p_i (a_i + <grad g_i, v> + R_i p_i) = 0:
 *
 * a projection with a slack y_i = R_i^(1/2) p_i of mass 1 a contact, in d + p coordinates,
 *
 *     min 1/2 |v - target|_M^2 + 1/2 sum y_i^2   over   a_i + <grad g_i, v> + R_i^(1/2) y_i >= 0,
 *
 * by the scheme's projector, with its certificate.
 */
#ifndef IL_STEPPING_SLACK_H
#define IL_STEPPING_SLACK_H

#include "schemes/scheme.h"

typedef struct il_slack il_slack;

/* For problem, which must outlive it. The creator destroys; NULL is fine there. The status
 * is that of the projector's create. */
il_status il_slack_create(il_slack **out, const il_problem *problem,
                          const il_scheme_options *options, il_error *err);
void il_slack_destroy(il_slack *slack);

/* Room for p rows, and a[p], R[p] to be written before the projection. The status is that of the
 * metric of so many slacks. */
il_status il_slack_begin(il_slack *slack, size_t p, double **a, double **R, il_error *err);

/* Project target[d] at the rows, into v[d] and impulses p[rows->p]. Counts and the certificate go
 * to report. IL_EUNSUPPORTED for a row of more than 15 coordinates, and what projectors say. */
il_status il_slack_project(il_slack *slack, double t, const il_rows *rows, const double *target,
                           double *v, double *p, il_step_report *report, il_error *err);

#endif
