/*
 * tangent.c - predicted contacts and the projection onto their cone.
 */
#include "schemes/stepping/tangent.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "schemes/stepping/correct.h"

struct il_tangent {
    const il_problem *problem;
    il_scheme_options options;
    void *projector;
    il_rows rows;    /* predicted active */
    il_rows near;    /* what the problem offers */
    size_t capacity; /* of a and lambda */
    double *a;       /* [p] d_t g_i + e (d_t g_i + <grad g_i, u>) */
    double *lambda;  /* [p] */
    double *work;    /* [2d] */
};

il_status il_tangent_create(il_tangent **out, const il_problem *problem,
                            const il_scheme_options *options, il_error *err) {
    il_tangent *w = il_alloc_zero(1, sizeof *w);
    *out = NULL;
    w->problem = problem;
    w->options = *options;
    w->work = il_alloc(2 * problem->d, sizeof *w->work);
    il_status status = options->projector->create(&w->projector, &options->projection, err);
    if (status != IL_OK) {
        il_tangent_destroy(w);
        return status;
    }
    *out = w;
    return IL_OK;
}

void il_tangent_destroy(il_tangent *w) {
    if (w == NULL) {
        return;
    }
    if (w->projector != NULL) {
        w->options.projector->destroy(w->projector);
    }
    il_rows_free(&w->rows);
    il_rows_free(&w->near);
    free(w->a);
    free(w->lambda);
    free(w->work);
    free(w);
}

static void reserve(il_tangent *w) {
    size_t p = w->rows.p;
    if (p <= w->capacity) {
        return;
    }
    il_memory_grow(&w->a, 2 * p, sizeof *w->a);
    il_memory_grow(&w->lambda, 2 * p, sizeof *w->lambda);
    w->capacity = 2 * p;
}

il_status il_tangent_predict(il_tangent *w, const il_prediction *in, il_step_report *report,
                             il_error *err) {
    const il_rows *near = &w->near;
    /* With constraints fixed in time the rate is 0 and the scan itself decides. */
    double slack = (w->problem->traits & IL_ROWS_FIXED) != 0 ? in->threshold : INFINITY;
    for (size_t k = 0; k < w->problem->d; k++) {
        w->work[k] = in->q[k] + in->ahead * in->u[k];
    }
    il_rows_clear(&w->near);
    il_rows_clear(&w->rows);
    il_status status = il_problem_scan(w->problem, in->t, in->q, w->work, slack, &w->near);
    if (status != IL_OK) {
        return il_fail(err, status, "the constraints could not be computed at t = %.10g", in->t);
    }
    report->scans++;
    report->rows_offered += near->p;
    for (size_t i = 0; i < near->p; i++) {
        double gap =
            near->value[i] - in->back * near->rate[i] + in->ahead * il_rows_dot(near, i, in->u);
        /* written so that a NaN is kept, and refused by the projector */
        if (!(gap > in->threshold)) {
            il_rows_append_row(&w->rows, near, i);
        }
    }
    reserve(w);
    return IL_OK;
}

void il_tangent_take(il_tangent *w, const il_rows *from, const double *speed, double below) {
    il_rows_clear(&w->rows);
    for (size_t i = 0; i < from->p; i++) {
        if (speed[i] < below) {
            il_rows_append_row(&w->rows, from, i);
        }
    }
    reserve(w);
}

double il_tangent_closed(const double *q, size_t d) {
    double largest = 1.0;
    for (size_t k = 0; k < d; k++) {
        largest = fmax(largest, 1.0 + fabs(q[k]));
    }
    return 64.0 * DBL_EPSILON * largest;
}

const il_rows *il_tangent_rows(const il_tangent *w) {
    return &w->rows;
}

il_status il_tangent_solve(il_tangent *w, double t, double e, const double *u, const double *target,
                           double *v, il_step_report *report, il_error *err) {
    for (size_t i = 0; i < w->rows.p; i++) {
        double rate = w->rows.rate[i];
        w->a[i] = rate + e * (rate + il_rows_dot(&w->rows, i, u));
    }
    return il_tangent_project(w, t, target, v, report, err);
}

double *il_tangent_offsets(il_tangent *w) {
    return w->a;
}

il_status il_tangent_project(il_tangent *w, double t, const double *target, double *v,
                             il_step_report *report, il_error *err) {
    for (size_t i = 0; i < w->rows.p; i++) {
        w->lambda[i] = 0.0;
    }
    il_qp qp = {.d = w->problem->d,
                .mass = w->problem->mass,
                .target = target,
                .rows = &w->rows,
                .a = w->a,
                .scale = 1.0};
    il_projection_info info = {.inexact = false};
    il_status status = w->options.projector->solve(w->projector, &qp, v, w->lambda, &info);
    il_step_count(&info, report);
    report->rows = &w->rows;
    report->lambda = w->lambda;
    status =
        il_step_projected(&w->options, w->projector, &qp, t, status, info.iterations, report, err);
    if (status == IL_OK && w->options.certify) {
        report->certificate = il_certify(&qp, v, w->lambda, w->work);
    }
    return status;
}

void il_tangent_scale_lambda(il_tangent *w, double factor) {
    for (size_t i = 0; i < w->rows.p; i++) {
        w->lambda[i] *= factor;
    }
}
