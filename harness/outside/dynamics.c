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
#include "harness/outside/turning.h"
#include "schemes/assembly.h"

struct il_dynamics {
    const il_problem *problem;
    const il_projector_type *projector;
    void *solver;
    il_assembly *assembly; /* for the mean force */
    double *force, *v, *x, *point, *half, *q, *u, *other;
    il_rows all, rows, best;
    double *a, *lambda, *best_lambda, *forces, *push;
    size_t room, place;                  /* the place whose gradients explained the step before */
    double size, allowed, rounding, eps; /* of the best, and of the last projection */
};

il_status il_dynamics_create(il_dynamics **out, const il_problem *problem,
                             const il_scheme_options *options, il_error *err) {
    il_dynamics *w = il_alloc_zero(1, sizeof *w);
    *out = w;
    w->problem = problem;
    w->projector = options->projector;
    double **const vectors[] = {&w->force, &w->v, &w->x, &w->point,
                                &w->half,  &w->q, &w->u, &w->other};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        *vectors[k] = il_alloc_zero(problem->d, sizeof(double));
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
    double *const vectors[] = {w->force,  w->v,     w->x,   w->point,  w->half,
                               w->q,      w->u,     w->a,   w->lambda, w->best_lambda,
                               w->forces, w->other, w->push};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        free(vectors[k]);
    }
    il_rows_free(&w->all);
    il_rows_free(&w->rows);
    il_rows_free(&w->best);
    free(w);
}

static void reserve(il_dynamics *w, size_t p) {
    if (p <= w->room) {
        return;
    }
    il_memory_grow(&w->a, p, sizeof *w->a);
    il_memory_grow(&w->lambda, p, sizeof *w->lambda);
    il_memory_grow(&w->best_lambda, p, sizeof *w->best_lambda);
    il_memory_grow(&w->forces, p, sizeof *w->forces);
    il_memory_grow(&w->push, p, sizeof *w->push);
    w->room = p;
}

/* ---- which contacts ------------------------------------------------------------------------- */

/* The way of coordinate k in the step, at most; in both whose mean velocities are compared,
 * where it may have come back. */
static double way_of(const il_dynamics *w, const il_interval *s, size_t k) {
    double h = s->t1 - (s->q_before != NULL ? s->before : s->t0);
    double way = fmax(h * fmax(fabs(s->u0[k]), fabs(s->u1[k])), fabs(s->q1[k] - s->q0[k]));
    return way + (w->problem->order == 2 ? h * h * fabs(w->other[k]) : 0.0);
}

/* The contacts that could have closed in the step into w->all, as rows at its end: those whose gap
 * there is at most `reach` times what their bodies moved by at most, or overlaps, or is below what
 * numbers of this size resolve. Bodies of the contacts found before may have been struck, if so
 * asked, and then moved by as much as any before others stopped them. w->other is the acceleration.
 */
static il_status find_near(il_dynamics *w, const il_interval *s, double reach, bool struck) {
    size_t d = w->problem->d;
    double touch = (1e-9 + 4.0 * s->resolution) * (1.0 + il_largest(s->q1, d)) + 4.0 * s->quantum;
    double way = 0.0;
    for (size_t k = 0; k < d; k++) {
        w->half[k] = way_of(w, s, k);
        way = fmax(way, w->half[k]);
    }
    for (size_t e = 0; struck && e < w->all.nnz; e++) {
        w->half[w->all.col[e]] = way;
    }
    il_rows_clear(&w->rows);
    il_rows_clear(&w->all);
    double slack = w->problem->p <= IL_OFFER_ALL ? INFINITY : 2.0 * reach * way + touch;
    il_status status = il_problem_scan(w->problem, s->t1, s->q1, s->q1, slack, &w->rows);
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        double own = (s->t1 - s->t0) * fabs(w->rows.rate[i]);
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            own += fabs(w->rows.coef[e]) * w->half[w->rows.col[e]];
        }
        if (w->rows.value[i] <= reach * own + touch) {
            il_rows_append_row(&w->all, &w->rows, i);
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

/* w->all's constraints with gradients at q behind those of w->rows, with both_signs each once more
 * with the other sign; false where one does not exist. */
static bool add_rows(il_dynamics *w, double t, const double *q, bool both_signs) {
    il_rows *rows = &w->rows;
    size_t p = w->all.p;
    for (size_t i = 0; i < (both_signs ? 2 * p : p); i++) {
        if (w->problem->type->row(w->problem, t, q, w->all.id[i % p], rows) != IL_OK) {
            return false;
        }
        for (size_t e = rows->start[rows->p - 1]; i >= p && e < rows->start[rows->p]; e++) {
            rows->coef[e] = -rows->coef[e];
        }
    }
    return true;
}

/* ---- which impulses ------------------------------------------------------------------------- */

/* The least residual that the rows at hand leave of v, in w->x, and their impulses. */
static double solve(il_dynamics *w, bool both_signs) {
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
    double sum = 0.0;
    for (size_t i = 0; i < w->rows.p; i++) {
        sum += w->lambda[i];
    }
    w->eps = p > 0 ? fmax(0.0, il_projection_violation(&qp, w->x)) * sum : 0.0;
    while (p > 0 && w->rows.p > p) { /* of the other sign, or of other places */
        il_rows_pop(&w->rows);
        w->lambda[w->rows.p % p] += both_signs ? -w->lambda[w->rows.p] : w->lambda[w->rows.p];
    }
    return good ? il_largest(w->x, d) : INFINITY;
}

/* -w->x becomes what given impulses leave of v. */
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

static void keep(il_dynamics *w, double residual, double *least) {
    if (!(residual < *least)) {
        return;
    }
    *least = residual;
    w->size = sqrt(il_metric_inner(w->problem->mass, w->x, w->x));
    memcpy(w->best_lambda, w->lambda, w->rows.p * sizeof *w->lambda);
    il_rows_clear(&w->best);
    for (size_t i = 0; i < w->rows.p; i++) {
        il_rows_append_row(&w->best, &w->rows, i);
    }
}

/* Gradients at the end, the beginning and half way on, first as in the step before; a residual far
 * below what is allowed is as good as any. */
static il_status find_impulses(il_dynamics *w, const il_interval *s, double reach, bool struck,
                               double *least) {
    size_t d = w->problem->d;
    bool both_signs = s->both_signs && !s->given;
    il_status status = s->given ? find_given(w, s) : find_near(w, s, reach, struck);
    if (status != IL_OK) {
        return status;
    }
    reserve(w, 3 * w->all.p + 1);
    for (size_t k = 0; k < d; k++) {
        w->half[k] = s->q0[k] + 0.5 * (s->t1 - s->t0) * s->u0[k];
    }
    const double *const places[] = {s->q1, s->q0, w->half};
    size_t first = w->place;
    *least = INFINITY;
    w->size = INFINITY;
    w->eps = 0.0;
    for (size_t k = 0; k < 3 && !(w->size <= 1e-3 * w->allowed); k++) {
        double before = *least;
        il_rows_clear(&w->rows);
        if (add_rows(w, s->t1, places[(first + k) % 3], both_signs)) {
            keep(w, s->given ? subtract(w, s) : solve(w, both_signs), least);
        }
        w->place = *least < before ? (first + k) % 3 : w->place;
    }
    return IL_OK;
}

/* ---- what data that are right may leave ------------------------------------------------------ */

static double size_of(const il_dynamics *w, const double *x) {
    return sqrt(il_metric_inner(w->problem->mass, x, x));
}

/* |M^{-1} grad g_i|_M of row i of the best. */
static double row_size(il_dynamics *w, size_t i) {
    const double *mass = il_metric_masses(w->problem->mass);
    if (mass != NULL) {
        return sqrt(il_rows_norm2(&w->best, i, mass));
    }
    memset(w->point, 0, w->problem->d * sizeof *w->point);
    il_rows_axpy(&w->best, i, 1.0, w->point);
    il_metric_solve(w->problem->mass, w->point, w->point);
    return size_of(w, w->point);
}

/* By rounding of the numbers: of velocities, positions and times, and what solvers leave. w->other
 * is the acceleration, or the drift. */
static double allow_rounding(const il_dynamics *w, const il_interval *s) {
    double h = s->t1 - s->t0;
    double h0 = s->q_before != NULL ? s->t0 - s->before : 0.0;
    double mass = size_of(w, s->u0) + size_of(w, s->u1);
    double force = size_of(w, w->other);
    double dt = s->resolution * s->t1 + s->quantum;
    double unit = w->problem->order == 1 ? h : 1.0; /* of velocities there, displacements here */
    for (size_t k = 0; k < w->problem->d; k++) {
        w->point[k] = s->quantum;
    }
    double quantum = size_of(w, w->point);
    double rounding = s->resolution * mass + 2.0 * quantum;
    if (w->problem->order == 1 || s->q_before != NULL) {
        double dq = 2.0 * (s->resolution * size_of(w, s->q1) + quantum) + 2.0 * dt * mass;
        rounding = w->problem->order == 1 ? dq : dq / h + (h0 > 0.0 ? dq / h0 : 0.0);
    }
    double lag = s->q_before != NULL ? fabs(h - h0) : 0.0;
    return rounding + (2.0 * dt + lag) * force + 1e-9 * (unit * mass + h * force);
}

/* |M^{-1} (f - fbar)|_M of f in w->point, with *size the larger of itself and |M^{-1} f|_M. */
static double force_apart(il_dynamics *w, const il_interval *s, double *size) {
    const il_problem *problem = w->problem;
    for (int k = 0; k < 2; k++) { /* its size, then the change */
        for (size_t i = 0; i < problem->d; i++) {
            w->x[i] = s->force * w->point[i] - (k == 0 ? 0.0 : w->force[i]);
        }
        if (problem->order == 2) {
            il_metric_solve(problem->mass, w->x, w->x);
        }
        *size = fmax(*size, size_of(w, w->x));
    }
    return size_of(w, w->x);
}

/* The same of f(t,q); 0 where f is no function. */
static double change_of_force(il_dynamics *w, const il_interval *s, double t, const double *q,
                              double *size) {
    const il_problem *problem = w->problem;
    if (problem->type->force == NULL) {
        return 0.0;
    }
    problem->type->force(problem, t, q, w->point);
    return force_apart(w, s, size);
}

/* How far the force moves from its mean along the step, or along two where velocities are
 * differences, in velocities; and what times that are wrong by dt make of it. */
static double allow_force(il_dynamics *w, const il_interval *s) {
    double h = s->t1 - s->t0;
    double size = 0.0;
    double most = 0.0;
    bool means = s->q_before != NULL || w->problem->order == 1;
    bool places = (w->problem->traits & IL_FORCE_OF_TIME) == 0;
    for (size_t k = 0; k < w->problem->d; k++) {
        w->q[k] = s->q0[k] + h * s->u0[k];
        w->u[k] = s->q1[k] - h * s->u1[k];
    }
    double end = change_of_force(w, s, s->t1, s->q1, &size);
    double start = change_of_force(w, s, s->t0, s->q0, &size);
    if (places) {
        most = change_of_force(w, s, s->t0, w->q, &size);
        most = fmax(most, change_of_force(w, s, s->t1, w->u, &size));
    }
    most = places || means ? fmax(most, fmax(end, start)) : 0.0;
    if (s->q_before != NULL) {
        const il_state in = {.q = w->q, .u = w->u};
        il_state none = {.q = w->x, .u = w->half};
        most += change_of_force(w, s, s->before, s->q_before, &size);
        memcpy(w->q, s->q_before, w->problem->d * sizeof *w->q);
        il_assembly_begin(w->assembly, s->before, fmax(s->t0, s->before + 1e-9 * h), &in, &none);
        if (il_assembly_force(w->assembly, w->q, w->point, NULL) == IL_OK) {
            most += force_apart(w, s, &size); /* a mean hides what jumps back */
        }
    }
    double span = s->q_before != NULL ? fmax(h, s->t0 - s->before) : h;
    return span * most + 2.0 * (s->resolution * s->t1 + s->quantum) * size;
}

/* Where gradients of one place leave more than rounding: those of all places together. */
static void widen(il_dynamics *w, const il_interval *s, double *least) {
    const struct {
        double t;
        const double *q;
    } places[] = {
        {s->t1, s->q1}, {s->t1, s->q0}, {s->t1, w->half}, {s->t0, s->q0}, {s->before, s->q_before}};
    bool fixed = (w->problem->traits & IL_ROWS_FIXED) != 0;
    bool means = w->problem->order == 2 && s->q_before != NULL;
    double jump = size_of(w, w->v);
    bool good = w->all.p > 0 && !(fixed && (w->problem->traits & IL_ROWS_AFFINE) != 0);
    reserve(w, 5 * w->all.p + 1);
    il_rows_clear(&w->rows);
    for (size_t k = 0; good && k < 5; k++) {
        good =
            (k == 3 && fixed) || (k == 4 && !means) || add_rows(w, places[k].t, places[k].q, false);
    }
    double turn = good ? (s->given ? 1.0 : 0.5) * il_rows_turning(&w->rows, w->all.p) : 0.0;
    if (good && !s->given && !s->both_signs) {
        keep(w, solve(w, false), least);
    }
    for (size_t i = 0; s->given && i < w->best.p; i++) {
        jump += fabs(w->best_lambda[i]) * row_size(w, i);
        w->allowed += (s->resolution * fabs(w->best_lambda[i]) + s->quantum) * row_size(w, i);
    }
    double force = allow_force(w, s);
    w->allowed += turn * jump + sqrt(2.0 * w->eps) + force;
    w->rounding += force;
}

/* How far each impulse moves its bodies, and the largest gap, at the smaller of both ends, of a
 * contact whose impulse is felt. */
static double largest_gap(il_dynamics *w, const il_interval *s) {
    double open = 0.0;
    for (size_t i = 0; i < w->best.p; i++) {
        double gap = w->all.value[i];
        w->push[i] = w->best_lambda[i] != 0.0 ? fabs(w->best_lambda[i]) * row_size(w, i) : 0.0;
        if (!(w->push[i] > w->allowed) || !(gap > open)) {
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
    bool first = w->problem->order == 1;
    if (first) {
        memcpy(w->other, w->force, d * sizeof *w->other);
    } else {
        il_assembly_accelerate(w->assembly, w->force, w->other);
    }
    for (size_t k = 0; k < d; k++) {
        w->v[k] = (first ? s->q1[k] - s->q0[k] : s->u1[k] - s->u0[k]) - h * w->other[k];
    }
    w->allowed = w->rounding = allow_rounding(w, s);
    /* a step that the next contacts explain needs no others */
    status = find_impulses(w, s, 1.0, false, &least);
    double rounding = w->rounding;
    for (int struck = 0; status == IL_OK && w->size > w->allowed && struck < (s->given ? 1 : 2);
         struck++) {
        double reach = s->reach > 0.0 ? s->reach : IL_DYNAMICS_REACH;
        w->allowed = w->rounding = rounding;
        status = s->given ? status : find_impulses(w, s, reach, struck > 0, &least);
        if (status == IL_OK && w->size > w->allowed) {
            widen(w, s, &least);
        }
    }
    if (status != IL_OK || !isfinite(least)) {
        return il_fail(err, IL_ENUMERIC, "no impulses can be found at t = %.10g", s->t1);
    }
    double open = largest_gap(w, s);
    *out = (il_explained){.rows = &w->best,
                          .lambda = w->best_lambda,
                          .mean = w->force,
                          .residual = least,
                          .size = w->size,
                          .allowed = w->allowed,
                          .rounding = w->rounding,
                          .gap = w->all.value,
                          .push = w->push,
                          .open = open};
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

bool il_dynamics_tangent(il_dynamics *w, const double *u, double *x) {
    il_rows_clear(&w->rows);
    for (size_t i = 0; i < w->best.p; i++) {
        if (w->push[i] > w->allowed) {
            il_rows_append_row(&w->rows, &w->best, i);
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
