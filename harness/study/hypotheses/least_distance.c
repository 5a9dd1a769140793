/*
 * least_distance.c - LDP by the parametric active-set method (Markowitz 1956; Best 1996).
 *
 * With unit rows g_i and a vector s > 0 the problem at tau,
 *
 *     minimise |y|_2   subject to   <g_i, y> >= h_i - tau s_i,
 *
 * is solved by y = 0 for tau >= max h_i / s_i, and its solution is piecewise affine in tau. The
 * rows W that are met, N = (g_j), j in W, are independent, and while they stay the same
 *
 *     lambda_W(tau) = (N'N)^{-1} (h_W - tau s_W) = a - tau b,   y(tau) = N lambda_W(tau).
 *
 *     tau = max h_i / s_i, W empty
 *     repeat
 *         tau = largest value below at which a lambda_j becomes zero or a row outside W is met
 *         if there is none above 0: solve at tau = 0 with W, check, end
 *         a lambda_j becomes zero:          j leaves W
 *         a row i is met, g_i independent:  i enters W
 *         a row i is met, g_i = N c:        i replaces the j with c_j > 0 of least lambda_j / c_j;
 *                                           without such a j the rows exclude each other below tau
 *
 * s is free: its entries are all different, so that rows that are equal, opposite or pass through
 * one point are met one after the other, and every tau is met with another W. The answer at
 * tau = 0 does not depend on s. h is scaled first so that the farthest row stands at distance one.
 */
#include "harness/study/hypotheses/feasible.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"

/* A row whose part outside the span of those in W is shorter than this depends on them: a QR
 * factorisation leaves some 1e-15, and an angle that small asks for multipliers of 1e22. */
static const double DEPENDENT = 1e-11;

/* |y| at which the rows exclude each other: so many times as far as the farthest row, y has lost
 * half of its digits. */
static const double EXCLUDED = 1e7;

/* Rows may be violated, and multipliers negative, by this fraction of one plus |y| (of the largest
 * multiplier): a thousand times what factors of some hundred rows leave, and far below what the
 * hypotheses and claims are judged at. */
static const double OPEN = 1e-9;

/* tau at which the way ends: rows through one point of Q are met together at tau = 0, which
 * rounding moves by some 1e-16; what is left open by ending here is for OPEN to judge. */
static const double END = 1e-13;

/* The fractional parts of multiples of it are spread over [0, 1) and all different. */
static const double GOLDEN = 0.6180339887498949;

typedef struct {
    size_t d, p;
    double *g;         /* [p][d] unit rows; rows of zeros stay */
    double *h, *s;     /* [p] */
    double *length;    /* [p] of the rows as given */
    double *y, *z;     /* [d] y_a and y_b: y = y_a - tau y_b */
    double *a, *b, *c; /* [d] in the order of W */
    bool *in;          /* [p] */
    size_t *first;     /* [p+1] of each row's entries that are not zero, in */
    size_t *entry;     /* [p d] their places */
    size_t *set;       /* [d] W */
    size_t n;          /* of them */
    size_t factored;   /* leading columns of N whose factors stand in qr */
    double tau;
    gsl_matrix *qr;     /* its first n columns are the factors of N */
    gsl_vector *scales; /* of the reflections */
    gsl_vector *x;      /* [d] */
} path;

static void release(path *w) {
    free(w->g);
    free(w->in);
    free(w->first);
    gsl_matrix_free(w->qr);
    gsl_vector_free(w->scales);
    gsl_vector_free(w->x);
}

static void acquire(path *w, size_t p, size_t d) {
    *w = (path){.d = d, .p = p};
    w->g = il_alloc_zero(p * d + 3 * p + 5 * d + 1, sizeof *w->g);
    w->in = il_alloc_zero(p + 1, sizeof *w->in);
    w->first = il_alloc_zero(p + 1 + p * d + d + 1, sizeof *w->first);
    w->qr = gsl_matrix_alloc(d + 1, d + 1);
    w->scales = gsl_vector_alloc(d + 1);
    w->x = gsl_vector_alloc(d + 1);
    w->h = w->g + p * d;
    w->s = w->h + p;
    w->length = w->s + p;
    w->y = w->length + p;
    w->z = w->y + d;
    w->a = w->z + d;
    w->b = w->a + d;
    w->c = w->b + d;
    w->entry = w->first + p + 1;
    w->set = w->entry + p * d;
}

/* <g_i, y>: a row of contacts has a few entries that are not zero. */
static double row_dot(const path *w, size_t i, const double *y) {
    const double *g = w->g + i * w->d;
    double sum = 0.0;
    for (size_t e = w->first[i]; e < w->first[i + 1]; e++) {
        sum += g[w->entry[e]] * y[w->entry[e]];
    }
    return sum;
}

/* N = Q R; R is the leading block [n][n] of qr. A column depends on those before it alone: what W
 * keeps in front keeps its factors. The arithmetic is that of gsl_linalg_QR_decomp. */
static void factor(path *w) {
    for (size_t c = w->factored; c < w->n; c++) {
        gsl_vector_view column = gsl_matrix_subcolumn(w->qr, c, 0, w->d);
        gsl_vector_view row = gsl_vector_view_array(w->g + w->set[c] * w->d, w->d);
        (void)gsl_vector_memcpy(&column.vector, &row.vector);
        for (size_t k = 0; k < c; k++) {
            gsl_matrix_view rest = gsl_matrix_submatrix(w->qr, k, c, w->d - k, 1);
            gsl_vector_view reflection = gsl_matrix_subcolumn(w->qr, k, k, w->d - k);
            gsl_vector_view work = gsl_vector_subvector(w->x, 0, 1);
            double diagonal = gsl_matrix_get(w->qr, k, k);
            gsl_matrix_set(w->qr, k, k, 1.0);
            (void)gsl_linalg_householder_left(gsl_vector_get(w->scales, k), &reflection.vector,
                                              &rest.matrix, &work.vector);
            gsl_matrix_set(w->qr, k, k, diagonal);
        }
        gsl_vector_view below = gsl_matrix_subcolumn(w->qr, c, c, w->d - c);
        gsl_vector_set(w->scales, c, gsl_linalg_householder_transform(&below.vector));
    }
    w->factored = w->n;
}

/* y = N (N'N)^{-1} right_W and its multipliers: R' v = right_W, y = Q v, R multipliers = v. */
static void solve(path *w, const double *right, double *multipliers, double *y) {
    memset(y, 0, w->d * sizeof *y);
    if (w->n == 0) {
        return;
    }
    gsl_matrix_view qr = gsl_matrix_submatrix(w->qr, 0, 0, w->d, w->n);
    gsl_matrix_view r = gsl_matrix_submatrix(w->qr, 0, 0, w->n, w->n);
    gsl_vector_view scales = gsl_vector_subvector(w->scales, 0, w->n);
    gsl_vector_view out = gsl_vector_view_array(y, w->d);
    gsl_vector_view v = gsl_vector_subvector(&out.vector, 0, w->n);
    gsl_vector_view m = gsl_vector_view_array(multipliers, w->n);
    for (size_t c = 0; c < w->n; c++) {
        y[c] = right[w->set[c]];
    }
    (void)gsl_blas_dtrsv(CblasUpper, CblasTrans, CblasNonUnit, &r.matrix, &v.vector);
    memcpy(multipliers, y, w->n * sizeof *multipliers);
    (void)gsl_blas_dtrsv(CblasUpper, CblasNoTrans, CblasNonUnit, &r.matrix, &m.vector);
    (void)gsl_linalg_QR_Qvec(&qr.matrix, &scales.vector, &out.vector);
}

/* Is g_i = N c? c is left in w->c. */
static bool depends(path *w, size_t i) {
    const double *g = w->g + i * w->d;
    if (w->n == 0) {
        return w->length[i] == 0.0;
    }
    gsl_matrix_view qr = gsl_matrix_submatrix(w->qr, 0, 0, w->d, w->n);
    gsl_matrix_view r = gsl_matrix_submatrix(w->qr, 0, 0, w->n, w->n);
    gsl_vector_view scales = gsl_vector_subvector(w->scales, 0, w->n);
    gsl_vector_view x = gsl_vector_subvector(w->x, 0, w->d);
    gsl_vector_view c = gsl_vector_view_array(w->c, w->n);
    for (size_t k = 0; k < w->d; k++) {
        gsl_vector_set(&x.vector, k, g[k]);
    }
    (void)gsl_linalg_QR_QTvec(&qr.matrix, &scales.vector, &x.vector);
    double outside = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        double xk = gsl_vector_get(&x.vector, k);
        outside += k < w->n ? 0.0 : xk * xk;
        if (k < w->n) {
            w->c[k] = xk;
        }
    }
    (void)gsl_blas_dtrsv(CblasUpper, CblasNoTrans, CblasNonUnit, &r.matrix, &c.vector);
    return sqrt(outside) <= DEPENDENT;
}

/* The change that is met first on the way down. */
typedef struct {
    double tau;   /* END at the end */
    size_t leave; /* a place in W; n if none leaves */
    size_t enter; /* a row; p if none enters */
} event;

/* y(tau) and lambda(tau) while W stays, and where it stops to. */
static event next_event(path *w) {
    event first = {.tau = END, .leave = w->n, .enter = w->p};
    solve(w, w->h, w->a, w->y);
    solve(w, w->s, w->b, w->z);
    for (size_t c = 0; c < w->n; c++) {
        double tau = w->b[c] < 0.0 ? fmin(w->a[c] / w->b[c], w->tau) : 0.0;
        if (tau > first.tau) {
            first = (event){.tau = tau, .leave = c, .enter = w->p};
        }
    }
    for (size_t i = 0; i < w->p; i++) {
        double open = row_dot(w, i, w->y) - w->h[i];
        double rate = row_dot(w, i, w->z) - w->s[i];
        double tau = !w->in[i] && rate < 0.0 ? fmin(open / rate, w->tau) : 0.0;
        if (tau > first.tau) {
            first = (event){.tau = tau, .leave = w->n, .enter = i};
        }
    }
    return first;
}

static void leave(path *w, size_t c) {
    w->in[w->set[c]] = false;
    w->n--;
    w->factored = c < w->factored ? c : w->factored;
    memmove(w->set + c, w->set + c + 1, (w->n - c) * sizeof *w->set);
}

/* Row i enters. IL_EINFEASIBLE when it depends on W and no row can be dropped for it. */
static il_status enter(path *w, size_t i) {
    if (depends(w, i)) {
        size_t who = w->n;
        double least = INFINITY;
        for (size_t c = 0; c < w->n; c++) {
            double lambda = fmax(0.0, w->a[c] - w->tau * w->b[c]);
            if (w->c[c] > DEPENDENT && lambda / w->c[c] < least) {
                least = lambda / w->c[c];
                who = c;
            }
        }
        if (who == w->n) {
            return IL_EINFEASIBLE;
        }
        leave(w, who);
    }
    w->in[i] = true;
    w->set[w->n++] = i;
    return IL_OK;
}

/* From tau where y = 0 down to 0. */
static il_status follow(path *w) {
    size_t changes = 20 * (w->p + w->d);
    w->tau = INFINITY;
    for (;;) {
        factor(w);
        event e = next_event(w);
        if (e.tau <= END) {
            return il_length(w->y, w->d) < EXCLUDED ? IL_OK : IL_EINFEASIBLE;
        }
        if (changes-- == 0) {
            return IL_ESTALLED;
        }
        w->tau = e.tau;
        il_status status = IL_OK;
        if (e.leave < w->n) {
            leave(w, e.leave);
        } else {
            status = enter(w, e.enter);
        }
        if (status != IL_OK) {
            return status;
        }
    }
}

/* The certificate: y = G' a with a >= 0 by construction of y, and the rows outside W have room. */
static bool certified(const path *w) {
    double size = 1.0 + il_length(w->y, w->d);
    double most = 0.0;
    double least = 0.0;
    for (size_t c = 0; c < w->n; c++) {
        most = fmax(most, w->a[c]);
        least = fmin(least, w->a[c]);
    }
    double open = 0.0;
    for (size_t i = 0; i < w->p; i++) {
        open = fmax(open, w->h[i] - row_dot(w, i, w->y));
    }
    return open <= OPEN * size && -least <= OPEN * most && isfinite(size) && isfinite(most);
}

/* Unit rows, where they are not zero, and s; returns the scale of h: the distance of the farthest
 * row from the origin. */
static double fill(path *w, const il_polyhedron *q) {
    double scale = 0.0;
    for (size_t i = 0; i < q->p; i++) {
        w->length[i] = il_length(q->g + i * q->d, q->d);
        scale = w->length[i] > 0.0 ? fmax(scale, q->h[i] / w->length[i]) : scale;
    }
    scale = scale > 0.0 ? scale : 1.0;
    size_t entries = 0;
    for (size_t i = 0; i < q->p; i++) {
        double length = w->length[i] > 0.0 ? w->length[i] : 1.0;
        double turn = (double)(i + 1) * GOLDEN;
        for (size_t k = 0; k < q->d; k++) {
            w->g[i * q->d + k] = q->g[i * q->d + k] / length;
            w->entry[entries] = k;
            entries += w->g[i * q->d + k] != 0.0;
        }
        w->first[i + 1] = entries;
        w->h[i] = q->h[i] / length / scale;
        w->s[i] = 1.0 + turn - floor(turn);
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
    path w;
    if (!is_finite(q)) {
        return il_fail(err, IL_ENUMERIC, "a row of the least distance problem is not finite");
    }
    acquire(&w, q->p, q->d);
    double scale = fill(&w, q);
    il_status status = follow(&w);
    if (status == IL_OK && !certified(&w)) {
        status = IL_ESTALLED;
    }
    if (status == IL_EINFEASIBLE) {
        status = il_fail(err, status, "no point satisfies the %zu rows", q->p);
    } else if (status != IL_OK) {
        status = il_fail(err, status, "the least distance over %zu rows did not settle", q->p);
    }
    for (size_t k = 0; status == IL_OK && k < q->d; k++) {
        y[k] = scale * w.y[k];
    }
    for (size_t i = 0; status == IL_OK && lambda != NULL && i < q->p; i++) {
        lambda[i] = 0.0;
    }
    for (size_t c = 0; status == IL_OK && lambda != NULL && c < w.n; c++) {
        lambda[w.set[c]] = scale * fmax(0.0, w.a[c]) / w.length[w.set[c]];
    }
    release(&w);
    return status;
}
