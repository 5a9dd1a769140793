/*
 * one_row.c - the projection onto a half-space, in closed form:
 *
 *     lambda = max(0, -(a + s <b,t>)) / (s^2 <b, M^{-1} b>),   x = t + s lambda M^{-1} b.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/projection/projector.h"

typedef struct {
    size_t d;
    double *work; /* [2d]: b and M^{-1} b, for mass matrices that are not diagonal */
} one_row;

static const char *refuses(void *self, const il_qp *qp) {
    (void)self;
    return qp->rows->p <= 1 ? NULL : "more than one row";
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    (void)options;
    (void)err;
    *self = il_alloc_zero(1, sizeof(one_row));
    return IL_OK;
}

static void destroy(void *self) {
    one_row *w = self;
    if (w != NULL) {
        free(w->work);
    }
    free(w);
}

static il_status solve_dense(one_row *w, const il_qp *qp, double depth, double *x, double *lambda) {
    if (w->d < qp->d) {
        il_memory_grow(&w->work, 2 * qp->d, sizeof *w->work);
        w->d = qp->d;
    }
    memset(w->work, 0, qp->d * sizeof *w->work);
    il_rows_axpy(qp->rows, 0, 1.0, w->work);
    il_metric_solve(qp->mass, w->work, w->work + qp->d);
    double norm2 = il_rows_dot(qp->rows, 0, w->work + qp->d);
    if (!(norm2 > 0.0)) {
        return IL_EINFEASIBLE;
    }
    lambda[0] = depth / (qp->scale * qp->scale * norm2);
    il_projection_from_multipliers(qp, lambda, w->work, x);
    return il_projection_finite(qp, x, lambda, IL_OK);
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    *info = (il_projection_info){.iterations = qp->rows->p, .method = "one_row"};
    for (size_t k = 0; k < qp->d; k++) {
        x[k] = qp->target[k];
    }
    if (qp->rows->p != 1) {
        return il_projection_finite(qp, x, lambda, qp->rows->p == 0 ? IL_OK : IL_EUNSUPPORTED);
    }
    double g = qp->a[0] + qp->scale * il_rows_dot(qp->rows, 0, qp->target);
    lambda[0] = 0.0;
    if (g >= 0.0) {
        return il_projection_finite(qp, x, lambda, IL_OK);
    }
    if (isnan(g)) {
        return IL_ENUMERIC;
    }
    const double *mass = il_metric_masses(qp->mass);
    if (mass == NULL) {
        return solve_dense(self, qp, -g, x, lambda);
    }
    double norm2 = il_rows_norm2(qp->rows, 0, mass);
    if (!(norm2 > 0.0)) {
        return IL_EINFEASIBLE;
    }
    double shift = -g / (qp->scale * norm2); /* s lambda */
    lambda[0] = shift / qp->scale;
    for (size_t k = 0; k < qp->rows->start[1]; k++) {
        x[qp->rows->col[k]] += shift * qp->rows->coef[k] / mass[qp->rows->col[k]];
    }
    return il_projection_finite(qp, x, lambda, IL_OK);
}

const il_projector_type il_projector_one_row = {
    .name = "one_row",
    .title = "projection onto a half-space, in closed form",
    .statement = "lambda = max(0, -(a + s <b,t>)) / (s^2 <b, M^-1 b>), x = t + s lambda M^-1 b.\n"
                 "For at most one row.",
    .source = "elementary; Maury 2006, section 5, uses it for two spheres",
    .finite = true,
    .untolerant = true,
    .half_space = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .destroy = destroy};
