/*
 * correct.c - constraint generation (outer approximation; Cheney & Goldstein 1959, Kelley 1960;
 * with dropping, Eaves & Zangwill 1971) for the projection of a step.
 *
 *     W <- rows that y leaves nearly closed, and rows that the prediction violates      (start)
 *     while violations are deep and rows many:                                          (inexact)
 *         x <- inexact solve over W;  add to W what x violates, and what is near it
 *     drop from W what x leaves open                                                    (once)
 *     repeat                                                                            (exact)
 *         x <- exact solve over W;  add to W what x violates, and what is near it
 *     until x violates nothing
 *
 * Invariant: every row of W is a constraint of the problem, linearised at y, and stands in W once;
 * after `add`, whatever x violates beyond rounding or the tolerance is in W. So where nothing was
 * added after an exact solve, x solves the whole problem: it minimises over a larger set, and lies
 * in the smaller one.
 *
 * It ends: no row leaves W within the inexact or within the exact phase, and each round but the
 * last of a phase adds the deepest violation at least, which is a row that was not there. With p
 * constraints these are at most p + 1 rounds a phase. A projector that leaves rows of W violated
 * does not change this: only rows that are not in W count.
 */
#include "schemes/stepping/correct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/stepping/working_set.h"

/* A row left out counts as violated below this, in units of one plus the configuration's size: ten
 * times the rounding with which a distance is computed. */
static const double LEFT_OUT = 2e-15;

/* The first set has the rows that the prediction violates, and those whose gap at y is less than
 * TOUCHING of the distance that their bodies, or bodies next to those, would move: in a pile these
 * are the contacts of the step before and those about to close, and most will be active. Where they
 * are more than GROWS times the active rows of the step before, half that distance is used, and so
 * on down to LEAST: in a flying cluster neighbours move far and hardly ever meet. With the rows
 * that an answer violates come those whose gap is less than NEARBY of the distance that their
 * bodies, or bodies next to those, moved since the last answer, because the next would violate many
 * of them. Where nothing moved no rows come: of 50 000 spheres of which the lowest hit the floor, a
 * tenth of the rows that a bound by the fastest body would bring. While more than MANY rows come,
 * answers only show which rows to add, and are inexact, to INEXACT of the deepest violation: by the
 * prediction of any row, by an answer of a new row. Rows whose gap in the last of these exceeds its
 * tolerance are dropped: they came as neighbours and are hardly ever active, but would fill the
 * factor.
 *
 * The first solve is warm, from the multipliers of the step before. Where MOSTLY all rows of the
 * set were active in that step, the rows come along that the answer of these multipliers violates,
 * or whose gap is less than FORESEEN of the distance that they move its bodies, and no inexact
 * answer is computed: in a pile the first exact one is then usually the last. At rest the
 * multipliers undo the motion of the prediction; an answer that moves a body STRAYS times as far is
 * a useless guess, and nearly all rows would be within its reach (20 000 discs: 10 GB). The
 * certified answer depends on none of these constants; `make bench-constants` measures their
 * costs. */
static const double TOUCHING = 0.5; /* tuned: 0.125, 2.0 */
static const double GROWS = 1.5;    /* tuned: 1.1, 3.0 */
static const double LEAST = 0.01;   /* tuned: 0.0025, 0.04 */
static const double NEARBY = 0.5;   /* tuned: 0.1, 2.0 */
static const double FORESEEN = 1.0; /* tuned: 0.5, 2.0 */
static const double STRAYS = 2.0;   /* derived above: 1 at rest, with room */
static const double MOSTLY = 0.9;   /* tuned: 0.8, 0.95 */
static const double INEXACT = 0.3;  /* tuned: 0.1, 0.9 */
enum { MANY = 8 };                  /* tuned: 2, 32 */

struct il_correct {
    const il_problem *problem;
    il_scheme_options options;
    void *projector;
    il_qp qp; /* the problem at hand; what never changes is filled in once */
    il_working_set set;
    double *work; /* [2d] of the certificate */
};

il_status il_correct_create(il_correct **out, const il_problem *problem,
                            const il_scheme_options *options, il_error *err) {
    *out = NULL;
    il_correct *c = il_alloc_zero(1, sizeof *c);
    c->problem = problem;
    c->options = *options;
    c->work = il_alloc(2 * problem->d, sizeof *c->work);
    il_working_set_init(&c->set, problem);
    il_status status = options->projector->create(&c->projector, &options->projection, err);
    if (status != IL_OK) {
        il_correct_destroy(c);
        return status;
    }
    c->qp = (il_qp){.d = problem->d, .mass = problem->mass, .rows = &c->set.rows};
    *out = c;
    return IL_OK;
}

void il_correct_destroy(il_correct *c) {
    if (c == NULL) {
        return;
    }
    if (c->projector != NULL) {
        c->options.projector->destroy(c->projector);
    }
    il_working_set_free(&c->set);
    free(c->work);
    free(c);
}

double *il_correct_lambda(il_correct *c) {
    return c->set.lambda;
}

/* Solve with the rows of the set, from their multipliers. A positive tolerance allows an answer
 * that misses gaps by as much; *exact: it is not such an answer. */
static il_status solve_rows(il_correct *c, const il_correction *in, double tolerance, bool *exact,
                            double *x, il_step_report *report, il_error *err) {
    const il_projector_type *type = c->options.projector;
    c->qp.a = il_working_set_offsets(&c->set, in->y, in->q);
    il_projection_info info = {.inexact = false};
    il_status status = tolerance > 0.0 ? type->approximate(c->projector, &c->qp, tolerance, x,
                                                           c->set.lambda, &info)
                                       : type->solve(c->projector, &c->qp, x, c->set.lambda, &info);
    il_step_count(&info, report);
    *exact = !info.inexact;
    if (info.inexact && status == IL_ESTALLED) {
        return IL_OK; /* an exact answer follows */
    }
    return il_step_projected(&c->options, c->projector, &c->qp, in->t, status, info.iterations,
                             report, err);
}

/* Multipliers of the step before, for rows that were active there. None with a tolerance: an
 * excess in the multipliers would be kept as long as it is within it, and lead to jitter. */
static void warm_start(il_correct *c, const il_contacts *before) {
    if (before != NULL && before->n > 0 && !(c->options.projection.tolerance > 0.0)) {
        il_working_set_warm_start(&c->set, before);
    }
}

/* ---- constraint generation ------------------------------------------------------------------- */

/* One call of constraint generation. */
typedef struct {
    il_correct *c;
    const il_correction *in;
    il_linearisation at;
    il_step_report *report;
    double deepest; /* violation by the prediction; then by answers, of rows that were not there */
    size_t added;   /* rows that came with the last answer */
} generation;

/* Add what q + s x violates. */
static il_status add_violated(generation *g, const double *x, double nearby, il_error *err) {
    il_working_set *set = &g->c->set;
    size_t before = set->rows.p;
    il_violation which = {.rounding = LEFT_OUT,
                          .tolerance = fmax(g->in->inexact, g->c->options.projection.tolerance),
                          .nearby = nearby};
    il_status status = il_working_set_violated(set, &g->at, x, &which, &g->deepest, err);
    g->added = set->rows.p - before;
    return status;
}

/* Is x farther from the prediction than STRAYS times the displacement of the prediction itself? */
static bool strays(const generation *g, const double *x) {
    const il_correction *in = g->in;
    double way = 0.0;
    double push = 0.0;
    for (size_t k = 0; k < g->c->problem->d; k++) {
        way = fmax(way, fabs(in->q[k] + in->scale * in->target[k] - in->y[k]));
        push = fmax(push, fabs(in->scale * (x[k] - in->target[k])));
    }
    return push > STRAYS * way;
}

/* Where MOSTLY all rows of the set were active in the step before, and hardly another was, as in a
 * pile: add the rows that the answer of its multipliers violates or comes near to. In a collision
 * that answer does not predict the motion, and would bring many rows. x[d] is scratch. */
static il_status foresee(generation *g, double *x, il_error *err) {
    il_correct *c = g->c;
    const il_contacts *before = g->in->before;
    size_t pushed = 0;
    for (size_t i = 0; i < c->set.rows.p; i++) {
        pushed += c->set.lambda[i] > 0.0;
    }
    size_t all = before != NULL && before->n > c->set.rows.p ? before->n : c->set.rows.p;
    if (pushed == 0 || (double)pushed < MOSTLY * (double)all) {
        return IL_OK;
    }
    il_projection_from_multipliers(&c->qp, c->set.lambda, c->work, x);
    if (strays(g, x)) {
        return IL_OK;
    }
    size_t p = c->set.rows.p;
    double deepest = g->deepest;
    il_status status = add_violated(g, x, FORESEEN, err);
    if (status == IL_OK && (double)c->set.rows.p > (2.0 - MOSTLY) * (double)p) {
        il_working_set_cut(&c->set, p); /* so many that it is no guess either */
        g->added = p;
        g->deepest = deepest;
        return IL_OK;
    }
    g->added = 0; /* the first answer is exact */
    if (status == IL_OK) {
        warm_start(c, before);
    }
    return status;
}

/* The first W, and the multipliers that it starts from. */
static il_status start(generation *g, double *x, il_error *err) {
    il_working_set *set = &g->c->set;
    const il_correction *in = g->in;
    il_status status = IL_OK;
    if (in->resume) {
        status = il_working_set_relinearise(set, in->t, in->y, in->near, err);
        g->added = set->rows.p;
        return status;
    }
    size_t before = in->before != NULL ? in->before->n : 0;
    bool exact = g->c->options.projection.tolerance == 0.0; /* a tolerance jitters with more rows */
    il_touch touch = {
        .part = exact ? TOUCHING : LEAST, .least = LEAST, .most = (size_t)(GROWS * (double)before)};
    status = il_working_set_touching(set, &g->at, in->target, &touch, err);
    status = status == IL_OK ? add_violated(g, in->target, 0.0, err) : status;
    g->added = set->rows.p;
    g->c->qp.a = il_working_set_offsets(set, in->y, in->q);
    if (exact) {
        g->deepest = fmax(g->deepest, il_projection_violation(&g->c->qp, in->target));
    }
    bool warm = exact && before > 0;
    if (status == IL_OK) {
        warm_start(g->c, in->before);
    }
    return status == IL_OK && warm ? foresee(g, x, err) : status;
}

/* The tolerance of the next answer; 0 asks for an exact one. */
static double inexactness(const generation *g) {
    double tolerance = INEXACT * g->deepest;
    return g->added > MANY && tolerance > g->c->options.projection.tolerance ? tolerance : 0.0;
}

/* One round: solve over W to a tolerance, add what is violated. *done when x is the answer, or the
 * projector's stall ends the step. */
static il_status round_of(generation *g, double tolerance, bool last, bool *done, double *x,
                          il_error *err) {
    bool exact = true;
    il_status status = solve_rows(g->c, g->in, tolerance, &exact, x, g->report, err);
    *done = status != IL_OK || (g->report->stalled && g->c->options.first_stall);
    if (*done) {
        return status;
    }
    status = add_violated(g, x, NEARBY, err);
    *done = status != IL_OK || (g->deepest == 0.0 && (exact || last));
    return status;
}

static il_status generate(il_correct *c, const il_correction *in, double *x, il_step_report *report,
                          il_error *err) {
    bool approximates = c->options.projector->approximate != NULL;
    double asked =
        approximates ? in->inexact : 0.0; /* the step itself may ask for less than exact */
    generation g = {.c = c,
                    .in = in,
                    .at = {.t = in->t, .y = in->y, .q = in->q, .scale = in->scale},
                    .report = report};
    bool done = false;
    il_status status = start(&g, x, err);
    double reached = INFINITY; /* tolerance of the last inexact answer */
    while (status == IL_OK && approximates && !in->resume && !done) {
        double tolerance = inexactness(&g);
        if (tolerance <= asked) {
            break;
        }
        reached = tolerance;
        status = round_of(&g, tolerance, false, &done, x, err);
    }
    if (status == IL_OK && !done && reached < INFINITY) {
        il_working_set_drop_open(&c->set, in->y, reached);
    }
    while (status == IL_OK && !done) {
        status = round_of(&g, asked, true, &done, x, err);
    }
    return status;
}

il_status il_correct_solve(il_correct *c, const il_correction *in, double *x,
                           il_step_report *report, il_error *err) {
    il_working_set *set = &c->set;
    il_status status = IL_OK;
    bool exact = true;
    size_t scans = set->scans;
    size_t offered = set->offered;
    bool warm = c->problem->p > 1; /* a single constraint is solved at once, whatever the start */
    c->qp.target = in->target;
    c->qp.scale = in->scale;
    if (c->problem->p <= IL_OFFER_ALL) {
        status = il_working_set_all(set, in->t, in->y, err);
        if (status == IL_OK && warm) {
            warm_start(c, in->before);
        }
        status = status == IL_OK ? solve_rows(c, in, 0.0, &exact, x, report, err) : status;
    } else {
        status = generate(c, in, x, report, err);
    }
    if (status == IL_OK && warm && in->after != NULL) {
        il_contacts_set(in->after, &set->rows, set->lambda);
    }
    report->rows = &set->rows;
    report->lambda = set->lambda;
    report->scans += set->scans - scans;
    report->rows_offered += set->offered - offered;
    if (status == IL_OK && c->options.certify) {
        report->certificate = il_certify(&c->qp, x, set->lambda, c->work);
    }
    if (status == IL_OK && c->options.watch.see != NULL) {
        c->options.watch.see(c->options.watch.context, &c->qp, x, set->lambda);
    }
    return status;
}

il_status il_correct_refresh(il_correct *c, double t, const double *x_true, double *gap,
                             il_error *err) {
    il_status status = il_working_set_relinearise(&c->set, t, x_true, INFINITY, err);
    if (status == IL_OK) {
        *gap = il_problem_gap(c->problem, t, x_true, NULL, &c->set.found);
    }
    return status;
}

il_certificate il_correct_certify_true(il_correct *c, const double *target, const double *x) {
    const il_rows *rows = &c->set.rows;
    /* a + <b,x> must be the true g_i at the point that x reaches */
    for (size_t i = 0; i < rows->p; i++) {
        c->set.a[i] = rows->value[i] - il_rows_dot(rows, i, x);
    }
    il_qp qp = {.d = c->problem->d,
                .mass = c->problem->mass,
                .target = target,
                .rows = rows,
                .a = c->set.a,
                .scale = 1.0};
    return il_certify(&qp, x, c->set.lambda, c->work);
}

/* ---- what a projector answers ---------------------------------------------------------------- */

void il_step_count(const il_projection_info *info, il_step_report *report) {
    report->iterations += info->iterations;
    report->factorisations += info->factorisations;
    report->analyses += info->analyses;
    report->solves++;
}

il_status il_step_projected(const il_scheme_options *options, void *self, const il_qp *qp, double t,
                            il_status status, size_t iterations, il_step_report *report,
                            il_error *err) {
    const il_projector_type *type = options->projector;
    report->stalled |= status == IL_ESTALLED;
    if (status == IL_OK || (status == IL_ESTALLED && options->accept_stalled)) {
        return IL_OK;
    }
    if (status == IL_EUNSUPPORTED) {
        const char *why = type->refuses(self, qp);
        return il_fail(err, status, "projector '%s' cannot solve this step: %s", type->name,
                       why != NULL ? why : "the rows close a ring");
    }
    return il_fail(err, status, "projector '%s' failed at t = %.10g after %zu iterations: %s",
                   type->name, t, iterations, il_status_text(status));
}
