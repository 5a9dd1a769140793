/*
 * dense.h - partial Cholesky elimination of one dense front, and solves with what it leaves:
 *
 *     [ A11      ]   [ L11   ] [ L11' L21' ]   [ 0  0 ]
 *     [ A21  A22 ] = [ L21 I ] [       I   ] + [ 0  U ],   U = A22 - L21 L21'.
 *
 * Everything goes by columns of which the numbers of rows are multiples of four, so that no loop
 * over rows has a remainder. Of a front of f coordinates, of which w are eliminated:
 *
 *   panel    [L11; L21], ld = il_dense_rows(f) rows by w columns; rows from f on are zero. On the
 *            diagonal of L11 stands the inverse of what would stand there, above it nothing of use.
 *   update   U, square with ld - w0 rows, w0 = w rounded down to a multiple of four: its first
 *            w - w0 rows and columns, those from f - w0 on, and what is above the diagonal are of
 *            no use.
 *
 * Two sets of kernels do the same operations in the same order, to the same bits: portable ones,
 * and ones that hold four numbers in one register of AVX2.
 */
#ifndef IL_PROJECTION_SPARSE_DENSE_H
#define IL_PROJECTION_SPARSE_DENSE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/team.h"

typedef struct {
    const char *name;

    /* Eliminate the first w columns: a[ld (w + 3)] holds [A11; A21], lower triangle, rows from f on
     * and columns from w on zero; u holds A22, or is NULL where f = w. Numbers of a behind the
     * panel are scratch. False when a pivot is not positive. */
    bool (*eliminate)(double *a, size_t ld, size_t w, double *u, double *scratch);

    /* Its parts. Columns k0 .. k1-1 of the panel from those of the block, rows to i1, a multiple of
     * four; then rows i0 .. i1-1 of them, i0 no less than that; these rows of n columns into `to`,
     * packed; and what such columns do to columns j .. j1-1 of C, to `rows`, of ld rows. */
    bool (*columns)(double *a, size_t ld, size_t k0, size_t k1, size_t i1, double *scratch);
    void (*strip)(double *a, size_t ld, size_t k0, size_t k1, size_t i0, size_t i1);
    void (*pack)(const double *a, size_t ld, size_t i0, size_t i1, size_t n, double *to);
    void (*update)(const double *packed, size_t n, double *c, size_t ld, size_t j, size_t j1,
                   size_t rows);

    /* y = L11^{-1} y in the first w numbers of y[ld], less L21 times that in the others. */
    void (*forward)(const double *a, size_t ld, size_t w, double *y);

    /* L11' x = y - L21' z for [y; z] = y[ld], x in place of y; what lies behind z is zero. */
    void (*backward)(const double *a, size_t ld, size_t w, double *y);
} il_dense;

/* As dense->eliminate, by a team, to the same bits: for large fronts. */
bool il_dense_eliminate(const il_dense *dense, il_team *team, double *a, size_t ld, size_t w,
                        double *u, double *scratch);

/* Those that every processor can do, and the fastest that the one at hand can. */
const il_dense *il_dense_portable(void);
const il_dense *il_dense_fastest(void);

/* Rows in memory for f coordinates, and of the update that w of them leave. */
static inline size_t il_dense_rows(int f) {
    return ((size_t)f + 3) / 4 * 4;
}

static inline size_t il_dense_update_rows(int f, int w) {
    return f > w ? il_dense_rows(f) - (size_t)w / 4 * 4 : 0;
}

/* Numbers of scratch that fronts of up to f columns need. */
size_t il_dense_scratch(int f);

#endif
