/*
 * fclib_local.c - Cholesky's factor of a semidefinite matrix, pivots from the largest down: with
 * W_ii taken from each row's own units, what is left in the end is below its largest diagonal,
 * |left_ij|^2 <= left_ii left_jj.
 */
#include "harness/io/formats/fclib_local.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

/* A pivot is zero below so much of its own diagonal. What other programs round is larger: so much
 * may be left, and as much may the triangles differ. */
static const double ZERO = 1e-13;
static const double ROUNDING = 1e-9;

/* The next pivot of what is left, the largest beside its own diagonal: at[k] of at[k..p). */
static double choose(const double *W, const double *left, size_t *at, size_t k, size_t p) {
    double best = 0.0;
    for (size_t i = k; i < p; i++) {
        size_t own = at[i] * (p + 1);
        if (W[own] > 0.0 && left[own] / W[own] > best) {
            best = left[own] / W[own];
            size_t other = at[k];
            at[k] = at[i];
            at[i] = other;
        }
    }
    return best;
}

/* L[p p], zeroed, and into left[p p] what L L' does not reach of W; at[p] is room. */
static void factor(const double *W, size_t p, double *L, double *left, size_t *at) {
    for (size_t i = 0; i < p; i++) {
        at[i] = i;
        for (size_t j = 0; j < p; j++) {
            left[i * p + j] = 0.5 * W[i * p + j] + 0.5 * W[j * p + i];
        }
    }
    for (size_t k = 0; k < p && choose(W, left, at, k, p) > ZERO; k++) {
        double pivot = sqrt(left[at[k] * (p + 1)]);
        for (size_t i = k; i < p; i++) {
            L[at[i] * p + k] = i == k ? pivot : left[at[i] * p + at[k]] / pivot;
        }
        for (size_t i = k; i < p; i++) {
            double *row = left + at[i] * p;
            double l = L[at[i] * p + k];
            for (size_t j = k; j < p; j++) {
                row[at[j]] = i == k || j == k ? 0.0 : row[at[j]] - l * L[at[j] * p + k];
            }
        }
    }
}

static il_status check_symmetric(const double *W, size_t p, il_error *err) {
    for (size_t i = 0; i < p; i++) {
        for (size_t j = 0; j < i; j++) {
            double a = W[i * p + j];
            double b = W[j * p + i];
            double product = fmax(W[i * (p + 1)], 0.0) * fmax(W[j * (p + 1)], 0.0);
            if (!(fabs(a - b) <= ROUNDING * sqrt(product))) {
                return il_fail(
                    err, IL_EINVAL,
                    "W is not symmetric: of contacts %zu and %zu it has %.10g and %.10g; "
                    "allowed: both triangles, equal",
                    j + 1, i + 1, b, a);
            }
        }
    }
    return IL_OK;
}

static il_status check_left(const double *W, const double *left, size_t p, il_error *err) {
    for (size_t i = 0; i < p; i++) {
        for (size_t j = 0; j <= i; j++) {
            double product = fmax(W[i * (p + 1)], 0.0) * fmax(W[j * (p + 1)], 0.0);
            if (!(fabs(left[i * p + j]) <= ROUNDING * sqrt(product))) {
                return il_fail(err, IL_EINVAL,
                               "W is not positive semidefinite, by contacts %zu and %zu", j + 1,
                               i + 1);
            }
        }
    }
    return IL_OK;
}

il_status il_fclib_factor(const double *W, const double *q, size_t step, size_t p, il_rows *rows,
                          il_error *err) {
    double *L = il_alloc_zero(p * p, sizeof *L);
    double *left = il_alloc_zero(p * p, sizeof *left);
    size_t *col = il_alloc(p, sizeof *col);
    il_status status = check_symmetric(W, p, err);
    if (status == IL_OK) {
        factor(W, p, L, left, col);
        status = check_left(W, left, p, err);
    }
    for (size_t i = 0; status == IL_OK && i < p; i++) {
        col[i] = i;
    }
    for (size_t i = 0; status == IL_OK && i < p; i++) {
        il_rows_append(rows, i, q[i * step], 0.0, p, col, L + i * p);
    }
    free(L);
    free(left);
    free(col);
    return status;
}
