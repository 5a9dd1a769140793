/*
 * lagrangian.h - the augmented Lagrangian on the dual (Rockafellar 1976), for the last digits:
 *
 *     y_k = argmin 1/2 |x - t|_M^2 + sum_i max(0, lambda_i - sigma_i g_i(x))^2 / (2 sigma_i),
 *     lambda <- max(0, lambda - sigma g(y_k)).
 */
#ifndef IL_PROJECTION_LAGRANGIAN_H
#define IL_PROJECTION_LAGRANGIAN_H

#include "schemes/projection/newton/dual.h"

typedef struct {
    il_dual *dual;
    double tolerance; /* of the residual; 0: down to rounding */
    double penalty;   /* sigma_i W_ii */
    bool last_digits; /* all that the guess lacks */
    bool from_set;    /* the first step is made as if the active rows in lambda were the active
                         ones, whatever their gaps: a set is told sooner than its multipliers. Over
                         with that step */
} il_lagrangian;

/* The next run starts from the set of active rows in its lambda. */
void il_lagrangian_start_from_set(il_lagrangian *self);

/* The penalty sigma_i W_ii that iterations begin with; and a larger one for the next try. */
double il_lagrangian_first_penalty(void);
double il_lagrangian_larger_penalty(double penalty);

/* Outer iterations from lambda[p] until the residual is at most the tolerance or down to rounding,
 * with at most `limit` factorisations counted in dual->iterations. At the end lambda is the best
 * there was, and x[d] belongs to it. IL_ESTALLED; IL_EINFEASIBLE; IL_ENUMERIC when a gap is not
 * finite; IL_ENOMEM. */
il_status il_lagrangian_run(il_lagrangian *self, const il_qp *qp, size_t limit, double *lambda,
                            double *x);

#endif
