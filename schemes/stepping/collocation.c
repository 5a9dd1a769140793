/*
 * collocation.c - Radau IIA by Newton's method (collocation.h). With X = (a_1, ..., a_s) its
 * residual and derivative are
 *
 *     R_j = a_j - a(t_j, Q_j, U_j),   dR_j/da_k = delta_jk - h A_jk da/du - h^2 (A^2)_jk da/dq,
 *
 * the derivatives of a taken once, where the step begins.
 */
#include "schemes/stepping/collocation.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"

enum { NEWTON = 50 };

/* Newton's method ends where a correction is this part of the accelerations, */
static const double DONE = 1e-15;
/* and has converged where the last was this part, once corrections fall no more. */
static const double ENOUGH = 1e-10;
/* The step of differences: the root of the rounding. */
static const double APART = 1e-8;

struct il_collocation {
    size_t d, s;
    bool of_q, of_u; /* what a depends on; by_q, by_u stay 0 else */
    il_acceleration a;
    void *context;
    double A[IL_STAGES_MAX][IL_STAGES_MAX], A2[IL_STAGES_MAX][IL_STAGES_MAX], c[IL_STAGES_MAX];
    double t, h;
    double *q0, *u0;      /* [d] */
    double *q, *u, *x;    /* [s][d] stages, x their accelerations */
    double *by_q, *by_u;  /* [d][d] derivatives of a, by rows */
    double *matrix, *tau; /* [sd][sd], [sd] */
    double *r, *dx;       /* [sd] */
    double *at;           /* [3][d] */
};

/* ---- the methods ---------------------------------------------------------------------------- */

/* Hairer & Wanner 1996, tables IV.5.5 and IV.5.6. */
static void choose_method(il_collocation *w) {
    const double r = sqrt(6.0);
    const double c[3][3] = {{1.0}, {1.0 / 3.0, 1.0}, {(4.0 - r) / 10.0, (4.0 + r) / 10.0, 1.0}};
    const double A[3][3][3] = {
        {{1.0}},
        {{5.0 / 12.0, -1.0 / 12.0}, {3.0 / 4.0, 1.0 / 4.0}},
        {{(88.0 - 7.0 * r) / 360.0, (296.0 - 169.0 * r) / 1800.0, (-2.0 + 3.0 * r) / 225.0},
         {(296.0 + 169.0 * r) / 1800.0, (88.0 + 7.0 * r) / 360.0, (-2.0 - 3.0 * r) / 225.0},
         {(16.0 - r) / 36.0, (16.0 + r) / 36.0, 1.0 / 9.0}}};
    memcpy(w->c, c[w->s - 1], sizeof w->c);
    memcpy(w->A, A[w->s - 1], sizeof w->A);
    for (size_t j = 0; j < w->s; j++) {
        for (size_t k = 0; k < w->s; k++) {
            for (size_t i = 0; i < w->s; i++) {
                w->A2[j][k] += w->A[j][i] * w->A[i][k];
            }
        }
    }
}

il_collocation *il_collocation_create(size_t d, size_t s, bool of_q, bool of_u, il_acceleration a,
                                      void *context) {
    size_t n = s * d;
    il_collocation *w = il_alloc_zero(1, sizeof *w);
    w->d = d;
    w->s = s;
    w->of_q = of_q;
    w->of_u = of_u;
    w->a = a;
    w->context = context;
    w->q0 = il_alloc_zero(2 * d + 6 * n + 2 * d * d + n * n + 3 * d, sizeof *w->q0);
    w->u0 = w->q0 + d;
    w->q = w->u0 + d;
    w->u = w->q + n;
    w->x = w->u + n;
    w->r = w->x + n;
    w->dx = w->r + n;
    w->tau = w->dx + n;
    w->by_q = w->tau + n;
    w->by_u = w->by_q + d * d;
    w->matrix = w->by_u + d * d;
    w->at = w->matrix + n * n;
    choose_method(w);
    return w;
}

void il_collocation_destroy(il_collocation *w) {
    if (w == NULL) {
        return;
    }
    free(w->q0);
    free(w);
}

/* ---- derivatives ---------------------------------------------------------------------------- */

static il_status missing(double t, il_error *err) {
    return il_fail(err, IL_ENUMERIC, "the acceleration could not be computed at t = %.10g", t);
}

/* Column k of by_q or by_u, which x is q or u of. base[d] is a where x is not moved. */
static bool column(il_collocation *w, double *x, size_t k, const double *base, double *by) {
    double kept = x[k];
    double e = APART * (1.0 + fabs(kept));
    x[k] = kept + e;
    const double *a = w->a(w->context, w->t, w->q, w->u);
    for (size_t i = 0; a != NULL && i < w->d; i++) {
        by[i * w->d + k] = (a[i] - base[i]) / e;
    }
    x[k] = kept;
    return a != NULL;
}

il_status il_collocation_begin(il_collocation *w, double t, const double *q, const double *u,
                               il_error *err) {
    size_t bytes = w->d * sizeof *q;
    w->t = t;
    memcpy(w->q0, q, bytes);
    memcpy(w->u0, u, bytes);
    memcpy(w->q, q, bytes);
    memcpy(w->u, u, bytes);
    const double *a = w->a(w->context, t, q, u);
    if (a == NULL) {
        return missing(t, err);
    }
    memcpy(w->at, a, bytes);
    for (size_t k = 0; k < w->d; k++) {
        if ((w->of_q && !column(w, w->q, k, w->at, w->by_q)) ||
            (w->of_u && !column(w, w->u, k, w->at, w->by_u))) {
            return missing(t, err);
        }
    }
    return IL_OK;
}

const double *il_collocation_start(const il_collocation *w) {
    return w->at;
}

/* ---- Newton's method ------------------------------------------------------------------------ */

static void factor(il_collocation *w) {
    size_t d = w->d;
    size_t n = w->s * d;
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n; k++) {
            size_t at = (j % d) * d + k % d;
            double A = w->A[j / d][k / d];
            double A2 = w->A2[j / d][k / d];
            w->matrix[j * n + k] =
                (j == k ? 1.0 : 0.0) - w->h * A * w->by_u[at] - w->h * w->h * A2 * w->by_q[at];
        }
    }
    gsl_matrix_view matrix = gsl_matrix_view_array(w->matrix, n, n);
    gsl_vector_view tau = gsl_vector_view_array(w->tau, n);
    gsl_linalg_QR_decomp(&matrix.matrix, &tau.vector); /* unlike LU, allocates nothing */
}

/* U_j and Q_j of the accelerations at hand. */
static void place_stages(il_collocation *w) {
    for (size_t j = 0; j < w->s; j++) {
        for (size_t i = 0; i < w->d; i++) {
            double v = 0.0;
            double way = 0.0;
            for (size_t k = 0; k < w->s; k++) {
                v += w->A[j][k] * w->x[k * w->d + i];
                way += w->A2[j][k] * w->x[k * w->d + i];
            }
            w->u[j * w->d + i] = w->u0[i] + w->h * v;
            w->q[j * w->d + i] = w->q0[i] + w->h * (w->c[j] * w->u0[i] + w->h * way);
        }
    }
}

/* -R into r; false where an acceleration cannot be had. */
static bool residual(il_collocation *w) {
    place_stages(w);
    for (size_t j = 0; j < w->s; j++) {
        size_t at = j * w->d;
        const double *a = w->a(w->context, w->t + w->c[j] * w->h, w->q + at, w->u + at);
        if (a == NULL) {
            return false;
        }
        for (size_t i = 0; i < w->d; i++) {
            w->r[at + i] = a[i] - w->x[at + i];
        }
    }
    return true;
}

il_status il_collocation_step(il_collocation *w, double h, il_error *err) {
    size_t n = w->s * w->d;
    double before = INFINITY;
    w->h = h;
    factor(w);
    gsl_matrix_view matrix = gsl_matrix_view_array(w->matrix, n, n);
    gsl_vector_view tau = gsl_vector_view_array(w->tau, n);
    gsl_vector_view r = gsl_vector_view_array(w->r, n);
    gsl_vector_view dx = gsl_vector_view_array(w->dx, n);
    for (size_t j = 0; j < n; j++) {
        w->x[j] = w->at[j % w->d];
    }
    for (int i = 0; i < NEWTON; i++) {
        if (!residual(w)) {
            return missing(w->t, err);
        }
        if (gsl_linalg_QR_solve(&matrix.matrix, &tau.vector, &r.vector, &dx.vector) !=
            GSL_SUCCESS) {
            break;
        }
        for (size_t j = 0; j < n; j++) {
            w->x[j] += w->dx[j];
        }
        double size = 1.0 + il_largest(w->x, n);
        double moved = il_largest(w->dx, n) / size;
        if (moved <= DONE || (moved <= ENOUGH && moved >= 0.5 * before)) {
            place_stages(w);
            return IL_OK;
        }
        before = moved;
    }
    return il_fail(err, IL_ENUMERIC,
                   "the stages of a step of %.6g from t = %.10g could not be solved: Newton's "
                   "method ended with corrections of %.2g; a smaller step may do",
                   h, w->t, before);
}

il_stage il_collocation_stage(const il_collocation *w, size_t j) {
    size_t at = j * w->d;
    return (il_stage){.t = w->t + w->c[j] * w->h,
                      .weight = w->A[w->s - 1][j],
                      .q = w->q + at,
                      .u = w->u + at,
                      .a = w->x + at};
}
