/*
 * random_certificate.c - the certificate of any x and lambda against the same sums in rational
 * numbers.
 *
 * Each entry is a sum of n terms, and a sum of n terms in doubles, whatever the order, is within
 * n u/(1 - n u) of the sum of their absolute values (Higham 2002, (3.7)); min and max lose nothing.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/base/rational.h"
#include "schemes/projection/projector.h"
#include "tests/random/random.h"

enum { D = 6, P = 6 };

typedef struct {
    size_t d;
    il_metric *mass;
    il_rows rows;
    double m[D], target[D], a[P], x[D], lambda[P], work[2 * D];
    il_qp qp;
    il_rational **r; /* a product, a sum, a number, the sum of absolute values */
} claim;

/* Where products neither overflow nor lose digits below DBL_MIN. */
static double moderate(il_bytes *bytes) {
    double x = il_bytes_finite(bytes);
    return x != 0.0 && !(fabs(x) >= 1e-60 && fabs(x) <= 1e60) ? 1.0 : x;
}

static il_status make(claim *w, il_bytes *bytes) {
    w->d = il_bytes_size(bytes, 1, D);
    size_t p = il_bytes_size(bytes, 0, P);
    for (size_t k = 0; k < w->d; k++) {
        w->m[k] = fabs(moderate(bytes)) + 1e-30;
        w->target[k] = moderate(bytes);
        w->x[k] = moderate(bytes);
    }
    il_status status = il_metric_diagonal(&w->mass, w->d, w->m, NULL);
    double scale = fabs(moderate(bytes)) + 1e-30;
    for (size_t i = 0; i < p && status == IL_OK; i++) {
        size_t col[D];
        double coef[D];
        size_t n = il_bytes_columns(bytes, w->d, col);
        for (size_t k = 0; k < n; k++) {
            coef[k] = moderate(bytes);
        }
        w->a[i] = moderate(bytes);
        w->lambda[i] = moderate(bytes);
        il_rows_append(&w->rows, i, 0.0, 0.0, n, col, coef);
    }
    w->qp = (il_qp){.d = w->d,
                    .mass = w->mass,
                    .target = w->target,
                    .rows = &w->rows,
                    .a = w->a,
                    .scale = scale};
    return status;
}

static void begin(claim *w) {
    il_rational_set_fraction(w->r[1], 0, 1);
    il_rational_set_fraction(w->r[3], 0, 1);
}

/* sum += f[0] ... f[n-1], sign included. */
static void add(claim *w, const double *f, size_t n) {
    il_rational_set_fraction(w->r[0], 1, 1);
    for (size_t k = 0; k < n; k++) {
        il_rational_set_double(w->r[2], f[k]);
        il_rational_mul(w->r[0], w->r[0], w->r[2]);
    }
    il_rational_add(w->r[1], w->r[1], w->r[0]);
    if (il_rational_sign(w->r[0]) < 0) {
        il_rational_sub(w->r[3], w->r[3], w->r[0]);
    } else {
        il_rational_add(w->r[3], w->r[3], w->r[0]);
    }
}

/* Every sum has at most P + D + 2 terms of at most 4 factors. */
static const double ROUNDING = (P + D + 8) * DBL_EPSILON;

/* g_i exactly, and how far a double may be from it. */
static double gap(claim *w, size_t i, double *allowed) {
    begin(w);
    add(w, &w->a[i], 1);
    for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
        const double f[3] = {w->qp.scale, w->rows.coef[e], w->x[w->rows.col[e]]};
        add(w, f, 3);
    }
    *allowed = ROUNDING * il_rational_double(w->r[3]);
    return il_rational_double(w->r[1]);
}

static double stationarity(claim *w, size_t k, double *allowed) {
    begin(w);
    const double f[2] = {w->m[k], w->x[k]};
    const double g[2] = {-w->m[k], w->target[k]};
    add(w, f, 2);
    add(w, g, 2);
    for (size_t i = 0; i < w->rows.p; i++) {
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            const double push[3] = {-w->qp.scale, w->lambda[i], w->rows.coef[e]};
            if (w->rows.col[e] == k) {
                add(w, push, 3);
            }
        }
    }
    *allowed = ROUNDING * il_rational_double(w->r[3]);
    return fabs(il_rational_double(w->r[1]));
}

static il_status judge(claim *w, il_error *err) {
    il_certificate exact = il_certificate_best();
    il_certificate off = {.primal = 0.0};
    for (size_t i = 0; i < w->rows.p; i++) {
        double allowed = 0.0;
        double g = gap(w, i, &allowed);
        exact.primal = fmin(exact.primal, g);
        exact.dual = fmin(exact.dual, w->lambda[i]);
        exact.complementarity = fmax(exact.complementarity, fabs(w->lambda[i] * g));
        off.primal = fmax(off.primal, allowed);
        off.complementarity = fmax(off.complementarity, fabs(w->lambda[i]) * 2.0 * allowed);
    }
    for (size_t k = 0; k < w->d; k++) {
        double allowed = 0.0;
        exact.stationarity = fmax(exact.stationarity, stationarity(w, k, &allowed));
        off.stationarity = fmax(off.stationarity, allowed);
    }
    il_certificate said = il_certify(&w->qp, w->x, w->lambda, w->work);
    bool same = (w->rows.p == 0 || fabs(said.primal - exact.primal) <= off.primal) &&
                said.dual == exact.dual &&
                fabs(said.complementarity - exact.complementarity) <= off.complementarity &&
                fabs(said.stationarity - exact.stationarity) <= off.stationarity &&
                said.relative >= 0.0 && said.relative <= 1.0 + ROUNDING;
    return same ? IL_OK
                : il_fail(err, IL_EINTERNAL,
                          "primal %.17g (%.17g), complementarity %.17g (%.17g), stationarity "
                          "%.17g (%.17g), relative %g",
                          said.primal, exact.primal, said.complementarity, exact.complementarity,
                          said.stationarity, exact.stationarity, said.relative);
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    il_bytes bytes = {data, n};
    claim w = {.d = 0, .r = il_rational_array(4)};
    il_rows_init(&w.rows);
    il_status status = IL_OK;
    if (w.r != NULL && make(&w, &bytes) == IL_OK) {
        status = judge(&w, err);
    }
    il_rational_free(w.r);
    il_rows_free(&w.rows);
    il_metric_destroy(w.mass);
    return status;
}

const il_property il_property_certificate = {
    .name = "certificate",
    .one = one,
};
