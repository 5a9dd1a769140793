/*
 * random_projectors.c - a registered projector on a step problem, both made of bytes: mostly up to
 * four coordinates and rows, masses, gaps and coefficients of any size, empty, repeated and
 * opposite rows, multipliers guessed or not.
 *
 * Answer IL_OK: x and lambda are finite, lambda >= 0, and the residuals of the optimality
 * conditions, taken against the size of the terms that they are sums of, are small. Otherwise it is
 * one of the statuses that the projector may end with. In either case it ends: MOST iterations are
 * allowed.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/registry.h"
#include "tests/random/random.h"

enum { D = 8, P = 14, MOST = 100 };

typedef struct {
    size_t d;
    il_metric *mass;
    il_rows rows;
    double target[D], a[P], guess[P], x[D], lambda[P], work[2 * D];
    il_qp qp;
    bool wild; /* some number is neither 0 nor within 1e-4 .. 1e4 */
} step;

static double note(step *w, double x) {
    w->wild |= x != 0.0 && !(fabs(x) >= 1e-4 && fabs(x) <= 1e4);
    return x;
}

/* Tame problems are common, so that what is promised of them is tried as well. */
static double number(step *w, il_bytes *bytes, bool tame) {
    return note(w, tame ? (int8_t)il_bytes_take(bytes) / 8.0 : il_bytes_double(bytes));
}

static il_status make_mass(step *w, il_bytes *bytes, uint8_t kind) {
    double m[D * D] = {0.0};
    bool dense = (kind & 2u) != 0;
    for (size_t k = 0; k < w->d; k++) {
        double x = note(w, kind & 1u ? il_bytes_double(bytes) : 1.0 + il_bytes_take(bytes) / 8.0);
        m[dense ? k * w->d + k : k] = x;
    }
    for (size_t k = 0; dense && k + 1 < w->d; k++) {
        m[k * w->d + k + 1] = m[(k + 1) * w->d + k] = il_bytes_take(bytes) / 600.0;
    }
    return dense ? il_metric_dense(&w->mass, w->d, m, NULL)
                 : il_metric_diagonal(&w->mass, w->d, m, NULL);
}

/* A row of any columns; a difference of neighbours, as a chain has; an earlier row again, or its
 * opposite. */
static il_status make_row(step *w, il_bytes *bytes, bool tame) {
    size_t col[D];
    double coef[D];
    size_t n = 0;
    size_t p = w->rows.p;
    uint8_t kind = il_bytes_take(bytes);
    if (kind % 4 == 1 && w->d > 1) {
        col[0] = kind / 4 % (w->d - 1);
        col[1] = col[0] + 1;
        coef[0] = -1.0;
        coef[1] = 1.0;
        n = 2;
    } else if (kind % 4 == 2 && p > 0) {
        size_t i = kind / 8 % p;
        n = w->rows.start[i + 1] - w->rows.start[i];
        memcpy(col, w->rows.col + w->rows.start[i], n * sizeof *col);
        for (size_t k = 0; k < n; k++) {
            coef[k] = (kind & 4u ? -1.0 : 1.0) * w->rows.coef[w->rows.start[i] + k];
        }
    } else {
        n = il_bytes_columns(bytes, w->d, col);
        for (size_t k = 0; k < n; k++) {
            coef[k] = number(w, bytes, tame);
        }
    }
    w->a[p] = number(w, bytes, tame);
    w->guess[p] = il_bytes_take(bytes) % 4 == 0 ? il_bytes_double(bytes) : 0.0;
    return il_rows_append(&w->rows, p, 0.0, 0.0, n, col, coef);
}

static il_status make(step *w, il_bytes *bytes) {
    uint8_t kind = il_bytes_take(bytes);
    bool tame = (kind & 4u) != 0;
    w->d = il_bytes_few(bytes, 1, D);
    size_t p = il_bytes_few(bytes, 0, P);
    il_status status = make_mass(w, bytes, tame ? kind & 2u : kind);
    double scale = tame ? 1.0 : note(w, il_bytes_double(bytes));
    for (size_t k = 0; k < w->d; k++) {
        w->target[k] = number(w, bytes, tame);
    }
    for (size_t i = 0; i < p && status == IL_OK; i++) {
        status = make_row(w, bytes, tame);
    }
    w->qp = (il_qp){.d = w->d,
                    .mass = w->mass,
                    .target = w->target,
                    .rows = &w->rows,
                    .a = w->a,
                    .scale = scale};
    return scale > 0.0 && isfinite(scale) ? status : IL_EINVAL;
}

/* How far the answer to a tame problem may miss, relative to the size of the terms: LOST of
 * active_set.c for nearly dependent rows; for an iterative projector its tolerance, which is in the
 * units of the gaps. */
static const double LOST = 1e-10;

/* made[d]: the size of the terms that x is the sum of, |t| + |x| + s sum |M^{-1} b_i| lambda_i. */
static void measure(const step *w, double *made) {
    for (size_t k = 0; k < w->d; k++) {
        made[k] = fabs(w->target[k]) + fabs(w->x[k]);
    }
    for (size_t i = 0; i < w->rows.p; i++) {
        double push[D] = {0.0};
        il_rows_axpy(&w->rows, i, w->qp.scale * w->lambda[i], push);
        il_metric_solve(w->mass, push, push);
        for (size_t k = 0; k < w->d; k++) {
            made[k] += fabs(push[k]);
        }
    }
}

/* The largest |a_i| + s sum |b_ik| made_k. */
static double size_of(const step *w) {
    double made[D];
    double most = 0.0;
    measure(w, made);
    for (size_t i = 0; i < w->rows.p; i++) {
        double size = fabs(w->a[i]);
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            size += w->qp.scale * fabs(w->rows.coef[e]) * made[w->rows.col[e]];
        }
        most = fmax(most, size);
    }
    return most;
}

/* s^2 <b_i, M^{-1} b_i>. */
static double own_push(const step *w, size_t i) {
    double push[D] = {0.0};
    il_rows_axpy(&w->rows, i, w->qp.scale, push);
    il_metric_solve(w->mass, push, push);
    return w->qp.scale * il_rows_dot(&w->rows, i, push);
}

static il_status judge_tame(const step *w, const il_projector_type *type, il_error *err) {
    double size = size_of(w);
    for (size_t i = 0; i < w->rows.p; i++) {
        double g = w->a[i] + w->qp.scale * il_rows_dot(&w->rows, i, w->x);
        double allowed = LOST * size + (type->finite ? 0.0 : IL_PROJECTOR_TOLERANCE);
        double moves = w->lambda[i] * own_push(w, i); /* the gap by its own multiplier */
        if (!(fmin(moves, g) <= allowed) || !(g >= -allowed)) {
            return il_fail(err, IL_EINTERNAL, "%s: row %zu has g = %.3g, lambda = %.3g, size %.3g",
                           type->name, i, g, w->lambda[i], size);
        }
    }
    return IL_OK;
}

static il_status judge(step *w, const il_projector_type *type, il_status said, il_error *err) {
    if (said != IL_OK) {
        bool may = said == IL_ESTALLED || said == IL_EINFEASIBLE || said == IL_ENUMERIC ||
                   said == IL_EUNSUPPORTED; /* a ring */
        return may ? IL_OK
                   : il_fail(err, IL_EINTERNAL, "%s: ends with %s", type->name,
                             il_status_name(said));
    }
    for (size_t k = 0; k < w->d; k++) {
        if (!isfinite(w->x[k])) {
            return il_fail(err, IL_EINTERNAL, "%s: ok, and x_%zu = %g", type->name, k, w->x[k]);
        }
    }
    for (size_t i = 0; i < w->rows.p; i++) {
        if (!(w->lambda[i] >= 0.0 && w->lambda[i] <= DBL_MAX)) {
            return il_fail(err, IL_EINTERNAL, "%s: ok, and lambda_%zu = %g", type->name, i,
                           w->lambda[i]);
        }
    }
    return w->wild ? IL_OK : judge_tame(w, type, err);
}

static il_status try_one(step *w, const il_projector_type *type, bool guess, il_error *err) {
    const il_projector_options options = {.max_iterations = MOST};
    il_projection_info info;
    void *self = NULL;
    il_status status = type->create(&self, &options, err);
    if (status == IL_OK && type->refuses(self, &w->qp) == NULL) {
        memset(w->lambda, 0, sizeof w->lambda);
        if (guess) {
            memcpy(w->lambda, w->guess, sizeof w->lambda);
        }
        status = judge(w, type, type->solve(self, &w->qp, w->x, w->lambda, &info), err);
    }
    type->destroy(self);
    return status;
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    il_bytes bytes = {data, n};
    step w = {.d = 0};
    il_rows_init(&w.rows);
    il_status status = IL_OK;
    const il_projector_type *type = il_bytes_projector(&bytes);
    bool guess = il_bytes_take(&bytes) % 2 == 1;
    if (il_rows_reserve(&w.rows, P, D * P) == IL_OK && make(&w, &bytes) == IL_OK) {
        status = try_one(&w, type, guess, err);
    }
    il_rows_free(&w.rows);
    il_metric_destroy(w.mass);
    return status;
}

const il_property il_property_projectors = {
    .name = "projectors",
    .one = one,
};
