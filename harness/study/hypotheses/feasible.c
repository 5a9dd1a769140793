/*
 * feasible.c - projections and cones of Q(t), as least distance problems.
 *
 * In the metric of M = L L', |x - V|_M = |L'(x - V)|: with y = L'(x - V) a row becomes <L^{-1} b_i,
 * y> >= -(a_i + <b_i, V>).
 */
#include "harness/study/hypotheses/feasible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"

enum { ITERATIONS = 200 };

/* A fixed point has moved by no more than this, relative to one plus its size: some roundings of
 * the least distance. */
static const double SETTLED = 1e-13;

/* The iteration is relaxed when it does not shrink by this much an iteration: where curvature times
 * distance is near one it swings. */
static const double SHRINKS = 0.9;
static const double LEAST_RELAXATION = 1.0 / 64.0;

struct il_feasible {
    const il_problem *problem;
    il_rows rows;
    size_t room;           /* rows that g, h have room for */
    double *g, *h;         /* [room][d], [room] */
    double *x, *y, *dense; /* [d] */
};

il_feasible *il_feasible_create(const il_problem *problem) {
    il_feasible *w = il_alloc_zero(1, sizeof *w);
    double *block = il_alloc(3 * problem->d, sizeof *block);
    w->problem = problem;
    w->x = block;
    w->y = block + problem->d;
    w->dense = block + 2 * problem->d;
    il_rows_init(&w->rows);
    return w;
}

void il_feasible_destroy(il_feasible *w) {
    if (w == NULL) {
        return;
    }
    il_rows_free(&w->rows);
    free(w->x);
    free(w->g);
    free(w->h);
    free(w);
}

static void reserve(il_feasible *w) {
    size_t p = w->rows.p;
    if (p <= w->room) {
        return;
    }
    free(w->g);
    free(w->h);
    w->g = il_alloc(p * w->problem->d, sizeof *w->g);
    w->h = il_alloc(p, sizeof *w->h);
    w->room = p;
}

/* The rows at (t,q) that stand at most at slack when taken at x. */
static il_status scan(il_feasible *w, double t, const double *q, const double *x, double slack,
                      il_error *err) {
    il_rows_clear(&w->rows);
    il_status status = il_problem_scan(w->problem, t, q, x, slack, &w->rows);
    if (status != IL_OK) {
        return il_fail(err, status, "a constraint of '%s' cannot be computed at t = %g",
                       w->problem->type->name, t);
    }
    reserve(w);
    return IL_OK;
}

il_status il_feasible_rows(il_feasible *w, double t, const double *q, double slack,
                           const il_rows **rows, il_error *err) {
    il_status status = scan(w, t, q, q, slack, err);
    *rows = &w->rows;
    return status;
}

/* Row i as a dense vector at out[d]. */
static void spread(const il_feasible *w, size_t i, double *out) {
    memset(out, 0, w->problem->d * sizeof *out);
    il_rows_axpy(&w->rows, i, 1.0, out);
}

/* y of the rows g, h of w. */
static il_status least(il_feasible *w, double *y, il_error *err) {
    il_polyhedron polyhedron = {.p = w->rows.p, .d = w->problem->d, .g = w->g, .h = w->h};
    return il_least_distance(&polyhedron, y, NULL, err);
}

/* x = target + y, y least with g_i(t,q) + <b_i, target + y - q> >= 0. */
il_status il_feasible_linearised(il_feasible *w, double t, const double *q, const double *target,
                                 double *x, il_error *err) {
    size_t d = w->problem->d;
    il_status status = scan(w, t, q, target, INFINITY, err);
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        spread(w, i, w->g + i * d);
        double at = w->rows.value[i];
        for (size_t k = 0; k < d; k++) {
            at += w->g[i * d + k] * (target[k] - q[k]);
        }
        w->h[i] = -at;
    }
    if (status == IL_OK) {
        status = least(w, w->y, err);
    }
    for (size_t k = 0; status == IL_OK && k < d; k++) {
        x[k] = target[k] + w->y[k];
    }
    return status;
}

il_status il_feasible_project(il_feasible *w, double t, const double *start, const double *target,
                              double *x, il_error *err) {
    size_t d = w->problem->d;
    double theta = 1.0;
    double before = INFINITY;
    memcpy(x, start, d * sizeof *x);
    for (int j = 0; j < ITERATIONS; j++) {
        il_status status = il_feasible_linearised(w, t, x, target, w->x, err);
        if (status != IL_OK) {
            return status;
        }
        double way = 0.0;
        double size = 1.0;
        for (size_t k = 0; k < d; k++) {
            way = fmax(way, fabs(w->x[k] - x[k]));
            size = fmax(size, fabs(w->x[k]));
        }
        if (way <= SETTLED * size) {
            memcpy(x, w->x, d * sizeof *x);
            return IL_OK;
        }
        if (way > SHRINKS * before && theta > LEAST_RELAXATION) {
            theta *= 0.5;
        }
        before = way;
        for (size_t k = 0; k < d; k++) {
            x[k] += theta * (w->x[k] - x[k]);
        }
    }
    return il_fail(
        err, IL_ESTALLED,
        "the projection onto the feasible set of '%s' did not settle in %d iterations at "
        "t = %g",
        w->problem->type->name, (int)ITERATIONS, t);
}

il_status il_feasible_velocity(il_feasible *w, double t, const double *q, const double *v,
                               double active, bool frozen, double *out, il_error *err) {
    size_t d = w->problem->d;
    const il_metric *mass = w->problem->mass;
    il_status status = scan(w, t, q, q, active, err);
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        spread(w, i, w->dense);
        w->h[i] = frozen ? 0.0 : -w->rows.rate[i];
        for (size_t k = 0; k < d; k++) {
            w->h[i] -= w->dense[k] * v[k];
        }
        il_metric_whiten(mass, w->dense, w->g + i * d);
    }
    if (status == IL_OK) {
        status = least(w, w->y, err);
    }
    if (status == IL_OK) {
        il_metric_unwhiten(mass, w->y, w->y);
    }
    for (size_t k = 0; status == IL_OK && k < d; k++) {
        out[k] = v[k] + w->y[k];
    }
    return status;
}

/* The distance of the origin from the hull of the rows g of w; 0 if it lies inside. */
static il_status hull_distance(il_feasible *w, double *distance, il_error *err) {
    for (size_t i = 0; i < w->rows.p; i++) {
        w->h[i] = 1.0;
    }
    il_error why = {IL_OK, ""};
    il_status status = least(w, w->y, &why);
    if (status == IL_EINFEASIBLE) {
        *distance = 0.0;
        return IL_OK;
    }
    *distance = status == IL_OK ? 1.0 / il_length(w->y, w->problem->d) : NAN;
    return status == IL_OK ? IL_OK : il_fail(err, status, "%s", why.message);
}

/* max over pairs of the cosine between unit rows. */
static double widest(const il_feasible *w) {
    size_t d = w->problem->d;
    double cosine = -INFINITY;
    for (size_t i = 0; i < w->rows.p; i++) {
        for (size_t j = 0; j < i; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < d; k++) {
                sum += w->g[i * d + k] * w->g[j * d + k];
            }
            cosine = fmax(cosine, sum);
        }
    }
    return cosine;
}

il_status il_feasible_independence(il_feasible *w, double t, const double *q, double rho,
                                   il_independence *out, il_error *err) {
    size_t d = w->problem->d;
    *out = (il_independence){0, INFINITY, INFINITY, -INFINITY};
    il_status status = scan(w, t, q, q, rho, err);
    if (status != IL_OK || w->rows.p == 0) {
        return status;
    }
    out->rows = w->rows.p;
    for (size_t i = 0; i < w->rows.p; i++) {
        spread(w, i, w->g + i * d);
    }
    status = hull_distance(w, &out->slope, err);
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        double size = il_length(w->g + i * d, d);
        for (size_t k = 0; k < d; k++) {
            w->g[i * d + k] /= size;
        }
    }
    if (status == IL_OK) {
        status = hull_distance(w, &out->inverse, err);
        out->angle = widest(w);
    }
    return status;
}
