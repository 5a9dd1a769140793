/*
 * certificate.c - judges every projector: primal and dual feasibility, complementarity and
 * stationarity, recomputed from the data of
 *
 *     min 1/2 |x - target|_M^2,  a_i + s <b_i,x> >= 0.
 */
#include <math.h>
#include <string.h>

#include "schemes/projection/projector.h"

/* The worse of two numbers; NaN is worse than anything. */
static double lower(double a, double b) {
    return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

static double higher(double a, double b) {
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

void il_projection_from_multipliers(const il_qp *qp, const double *lambda, double *force,
                                    double *x) {
    memset(force, 0, qp->d * sizeof *force);
    for (size_t i = 0; i < qp->rows->p; i++) {
        if (lambda[i] != 0.0) {
            il_rows_axpy(qp->rows, i, qp->scale * lambda[i], force);
        }
    }
    il_metric_solve(qp->mass, force, x);
    for (size_t k = 0; k < qp->d; k++) {
        x[k] += qp->target[k];
    }
}

il_certificate il_certificate_best(void) {
    return (il_certificate){.primal = INFINITY, .dual = INFINITY};
}

void il_certificate_worsen(il_certificate *worst, const il_certificate *one) {
    worst->primal = lower(worst->primal, one->primal);
    worst->dual = lower(worst->dual, one->dual);
    worst->complementarity = higher(worst->complementarity, one->complementarity);
    worst->stationarity = higher(worst->stationarity, one->stationarity);
    worst->scale = higher(worst->scale, one->scale);
}

il_certificate il_certify(const il_qp *qp, const double *x, const double *lambda, double *work) {
    il_certificate c = il_certificate_best();
    double *mx = work;
    double *mt = work + qp->d;
    il_metric_mul(qp->mass, x, mx);
    il_metric_mul(qp->mass, qp->target, mt);
    for (size_t k = 0; k < qp->d; k++) {
        c.scale = higher(c.scale, higher(fabs(mx[k]), fabs(mt[k])));
        mx[k] -= mt[k];
    }
    for (size_t i = 0; i < qp->rows->p; i++) {
        double g = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, x);
        c.primal = lower(c.primal, g);
        c.dual = lower(c.dual, lambda[i]);
        c.complementarity = higher(c.complementarity, fabs(lambda[i] * g));
        if (lambda[i] != 0.0) {
            il_rows_axpy(qp->rows, i, -qp->scale * lambda[i], mx);
        }
    }
    for (size_t k = 0; k < qp->d; k++) {
        c.stationarity = higher(c.stationarity, fabs(mx[k]));
    }
    return c;
}
