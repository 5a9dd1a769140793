/*
 * constants.c - samples boundary points of Q(t), and measures the constraints at and near them.
 *
 * A boundary point is made by violating a few constraints, from near a centre, and projecting back:
 * few give one contact, more give several. Centres on the boundary are used as points too, so that
 * the contacts of the known motion are among them.
 */
#include "harness/study/hypotheses/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/uniform.h"
#include "harness/base/vector.h"
#include "harness/study/hypotheses/feasible.h"

enum { POINTS = 12, TRIES = 5, BROKEN_MAX = 4, D_MAX = 300, P_MAX = 600, DRIFT_MAX = 1000 };

static const double TIMES[] = {0.0, 0.15, 0.3, 0.45, 0.6, 0.8, 1.0};
enum { NTIMES = sizeof TIMES / sizeof TIMES[0] };

/* Relative to the scale: how near a constraint is nearly active, how far points start from a centre
 * and how deep they are moved into it, from where to where the second points of pairs lie. */
static const double NEAR = 0.02;
static const double AWAY = 0.5;
static const double DEPTH = 0.3;

/* Every third point is far from the motion, because hypotheses concern all of Q(t); bodies far away
 * are contracted to this fraction of their distances. */
static const double ASIDE = 6.0;
static const double CLUSTER = 0.3;
static const double PAIR_FROM = 0.01;
static const double PAIR_TO = 0.21;

/* Relative to the horizon: the step of differences in time. */
static const double LATER = 1e-3;

typedef struct {
    const il_problem *problem;
    const il_constants_query *query;
    il_feasible *set;
    il_rows here, there, later;
    double scale;
    uint64_t random;
    double *centre, *target, *x, *y, *by, *dense, *other; /* [d] */
    il_constants *c;
} sampler;

/* ---- random numbers, the same everywhere ---------------------------------------------------- */

static size_t below(sampler *w, size_t n) {
    return (size_t)(il_uniform_next(&w->random) * (double)n);
}

/* x = y + size times a direction: of a point of a cube, which is as good as one of a sphere. */
static void wander(sampler *w, const double *y, double size, double *x) {
    size_t d = w->problem->d;
    double far = 0.0;
    while (!(far > 0.0)) {
        for (size_t k = 0; k < d; k++) {
            w->dense[k] = 2.0 * il_uniform_next(&w->random) - 1.0;
        }
        far = il_length(w->dense, d);
    }
    for (size_t k = 0; k < d; k++) {
        x[k] = y[k] + size / far * w->dense[k];
    }
}

/* ---- centres and points --------------------------------------------------------------------- */

static double scale_of(const il_problem *problem, double *radii) {
    size_t bodies = problem->space > 0 ? problem->d / problem->space : 0;
    double least = INFINITY;
    if (bodies > 0 && problem->type->radii != NULL) {
        problem->type->radii(problem, 0.0, radii);
        for (size_t i = 0; i < bodies; i++) {
            least = fmin(least, radii[i]);
        }
    }
    return least > 0.0 && isfinite(least) ? least : 1.0;
}

/* Where to sample around at t: the exact solution, else the start. */
static void choose_centre(sampler *w, double t) {
    const il_problem *problem = w->problem;
    if (problem->nexact > 0) {
        problem->exact[0].eval(&problem->exact[0], t, 1, w->centre, w->y);
    } else {
        memcpy(w->centre, problem->q0, problem->d * sizeof *w->centre);
    }
}

static bool on_boundary(sampler *w, double t, const double *x) {
    il_rows_clear(&w->there);
    return fabs(il_problem_gap(w->problem, t, x, NULL, &w->there)) <= IL_CONSTANTS_CONTACT;
}

/* Push the target through a few constraints at (t, target). */
static il_status push_out(sampler *w, double t) {
    const il_rows *rows = NULL;
    il_status status = il_feasible_rows(w->set, t, w->target, INFINITY, &rows, NULL);
    size_t broken = 1 + below(w, rows->p < BROKEN_MAX ? rows->p : BROKEN_MAX);
    for (size_t k = 0; status == IL_OK && rows->p > 0 && k < broken; k++) {
        size_t i = below(w, rows->p);
        double size2 = 0.0;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            size2 += rows->coef[e] * rows->coef[e];
        }
        double depth = fmax(rows->value[i], 0.0) + DEPTH * w->scale * il_uniform_next(&w->random);
        il_rows_axpy(rows, i, -depth / size2, w->target);
    }
    return status;
}

/* All bodies of the target towards their middle: more meet there than along the motion. */
static void draw_together(sampler *w) {
    size_t space = w->problem->space;
    size_t d = w->problem->d;
    for (size_t c = 0; c < space; c++) {
        double middle = 0.0;
        for (size_t k = c; k < d; k += space) {
            middle += w->target[k] * (double)space / (double)d;
        }
        for (size_t k = c; k < d; k += space) {
            w->target[k] = middle + CLUSTER * (w->target[k] - middle);
        }
    }
}

/* A boundary point into x; false where this try gave none. Tries that fail are no error: far from
 * Q(t) centres may coincide and projections not settle. */
static bool boundary_point(sampler *w, double t) {
    choose_centre(w, t);
    bool far = below(w, 3) == 0;
    bool together = far && w->problem->space > 1;
    double away = (far ? ASIDE : AWAY) * w->scale * il_uniform_next(&w->random);
    wander(w, w->centre, away, w->target);
    if (together) {
        draw_together(w);
    } else if (push_out(w, t) != IL_OK) {
        return false;
    }
    il_rows_clear(&w->there);
    return il_problem_gap(w->problem, t, w->target, NULL, &w->there) < 0.0 &&
           il_feasible_project(w->set, t, w->target, w->target, w->x, NULL) == IL_OK &&
           on_boundary(w, t, w->x);
}

/* ---- what is measured at a point ------------------------------------------------------------ */

static il_status all_rows(const sampler *w, double t, const double *x, il_rows *rows,
                          il_error *err) {
    il_rows_clear(rows);
    il_status status = il_problem_scan(w->problem, t, x, x, INFINITY, rows);
    return status == IL_OK ? IL_OK
                           : il_fail(err, status,
                                     "a constraint of '%s' cannot be computed at t = "
                                     "%g, near the boundary of Q(t)",
                                     w->problem->type->name, t);
}

/* grad of row i of a less that of row j of b, dense into out. */
static void difference(const sampler *w, const il_rows *a, size_t i, const il_rows *b, size_t j,
                       double *out) {
    memset(out, 0, w->problem->d * sizeof *out);
    il_rows_axpy(a, i, 1.0, out);
    il_rows_axpy(b, j, -1.0, out);
}

/* The row of rows with this id, rows->p if there is none; at first tried at the same place. */
static size_t same_row(const il_rows *rows, size_t id, size_t guess) {
    if (guess < rows->p && rows->id[guess] == id) {
        return guess;
    }
    size_t k = 0;
    while (k < rows->p && rows->id[k] != id) {
        k++;
    }
    return k;
}

/* Row i at x against itself at y = x + by and at a later time. */
static void measure_row(sampler *w, size_t i, double dt) {
    il_constants *c = w->c;
    size_t d = w->problem->d;
    double far2 = il_dot(w->by, w->by, d);
    memset(w->other, 0, d * sizeof *w->other);
    il_rows_axpy(&w->here, i, 1.0, w->other);
    double size = il_length(w->other, d);
    c->alpha = fmin(c->alpha, size);
    c->beta = fmax(c->beta, size);
    c->rate = fmax(c->rate, fabs(w->here.rate[i]));
    size_t j = same_row(&w->there, w->here.id[i], i);
    if (j < w->there.p) {
        double rise = w->there.value[j] - w->here.value[i] - il_dot(w->other, w->by, d);
        difference(w, &w->there, j, &w->here, i, w->dense);
        c->M = fmax(c->M, il_length(w->dense, d) / sqrt(far2));
        c->hypo = fmax(c->hypo, il_dot(w->dense, w->by, d) / far2);
        c->convex = fmin(c->convex, rise / far2);
    }
    j = same_row(&w->later, w->here.id[i], i);
    if (j < w->later.p) {
        difference(w, &w->later, j, &w->here, i, w->dense);
        c->Mt = fmax(c->Mt, il_length(w->dense, d) / fabs(dt));
        c->Mtt = fmax(c->Mtt, fabs(w->later.rate[j] - w->here.rate[i]) / fabs(dt));
    }
}

/* The largest cosine of two active rows of here in the metric of M^{-1}. */
static void measure_angle(sampler *w) {
    size_t d = w->problem->d;
    const il_rows *rows = &w->here;
    for (size_t i = 0; i < rows->p; i++) {
        if (rows->value[i] > IL_CONSTANTS_CONTACT) {
            continue;
        }
        memset(w->dense, 0, d * sizeof *w->dense);
        il_rows_axpy(rows, i, 1.0, w->dense);
        il_metric_whiten(w->problem->mass, w->dense, w->dense);
        for (size_t j = 0; j < i; j++) {
            if (rows->value[j] <= IL_CONSTANTS_CONTACT) {
                memset(w->other, 0, d * sizeof *w->other);
                il_rows_axpy(rows, j, 1.0, w->other);
                il_metric_whiten(w->problem->mass, w->other, w->other);
                double cosine = il_dot(w->dense, w->other, d) /
                                (il_length(w->dense, d) * il_length(w->other, d));
                w->c->angle = fmax(w->c->angle, cosine);
            }
        }
    }
}

static il_status measure_independence(sampler *w, double t, const double *x, il_error *err) {
    il_constants *c = w->c;
    il_independence near;
    il_independence active;
    il_independence all;
    il_status status = il_feasible_independence(w->set, t, x, c->rho, &near, err);
    if (status == IL_OK) {
        status = il_feasible_independence(w->set, t, x, IL_CONSTANTS_CONTACT, &active, err);
    }
    if (status == IL_OK) {
        status = il_feasible_independence(w->set, t, x, INFINITY, &all, err);
    }
    if (status == IL_OK) {
        c->inverse = fmin(c->inverse, near.inverse);
        c->slope = fmin(c->slope, near.slope);
        c->active_inverse = fmin(c->active_inverse, active.inverse);
        c->mu = fmin(c->mu, all.slope);
        c->contacts = active.rows > c->contacts ? active.rows : c->contacts;
    }
    return status;
}

static il_status measure_point(sampler *w, double t, const double *x, il_error *err) {
    double T = w->problem->horizon;
    double dt = t < T ? LATER * T : -LATER * T;
    size_t d = w->problem->d;
    wander(w, x, (PAIR_FROM + (PAIR_TO - PAIR_FROM) * il_uniform_next(&w->random)) * w->scale,
           w->y);
    for (size_t k = 0; k < d; k++) {
        w->by[k] = w->y[k] - x[k];
    }
    il_status status = all_rows(w, t, x, &w->here, err);
    if (status == IL_OK) {
        status = all_rows(w, t, w->y, &w->there, err);
    }
    if (status == IL_OK) {
        status = all_rows(w, t + dt, x, &w->later, err);
    }
    if (status != IL_OK) {
        return status;
    }
    for (size_t i = 0; i < w->here.p; i++) {
        measure_row(w, i, dt);
    }
    measure_angle(w);
    w->c->points++;
    return measure_independence(w, t, x, err);
}

/* ---- all ------------------------------------------------------------------------------------ */

static il_status measure_at(sampler *w, double t, il_error *err) {
    size_t wanted = w->query->points > 0 ? w->query->points : POINTS;
    choose_centre(w, t);
    il_status status = IL_OK;
    if (on_boundary(w, t, w->centre)) {
        memcpy(w->x, w->centre, w->problem->d * sizeof *w->x);
        status = measure_point(w, t, w->x, err);
    }
    size_t found = 0;
    for (size_t k = 0; status == IL_OK && found < wanted && k < TRIES * wanted; k++) {
        if (boundary_point(w, t)) {
            status = measure_point(w, t, w->x, err);
            found++;
        }
    }
    return status;
}

static void open_sampler(sampler *w) {
    size_t d = w->problem->d;
    double *block = il_alloc_zero(7 * d, sizeof *block);
    w->centre = block; /* freed by close_sampler */
    w->target = block + d;
    w->x = block + 2 * d;
    w->y = block + 3 * d;
    w->by = block + 4 * d;
    w->dense = block + 5 * d;
    w->other = block + 6 * d;
    w->scale = w->query->scale > 0.0 ? w->query->scale : scale_of(w->problem, w->target);
    w->c->rho = NEAR * w->scale;
    w->set = il_feasible_create(w->problem);
}

static void close_sampler(sampler *w) {
    il_feasible_destroy(w->set);
    il_rows_free(&w->here);
    il_rows_free(&w->there);
    il_rows_free(&w->later);
    free(w->centre);
}

/* The part that needs no dense geometry: whether the drift jumps. */
static void measure_many(const il_problem *problem, const il_constants_query *query,
                         il_constants *out) {
    double *radii = il_alloc(problem->d, sizeof *radii);
    double scale = query != NULL && query->scale > 0.0 ? query->scale : scale_of(problem, radii);
    free(radii);
    out->unmeasured = "too many bodies for dense geometry";
    bool many = problem->order == 1 && problem->d > DRIFT_MAX; /* `show crowd`, d = 200: 0.8 s */
    out->jump = many ? NAN : il_drift_jump(problem, scale, 1);
}

il_status il_constants_measure(const il_problem *problem, const il_constants_query *query,
                               il_constants *out, il_error *err) {
    static const il_constants_query defaults = {.points = 0};
    *out = (il_constants){.alpha = INFINITY,
                          .hypo = -INFINITY,
                          .convex = INFINITY,
                          .inverse = INFINITY,
                          .slope = INFINITY,
                          .active_inverse = INFINITY,
                          .mu = INFINITY,
                          .angle = -INFINITY,
                          .closed = il_balls_slope(problem)};
    if (problem->d > D_MAX || problem->p > P_MAX) {
        measure_many(problem, query, out);
        return IL_OK;
    }
    sampler w = {
        .problem = problem, .query = query != NULL ? query : &defaults, .random = 1, .c = out};
    il_rows_init(&w.here);
    il_rows_init(&w.there);
    il_rows_init(&w.later);
    open_sampler(&w);
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && problem->p > 0 && k < NTIMES; k++) {
        status = measure_at(&w, TIMES[k] * problem->horizon, err);
    }
    if (status == IL_OK) {
        out->jump = il_drift_jump(problem, w.scale, w.random);
        out->kink = il_constraints_jump(problem, w.scale, w.random);
    }
    close_sampler(&w);
    if (problem->p > 0 && out->points == 0) {
        out->unmeasured = "no point of the boundary was found";
    }
    return status;
}
