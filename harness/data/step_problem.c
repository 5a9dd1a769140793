/*
 * step_problem.c - copies a projection after a scheme has solved it.
 */
#include "harness/data/step_problem.h"

#include <stdlib.h>
#include <string.h>

void il_step_problem_free(il_step_problem *w) {
    if (w == NULL) {
        return;
    }
    il_metric_destroy(w->mass);
    il_rows_free(&w->rows);
    free(w->target);
    memset(w, 0, sizeof *w);
}

/* M, from its diagonal or column by column. */
static il_status copy_metric(il_metric **out, const il_metric *mass) {
    size_t d = il_metric_size(mass);
    const double *diagonal = il_metric_masses(mass);
    if (diagonal != NULL) {
        return il_metric_diagonal(out, d, diagonal, NULL);
    }
    double *unit = calloc(d * (d + 1), sizeof *unit);
    if (unit == NULL) {
        return IL_ENOMEM;
    }
    for (size_t k = 0; k < d; k++) {
        unit[k] = 1.0;
        il_metric_mul(mass, unit, unit + d * (k + 1));
        unit[k] = 0.0;
    }
    il_status status = il_metric_dense(out, d, unit + d, NULL);
    free(unit);
    return status;
}

static il_status copy_rows(il_rows *to, const il_rows *from) {
    il_status status = il_rows_reserve(to, from->p, from->nnz);
    for (size_t i = 0; status == IL_OK && i < from->p; i++) {
        status = il_rows_append_row(to, from, i);
    }
    return status;
}

static il_status copy(il_step_problem *w, const il_qp *qp, const double *x, const double *lambda) {
    size_t d = qp->d;
    size_t p = qp->rows->p;
    w->d = d;
    w->scale = qp->scale;
    w->target = malloc((2 * d + 2 * p) * sizeof *w->target);
    if (w->target == NULL) {
        return IL_ENOMEM;
    }
    w->x = w->target + d;
    w->a = w->x + d;
    w->lambda = w->a + p;
    memcpy(w->target, qp->target, d * sizeof *x);
    memcpy(w->x, x, d * sizeof *x);
    if (p > 0) {
        memcpy(w->a, qp->a, p * sizeof *x);
        memcpy(w->lambda, lambda, p * sizeof *x);
    }
    il_status status = copy_metric(&w->mass, qp->mass);
    return status == IL_OK ? copy_rows(&w->rows, qp->rows) : status;
}

static void see(void *context, const il_qp *qp, const double *x, const double *lambda) {
    il_step_problem *w = context;
    if (!w->awake) {
        return;
    }
    size_t step = w->step;
    double t = w->t;
    il_step_problem_free(w);
    w->step = step;
    w->t = t;
    w->awake = true;
    w->status = copy(w, qp, x, lambda);
    w->kept = w->status == IL_OK;
}

il_projection_watch il_step_problem_watch(il_step_problem *w) {
    return (il_projection_watch){.see = w != NULL ? see : NULL, .context = w};
}

il_qp il_step_problem_qp(const il_step_problem *w) {
    return (il_qp){.d = w->d,
                   .mass = w->mass,
                   .target = w->target,
                   .rows = &w->rows,
                   .a = w->a,
                   .scale = w->scale};
}
