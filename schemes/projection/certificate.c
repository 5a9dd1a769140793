/*
 * certificate.c - the certificate of any projector's answer: primal and dual feasibility,
 * complementarity and stationarity, recomputed from the data of
 *
 *     min 1/2 |x - target|_M^2,  a_i + s <b_i,x> >= 0.
 */
#include <math.h>
#include <string.h>

#include "harness/base/worse.h"
#include "schemes/projection/projector.h"

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

void il_projection_delassus(const il_qp *qp, const double *mass, double *delassus) {
    for (size_t i = 0; i < qp->rows->p; i++) {
        double norm2 = il_rows_norm2(qp->rows, i, mass);
        delassus[i] = norm2 > 0.0 ? qp->scale * qp->scale * norm2 : 1.0;
    }
}

double il_projection_violation(const il_qp *qp, const double *x) {
    double deepest = 0.0;
    for (size_t i = 0; i < qp->rows->p; i++) {
        deepest = il_worse_high(deepest, -(qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, x)));
    }
    return deepest;
}

il_status il_projection_finite(const il_qp *qp, const double *x, const double *lambda,
                               il_status said) {
    double sum = 0.0; /* of zeros, NaN where a number is not finite */
    if (said != IL_OK && said != IL_ESTALLED) {
        return said;
    }
    for (size_t k = 0; k < qp->d; k++) {
        sum += 0.0 * x[k];
    }
    for (size_t i = 0; i < qp->rows->p; i++) {
        sum += 0.0 * lambda[i];
    }
    return sum != 0.0 ? IL_ENUMERIC : said;
}

il_certificate il_certificate_best(void) {
    return (il_certificate){.primal = INFINITY, .dual = INFINITY};
}

void il_certificate_worsen(il_certificate *worst, const il_certificate *one) {
    worst->primal = il_worse_low(worst->primal, one->primal);
    worst->dual = il_worse_low(worst->dual, one->dual);
    worst->complementarity = il_worse_high(worst->complementarity, one->complementarity);
    worst->stationarity = il_worse_high(worst->stationarity, one->stationarity);
    worst->relative = il_worse_high(worst->relative, one->relative);
    if (isnan(one->residual) || one->residual * worst->size >= worst->residual * one->size) {
        worst->residual = one->residual;
        worst->size = one->size;
    }
}

bool il_certificate_holds(const il_certificate *certificate, bool finite, double tolerance) {
    double given = tolerance > 0.0 ? tolerance : finite ? 0.0 : IL_PROJECTOR_TOLERANCE;
    double allowed = fmax(2.0 * given, IL_PROJECTOR_EXACT * certificate->size);
    double moved = fmax(given, IL_PROJECTOR_EXACT);
    return certificate->residual <= allowed && certificate->relative <= moved &&
           isfinite(certificate->size);
}

/* W_ii; scratch[d]. */
static double alone(const il_qp *qp, size_t i, double *scratch) {
    const double *mass = il_metric_masses(qp->mass);
    if (mass != NULL) {
        return qp->scale * qp->scale * il_rows_norm2(qp->rows, i, mass);
    }
    memset(scratch, 0, qp->d * sizeof *scratch);
    il_rows_axpy(qp->rows, i, qp->scale, scratch);
    il_metric_solve(qp->mass, scratch, scratch);
    return qp->scale * il_rows_dot(qp->rows, i, scratch);
}

/* Masses 1 : 10^6 are solved as exactly as equal ones. */
static const double CANCEL = 1e6;

/* The residual, and its size: the largest over the rows of
 *
 *     |a_i| + s sum_k |b_ik| (|x_k| + |target_k| + s sum_j |M^{-1} b_j lambda_j|_k),
 *
 * terms[d] the last sum: one rounding of each of these numbers is an unavoidable part of a gap,
 * and rows share unknowns. Pushes on a light body between heavy ones cancel; beyond CANCEL times
 * the rest they do not count, or what they hide would be an overlap that one sees. */
static void measure(il_certificate *c, const il_qp *qp, const double *x, const double *lambda,
                    const double *terms, double *scratch) {
    const il_rows *rows = qp->rows;
    for (size_t i = 0; i < rows->p; i++) {
        double g = qp->a[i];
        double size = fabs(g);
        double pushes = 0.0;
        double residual = 0.0;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            size_t k = rows->col[e];
            double b = qp->scale * rows->coef[e];
            g += b * x[k];
            size += fabs(b) * (fabs(x[k]) + fabs(qp->target[k]));
            pushes += fabs(b) * fabs(terms[k]);
        }
        if (g <= 0.0 && lambda[i] >= 0.0) {
            residual = -g;
        } else if (!(g > 0.0 && lambda[i] == 0.0)) {
            residual = fabs(il_worse_low(lambda[i] * alone(qp, i, scratch), g));
        }
        c->residual = il_worse_high(c->residual, residual);
        c->size = il_worse_high(c->size, size + il_worse_low(pushes, CANCEL * size));
    }
}

il_certificate il_certify(const il_qp *qp, const double *x, const double *lambda, double *work) {
    il_certificate c = il_certificate_best();
    double *residual = work;      /* M (x - target) - s B' lambda */
    double *terms = work + qp->d; /* s sum |b_i lambda_i|, then as a displacement */
    for (size_t k = 0; k < qp->d; k++) {
        terms[k] = x[k] - qp->target[k];
    }
    il_metric_mul(qp->mass, terms, residual);
    memset(terms, 0, qp->d * sizeof *terms);
    for (size_t i = 0; i < qp->rows->p; i++) {
        double g = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, x);
        c.primal = il_worse_low(c.primal, g);
        c.dual = il_worse_low(c.dual, lambda[i]);
        c.complementarity = il_worse_high(c.complementarity, fabs(lambda[i] * g));
        for (size_t e = qp->rows->start[i]; lambda[i] != 0.0 && e < qp->rows->start[i + 1]; e++) {
            double term = qp->scale * lambda[i] * qp->rows->coef[e];
            residual[qp->rows->col[e]] -= term;
            terms[qp->rows->col[e]] += fabs(term);
        }
    }
    for (size_t k = 0; k < qp->d; k++) {
        c.stationarity = il_worse_high(c.stationarity, fabs(residual[k]));
    }
    il_metric_solve(qp->mass, residual, residual);
    il_metric_solve(qp->mass, terms, terms);
    double moved = 0.0;
    double reach = 0.0;
    for (size_t k = 0; k < qp->d; k++) {
        moved = il_worse_high(moved, fabs(residual[k]));
        reach = il_worse_high(reach, fabs(x[k]) + fabs(qp->target[k]) + fabs(terms[k]));
    }
    c.relative = moved > 0.0 ? moved / reach : moved;
    measure(&c, qp, x, lambda, terms, residual);
    return c;
}
