/*
 * step_problem.c - copies a projection after a scheme has solved it.
 */
#include "harness/data/step_problem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

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
static il_metric *copy_metric(const il_metric *mass) {
    size_t d = il_metric_size(mass);
    const double *diagonal = il_metric_masses(mass);
    il_metric *copy = NULL;
    if (diagonal != NULL) {
        (void)il_metric_diagonal(&copy, d, diagonal, NULL);
        return copy;
    }
    double *unit = il_alloc_zero(d * (d + 1), sizeof *unit);
    for (size_t k = 0; k < d; k++) {
        unit[k] = 1.0;
        il_metric_mul(mass, unit, unit + d * (k + 1));
        unit[k] = 0.0;
    }
    (void)il_metric_dense(&copy, d, unit + d, NULL);
    free(unit);
    return copy;
}

static void copy_rows(il_rows *to, const il_rows *from) {
    il_rows_reserve(to, from->p, from->nnz);
    for (size_t i = 0; i < from->p; i++) {
        il_rows_append_row(to, from, i);
    }
}

static void copy(il_step_problem *w, const il_qp *qp, const double *x, const double *lambda) {
    size_t d = qp->d;
    size_t p = qp->rows->p;
    w->d = d;
    w->scale = qp->scale;
    w->target = il_alloc(2 * d + 2 * p, sizeof *w->target);
    w->x = w->target + d;
    w->a = w->x + d;
    w->lambda = w->a + p;
    memcpy(w->target, qp->target, d * sizeof *x);
    memcpy(w->x, x, d * sizeof *x);
    if (p > 0) {
        memcpy(w->a, qp->a, p * sizeof *x);
        memcpy(w->lambda, lambda, p * sizeof *x);
    }
    w->mass = copy_metric(qp->mass);
    assert(w->mass != NULL); /* qp's was made of the same numbers */
    copy_rows(&w->rows, qp->rows);
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
    copy(w, qp, x, lambda);
    w->kept = true;
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
