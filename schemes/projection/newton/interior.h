/*
 * interior.h - an interior-point phase on the dual: from afar to where the active rows are told
 * from those that do not, in a number of iterations that hardly depends on size, degeneracy or
 * masses.
 */
#ifndef IL_PROJECTION_INTERIOR_H
#define IL_PROJECTION_INTERIOR_H

#include "schemes/projection/newton/dual.h"

/* When a phase is over, and how it is held. */
typedef struct {
    double tolerance; /* gaps, and lambda_i W_ii, that are as good as 0 */
    bool anchored;    /* the proximal term stays where the phase began */
    bool crosses;     /* over as soon as the active rows are told: lambda_i W_ii > z_i holds for
                         the same rows, but for few, after an iteration in which mu fell tenfold;
                         the multipliers of the others are then 0 */
} il_interior_goal;

/* One phase from lambda[p] >= 0 to lambda[p] > 0, to mu <= max(1e-12 off^2/W, tolerance^2/W), off
 * the residual at the start. Where it crosses, no multiplier begins below w->given. It ends earlier
 * when mu falls no more or a pivot is lost to rounding: what is left is another method's, or
 * another phase's. x[d] is scratch. IL_EINFEASIBLE; IL_ENOMEM; IL_EUNSUPPORTED from the
 * analysis. */
il_status il_interior_run(il_dual *w, const il_qp *qp, const il_interior_goal *goal, double *lambda,
                          double *x);

#endif
