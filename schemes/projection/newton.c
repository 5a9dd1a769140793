/*
 * newton.c - large sparse problems to rounding, by two Newton methods on one sparse factor.
 *
 *     min 1/2 |x - t|_M^2,   g(x) = a + s B x >= 0,   M diagonal.
 *
 *     from a guess near the answer (the step before at rest, the round before):
 *         the augmented Lagrangian (newton/lagrangian.c), for few factorisations
 *     from any guess, if that does not settle: a parametric active-set method
 *         (newton/parametric.c), which most rows of the guess should survive
 *     else, or if that does not settle, in turn until polished:
 *         the interior-point method (newton/interior.c) from afar: its number of iterations hardly
 *         depends on size, degeneracy or masses
 *         once, from the rows that it tells, the parametric active-set method: few are wrong
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

/* A guess goes to the augmented Lagrangian at once if at most this part of the rows is violated, by
 * more than this part of the worst, and the others are solved to that: the round before, but for
 * the rows that came. */
static const double FEW = 0.02; /* tuned: 0.005, 0.08 */

/* So does one that is off by at most NEAR_REST of its largest scaled multiplier, from its active
 * rows: in a pile that settles, those of the step before. Where that is AT_REST, outer
 * iterations are done at the rounding of the gaps alone. */
static const double NEAR_REST = 1e-3; /* tuned: 1e-5, 1e-1 */
static const double AT_REST = 1e-6;   /* tuned: 1e-8, 1e-4 */

/* Factorisations; those of one polishing; those that a good guess may take, and one whose rows may
 * be the answer's, before rows come and go one after the other; those from a set that is told; and
 * how often the two phases take turns. */
enum { MAX_ITERATIONS = 600, MAX_NEWTON = 24, TOLD_NEWTON = 5 };
enum { WARM_NEWTON = 4 }; /* tuned: 2, 8 */
enum { REST_NEWTON = 3 }; /* tuned: 2, 5 */
enum { MAX_TURNS = 10 };

typedef struct {
    il_projector_options options;
    il_dual dual;
    il_lagrangian lagrangian; /* on that dual */
    il_parametric parametric; /* likewise */
    double *work;             /* [room] of the certificate */
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
        il_parametric_free(&w->parametric);
        free(w->work);
    }
    free(w);
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    newton *w = calloc(1, sizeof *w);
    *self = w;
    if (w != NULL) {
        w->options = *options;
    }
    bool ready = w != NULL && il_dual_init(&w->dual);
    if (!ready) {
        destroy(w);
        *self = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for projector 'newton'");
    }
    il_dual_share(&w->dual, options->team);
    w->parametric = (il_parametric){.dual = &w->dual};
    w->lagrangian = (il_lagrangian){.dual = &w->dual, .tolerance = options->tolerance};
    return IL_OK;
}

/* What the guess lambda is worth. */
typedef struct {
    double residual;
    bool given;   /* it was not none at all, */
    bool nonzero; /* nor is it */
    bool near;    /* a solution but for few rows, which are violated, or but for its last digits */
    bool told;    /* the active rows in it may be those of the solution */
} guess;

/* Make lambda a guess that can be used, which is none at all where that leaves less undone; what it
 * was stays in w->given. Returns its residual; *scaled is the largest lambda_i W_ii, *deepest the
 * worst violation. */
static double admit(il_dual *w, const il_qp *qp, double *lambda, double *x, double *scaled,
                    double *deepest) {
    size_t p = qp->rows->p;
    *scaled = 0.0;
    for (size_t i = 0; i < p; i++) {
        w->given[i] = lambda[i] = lambda[i] > 0.0 && lambda[i] < INFINITY ? lambda[i] : 0.0;
        *scaled = il_greater(lambda[i] * w->delassus[i], *scaled);
    }
    double residual = il_dual_evaluate(w, qp, lambda, x, deepest);
    if (*scaled == 0.0 || residual <= w->rounding ||
        residual <= il_projection_violation(qp, qp->target)) {
        return residual;
    }
    memset(lambda, 0, p * sizeof *lambda);
    *scaled = 0.0;
    return il_dual_evaluate(w, qp, lambda, x, deepest);
}

/* Set up, make lambda a guess that can be used, and judge it. */
static il_status begin(newton *self, const il_qp *qp, double *lambda, double *x, guess *at) {
    il_dual *w = &self->dual;
    size_t p = qp->rows->p;
    double scaled = 0.0;
    size_t violated = 0;
    double deepest = 0.0;
    double off = 0.0; /* where the row is not violated */
    *at = (guess){.residual = INFINITY};
    self->lagrangian.penalty = il_lagrangian_first_penalty();
    il_status status = il_dual_begin(w, qp);
    if (status != IL_OK) {
        return status;
    }
    w->limit = self->options.max_iterations > 0 ? self->options.max_iterations : MAX_ITERATIONS;
    at->residual = admit(w, qp, lambda, x, &scaled, &deepest);
    if (!isfinite(at->residual)) {
        return IL_ENUMERIC; /* and gaps are not all there */
    }
    for (size_t i = 0; i < p; i++) {
        at->given = at->given || w->given[i] > 0.0;
        bool deep = w->g[i] < -FEW * deepest;
        violated += deep;
        off = deep ? off : il_greater(il_lesser(lambda[i] * w->delassus[i], w->g[i]), off);
        w->kept[i] = lambda[i];
    }
    bool few = off <= FEW * deepest && (double)violated <= FEW * (double)p;
    self->lagrangian.last_digits = scaled > 0.0 && at->residual <= AT_REST * scaled;
    at->told = scaled > 0.0 && at->residual <= NEAR_REST * scaled;
    at->near = at->told || (few && scaled > 0.0);
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
    il_status status = il_parametric_run(&self->parametric, qp, lambda, x);
    if (status == IL_ESTALLED) {
        if (!self->parametric.found) {
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
    il_status status = il_parametric_run(&self->parametric, qp, lambda, x);
    bool found = status == IL_ESTALLED && self->parametric.found;
    return found ? polish(self, qp, lambda, x) : status;
}

/* From a guess: polished at once if it is near. */
static il_status improve(newton *self, const il_qp *qp, const guess *at, double *lambda,
                         double *x) {
    il_dual *w = &self->dual;
    size_t few = at->told ? REST_NEWTON : WARM_NEWTON;
    bool moves = at->told && !self->lagrangian.last_digits; /* rows come and go */
    bool exact = self->options.tolerance == 0.0; /* else multipliers too large, perhaps */
    il_status status = IL_ESTALLED;
    if (exact && at->near && !moves) {
        size_t limit = w->iterations + few < w->limit ? w->iterations + few : w->limit;
        if (at->told) {
            il_lagrangian_start_from_set(&self->lagrangian);
        }
        status = il_lagrangian_run(&self->lagrangian, qp, limit, lambda, x);
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
        if (!il_memory_grow(&self->work, 2 * qp->d, sizeof *self->work)) {
            return IL_ENOMEM;
        }
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
    .title = "interior point, then semismooth Newton, with sparse factors: for many bodies",
    .statement =
        "Predictor-corrector interior-point steps, then the augmented Lagrangian with semismooth\n"
        "Newton steps and an exact line search, down to rounding. Both factorise\n"
        "M + s^2 B' diag(w) B by a multifrontal Cholesky method in a minimum-degree ordering.\n"
        "Takes more contacts than unknowns and masses in any ratio; starts from the multipliers\n"
        "of the round or step before. Where few rows change, Newton steps are taken in full, as\n"
        "primal-dual active sets are; rows that come and go one after the other leave the factor\n"
        "as it is, and change a small matrix beside it. M diagonal. --tol E stops at residual E\n"
        "in the units of the gaps; an iteration is one factorisation.",
    .source = "Mehrotra 1992; Gondzio 1996; Friedlander & Orban 2012; Rockafellar 1976; Li, Sun & "
              "Toh 2018; Hintermueller, Ito & Kunisch 2002; Ferreau, Bock & Diehl 2008; "
              "Duff & Reid 1983; Amestoy, Davis & Duff 1996",
    .finite = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .approximate = approximate,
    .destroy = destroy};
