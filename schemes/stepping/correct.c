/*
 * correct.c - assembles rows, solves, checks what was left out.
 */
#include "schemes/stepping/correct.h"

#include <gsl/gsl_heapsort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row left out counts as violated below this, in units of one plus the configuration's size: ten
 * times the rounding with which a distance is computed. */
static const double LEFT_OUT = 2e-15;

/* Rounds. The first takes what the prediction violates, and what y leaves open by less than
 * TOUCHING of the way that its bodies would go: in a pile these are the contacts of the step
 * before, and are most of what will push. Along with the rows that an answer violates come those
 * that it leaves open by less than NEARBY of the way that their bodies, or bodies next to those,
 * went since the last answer: the next would violate many of them. Where nothing moved, nothing
 * comes: of 50 000 spheres of which the lowest hit the floor, a tenth of the rows that a bound by
 * the fastest body would bring. While violations are deep and rows many, answers only say which
 * rows to add, and are computed to COARSE of the violation; once violations are below SETTLED of
 * the first, or at most STRAY rows were added, answers are exact. Before the first of those, rows
 * that the last answer leaves open by more than its tolerance are dropped: they came as neighbours
 * and hardly ever push, but would fill the factor. Measured: spheres that hit a floor take between
 * a quarter and a half of the time that exact answers and violated rows alone take, a pile in the
 * plane as long; flat around these values. What is certified does not depend on them.
 *
 * The first answer starts from the multipliers of the step before. Measured: first-order methods
 * take a quarter of the iterations on piles of 200; newton 8 % fewer on a pile of 2000 discs that
 * settles, a third fewer once one rests to six digits, none fewer where bodies collide. */
static const double TOUCHING = 0.01;
static const double NEARBY = 0.5;
static const double COARSE = 0.3;
static const double SETTLED = 0.05;
enum { STRAY = 8 };

/* More rows found than MANY for each coordinate are not all taken, but the deepest, FULL for each
 * coordinate or as many as the others leave it. 2000 spheres, each squeezed by all others on its
 * way, offer two million rows and push with 6000; taking these few keeps memory and time bounded.
 * Measured: seven times as fast as all rows there, flat between 4 and 8; in space 4 is best. */
enum { MANY = 1, FULL = 4 };

/* A row found, and its value at the point. */
typedef struct {
    double g;
    size_t i;
} candidate;

struct il_correct {
    const il_problem *problem;
    il_scheme_options options;
    void *projector;
    il_qp qp;        /* the problem at hand; what never changes is filled in once */
    il_rows rows;    /* solved with */
    il_rows more;    /* found violated, and scratch */
    size_t capacity; /* of a and lambda */
    double *a;
    double *lambda;
    double *point;         /* [d] q + s x */
    double *last;          /* [d] the point of the round before */
    double *work;          /* [2d] ways of the bodies, and scratch */
    candidate *candidates; /* rows found that are not there yet */
    size_t candidate_room;
    size_t *taken; /* [d] rows of this round with a coordinate */
    size_t *table; /* open addressing by the ids of rows: 0 is empty, i + 1 stands for row i */
    size_t table_size;
};

il_status il_correct_create(il_correct **out, const il_problem *problem,
                            const il_scheme_options *options, il_error *err) {
    *out = NULL;
    il_correct *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a step");
    }
    c->problem = problem;
    c->options = *options;
    c->point = calloc(problem->d, sizeof *c->point);
    c->last = calloc(problem->d, sizeof *c->last);
    c->taken = malloc(problem->d * sizeof *c->taken);
    c->work = malloc(2 * problem->d * sizeof *c->work);
    il_status status = IL_ENOMEM;
    if (c->point == NULL || c->last == NULL || c->work == NULL || c->taken == NULL) {
        (void)il_fail(err, IL_ENOMEM, "no memory for a step of size %zu", problem->d);
        goto fail;
    }
    status = options->projector->create(&c->projector, &options->projection, err);
    if (status != IL_OK) {
        goto fail;
    }
    c->qp = (il_qp){.d = problem->d, .mass = problem->mass, .rows = &c->rows};
    *out = c;
    return IL_OK;
fail:
    il_correct_destroy(c);
    return status;
}

void il_correct_destroy(il_correct *c) {
    if (c == NULL) {
        return;
    }
    if (c->projector != NULL) {
        c->options.projector->destroy(c->projector);
    }
    il_rows_free(&c->rows);
    il_rows_free(&c->more);
    free(c->a);
    free(c->lambda);
    free(c->point);
    free(c->last);
    free(c->work);
    free(c->candidates);
    free(c->taken);
    free(c->table);
    free(c);
}

double *il_correct_lambda(il_correct *c) {
    return c->lambda;
}

static il_status no_memory(size_t p, il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for %zu rows", p);
}

static il_status not_scanned(double t, il_status status, il_error *err) {
    return il_fail(err, status, "the constraints could not be computed at t = %.17g", t);
}

static bool reserve(il_correct *c) {
    size_t p = c->rows.p;
    if (p <= c->capacity) {
        return true;
    }
    size_t n = 2 * p;
    double *a = realloc(c->a, n * sizeof *a);
    c->a = a != NULL ? a : c->a;
    double *lambda = realloc(c->lambda, n * sizeof *lambda);
    c->lambda = lambda != NULL ? lambda : c->lambda;
    if (a == NULL || lambda == NULL) {
        return false;
    }
    c->capacity = n;
    return true;
}

/* a_i = g_i(t,y) + <grad g_i, q - y> for all rows. */
static const double *offsets(il_correct *c, const double *y, const double *q) {
    if (y == q) {
        return c->rows.value;
    }
    for (size_t i = 0; i < c->rows.p; i++) {
        double a = c->rows.value[i];
        for (size_t e = c->rows.start[i]; e < c->rows.start[i + 1]; e++) {
            size_t k = c->rows.col[e];
            a += c->rows.coef[e] * (q[k] - y[k]);
        }
        c->a[i] = a;
    }
    return c->a;
}

static size_t slot(const il_correct *c, size_t id) {
    size_t mask = c->table_size - 1;
    size_t at = (id * 0x9e3779b97f4a7c15u >> 17) & mask;
    while (c->table[at] != 0 && c->rows.id[c->table[at] - 1] != id) {
        at = (at + 1) & mask;
    }
    return at;
}

/* The rows by their ids, in a table at most half full. */
static bool index_rows(il_correct *c) {
    size_t size = c->table_size > 0 ? c->table_size : 64;
    while (size < 2 * (c->rows.p + c->more.p) + 2) {
        size *= 2;
    }
    if (size != c->table_size) {
        size_t *table = realloc(c->table, size * sizeof *table);
        if (table == NULL) {
            return false;
        }
        c->table = table;
        c->table_size = size;
    }
    memset(c->table, 0, c->table_size * sizeof *c->table);
    for (size_t i = 0; i < c->rows.p; i++) {
        c->table[slot(c, c->rows.id[i])] = i + 1;
    }
    return true;
}

/* The point q + s x; its size, and how far it is from the point of the round before. */
static double reach(il_correct *c, const il_correction *in, const double *x, double *moved) {
    double *before = c->point;
    double size = 0.0;
    c->point = c->last;
    c->last = before;
    *moved = 0.0;
    for (size_t k = 0; k < c->problem->d; k++) {
        c->point[k] = in->q[k] + in->scale * x[k];
        size = fmax(size, fabs(c->point[k]));
        *moved = fmax(*moved, fabs(c->point[k] - before[k]));
    }
    return size;
}

/* The farthest that a coordinate of row i of those found has gone. */
static double way(const il_correct *c, size_t i, const double *ways) {
    double most = 0.0;
    for (size_t e = c->more.start[i]; e < c->more.start[i + 1]; e++) {
        most = fmax(most, ways[c->more.col[e]]);
    }
    return most;
}

/* How far each coordinate has gone since the round before, or one that shares a row found with it.
 * Points into work. */
static const double *find_ways(il_correct *c) {
    size_t d = c->problem->d;
    double *own = c->work;
    double *ways = c->work + d;
    for (size_t k = 0; k < d; k++) {
        own[k] = ways[k] = fabs(c->point[k] - c->last[k]);
    }
    for (size_t i = 0; i < c->more.p; i++) {
        double most = way(c, i, own);
        for (size_t e = c->more.start[i]; e < c->more.start[i + 1]; e++) {
            size_t k = c->more.col[e];
            ways[k] = fmax(ways[k], most);
        }
    }
    return ways;
}

/* Row i of those found, at the point. */
static double found(const il_correct *c, const il_correction *in, size_t i) {
    double g = c->more.value[i];
    for (size_t e = c->more.start[i]; e < c->more.start[i + 1]; e++) {
        size_t k = c->more.col[e];
        g += c->more.coef[e] * (c->point[k] - in->y[k]);
    }
    return g;
}

/* Append row i of those found; its multiplier starts from 0. */
static il_status take(il_correct *c, size_t i) {
    const il_rows *from = &c->more;
    size_t first = from->start[i];
    size_t n = from->start[i + 1] - first;
    il_status status = il_rows_append(&c->rows, from->id[i], from->value[i], from->rate[i], n,
                                      from->col + first, from->coef + first);
    if (status == IL_OK && !reserve(c)) {
        return IL_ENOMEM;
    }
    if (status == IL_OK) {
        c->lambda[c->rows.p - 1] = 0.0;
    }
    return status;
}

static bool reserve_candidates(il_correct *c) {
    if (c->more.p <= c->candidate_room) {
        return true;
    }
    candidate *bigger = realloc(c->candidates, c->more.row_capacity * sizeof *bigger);
    if (bigger == NULL) {
        return false;
    }
    c->candidates = bigger;
    c->candidate_room = c->more.row_capacity;
    return true;
}

static int by_depth(const void *a, const void *b) {
    const candidate *x = a;
    const candidate *y = b;
    return x->g != y->g ? (x->g > y->g) - (x->g < y->g) : (x->i > y->i) - (x->i < y->i);
}

/* True when some coordinate of row i of those found has fewer than FULL rows in this round. */
static bool wanted(const il_correct *c, size_t i) {
    for (size_t e = c->more.start[i]; e < c->more.start[i + 1]; e++) {
        if (c->taken[c->more.col[e]] < FULL) {
            return true;
        }
    }
    return false;
}

/* Take the n candidates in the order in which they were found; when there are very many, the
 * deepest of each coordinate. The next rounds find what is still violated. */
static bool take_deepest(il_correct *c, size_t n) {
    bool all = n <= MANY * c->problem->d;
    if (!all) {
        gsl_heapsort(c->candidates, n, sizeof *c->candidates, by_depth); /* allocates nothing */
        memset(c->taken, 0, c->problem->d * sizeof *c->taken);
    }
    for (size_t k = 0; k < n; k++) {
        size_t i = c->candidates[k].i;
        if (!all && !wanted(c, i)) {
            continue;
        }
        for (size_t e = c->more.start[i]; !all && e < c->more.start[i + 1]; e++) {
            c->taken[c->more.col[e]]++;
        }
        if (take(c, i) != IL_OK) {
            return false;
        }
    }
    return true;
}

/* Rows that y leaves nearly closed, for the way that the prediction goes. */
static il_status take_touching(il_correct *c, const il_correction *in, il_error *err) {
    size_t bytes = c->problem->d * sizeof *c->last;
    double moved = 0.0;
    memcpy(c->point, in->y, bytes); /* which reach() makes the last point */
    (void)reach(c, in, in->target, &moved);
    il_rows_clear(&c->more);
    il_status status = il_problem_scan(c->problem, in->t, in->y, in->y, TOUCHING * moved, &c->more);
    if (status != IL_OK) {
        return not_scanned(in->t, status, err);
    }
    const double *ways = find_ways(c);
    for (size_t i = 0; i < c->more.p; i++) {
        if (c->more.value[i] <= TOUCHING * way(c, i, ways) && take(c, i) != IL_OK) {
            return no_memory(c->rows.p, err);
        }
    }
    return IL_OK;
}

/* Append the rows that the point q + s x violates, by more than the tolerance asked for, and that
 * are not among the rows yet; if there are any, also those that it leaves open by less than
 * `nearby` of the way that their bodies went. *deepest is the worst violation of a row that was not
 * there, 0 if there is none. */
static il_status add_violated(il_correct *c, const il_correction *in, const double *x,
                              double nearby, double *deepest, il_error *err) {
    double moved = 0.0;
    double size = reach(c, in, x, &moved);
    double least = -LEFT_OUT * (1.0 + size) - fmax(in->coarse, c->options.projection.tolerance);
    *deepest = 0.0;
    il_rows_clear(&c->more);
    il_status status =
        il_problem_scan(c->problem, in->t, in->y, c->point, fmax(least, nearby * moved), &c->more);
    if (status != IL_OK) {
        return not_scanned(in->t, status, err);
    }
    if (c->more.p > 0 && !(index_rows(c) && reserve_candidates(c))) {
        return no_memory(c->rows.p + c->more.p, err);
    }
    const double *ways = find_ways(c);
    size_t n = 0;
    for (size_t i = 0; i < c->more.p; i++) {
        double g = found(c, in, i);
        bool far = g > least && g > nearby * way(c, i, ways);
        if (far || c->table[slot(c, c->more.id[i])] != 0) {
            continue;
        }
        *deepest = g <= least ? fmax(*deepest, -g) : *deepest;
        c->candidates[n++] = (candidate){.g = g, .i = i};
    }
    return *deepest > 0.0 && !take_deepest(c, n) ? no_memory(c->rows.p, err) : IL_OK;
}

/* What a projector's refusal or failure is to the run. */
static il_status judge(il_correct *c, const il_correction *in, il_status status, size_t iterations,
                       il_step_report *report, il_error *err) {
    const il_projector_type *type = c->options.projector;
    if (status == IL_ESTALLED) {
        report->stalled = true;
        if (c->options.accept_stalled) {
            return IL_OK;
        }
    }
    if (status == IL_EUNSUPPORTED) {
        const char *why = type->refuses(c->projector, &c->qp);
        return il_fail(err, status, "projector '%s' cannot solve this step: %s", type->name,
                       why != NULL ? why : "the rows close a ring");
    }
    return il_fail(err, status, "projector '%s' failed at t = %.17g after %zu iterations: %s",
                   type->name, in->t, iterations, il_status_text(status));
}

/* Solve with the rows at hand from the multipliers at hand. A positive tolerance allows a coarse
 * answer to it; *exact says what came. */
static il_status solve_rows(il_correct *c, const il_correction *in, double tolerance, bool *exact,
                            double *x, il_step_report *report, il_error *err) {
    const il_projector_type *type = c->options.projector;
    c->qp.a = offsets(c, in->y, in->q);
    il_projection_info info = {.coarse = false};
    il_status status = tolerance > 0.0
                           ? type->approximate(c->projector, &c->qp, tolerance, x, c->lambda, &info)
                           : type->solve(c->projector, &c->qp, x, c->lambda, &info);
    report->iterations += info.iterations;
    report->solves++;
    *exact = !info.coarse;
    if (info.coarse && status == IL_ESTALLED) {
        return IL_OK; /* an exact answer follows */
    }
    return status == IL_OK ? IL_OK : judge(c, in, status, info.iterations, report, err);
}

/* Constraint id cannot be computed. */
static il_status blame(const il_problem *problem, size_t id, double t, il_status status,
                       il_error *err) {
    char words[IL_DESCRIPTION_MAX];
    return il_fail(err, status, "%s could not be computed at t = %.17g",
                   il_problem_describe(problem, id, words, sizeof words), t);
}

/* Every constraint of a problem that has few. */
static il_status all_rows(il_correct *c, const il_correction *in, il_error *err) {
    const il_problem *problem = c->problem;
    il_status status = IL_OK;
    il_rows_clear(&c->rows);
    for (size_t id = 0; status == IL_OK && id < problem->p; id++) {
        status = problem->type->row(problem, in->t, in->y, id, &c->rows);
    }
    if (status == IL_OK && !reserve(c)) {
        return no_memory(c->rows.p, err);
    }
    for (size_t i = 0; status == IL_OK && i < c->rows.p; i++) {
        c->lambda[i] = 0.0;
    }
    return status == IL_OK ? IL_OK : blame(problem, c->rows.p, in->t, status, err);
}

static void swap_rows(il_correct *c) {
    il_rows fresh = c->more;
    c->more = c->rows;
    c->rows = fresh;
}

/* The rows at hand that are open by no more than `near`, taken anew at (t, y); their multipliers
 * stay. */
static il_status take_anew(il_correct *c, double t, const double *y, double near, il_error *err) {
    size_t kept = 0;
    il_rows_clear(&c->more);
    for (size_t i = 0; i < c->rows.p; i++) {
        if (!(c->rows.value[i] <= near)) {
            continue;
        }
        il_status status = c->problem->type->row(c->problem, t, y, c->rows.id[i], &c->more);
        if (status != IL_OK) {
            return blame(c->problem, c->rows.id[i], t, status, err);
        }
        c->lambda[kept++] = c->lambda[i];
    }
    swap_rows(c);
    return IL_OK;
}

/* Multipliers of the step before, for rows that pushed there. Under a tolerance none: what the
 * answers before pushed too much would be kept as long as it is within it, and jitter. */
static il_status recall(il_correct *c, const il_contacts *before, il_error *err) {
    if (before == NULL || before->n == 0 || c->options.projection.tolerance > 0.0) {
        return IL_OK;
    }
    il_rows_clear(&c->more);
    if (!index_rows(c)) {
        return no_memory(c->rows.p, err);
    }
    for (size_t k = 0; k < before->n; k++) {
        size_t row = c->table[slot(c, before->id[k])];
        if (row > 0) {
            c->lambda[row - 1] = before->lambda[k];
        }
    }
    return IL_OK;
}

/* Rows that the point leaves open by more than `open` go; others keep their multipliers. */
static il_status drop_open(il_correct *c, const il_correction *in, double open, il_error *err) {
    const il_rows *all = &c->rows;
    size_t kept = 0;
    il_rows_clear(&c->more);
    for (size_t i = 0; i < all->p; i++) {
        size_t first = all->start[i];
        if (il_rows_at(all, i, in->y, c->point) > open) {
            continue;
        }
        il_status status =
            il_rows_append(&c->more, all->id[i], all->value[i], all->rate[i],
                           all->start[i + 1] - first, all->col + first, all->coef + first);
        if (status != IL_OK) {
            return no_memory(all->p, err);
        }
        c->lambda[kept++] = c->lambda[i];
    }
    swap_rows(c);
    return IL_OK;
}

/* The tolerance of the next answer; 0 asks for an exact one. `added` rows came with the last. */
static double coarseness(const il_correct *c, double deepest, double first, size_t added) {
    double tolerance = COARSE * deepest;
    bool settled = deepest <= SETTLED * first || added <= STRAY;
    return !settled && tolerance > c->options.projection.tolerance ? tolerance : 0.0;
}

/* Solve with what the prediction violates, or with what is left of the last solve, add what the
 * answer violates, until an exact answer violates nothing. Multipliers are carried from round to
 * round. */
static il_status solve_in_rounds(il_correct *c, const il_correction *in, double *x,
                                 il_step_report *report, il_error *err) {
    bool approximates = c->options.projector->approximate != NULL;
    double coarse = approximates ? in->coarse : 0.0;
    bool offered = approximates && !in->resume;
    double deepest = 0.0;
    size_t before = 0;
    il_status status = IL_OK;
    if (in->resume) {
        status = take_anew(c, in->t, in->y, in->near, err);
    } else {
        il_rows_clear(&c->rows);
        status = take_touching(c, in, err);
        if (status == IL_OK) {
            status = add_violated(c, in, in->target, 0.0, &deepest, err);
        }
        status = status == IL_OK ? recall(c, in->before, err) : status;
    }
    double first = deepest;
    double reached = INFINITY; /* tolerance of the last answer */
    for (bool open = true; status == IL_OK && open;) {
        bool exact = true;
        double tolerance = offered ? coarseness(c, deepest, first, c->rows.p - before) : 0.0;
        if (offered && tolerance == 0.0 && reached < INFINITY) {
            status = drop_open(c, in, reached, err);
        }
        offered = offered && tolerance > 0.0;
        bool last = tolerance <= coarse;
        tolerance = last ? coarse : tolerance;
        before = c->rows.p;
        reached = tolerance;
        status = status == IL_OK ? solve_rows(c, in, tolerance, &exact, x, report, err) : status;
        bool ends = report->stalled && c->options.first_stall;
        if (status == IL_OK && !ends) {
            status = add_violated(c, in, x, NEARBY, &deepest, err);
        }
        open = !ends && (deepest > 0.0 || !(exact || last));
    }
    return status;
}

il_status il_correct_solve(il_correct *c, const il_correction *in, double *x,
                           il_step_report *report, il_error *err) {
    il_status status = IL_OK;
    bool exact = true;
    bool warm = c->problem->p > 1; /* a single constraint is solved at once, whatever the start */
    c->qp.target = in->target;
    c->qp.scale = in->scale;
    if (c->problem->p <= IL_OFFER_ALL) {
        status = all_rows(c, in, err);
        status = status == IL_OK && warm ? recall(c, in->before, err) : status;
        status = status == IL_OK ? solve_rows(c, in, 0.0, &exact, x, report, err) : status;
    } else {
        status = solve_in_rounds(c, in, x, report, err);
    }
    if (status == IL_OK && warm && in->after != NULL &&
        !il_contacts_set(in->after, &c->rows, c->lambda)) {
        status = no_memory(c->rows.p, err);
    }
    report->rows = &c->rows;
    report->lambda = c->lambda;
    report->rows_offered += c->rows.p;
    if (status == IL_OK && c->options.certify) {
        report->certificate = il_certify(&c->qp, x, c->lambda, c->work);
    }
    if (status == IL_OK && c->options.watch.see != NULL) {
        c->options.watch.see(c->options.watch.context, &c->qp, x, c->lambda);
    }
    return status;
}

il_status il_correct_refresh(il_correct *c, double t, const double *x_true, double *gap,
                             il_error *err) {
    il_status status = take_anew(c, t, x_true, INFINITY, err);
    if (status == IL_OK) {
        *gap = il_problem_gap(c->problem, t, x_true, NULL, &c->more);
    }
    return status;
}

il_certificate il_correct_certify_true(il_correct *c, const double *target, const double *x) {
    /* a + <b,x> must be the true g_i at the point that x reaches */
    for (size_t i = 0; i < c->rows.p; i++) {
        c->a[i] = c->rows.value[i] - il_rows_dot(&c->rows, i, x);
    }
    il_qp qp = {.d = c->problem->d,
                .mass = c->problem->mass,
                .target = target,
                .rows = &c->rows,
                .a = c->a,
                .scale = 1.0};
    return il_certify(&qp, x, c->lambda, c->work);
}
