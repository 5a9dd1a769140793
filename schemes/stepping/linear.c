/*
 * linear.c - buffers shared by maury, venel and paoli.
 */
#include "schemes/stepping/linear.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

il_status il_linear_init(il_linear *w, const il_problem *problem, const il_scheme_options *options,
                         il_error *err) {
    memset(w, 0, sizeof *w);
    w->problem = problem;
    w->options = *options;
    w->force = il_force_create(problem);
    il_status status = il_correct_create(&w->correct, problem, options, err);
    if (status != IL_OK) {
        il_linear_free(w);
        return status;
    }
    w->v = il_alloc(5 * problem->d, sizeof *w->v);
    w->x = w->v + problem->d;
    w->f = w->x + problem->d;
    w->y = w->f + problem->d;
    w->z = w->y + problem->d;
    return IL_OK;
}

void il_linear_free(il_linear *w) {
    il_force_destroy(w->force);
    il_correct_destroy(w->correct);
    il_rows_free(&w->row);
    free(w->v);
    memset(w, 0, sizeof *w);
}

il_status il_linear_create(void **self, const il_problem *problem, const il_scheme_options *options,
                           il_error *err) {
    *self = NULL;
    il_linear *w = il_alloc(1, sizeof *w);
    il_status status = il_linear_init(w, problem, options, err);
    if (status != IL_OK) {
        free(w);
        return status;
    }
    *self = w;
    return IL_OK;
}

void il_linear_destroy(void *self) {
    if (self != NULL) {
        il_linear_free(self);
    }
    free(self);
}

il_status il_linear_velocity_step(il_linear *w, double t0, double t1, const il_state *in,
                                  const double *pull, il_state *out, il_step_report *report,
                                  il_error *err) {
    double h = t1 - t0;
    *report = (il_step_report){.force = w->f};
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; pull != NULL && k < w->problem->d; k++) {
        w->v[k] += pull[k];
    }
    il_correction correction = {.t = t1,
                                .y = in->q,
                                .q = in->q,
                                .scale = h,
                                .target = w->v,
                                .before = in->contacts,
                                .after = out->contacts};
    status = il_correct_solve(w->correct, &correction, out->u, report, err);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        out->q[k] = in->q[k] + h * out->u[k];
    }
    if (w->problem->order == 1) {
        il_linear_scale_lambda(w, report, h); /* u - f = h M^{-1} B' mu */
    }
    return IL_OK;
}

void il_linear_scale_lambda(il_linear *w, const il_step_report *report, double factor) {
    double *lambda = il_correct_lambda(w->correct);
    for (size_t i = 0; i < report->rows->p; i++) {
        lambda[i] *= factor;
    }
}

il_status il_linear_predict(il_linear *w, double t0, double t1, const il_state *in,
                            il_step_report *report, il_error *err) {
    *report = (il_step_report){.force = w->f};
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    for (size_t k = 0; status == IL_OK && k < w->problem->d; k++) {
        w->v[k] *= t1 - t0;
    }
    return status;
}

void il_linear_displace(il_linear *w, double h, const il_state *in, il_state *out,
                        const il_step_report *report) {
    for (size_t k = 0; k < w->problem->d; k++) {
        out->q[k] = in->q[k] + w->x[k];
        out->u[k] = w->x[k] / h;
    }
    il_linear_scale_lambda(w, report, w->problem->order == 1 ? 1.0 / h : 1.0 / (h * h));
}
