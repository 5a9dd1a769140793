/*
 * newton.c - large sparse problems to rounding, by two Newton methods on one sparse factor.
 *
 *     min 1/2 |x - t|_M^2,   g(x) = a + s B x >= 0,   M diagonal.
 *
 *     from a guess that lacks its last digits, as the step before at rest:
 *         the augmented Lagrangian (newton/lagrangian.c), for few factorisations
 *     from any guess, if that does not settle, and for an inexact answer from one that tells a set:
 *         primal-dual active sets in full steps (newton/primal_dual.c), given up where they cycle
 *     else, or if that does not settle, in turn until polished:
 *         the interior-point method (newton/interior.c) from afar: its number of iterations hardly
 *         depends on size, degeneracy or masses
 *         once, from the rows that it tells, primal-dual active sets: few are wrong
 *         else the augmented Lagrangian from there, to the rounding of the gaps
 *     and all of it again from no guess, should a guess have led nowhere
 *
 * Once is enough but for rows that are nearly dependent; each turn begins with the best there was,
 * keeps its proximal term where it began, and raises the penalty. Both methods need factors of
 *
 *     H = M + s^2 B' diag(w) B,
 *
 * from sparse/. sigma_i is taken inversely to W_ii = s^2 b_i' M^{-1} b_i, so that rows between
 * light and heavy bodies count alike.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/worse.h"
#include "schemes/projection/newton/phases.h"

/* A guess tells a set of active rows where at most this part of them is off: hardly any where it
 * was exact for the rows that it knew, most where it was not. */
static const double SET = 0.4; /* tuned: 0.2, 0.8 */

/* One that is off by at most AT_REST of its largest scaled multiplier lacks its last digits alone,
 * and outer iterations of the augmented Lagrangian are done at the rounding of the gaps. */
static const double AT_REST = 1e-6; /* tuned: 1e-8, 1e-4 */

/* Factorisations; those of one polishing; those from a set that is told, and from a guess at rest;
 * and how often the two phases take turns. */
enum { MAX_ITERATIONS = 600, MAX_NEWTON = 24, TOLD_NEWTON = 5 };
enum { REST_NEWTON = 3 }; /* tuned: 2, 5 */
enum { MAX_TURNS = 10 };

typedef struct {
    il_projector_options options;
    il_dual dual;
    il_lagrangian lagrangian;   /* on that dual */
    il_primal_dual primal_dual; /* likewise */
    double *work;               /* [room] of the certificate */
    size_t room;
} newton;

static const char *refuses(void *self, const il_qp *qp) {
    (void)self;
    return il_metric_masses(qp->mass) != NULL ? NULL : "the mass matrix is not diagonal";
}

static void destroy(void *self) {
    newton *w = self;
    if (w != NULL) {
        il_dual_free(&w->dual);
        il_primal_dual_free(&w->primal_dual);
        free(w->work);
    }
    free(w);
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    newton *w = il_alloc_zero(1, sizeof *w);
    (void)err;
    *self = w;
    w->options = *options;
    il_dual_init(&w->dual);
    il_dual_share(&w->dual, options->team);
    w->primal_dual = (il_primal_dual){.dual = &w->dual};
    w->lagrangian = (il_lagrangian){.dual = &w->dual, .tolerance = options->tolerance};
    return IL_OK;
}

/* The worth of the guess lambda. */
typedef struct {
    double residual;
    bool given;   /* it was not none at all, */
    bool nonzero; /* nor is it */
    bool at_rest; /* it is a solution but for its last digits */
    bool set;     /* as it was given it is the answer to most rows, and not an inexact one to all */
} guess;

/* Is at most SET of the rows off by more than a hundredth of the residual? */
static bool is_set(const il_dual *w, size_t p, const double *lambda, double residual) {
    size_t off = 0;
    for (size_t i = 0; i < p; i++) {
        off += fabs(il_lesser(lambda[i] * w->delassus[i], w->g[i])) > 0.01 * residual;
    }
    return (double)off <= SET * (double)p;
}

/* Make lambda a guess that can be used, which is none at all where that leaves less undone; what it
 * was stays in w->given, and *set says whether that is one. Returns the residual; *scaled is the
 * largest lambda_i W_ii. */
static double admit(il_dual *w, const il_qp *qp, double *lambda, double *x, double *scaled,
                    bool *set) {
    size_t p = qp->rows->p;
    double deepest = 0.0;
    *scaled = 0.0;
    for (size_t i = 0; i < p; i++) {
        w->given[i] = lambda[i] = lambda[i] > 0.0 && lambda[i] < INFINITY ? lambda[i] : 0.0;
        *scaled = il_greater(lambda[i] * w->delassus[i], *scaled);
    }
    double residual = il_dual_evaluate(w, qp, lambda, x, &deepest);
    *set = *scaled > 0.0 && is_set(w, p, lambda, residual);
    if (*scaled == 0.0 || residual <= w->rounding ||
        residual <= il_projection_violation(qp, qp->target)) {
        return residual;
    }
    memset(lambda, 0, p * sizeof *lambda);
    *scaled = 0.0;
    return il_dual_evaluate(w, qp, lambda, x, &deepest);
}

/* Set up, make lambda a guess that can be used, and judge it. */
static il_status begin(newton *self, const il_qp *qp, double *lambda, double *x, guess *at) {
    il_dual *w = &self->dual;
    size_t p = qp->rows->p;
    double scaled = 0.0;
    *at = (guess){.residual = INFINITY};
    self->lagrangian.penalty = il_lagrangian_first_penalty();
    il_status status = il_dual_begin(w, qp);
    if (status != IL_OK) {
        return status;
    }
    w->limit = self->options.max_iterations > 0 ? self->options.max_iterations : MAX_ITERATIONS;
    at->residual = admit(w, qp, lambda, x, &scaled, &at->set);
    if (!isfinite(at->residual)) {
        return IL_ENUMERIC; /* and gaps are not all there */
    }
    for (size_t i = 0; i < p; i++) {
        at->given = at->given || w->given[i] > 0.0;
        w->kept[i] = lambda[i];
    }
    at->at_rest = scaled > 0.0 && at->residual <= AT_REST * scaled;
    self->lagrangian.last_digits = at->at_rest;
    at->nonzero = scaled > 0.0;
    return IL_OK;
}

/* Polish from the identified active rows. Whether the constraints contradict each other is for the
 * interior method to decide. */
static il_status polish(newton *self, const il_qp *qp, double *lambda, double *x) {
    il_dual *w = &self->dual;
    size_t limit = w->iterations + TOLD_NEWTON;
    il_lagrangian_start_from_set(&self->lagrangian);
    il_status status =
        il_lagrangian_run(&self->lagrangian, qp, limit < w->limit ? limit : w->limit, lambda, x);
    return status == IL_EINFEASIBLE ? IL_ESTALLED : status;
}

/* From the active rows that an interior phase identified, a few of them wrong: these enter and
 * leave with one factor. Where that fails, polish from the same rows. */
static il_status cross_over(newton *self, const il_qp *qp, double *lambda, double *x) {
    il_dual *w = &self->dual;
    size_t bytes = qp->rows->p * sizeof *lambda;
    memcpy(w->base, lambda, bytes); /* where the phase began is no longer needed */
    il_status status = il_primal_dual_run(&self->primal_dual, qp, lambda, x);
    if (status == IL_ESTALLED) {
        if (!self->primal_dual.found) {
            memcpy(lambda, w->base, bytes);
        }
        status = polish(self, qp, lambda, x);
    }
    return status;
}

/* Both phases in turn, from the best there is, until polishing settles: once, but for rows that are
 * nearly dependent. */
static il_status alternate(newton *self, const il_qp *qp, double residual, double *lambda,
                           double *x) {
    il_dual *w = &self->dual;
    size_t bytes = qp->rows->p * sizeof *lambda;
    double deepest = 0.0;
    il_status status = IL_ESTALLED;
    il_interior_goal goal = {.tolerance = self->options.tolerance,
                             .crosses = self->options.tolerance == 0.0};
    for (int k = 0; k < MAX_TURNS && status == IL_ESTALLED && w->iterations < w->limit; k++) {
        memcpy(lambda, w->kept, bytes);
        status = il_interior_run(w, qp, &goal, lambda, x);
        if (status == IL_OK && goal.crosses) {
            status = cross_over(self, qp, lambda, x);
        } else if (status == IL_OK) {
            size_t limit = w->iterations + MAX_NEWTON;
            status = il_lagrangian_run(&self->lagrangian, qp, limit < w->limit ? limit : w->limit,
                                       lambda, x);
        }
        double reached = il_dual_evaluate(w, qp, lambda, x, &deepest);
        if (reached < residual || status != IL_ESTALLED) {
            residual = reached;
            memcpy(w->kept, lambda, bytes);
        }
        if (goal.crosses) { /* too soon, or rows are nearly dependent: the whole phase */
            self->lagrangian.penalty = il_lagrangian_first_penalty();
        } else {
            self->lagrangian.penalty = il_lagrangian_larger_penalty(self->lagrangian.penalty);
            goal.anchored = true;
        }
        goal.crosses = false;
    }
    memcpy(lambda, w->kept, bytes);
    (void)il_dual_evaluate(w, qp, lambda, x, &deepest);
    return status;
}

/* From the active rows in the guess as it was given, whatever it leaves undone. */
static il_status continue_from(newton *self, const il_qp *qp, double *lambda, double *x) {
    il_dual *w = &self->dual;
    memcpy(lambda, w->given, qp->rows->p * sizeof *lambda);
    il_status status = il_primal_dual_run(&self->primal_dual, qp, lambda, x);
    bool found = status == IL_ESTALLED && self->primal_dual.found;
    return found ? polish(self, qp, lambda, x) : status;
}

/* From a guess: polished at once where it is at rest. */
static il_status improve(newton *self, const il_qp *qp, const guess *at, double *lambda,
                         double *x) {
    il_dual *w = &self->dual;
    bool exact = self->options.tolerance == 0.0; /* else multipliers too large, perhaps */
    il_status status = IL_ESTALLED;
    if (exact && at->at_rest) {
        il_lagrangian_start_from_set(&self->lagrangian);
        status = il_lagrangian_run(&self->lagrangian, qp,
                                   w->limit < REST_NEWTON ? w->limit : REST_NEWTON, lambda, x);
    }
    if ((status == IL_ESTALLED || status == IL_ENUMERIC) && at->given && exact) {
        status = continue_from(self, qp, lambda, x);
    }
    if (status == IL_ESTALLED || status == IL_ENUMERIC) {
        self->lagrangian.penalty = il_lagrangian_first_penalty();
        self->lagrangian.last_digits = false;
        self->lagrangian.from_set = false;
        status = alternate(self, qp, at->residual, lambda, x);
    }
    return status;
}

/* Multipliers of light bodies between heavy ones are large and cancel: their rounding alone keeps
 * the gaps from 1e-12. What stalled so is an answer if its certificate is exact all the same. */
static il_status judge(newton *self, const il_qp *qp, const double *x, const double *lambda) {
    if (self->room < 2 * qp->d) {
        il_memory_grow(&self->work, 2 * qp->d, sizeof *self->work);
        self->room = 2 * qp->d;
    }
    il_certificate c = il_certify(qp, x, lambda, self->work);
    return il_certificate_holds(&c, true, 0.0) ? IL_OK : IL_ESTALLED;
}

static il_status answer(newton *n, const il_qp *qp, double *x, double *lambda,
                        il_projection_info *info) {
    il_dual *w = &n->dual;
    guess at;
    *info = (il_projection_info){.method = "newton"};
    il_status status = begin(n, qp, lambda, x, &at);
    if (status != IL_OK || at.residual <= fmax(n->options.tolerance, w->rounding)) {
        return il_projection_finite(qp, x, lambda, status);
    }
    bool again = at.given && n->options.max_iterations == 0;
    w->limit = again ? w->limit / 2 : w->limit;
    status = improve(n, qp, &at, lambda, x);
    info->iterations = w->iterations;
    if (again && status != IL_OK && status != IL_ENOMEM && status != IL_EINTERRUPTED) {
        /* multipliers that balance each other may drown the gaps: without them */
        memset(lambda, 0, qp->rows->p * sizeof *lambda);
        status = begin(n, qp, lambda, x, &at);
        status = status == IL_OK ? improve(n, qp, &at, lambda, x) : status;
        info->iterations += w->iterations;
    }
    if (status == IL_ESTALLED && n->options.tolerance == 0.0) {
        status = judge(n, qp, x, lambda);
    }
    return il_projection_finite(qp, x, lambda, status);
}

static il_status roughly(newton *n, const il_qp *qp, double tolerance, double *x, double *lambda,
                         il_projection_info *info) {
    guess at;
    il_interior_goal goal = {.tolerance = tolerance};
    *info = (il_projection_info){.method = "newton"};
    il_status status = begin(n, qp, lambda, x, &at);
    info->inexact = at.residual > fmax(n->options.tolerance, n->dual.rounding);
    if (status != IL_OK || at.residual <= tolerance) {
        return status;
    }
    if (at.set && n->options.tolerance == 0.0) {
        status = continue_from(n, qp, lambda, x);
        info->iterations = n->dual.iterations;
        info->inexact = status != IL_OK;
        if (status != IL_ESTALLED) {
            return il_projection_finite(qp, x, lambda, status);
        }
        memcpy(lambda, n->dual.kept, qp->rows->p * sizeof *lambda);
    }
    status = il_interior_run(&n->dual, qp, &goal, lambda, x);
    il_projection_from_multipliers(qp, lambda, n->dual.force, x);
    info->iterations = n->dual.iterations;
    info->inexact = true;
    /* what a guess seems to prove is for the exact answer to find */
    return status == IL_EINFEASIBLE && at.nonzero ? IL_ESTALLED : status;
}

/* An answer, rough where a tolerance is given, with what the factor did for it. */
static il_status count(newton *n, const il_qp *qp, double tolerance, double *x, double *lambda,
                       il_projection_info *info) {
    size_t factorisations = il_sparse_factorisations(n->dual.factor);
    size_t analyses = il_sparse_analyses(n->dual.factor);
    il_status status = tolerance > 0.0 ? roughly(n, qp, tolerance, x, lambda, info)
                                       : answer(n, qp, x, lambda, info);
    info->factorisations = il_sparse_factorisations(n->dual.factor) - factorisations;
    info->analyses = il_sparse_analyses(n->dual.factor) - analyses;
    return status;
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    return count(self, qp, 0.0, x, lambda, info);
}

static il_status approximate(void *self, const il_qp *qp, double tolerance, double *x,
                             double *lambda, il_projection_info *info) {
    return count(self, qp, tolerance, x, lambda, info);
}

const il_projector_type il_projector_newton = {
    .name = "newton",
    .title = "active sets, interior point, semismooth Newton, on sparse factors: for many bodies",
    .statement =
        "From the multipliers of the round or step before primal-dual active sets, in full Newton\n"
        "steps; the last rows that come and go leave the factor as it is, and change a small\n"
        "matrix beside it. Where sets cycle, or nothing is known, predictor-corrector\n"
        "interior-point steps first, and the augmented Lagrangian with an exact line search,\n"
        "down to rounding. All factorise M + s^2 B' diag(w) B by a multifrontal Cholesky method\n"
        "in a minimum-degree ordering. Takes more contacts than unknowns and masses in any\n"
        "ratio. M diagonal. --tol E stops at residual E in the units of the gaps; an iteration\n"
        "is one factorisation.",
    .source = "Mehrotra 1992; Gondzio 1996; Friedlander & Orban 2012; Rockafellar 1976; Li, Sun & "
              "Toh 2018; Hintermueller, Ito & Kunisch 2003; "
              "Duff & Reid 1983; Amestoy, Davis & Duff 1996",
    .finite = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .approximate = approximate,
    .destroy = destroy};
