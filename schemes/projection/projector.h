/*
 * projector.h - the convex problem inside a step.
 *
 *     minimise 1/2 |x - target|_M^2   subject to   a_i + s <b_i, x> >= 0,   i = 1..p,
 *
 * whose solution with its multipliers satisfies
 *
 *     M (x - target) = s sum_i lambda_i b_i,   lambda >= 0,   lambda_i (a_i + s <b_i,x>) = 0.
 *
 * Maury's step has x = u_{n+1}, a = g, s = h, and lambda are his mu (Maury (14)-(18)); Venel's and
 * Paoli's have x = q_{n+1} - q_n, a = g, s = 1, and lambda = h^2 mu. x is unique, lambda need not
 * be (Maury, section 4).
 *
 * To add a projector, write schemes/projection/NAME.c with one
 * `const il_projector_type il_projector_NAME`; the build finds it.
 */
#ifndef IL_PROJECTOR_H
#define IL_PROJECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/metric.h"
#include "harness/base/rows.h"
#include "harness/base/status.h"
#include "harness/base/team.h"

typedef struct {
    size_t d;
    const il_metric *mass; /* M */
    const double *target;  /* [d] */
    const il_rows *rows;   /* b_i: the gradients; values and rates are not read */
    const double *a;       /* [p] */
    double scale;          /* s > 0 */
} il_qp;

/* Default tolerance of iterative projectors, in the units of the gaps: far above rounding, far
 * below any visible gap. */
#define IL_PROJECTOR_TOLERANCE 1e-12

typedef enum { IL_RHO_MEASURED, IL_RHO_EXPLICIT, IL_RHO_GIVEN } il_rho_rule;

typedef struct {
    double tolerance; /* of iterative projectors, in the units of a; 0: IL_PROJECTOR_TOLERANCE */
    size_t max_iterations; /* 0: the projector's own */
    il_rho_rule rho_rule;  /* Uzawa's step */
    double rho;            /* used if rho_rule is IL_RHO_GIVEN */
    bool warm;             /* of those that sweep: from the guess for lambda, not from zeros */
    bool shuffled;         /* and the rows in a random order, another one in every sweep */
    il_team *team;         /* threads that may share the work, to the same bits; outlives the
                              projector. NULL: the caller's alone */
} il_projector_options;

typedef struct {
    size_t iterations;
    size_t factorisations; /* numeric, of the sparse factor, */
    size_t analyses;       /* and symbolic: 0 for projectors without one */
    double rho;            /* Uzawa's step, else 0 */
    const char *method;    /* who solved it: "one_row", "chain", ... */
    bool inexact;          /* approximate stopped before the projector's own accuracy */
} il_projection_info;

typedef struct il_projector_type {
    const char *name;
    const char *title;
    const char *statement; /* what it does, when it applies; what `show` prints */
    const char *source;
    bool preferred;  /* the default projector; exactly one type has it */
    bool finite;     /* finite and to rounding, as opposed to iterative and to a tolerance */
    bool stepped;    /* its step is options.rho */
    bool swept;      /* goes through the rows one by one: options.warm, options.shuffled */
    bool untolerant; /* options.tolerance is ignored */
    bool half_space; /* a single row is solved in closed form, as one_row.c does it */

    /* NULL if this projector can solve qp's structure, else why not. Cheap; no allocation once
     * warmed up. */
    const char *(*refuses)(void *self, const il_qp *qp);

    il_status (*create)(void **self, const il_projector_options *options, il_error *err);

    /* x[d] out; lambda[p] in and out: a guess >= 0 on entry (zeros for none; an entry that is
     * negative or not finite counts as 0), the multipliers on return. The guess may be arbitrarily
     * wrong: of one with a larger residual than none at most its active rows are used. Exact
     * methods for few rows and uzawa ignore it. Depends on qp, the guess and the options alone,
     * never on earlier calls. IL_OK; IL_ESTALLED with the best iterate in x and lambda;
     * IL_EINFEASIBLE when no x satisfies the rows; IL_EUNSUPPORTED when the structure is refused;
     * IL_ENUMERIC for NaN, and where the answer is not finite; IL_EINTERRUPTED when il_interrupted.
     * The work of a call is bounded, and ends in one of these. Never modifies what qp points to. x
     * is target + s M^{-1} B' lambda to rounding, whatever lambda, so that equal and opposite rows
     * keep the total momentum even when the projector is stopped early. */
    il_status (*solve)(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info);

    /* Optional: as solve, but may stop at a residual of about tolerance (in the units of a), for
     * answers that only show which rows to add; info->inexact is then set. Multipliers of inactive
     * rows are then small and need not be 0; as a guess they lead on to the solution. NULL: solve
     * is cheap enough. */
    il_status (*approximate)(void *self, const il_qp *qp, double tolerance, double *x,
                             double *lambda, il_projection_info *info);
    void (*destroy)(void *self);
} il_projector_type;

/* Every call of il_projection_from_multipliers writes x = target + s M^{-1} B' lambda. force[d] is
 * scratch and receives s B' lambda. */
void il_projection_from_multipliers(const il_qp *qp, const double *lambda, double *force,
                                    double *x);

/* The Delassus diagonal W_ii = s^2 b_i' M^{-1} b_i of M = diag(mass[d]) into delassus[p]; 1 for a
 * row without a gradient, which nothing can move. lambda_i W_ii is the gap that row i could close
 * on its own: the scaled multiplier. */
void il_projection_delassus(const il_qp *qp, const double *mass, double *delassus);

/* max_i max(0, -(a_i + s <b_i,x>)), x[d]: at the target what is undone without multipliers. */
double il_projection_violation(const il_qp *qp, const double *x);

/* IL_ENUMERIC where said is IL_OK or IL_ESTALLED and x[d] or lambda[p] is not finite, which an
 * overflow on the way leaves; else said. Every solve ends so. */
il_status il_projection_finite(const il_qp *qp, const double *x, const double *lambda,
                               il_status said);

/* Recomputed from the data, never taken from a solver. */
typedef struct {
    double primal;          /* min_i a_i + s <b_i,x>; +INFINITY without rows */
    double dual;            /* min_i lambda_i; +INFINITY without rows */
    double complementarity; /* max_i |lambda_i (a_i + s <b_i,x>)| */
    double stationarity;    /* max_k |(M (x - target) - s B' lambda)_k| */
    double relative;        /* the same residual as a displacement, max_k |M^{-1} (...)|_k, over the
                               largest |x_k| + |target_k| + s sum_i |M^{-1} b_i lambda_i|_k: heavy
                               bodies do not hide light ones */
    double residual;        /* max_i |min(lambda_i W_ii, a_i + s <b_i,x>)| with W_ii =
                               s^2 <b_i, M^{-1} b_i>: 0 if and only if (x, lambda) solves */
    double size;            /* the largest sum of moduli that a gap is rounded from (README.md) */
} il_certificate;

/* A finite projector means this by exact, and every projector by x = target + s M^{-1} B' lambda:
 * residual <= IL_PROJECTOR_EXACT size, and relative <= IL_PROJECTOR_EXACT. */
#define IL_PROJECTOR_EXACT 1e-12

/* Is the certificate within what a projector with these options promises: exact, or within twice
 * the tolerance if it has one? False for NaN. */
bool il_certificate_holds(const il_certificate *certificate, bool finite, double tolerance);

/* The certificate of (x, lambda) for qp. work has room for 2 d doubles. A NaN anywhere makes the
 * entry that it touches NaN. */
il_certificate il_certify(const il_qp *qp, const double *x, const double *lambda, double *work);

/* worst = the worse of each entry of worst and one; start from il_certificate_best(). */
il_certificate il_certificate_best(void);
void il_certificate_worsen(il_certificate *worst, const il_certificate *one);

#endif
