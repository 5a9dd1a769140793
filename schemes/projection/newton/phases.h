/*
 * phases.h - the Newton methods on the dual (dual.h) that newton.c puts together.
 *
 * interior.c, an interior-point phase: from any start to where the active rows are identified, in a
 * number of iterations that hardly depends on size, degeneracy or masses.
 *
 * lagrangian.c, the augmented Lagrangian (Rockafellar 1976), for the last digits:
 *
 *     y_k = argmin 1/2 |x - t|_M^2 + sum_i max(0, lambda_i - sigma_i g_i(x))^2 / (2 sigma_i),
 *     lambda <- max(0, lambda - sigma g(y_k)).
 *
 * primal_dual.c, primal-dual active sets on the augmented Lagrangian: from the rows of a guess to
 * the answer in full steps, the last rows with one factor and a small matrix for what changed
 * since.
 */
#ifndef IL_PROJECTION_PHASES_H
#define IL_PROJECTION_PHASES_H

#include "schemes/projection/newton/dual.h"

/* ---- interior.c ------------------------------------------------------------------------------ */

/* When a phase is over, and how it is held. */
typedef struct {
    double tolerance; /* gaps, and lambda_i W_ii, that are as good as 0 */
    bool anchored;    /* the proximal term stays where the phase began */
    bool crosses; /* over as soon as the active rows are identified: lambda_i W_ii > z_i holds for
                         the same rows, but for few, after an iteration in which mu fell tenfold;
                         the multipliers of the others are then 0 */
} il_interior_goal;

/* One phase from lambda[p] >= 0 to lambda[p] > 0, to mu <= max(1e-12 off^2/W, tolerance^2/W), off
 * the residual at the start. Where it crosses, no multiplier begins below w->given. It ends earlier
 * when mu falls no more or a pivot is lost to rounding: what is left is another method's, or
 * another phase's. x[d] is scratch. IL_EINFEASIBLE; what the analysis says. */
il_status il_interior_run(il_dual *w, const il_qp *qp, const il_interior_goal *goal, double *lambda,
                          double *x);

/* ---- lagrangian.c ---------------------------------------------------------------------------- */

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
 * finite; what the analysis says. */
il_status il_lagrangian_run(il_lagrangian *self, const il_qp *qp, size_t limit, double *lambda,
                            double *x);

/* ---- primal_dual.c --------------------------------------------------------------------------- */

/* On a dual that outlives it. Buffers grow, to no more numbers than the factor has, and are not
 * given back before destruction. */
typedef struct {
    il_dual *dual;
    double penalty;                        /* sigma_i W_ii */
    bool found;                            /* and whether it came to a minimiser at least once */
    size_t room_d, room_p, room_k, room_n; /* of coordinates, rows, changes, numbers */
    bool *on;                              /* [p] rows in the set */
    double *pull;                          /* [d] r, what M (x - t) lacks of s B' v */
    double *lower;                         /* [d] L^{-1} of the right-hand side */
    double *fresh;                         /* [d] L^{-1} of the row at hand, */
    size_t reached;                        /* which is not 0 in so many places, */
    int *reach;                            /* [reached] these */
    size_t k;                              /* rows that changed since the factor was made, */
    double *number;                        /* [n] L^{-1} of these, without zeros, */
    int *place;                            /* [n] where these stand */
    size_t *start;                         /* [k+1] and where those of a row start */
    double *ldl;                           /* [k (k+1)/2] L_S below D by rows */
    double *along;                         /* [k] F' lower */
    double *y;                             /* [k] scratch */
} il_primal_dual;

void il_primal_dual_free(il_primal_dual *self);

/* From lambda[p] >= 0, a guess, to multipliers whose residual is rounding; x[d] belongs to them.
 * IL_ESTALLED otherwise: where the guess is none, or takes more than it should, lambda and x are of
 * no use; where `found`, the active rows in lambda are mostly those of the answer.
 * IL_EINTERRUPTED; what the analysis says. */
il_status il_primal_dual_run(il_primal_dual *self, const il_qp *qp, double *lambda, double *x);

#endif
