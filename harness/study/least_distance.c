/*
 * least_distance.c - LDP by NNLS (Lawson & Hanson 1974, algorithms 23.10 and 23.27).
 *
 * With E = [G'; h'] (d + 1 rows, p columns) and f = (0, ..., 0, 1), let u >= 0 minimise |E u - f|
 * and r = E u - f. If r = 0 the rows exclude each other. Otherwise r_{d+1} = -|r|^2 < 0 and
 *
 *     y = -r_{1..d} / r_{d+1},   lambda = -u / r_{d+1},   y = G' lambda.
 *
 * h is scaled first so that the farthest row stands at distance one.
 */
#include "harness/study/least_distance.h"

#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A column may enter when it descends by more than the rounding of a product of d + 1 terms. */
static const double DESCENT = 64.0 * DBL_EPSILON;

/* |r|^2 at which the rows exclude each other: y = 1/|r| would be 10^7 times as far as the farthest
 * row, where y has lost half of its digits. */
static const double EXCLUDED = 1e-14;

typedef struct {
    size_t m, p;       /* m = d + 1 */
    double *e;         /* [p][m] columns of E one after the other */
    double *size;      /* [p] their lengths */
    double *u, *w, *z; /* [p] */
    double *r;         /* [m] f - E u */
    bool *in;          /* [p] in the passive set: u_i > 0 is free */
    size_t *column;    /* [p] passive columns */
    size_t n;          /* of them */
    gsl_matrix *a;     /* [m][m] */
    gsl_vector *tau, *b, *x, *rest;
} nnls;

static void release(nnls *w) {
    free(w->e);
    free(w->in);
    free(w->column);
    gsl_matrix_free(w->a);
    gsl_vector_free(w->tau);
    gsl_vector_free(w->b);
    gsl_vector_free(w->x);
    gsl_vector_free(w->rest);
}

static bool acquire(nnls *w, size_t p, size_t d) {
    size_t m = d + 1;
    *w = (nnls){.m = m, .p = p};
    w->e = calloc(p * m + 4 * p + m, sizeof *w->e);
    w->in = calloc(p + 1, sizeof *w->in);
    w->column = calloc(p + 1, sizeof *w->column);
    w->a = gsl_matrix_alloc(m, m);
    w->tau = gsl_vector_alloc(m);
    w->b = gsl_vector_alloc(m);
    w->x = gsl_vector_alloc(m);
    w->rest = gsl_vector_alloc(m);
    if (w->e == NULL || w->in == NULL || w->column == NULL || w->a == NULL || w->tau == NULL ||
        w->b == NULL || w->x == NULL || w->rest == NULL) {
        release(w);
        return false;
    }
    w->size = w->e + p * m;
    w->u = w->size + p;
    w->w = w->u + p;
    w->z = w->w + p;
    w->r = w->z + p;
    return true;
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* z minimises |E z - f| over the passive columns; 0 elsewhere. */
static bool least_squares(nnls *w) {
    size_t n = w->n;
    if (n > w->m) {
        return false; /* more columns than rows: they depend on each other */
    }
    gsl_matrix_view a = gsl_matrix_submatrix(w->a, 0, 0, w->m, n);
    gsl_vector_view tau = gsl_vector_subvector(w->tau, 0, n);
    gsl_vector_view x = gsl_vector_subvector(w->x, 0, n);
    for (size_t c = 0; c < n; c++) {
        for (size_t k = 0; k < w->m; k++) {
            gsl_matrix_set(&a.matrix, k, c, w->e[w->column[c] * w->m + k]);
        }
    }
    gsl_vector_set_zero(w->b);
    gsl_vector_set(w->b, w->m - 1, 1.0);
    if (gsl_linalg_QR_decomp(&a.matrix, &tau.vector) != 0 ||
        gsl_linalg_QR_lssolve(&a.matrix, &tau.vector, w->b, &x.vector, w->rest) != 0) {
        return false;
    }
    memset(w->z, 0, w->p * sizeof *w->z);
    for (size_t c = 0; c < n; c++) {
        w->z[w->column[c]] = gsl_vector_get(&x.vector, c);
    }
    return true;
}

/* r = f - E u */
static void residual(nnls *w) {
    memset(w->r, 0, w->m * sizeof *w->r);
    w->r[w->m - 1] = 1.0;
    for (size_t i = 0; i < w->p; i++) {
        for (size_t k = 0; w->u[i] != 0.0 && k < w->m; k++) {
            w->r[k] -= w->u[i] * w->e[i * w->m + k];
        }
    }
}

/* The column of steepest descent that is not passive and not refused; p if there is none. */
static size_t steepest(nnls *w, const double *refused) {
    size_t best = w->p;
    double most = DESCENT;
    for (size_t i = 0; i < w->p; i++) {
        double slope = w->size[i] > 0.0 ? dot(w->e + i * w->m, w->r, w->m) / w->size[i] : 0.0;
        if (!w->in[i] && refused[i] == 0.0 && slope > most) {
            most = slope;
            best = i;
        }
    }
    return best;
}

static void collect(nnls *w) {
    w->n = 0;
    for (size_t i = 0; i < w->p; i++) {
        if (w->in[i]) {
            w->column[w->n++] = i;
        }
    }
}

/* How far on the way from u to z variable i meets zero; INFINITY if never. */
static double meeting(const nnls *w, size_t i) {
    return w->z[i] <= 0.0 ? w->u[i] / (w->u[i] - w->z[i]) : INFINITY;
}

/* Go from u towards z until a passive variable meets zero; drop those that do. True at z. */
static bool advance(nnls *w) {
    double alpha = 1.0;
    for (size_t c = 0; c < w->n; c++) {
        alpha = fmin(alpha, meeting(w, w->column[c]));
    }
    bool whole = true;
    for (size_t c = 0; c < w->n; c++) {
        size_t i = w->column[c];
        bool meets = meeting(w, i) <= alpha; /* at least the one that set alpha */
        w->u[i] += alpha * (w->z[i] - w->u[i]);
        if (meets) {
            w->u[i] = 0.0;
            w->in[i] = false;
            whole = false;
        }
    }
    collect(w);
    return whole;
}

static il_status solve(nnls *w) {
    double *refused = w->w; /* columns whose entry would go the wrong way, by rounding */
    size_t changes = 10 * (w->p + w->m);
    residual(w);
    for (;;) {
        size_t i = steepest(w, refused);
        if (i == w->p) {
            return isfinite(dot(w->r, w->r, w->m)) ? IL_OK : IL_ENUMERIC;
        }
        w->in[i] = true;
        collect(w);
        if (!least_squares(w) || !(w->z[i] > 0.0)) {
            w->in[i] = false;
            collect(w);
            refused[i] = 1.0;
            continue;
        }
        while (!advance(w)) {
            if (changes-- == 0 || !least_squares(w)) {
                return IL_ESTALLED;
            }
        }
        memset(refused, 0, w->p * sizeof *refused);
        residual(w);
        if (changes-- == 0) {
            return IL_ESTALLED;
        }
    }
}

/* Columns of E; returns the scale of h: the distance of the farthest row from the origin. */
static double fill(nnls *w, const il_polyhedron *q) {
    double scale = 0.0;
    for (size_t i = 0; i < q->p; i++) {
        double length = sqrt(dot(q->g + i * q->d, q->g + i * q->d, q->d));
        scale = length > 0.0 ? fmax(scale, q->h[i] / length) : scale;
    }
    scale = scale > 0.0 ? scale : 1.0;
    for (size_t i = 0; i < q->p; i++) {
        double *e = w->e + i * w->m;
        memcpy(e, q->g + i * q->d, q->d * sizeof *e);
        e[q->d] = q->h[i] / scale;
        w->size[i] = sqrt(dot(e, e, w->m));
    }
    return scale;
}

static bool is_finite(const il_polyhedron *q) {
    double sum = 0.0;
    for (size_t k = 0; k < q->p * q->d; k++) {
        sum += q->g[k] - q->g[k];
    }
    for (size_t i = 0; i < q->p; i++) {
        sum += q->h[i] - q->h[i];
    }
    return sum == 0.0;
}

il_status il_least_distance(const il_polyhedron *q, double *y, double *lambda, il_error *err) {
    nnls w;
    if (!is_finite(q)) {
        return il_fail(err, IL_ENUMERIC, "a row of the least distance problem is not finite");
    }
    if (!acquire(&w, q->p, q->d)) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu rows of %zu numbers", q->p, q->d);
    }
    double scale = fill(&w, q);
    il_status status = solve(&w);
    double rest = dot(w.r, w.r, w.m); /* r here is f - E u: its last entry is |r|^2 */
    if (status == IL_OK && rest <= EXCLUDED) {
        status = il_fail(err, IL_EINFEASIBLE, "no point satisfies the %zu rows", q->p);
    } else if (status != IL_OK) {
        status = il_fail(err, status, "the least distance over %zu rows did not settle", q->p);
    }
    for (size_t k = 0; status == IL_OK && k < q->d; k++) {
        y[k] = -scale * w.r[k] / w.r[q->d];
    }
    for (size_t i = 0; status == IL_OK && lambda != NULL && i < q->p; i++) {
        lambda[i] = scale * w.u[i] / w.r[q->d];
    }
    release(&w);
    return status;
}
