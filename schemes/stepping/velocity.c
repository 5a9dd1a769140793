/*
 * velocity.c - buffers of the schemes that project velocities, and sums over their projections.
 */
#include "schemes/stepping/velocity.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

il_status il_velocity_create(void **self, size_t size, const il_problem *problem,
                             const il_scheme_options *options, il_error *err) {
    il_velocity *w = il_alloc_zero(1, size);
    *self = NULL;
    w->problem = problem;
    w->options = *options;
    w->v = il_alloc_zero(4 * problem->d, sizeof *w->v);
    w->f = w->v + problem->d;
    w->y = w->f + problem->d;
    w->x = w->y + problem->d;
    w->force = il_force_create(problem);
    il_status status = il_tangent_create(&w->tangent, problem, options, err);
    if (status != IL_OK) {
        il_velocity_destroy(w);
        return status;
    }
    *self = w;
    return IL_OK;
}

il_status il_velocity_create_alone(void **self, const il_problem *problem,
                                   const il_scheme_options *options, il_error *err) {
    return il_velocity_create(self, sizeof(il_velocity), problem, options, err);
}

void il_velocity_destroy(void *self) {
    il_velocity *w = self;
    if (w == NULL) {
        return;
    }
    il_force_destroy(w->force);
    il_tangent_destroy(w->tangent);
    il_rows_free(&w->rows);
    free(w->lambda);
    free(w->speed);
    free(w->v);
    free(w);
}

void il_velocity_reserve(il_velocity *w) {
    size_t room = 2 * w->rows.p;
    if (w->rows.p <= w->capacity) {
        return;
    }
    il_memory_grow(&w->lambda, room, sizeof *w->lambda);
    il_memory_grow(&w->speed, room, sizeof *w->speed);
    w->capacity = room;
}

void il_velocity_collect(il_velocity *w) {
    const il_rows *kept = il_tangent_rows(w->tangent);
    il_rows_clear(&w->rows);
    for (size_t i = 0; i < kept->p; i++) {
        il_rows_append_row(&w->rows, kept, i);
    }
    il_velocity_reserve(w);
    for (size_t i = 0; i < kept->p; i++) {
        w->lambda[i] = 0.0;
    }
}

il_status il_velocity_closing(il_velocity *w, double t0, double t1, const il_state *in,
                              il_step_report *report, il_error *err) {
    il_prediction closing = {.t = t1,
                             .q = in->q,
                             .u = w->v,
                             .ahead = t1 - t0,
                             .threshold = il_tangent_closed(in->q, w->problem->d)};
    *report = (il_step_report){.force = w->f};
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    if (status == IL_OK) {
        status = il_tangent_predict(w->tangent, &closing, report, err);
    }
    if (status == IL_OK) {
        il_velocity_collect(w);
    }
    return status;
}

/* c M^{-1} grad g_i into w->y. */
static void spread(il_velocity *w, const il_rows *rows, size_t i, double c) {
    for (size_t k = 0; k < w->problem->d; k++) {
        w->y[k] = 0.0;
    }
    il_rows_axpy(rows, i, c, w->y);
    il_metric_solve(w->problem->mass, w->y, w->y);
}

double il_velocity_mobility(il_velocity *w, const il_rows *rows, size_t i) {
    const double *mass = il_metric_masses(w->problem->mass);
    if (mass != NULL) {
        return il_rows_norm2(rows, i, mass);
    }
    spread(w, rows, i, 1.0);
    return il_rows_dot(rows, i, w->y);
}

void il_velocity_push(il_velocity *w, const il_rows *rows, size_t i, double c, double *x) {
    const double *mass = il_metric_masses(w->problem->mass);
    for (size_t e = rows->start[i]; mass != NULL && e < rows->start[i + 1]; e++) {
        x[rows->col[e]] += c * rows->coef[e] / mass[rows->col[e]];
    }
    if (mass == NULL) {
        spread(w, rows, i, c);
        for (size_t k = 0; k < w->problem->d; k++) {
            x[k] += w->y[k];
        }
    }
}

double il_velocity_speeds(il_velocity *w, const double *u) {
    double least = 0.0;
    for (size_t i = 0; i < w->rows.p; i++) {
        w->speed[i] = w->rows.rate[i] + il_rows_dot(&w->rows, i, u);
        least = fmin(least, w->speed[i]);
    }
    return least;
}

void il_velocity_add(il_velocity *w, const il_step_report *last, double factor) {
    size_t i = 0;
    for (size_t k = 0; k < last->rows->p; k++, i++) {
        while (w->rows.id[i] != last->rows->id[k]) {
            i++;
        }
        w->lambda[i] += factor * last->lambda[k];
    }
}

void il_velocity_report(il_velocity *w, double h, const il_certificate *worst,
                        il_step_report *report) {
    for (size_t i = 0; i < w->rows.p; i++) {
        w->lambda[i] /= h;
    }
    report->rows = &w->rows;
    report->lambda = w->lambda;
    if (w->options.certify) {
        report->certificate = *worst;
    }
}
