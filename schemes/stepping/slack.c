/*
 * slack.c - rows with a slack each.
 */
#include "schemes/stepping/slack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/stepping/correct.h"

enum { ROW_MAX = 15 };

struct il_slack {
    const il_problem *problem;
    il_scheme_options options;
    void *projector;
    il_metric *mass; /* of (v, y), [d + room] */
    il_rows rows;    /* with slacks */
    size_t room;     /* for slacks */
    double *target;  /* [d + room] */
    double *x;       /* [d + room] (v, y) */
    double *a, *R;   /* [room] */
    double *work;    /* [2 (d + room)] */
};

il_status il_slack_create(il_slack **out, const il_problem *problem,
                          const il_scheme_options *options, il_error *err) {
    *out = NULL;
    il_slack *s = il_alloc_zero(1, sizeof *s);
    s->problem = problem;
    s->options = *options;
    il_status status = options->projector->create(&s->projector, &options->projection, err);
    if (status != IL_OK) {
        il_slack_destroy(s);
        return status;
    }
    *out = s;
    return IL_OK;
}

void il_slack_destroy(il_slack *s) {
    if (s == NULL) {
        return;
    }
    if (s->projector != NULL) {
        s->options.projector->destroy(s->projector);
    }
    il_metric_destroy(s->mass);
    il_rows_free(&s->rows);
    free(s->target);
    free(s->x);
    free(s->a);
    free(s->R);
    free(s->work);
    free(s);
}

/* s->mass becomes diag(M, 1), n x n. */
static il_status widen(il_slack *s, size_t n, il_error *err) {
    size_t d = s->problem->d;
    const double *mass = il_metric_masses(s->problem->mass);
    il_metric_destroy(s->mass);
    s->mass = NULL;
    if (mass != NULL) {
        for (size_t k = 0; k < n; k++) {
            s->work[k] = k < d ? mass[k] : 1.0;
        }
        return il_metric_diagonal(&s->mass, n, s->work, err);
    }
    double *dense = il_alloc_zero(n * n, sizeof *dense);
    for (size_t k = 0; k < n; k++) {
        dense[k * n + k] = 1.0;
    }
    for (size_t k = 0; k < d; k++) {
        memset(s->work, 0, d * sizeof *s->work);
        s->work[k] = 1.0;
        il_metric_mul(s->problem->mass, s->work, dense + k * n);
    }
    il_status status = il_metric_dense(&s->mass, n, dense, err);
    free(dense);
    return status;
}

il_status il_slack_begin(il_slack *s, size_t p, double **a, double **R, il_error *err) {
    size_t room = 2 * p + 1;
    size_t n = s->problem->d + room;
    if (p > s->room || s->mass == NULL) {
        il_memory_grow(&s->target, n, sizeof *s->target);
        il_memory_grow(&s->x, n, sizeof *s->x);
        il_memory_grow(&s->a, room, sizeof *s->a);
        il_memory_grow(&s->R, room, sizeof *s->R);
        il_memory_grow(&s->work, 2 * n, sizeof *s->work);
        s->room = room;
        il_status status = widen(s, n, err);
        if (status != IL_OK) {
            return status;
        }
    }
    *a = s->a;
    *R = s->R;
    return IL_OK;
}

/* Row i of rows with its slack. */
static il_status extend(il_slack *s, const il_rows *rows, size_t i, il_error *err) {
    size_t col[ROW_MAX + 1];
    double coef[ROW_MAX + 1];
    size_t first = rows->start[i];
    size_t n = rows->start[i + 1] - first;
    if (n > ROW_MAX) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "a soft contact moves at most %d coordinates, and one here %zu", ROW_MAX, n);
    }
    memcpy(col, rows->col + first, n * sizeof *col);
    memcpy(coef, rows->coef + first, n * sizeof *coef);
    col[n] = s->problem->d + i;
    coef[n] = sqrt(s->R[i]);
    il_rows_append(&s->rows, rows->id[i], rows->value[i], rows->rate[i], n + 1, col, coef);
    return IL_OK;
}

il_status il_slack_project(il_slack *s, double t, const il_rows *rows, const double *target,
                           double *v, double *p, il_step_report *report, il_error *err) {
    size_t d = s->problem->d;
    il_rows_clear(&s->rows);
    for (size_t i = 0; i < rows->p; i++) {
        il_status status = extend(s, rows, i, err);
        if (status != IL_OK) {
            return status;
        }
        p[i] = 0.0;
    }
    memcpy(s->target, target, d * sizeof *s->target);
    for (size_t i = 0; i < s->room; i++) {
        s->target[d + i] = 0.0;
    }
    il_qp qp = {.d = il_metric_size(s->mass),
                .mass = s->mass,
                .target = s->target,
                .rows = &s->rows,
                .a = s->a,
                .scale = 1.0};
    il_projection_info info = {.inexact = false};
    il_status status = s->options.projector->solve(s->projector, &qp, s->x, p, &info);
    il_step_count(&info, report);
    report->rows = &s->rows;
    report->lambda = p;
    status =
        il_step_projected(&s->options, s->projector, &qp, t, status, info.iterations, report, err);
    if (status == IL_OK && s->options.certify) {
        report->certificate = il_certify(&qp, s->x, p, s->work);
    }
    memcpy(v, s->x, d * sizeof *v);
    return status;
}
