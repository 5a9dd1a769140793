/*
 * correct.h - the correction of a step: a projection onto a linearised set, with a selection of
 * rows that is certified.
 *
 *     min 1/2 |x - target|_M^2   over   g_i(t,y) + <grad g_i(t,y), q + s x - y> >= 0, all i.
 *
 * The point reached is q + s x: x is a velocity with s = h (Maury), or a displacement with s = 1
 * (Venel, Paoli); y is where the constraints are linearised. A problem with few constraints offers
 * all; else the rows that the prediction violates are solved with, every constraint is checked at
 * the answer, those that it violates are added, until none is (Maury, Remark 7, made exact). Rows
 * that an answer leaves nearly closed come along, of very many the deepest of each coordinate
 * first, multipliers are carried from round to round, and early answers may be inexact where the
 * projector offers that; the last one is exact, and is the one that every constraint is checked at.
 * The first answer starts from the multipliers of the step before where the state carries them,
 * and the projector has no tolerance. With one, constraints that an answer violates by no more than
 * that stay out.
 */
#ifndef IL_STEPPING_CORRECT_H
#define IL_STEPPING_CORRECT_H

#include "schemes/scheme.h"

typedef struct il_correct il_correct;

typedef struct {
    double t;             /* time at which the constraints are taken */
    const double *y;      /* [d] where they are linearised */
    const double *q;      /* [d] */
    double scale;         /* s */
    const double *target; /* [d] */
    double inexact; /* > 0: the answer may miss gaps by this, where the projector offers that */
    /* Start from rows and multipliers of the last solve, as a refresh left them: those open by no
     * more than `near`, taken anew at y. The answer is the same, and comes sooner. */
    bool resume;
    double near;
    const il_contacts *before; /* multipliers to start from; NULL: none */
    il_contacts *after;        /* receives those of the answer; NULL: not wanted */
} il_correction;

il_status il_correct_create(il_correct **out, const il_problem *problem,
                            const il_scheme_options *options, il_error *err);
void il_correct_destroy(il_correct *correct);

/* Solve into x[d]. report receives rows, lambda (the projector's, in its units), iterations,
 * solves, scans, rows_offered, stalled and, if asked for, the certificate of the linearised
 * problem; counts are added to what report holds. IL_ESTALLED unless accept_stalled;
 * IL_EINFEASIBLE; IL_ENUMERIC. */
il_status il_correct_solve(il_correct *correct, const il_correction *problem, double *x,
                           il_step_report *report, il_error *err);

/* The multipliers of the last solve, [rows->p], the corrector's own: a scheme scales them. */
double *il_correct_lambda(il_correct *correct);

/* Rows and QP of the last solve with the constraints taken anew at (t, x_true): rows linearised at
 * the point reached. Replaces the rows of the last solve; used for projections onto the true set.
 * *gap is min_i g_i(t, x_true) over ALL constraints. */
il_status il_correct_refresh(il_correct *correct, double t, const double *x_true, double *gap,
                             il_error *err);

/* The certificate of the original problem after a refresh, for a displacement x from the target's
 * base: stationarity of M (x - target) = B' lambda and complementarity with the rows' own values.
 * Its primal entry covers the rows at hand only. */
il_certificate il_correct_certify_true(il_correct *correct, const double *target, const double *x);

/* ---- the consequences of a projector's answer ----------------------------------------------- */

/* One more call of the projector into the counts of report. */
void il_step_count(const il_projection_info *info, il_step_report *report);

/* The status that a step at t goes on with after its projector `self` answered qp with `status` in
 * so many iterations: IL_OK, also for a stall (noted in report) if the options accept it; else
 * status, with the message that names the projector and why. */
il_status il_step_projected(const il_scheme_options *options, void *self, const il_qp *qp, double t,
                            il_status status, size_t iterations, il_step_report *report,
                            il_error *err);

#endif
