/*
 * dynamics.c - finds the contacts that may have closed in a step, and the impulses that explain it
 * best.
 */
#include "harness/outside/dynamics.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "schemes/assembly.h"

struct il_dynamics {
    const il_problem *problem;
    const il_projector_type *projector;
    void *solver;
    il_assembly *assembly; /* for the mean force */
    double *force, *v, *x, *point, *half, *q, *u;
    il_rows all, rows, best;
    double *a, *lambda, *best_lambda, *forces;
    size_t room;
};

static il_status starved(il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory to explain a step");
}

il_status il_dynamics_create(il_dynamics **out, const il_problem *problem,
                             const il_scheme_options *options, il_error *err) {
    il_dynamics *w = calloc(1, sizeof *w);
    *out = w;
    if (w == NULL) {
        return starved(err);
    }
    w->problem = problem;
    w->projector = options->projector;
    double **const vectors[] = {&w->force, &w->v, &w->x, &w->point, &w->half, &w->q, &w->u};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        *vectors[k] = calloc(problem->d, sizeof(double));
        if (*vectors[k] == NULL) {
            return starved(err);
        }
    }
    il_status status = il_assembly_create(&w->assembly, problem, options, err);
    return status == IL_OK ? w->projector->create(&w->solver, &options->projection, err) : status;
}

void il_dynamics_destroy(il_dynamics *w) {
    if (w == NULL) {
        return;
    }
    if (w->solver != NULL) {
        w->projector->destroy(w->solver);
    }
    il_assembly_destroy(w->assembly);
    double *const vectors[] = {w->force, w->v, w->x,      w->point,       w->half,  w->q,
                               w->u,     w->a, w->lambda, w->best_lambda, w->forces};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        free(vectors[k]);
    }
    il_rows_free(&w->all);
    il_rows_free(&w->rows);
    il_rows_free(&w->best);
    free(w);
}

static bool reserve(il_dynamics *w, size_t p) {
    if (p <= w->room) {
        return true;
    }
    bool good = il_memory_grow(&w->a, p, sizeof *w->a) &&
                il_memory_grow(&w->lambda, p, sizeof *w->lambda) &&
                il_memory_grow(&w->best_lambda, p, sizeof *w->best_lambda) &&
                il_memory_grow(&w->forces, p, sizeof *w->forces);
    w->room = good ? p : w->room;
    return good;
}

/* ---- which contacts ------------------------------------------------------------------------- */

/* The contacts that could have closed in the step into w->all, as rows at its end: those whose gap
 * there is at most four times what bodies moved by at most, or overlaps. */
static il_status find_near(il_dynamics *w, const il_interval *s) {
    size_t d = w->problem->d;
    double h = s->t1 - s->t0;
    double way = h * fmax(il_largest(s->u0, d), il_largest(s->u1, d));
    double touch = 1e-9 * (1.0 + il_largest(s->q1, d));
    for (size_t k = 0; k < d; k++) {
        way = fmax(way, fabs(s->q1[k] - s->q0[k]));
    }
    il_rows_clear(&w->rows);
    il_rows_clear(&w->all);
    double slack = w->problem->p <= IL_OFFER_ALL ? INFINITY : 8.0 * way + touch;
    il_status status = il_problem_scan(w->problem, s->t1, s->q1, s->q1, slack, &w->rows);
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        double norm = 0.0;
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            norm += w->rows.coef[e] * w->rows.coef[e];
        }
        if (w->rows.value[i] <= 4.0 * (sqrt(norm) * way + h * fabs(w->rows.rate[i])) + touch) {
            status = il_rows_append_row(&w->all, &w->rows, i);
        }
    }
    return status;
}

/* The constraints whose impulses are given. */
static il_status find_given(il_dynamics *w, const il_interval *s) {
    il_rows_clear(&w->all);
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < s->n; k++) {
        if (s->contacts[k].impulse != 0.0) {
            status = w->problem->type->row(w->problem, s->t1, s->q1, s->contacts[k].id, &w->all);
        }
    }
    return status;
}

/* w->all's constraints with gradients at q into w->rows, with both_signs each once more with the
 * other sign; false where one does not exist. */
static bool rows_at(il_dynamics *w, double t, const double *q, bool both_signs) {
    il_rows *rows = &w->rows;
    size_t p = w->all.p;
    il_rows_clear(rows);
    for (size_t i = 0; i < (both_signs ? 2 * p : p); i++) {
        if (w->problem->type->row(w->problem, t, q, w->all.id[i % p], rows) != IL_OK) {
            return false;
        }
        for (size_t e = rows->start[i]; i >= p && e < rows->start[i + 1]; e++) {
            rows->coef[e] = -rows->coef[e];
        }
    }
    return true;
}

/* ---- which impulses ------------------------------------------------------------------------- */

/* The least residual that the rows at hand leave of v, in w->x, and their impulses. */
static double solve(il_dynamics *w) {
    size_t d = w->problem->d;
    size_t p = w->all.p;
    memset(w->a, 0, w->rows.p * sizeof *w->a);
    memset(w->lambda, 0, w->rows.p * sizeof *w->lambda);
    for (size_t k = 0; k < d; k++) {
        w->point[k] = -w->v[k];
        w->x[k] = w->point[k];
    }
    il_projection_info info;
    il_qp qp = {.d = d,
                .mass = w->problem->mass,
                .target = w->point,
                .rows = &w->rows,
                .a = w->a,
                .scale = 1.0};
    bool good = p == 0 || (w->projector->refuses(w->solver, &qp) == NULL &&
                           w->projector->solve(w->solver, &qp, w->x, w->lambda, &info) == IL_OK);
    while (w->rows.p > p) {
        il_rows_pop(&w->rows);
        w->lambda[w->rows.p - p] -= w->lambda[w->rows.p];
    }
    return good ? il_largest(w->x, d) : INFINITY;
}

/* What given impulses leave of v is -w->x. */
static double subtract(il_dynamics *w, const il_interval *s) {
    size_t d = w->problem->d;
    size_t i = 0;
    memset(w->point, 0, d * sizeof *w->point);
    for (size_t k = 0; k < s->n; k++) {
        if (s->contacts[k].impulse != 0.0 && i < w->rows.p) {
            w->lambda[i] = s->contacts[k].impulse;
            il_rows_axpy(&w->rows, i, w->lambda[i], w->point);
            i++;
        }
    }
    il_metric_solve(w->problem->mass, w->point, w->x);
    for (size_t k = 0; k < d; k++) {
        w->x[k] -= w->v[k];
    }
    return il_largest(w->x, d);
}

static il_status keep(il_dynamics *w, double residual, double *least) {
    if (!(residual < *least)) {
        return IL_OK;
    }
    *least = residual;
    memcpy(w->best_lambda, w->lambda, w->rows.p * sizeof *w->lambda);
    il_rows_clear(&w->best);
    il_status status = IL_OK;
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        status = il_rows_append_row(&w->best, &w->rows, i);
    }
    return status;
}

/* Gradients at the end, the beginning and half way on; a residual at rounding is as good as any. */
static il_status find_impulses(il_dynamics *w, const il_interval *s, double *least) {
    size_t d = w->problem->d;
    double rounding = 8.0 * DBL_EPSILON * fmax(il_largest(s->u0, d), il_largest(s->u1, d));
    il_status status = s->given ? find_given(w, s) : find_near(w, s);
    if (status != IL_OK) {
        return status;
    }
    if (!reserve(w, 2 * w->all.p + 1)) {
        return IL_ENOMEM;
    }
    for (size_t k = 0; k < d; k++) {
        w->half[k] = s->q0[k] + 0.5 * (s->t1 - s->t0) * s->u0[k];
    }
    const double *const places[] = {s->q1, s->q0, w->half};
    *least = INFINITY;
    for (size_t k = 0; status == IL_OK && k < 3 && !(*least <= rounding); k++) {
        if (rows_at(w, s->t1, places[k], s->both_signs && !s->given)) {
            status = keep(w, s->given ? subtract(w, s) : solve(w), least);
        }
    }
    return status;
}

/* The largest gap, at the smaller of both ends, of a contact whose impulse is felt. */
static double largest_gap(il_dynamics *w, const il_interval *s) {
    double open = 0.0;
    double felt = 1e-9 * fmax(il_largest(s->u0, w->problem->d), il_largest(s->u1, w->problem->d));
    for (size_t i = 0; i < w->best.p; i++) {
        assert(w->best.id[i] == w->all.id[i]); /* they are those of w->all, in its order */
        double gap = w->all.value[i];
        if (!(fabs(w->best_lambda[i]) > felt) || !(gap > open)) {
            continue;
        }
        il_rows_clear(&w->rows);
        if (w->problem->type->row(w->problem, s->t0, s->q0, w->best.id[i], &w->rows) == IL_OK) {
            gap = fmin(gap, w->rows.value[0]);
        }
        open = fmax(open, gap);
    }
    return open;
}

il_status il_dynamics_explain(il_dynamics *w, const il_interval *s, il_explained *out,
                              il_error *err) {
    size_t d = w->problem->d;
    double h = s->t1 - s->t0;
    double least = INFINITY;
    memcpy(w->q, s->q0, d * sizeof *w->q);
    memcpy(w->u, s->u0, d * sizeof *w->u);
    const il_state in = {.q = w->q, .u = w->u};
    il_state none = {.q = w->x, .u = w->half};
    il_assembly_begin(w->assembly, s->t0, s->t1, &in, &none);
    il_status status = il_assembly_force(w->assembly, s->q0, w->force, err);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < d; k++) {
        w->force[k] *= s->force;
    }
    if (w->problem->order == 1) {
        for (size_t k = 0; k < d; k++) {
            w->v[k] = (s->q1[k] - s->q0[k]) - h * w->force[k];
        }
    } else {
        il_assembly_accelerate(w->assembly, w->force, w->v);
        for (size_t k = 0; k < d; k++) {
            w->v[k] = (s->u1[k] - s->u0[k]) - h * w->v[k];
        }
    }
    status = find_impulses(w, s, &least);
    if (status == IL_ENOMEM) {
        return starved(err);
    }
    if (status != IL_OK || !isfinite(least)) {
        return il_fail(err, IL_ENUMERIC, "no impulses can be found at t = %.10g", s->t1);
    }
    *out = (il_explained){.rows = &w->best,
                          .lambda = w->best_lambda,
                          .mean = w->force,
                          .residual = least,
                          .open = largest_gap(w, s)};
    return IL_OK;
}

il_status il_dynamics_report(il_dynamics *w, const il_interval *s, il_explained *out,
                             il_step_report *report, il_error *err) {
    il_status status = il_dynamics_explain(w, s, out, err);
    for (size_t i = 0; status == IL_OK && i < out->rows->p; i++) {
        w->forces[i] = out->lambda[i] / (s->t1 - s->t0);
    }
    if (status == IL_OK) {
        *report = (il_step_report){.rows = out->rows,
                                   .lambda = w->forces,
                                   .force = out->mean,
                                   .certificate = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
    }
    return status;
}

bool il_dynamics_tangent(il_dynamics *w, double felt, const double *u, double *x) {
    il_rows_clear(&w->rows);
    for (size_t i = 0; i < w->best.p; i++) {
        if (w->best_lambda[i] > felt && il_rows_append_row(&w->rows, &w->best, i) != IL_OK) {
            return false;
        }
    }
    il_projection_info info;
    il_qp qp = {.d = w->problem->d,
                .mass = w->problem->mass,
                .target = u,
                .rows = &w->rows,
                .a = w->rows.rate,
                .scale = 1.0};
    memset(w->lambda, 0, w->rows.p * sizeof *w->lambda);
    return w->rows.p > 0 && w->projector->refuses(w->solver, &qp) == NULL &&
           w->projector->solve(w->solver, &qp, x, w->lambda, &info) == IL_OK;
}
