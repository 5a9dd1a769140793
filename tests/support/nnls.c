/*
 * nnls.c - min |A x - b| over x >= 0: columns are freed where they point most along the residual,
 * and held again where x would become negative.
 */
#include "tests/support/nnls.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "tests/support/vector.h"

/* NNLS stops when no column makes an angle with the residual whose cosine exceeds this: the
 * residual is then optimal to COSINE |lambda| ... */
static const double COSINE = 1e-12;
/* ... or when the residual is the rounding of the right-hand side. */
static const double ROUNDING = 1e-15;

/* min |A x - b| over x >= 0, A m x n by columns. */
typedef struct {
    size_t m, n, k;  /* k columns are free, the others are held at zero */
    const double *a; /* [n][m] */
    const double *b; /* [m] */
    size_t *set;     /* [n] the free columns first */
    bool *barred;    /* [n] columns that did not help since x last moved */
    double *x, *s;   /* [n] */
    double *r;       /* [m] b - A x */
} nnls;

static void nnls_free(nnls *w) {
    free(w->set);
    free(w->barred);
    free(w->x);
    free(w->s);
    free(w->r);
}

static void nnls_init(nnls *w, size_t m, size_t n, const double *a, const double *b) {
    *w = (nnls){.m = m, .n = n, .a = a, .b = b};
    w->set = il_alloc(n, sizeof *w->set);
    w->barred = il_alloc_zero(n, sizeof *w->barred);
    w->x = il_alloc_zero(n, sizeof *w->x);
    w->s = il_alloc_zero(n, sizeof *w->s);
    w->r = il_alloc_copy(b, m, sizeof *w->r);
    for (size_t j = 0; j < n; j++) {
        w->set[j] = j;
    }
}

/* s = the least squares solution on the free columns, by QR. False if the columns
 * depend on each other to COSINE, which only rounding can bring about: nnls_choose asks more. */
static bool nnls_solve(nnls *w) {
    gsl_matrix *qr = gsl_matrix_alloc(w->m, w->k);
    gsl_vector *tau = gsl_vector_alloc(w->k);
    gsl_vector *x = gsl_vector_alloc(w->k);
    gsl_vector *residual = gsl_vector_alloc(w->m);
    for (size_t j = 0; j < w->k; j++) {
        for (size_t i = 0; i < w->m; i++) {
            gsl_matrix_set(qr, i, j, w->a[w->set[j] * w->m + i]);
        }
    }
    gsl_vector_const_view b = gsl_vector_const_view_array(w->b, w->m);
    bool ok = gsl_linalg_QR_decomp(qr, tau) == GSL_SUCCESS &&
              gsl_linalg_QR_lssolve(qr, tau, &b.vector, x, residual) == GSL_SUCCESS;
    memset(w->s, 0, w->n * sizeof *w->s);
    for (size_t j = 0; j < w->k; j++) {
        const double *column = w->a + w->set[j] * w->m;
        w->s[w->set[j]] = gsl_vector_get(x, j);
        ok = ok && fabs(gsl_matrix_get(qr, j, j)) > COSINE * il_vector_norm(w->m, column) &&
             isfinite(gsl_vector_get(x, j));
    }
    gsl_matrix_free(qr);
    gsl_vector_free(tau);
    gsl_vector_free(x);
    gsl_vector_free(residual);
    return ok;
}

/* The position in set of the held column that points most along the residual, or n. */
static size_t nnls_choose(const nnls *w) {
    double size = il_vector_norm(w->m, w->r);
    size_t best = w->n;
    double most = COSINE * size;
    for (size_t at = w->k; w->k < w->m && at < w->n; at++) {
        const double *column = w->a + w->set[at] * w->m;
        double along = il_vector_dot(w->m, column, w->r) / il_vector_norm(w->m, column);
        if (!w->barred[w->set[at]] && along > most) {
            most = along;
            best = at;
        }
    }
    return size <= ROUNDING * il_vector_norm(w->m, w->b) ? w->n : best;
}

static void nnls_swap(nnls *w, size_t a, size_t b) {
    size_t j = w->set[a];
    w->set[a] = w->set[b];
    w->set[b] = j;
}

/* Move from x toward s as far as x >= 0 allows; columns that reach zero are held. True when s
 * itself is reached. */
static bool nnls_advance(nnls *w) {
    double step = 1.0;
    size_t block = w->n;
    for (size_t at = 0; at < w->k; at++) {
        size_t j = w->set[at];
        if (w->s[j] <= 0.0 && w->x[j] <= step * (w->x[j] - w->s[j])) {
            step = w->x[j] > 0.0 ? w->x[j] / (w->x[j] - w->s[j]) : 0.0;
            block = j;
        }
    }
    for (size_t j = 0; j < w->n; j++) {
        w->x[j] += step * (w->s[j] - w->x[j]);
    }
    if (block == w->n) {
        return true;
    }
    w->x[block] = 0.0;
    for (size_t at = w->k; at-- > 0;) {
        if (w->x[w->set[at]] <= 0.0) {
            w->x[w->set[at]] = 0.0;
            nnls_swap(w, at, --w->k);
        }
    }
    return false;
}

/* Run to the optimum: w->r is the residual there. False on a breakdown. */
static bool nnls_run(nnls *w) {
    for (size_t k = 0; k < 10 * (w->n + 1); k++) {
        size_t at = nnls_choose(w);
        if (at == w->n) {
            return true;
        }
        size_t fresh = w->set[at];
        nnls_swap(w, at, w->k++);
        if (!nnls_solve(w) || !(w->s[fresh] > 0.0)) { /* rounding chose it; x has not moved */
            w->barred[fresh] = true;
            w->k--;
            continue;
        }
        while (!nnls_advance(w)) {
            if (w->k > 0 && !nnls_solve(w)) {
                return false;
            }
            if (w->k == 0) {
                memset(w->s, 0, w->n * sizeof *w->s);
            }
        }
        memset(w->barred, 0, w->n * sizeof *w->barred);
        for (size_t i = 0; i < w->m; i++) {
            w->r[i] = w->b[i];
            for (size_t j = 0; j < w->n; j++) {
                w->r[i] -= w->a[j * w->m + i] * w->x[j];
            }
        }
    }
    return false;
}

double il_nnls_cone_distance(size_t m, size_t n, const double *a, const double *b) {
    nnls w;
    nnls_init(&w, m, n, a, b);
    double distance = nnls_run(&w) ? il_vector_norm(m, w.r) : NAN;
    nnls_free(&w);
    return distance;
}

/* With E = (G'; h') and r the residual of min |E x - e_{m+1}|, x >= 0, it is y = -r / r_{m+1}, and
 * r_{m+1} = 1/(1 + |y|^2): best conditioned for |y| near 1. y scales with h, so a first solution
 * gives the scale for a second. */
bool il_nnls_least_distance(size_t m, size_t n, const double *g, const double *h, double *y) {
    double scale = 0.0;
    for (size_t j = 0; j < n; j++) {
        scale = il_vector_worse(scale, h[j]);
    }
    memset(y, 0, m * sizeof *y);
    if (!(scale > 0.0)) {
        return !isnan(scale);
    }
    double *e = il_alloc_zero((n + 1) * (m + 1), sizeof *e);
    double *target = e + n * (m + 1); /* the last unit vector */
    target[m] = 1.0;
    bool found = true;
    for (int pass = 0; found && pass < 2; pass++) {
        nnls w;
        for (size_t j = 0; j < n; j++) {
            memcpy(e + j * (m + 1), g + j * m, m * sizeof *g);
            e[j * (m + 1) + m] = h[j] / scale;
        }
        nnls_init(&w, m + 1, n, e, target);
        found = nnls_run(&w) && w.r[m] > 0.0;
        found = found && (pass == 0 || (w.r[m] > 0.25 && w.r[m] < 0.75)); /* 1/2 if there is a y */
        for (size_t i = 0; found && i < m; i++) {
            y[i] = -scale * w.r[i] / w.r[m];
        }
        nnls_free(&w);
        scale = il_vector_norm(m, y);
    }
    free(e);
    return found;
}
