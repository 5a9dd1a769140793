/*
 * rows.h - linearised constraints as sparse rows.
 *
 * Row i holds the value g_i(t,q), the rate d/dt g_i(t,q) at fixed q, and the gradient of g_i in q
 * as (column, coefficient) pairs. Problems pass rows to schemes, and schemes to projectors; no
 * dense p x d matrix is ever formed, so one wall and a hundred thousand contacts use the same code.
 *
 * Layout: compressed rows. Row i owns entries start[i] .. start[i+1]-1 of col and coef, columns
 * strictly increasing. id[i] names the constraint for the whole run (problem-defined, unique), so
 * that a multiplier can be followed from step to step.
 *
 * Memory: the creator destroys. Storage grows by doubling when rows are appended and is released
 * only by il_rows_free, so a loop that has warmed up allocates nothing.
 */
#ifndef IL_BASE_ROWS_H
#define IL_BASE_ROWS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct {
    size_t p;      /* rows in use */
    size_t nnz;    /* entries in use */
    size_t *id;    /* [p]    name of the constraint */
    double *value; /* [p]    g_i(t,q) */
    double *rate;  /* [p]    partial derivative of g_i in t */
    size_t *start; /* [p+1]  first entry of each row */
    size_t *col;   /* [nnz]  coordinate */
    double *coef;  /* [nnz]  partial derivative of g_i in that coordinate */
    size_t row_capacity, entry_capacity;
    /* If not NULL: called before the storage grows beyond `many` rows; it uses those that are there
     * and drops what need not be kept. So a scan of millions of rows holds few at a time. */
    void (*sift)(void *context);
    void *context;
    size_t many;
} il_rows;

/* An empty set of rows that owns no memory yet. */
void il_rows_init(il_rows *rows);

/* Free what rows owns and leave it empty. NULL is fine. */
void il_rows_free(il_rows *rows);

/* Forget the rows, keep the memory. */
void il_rows_clear(il_rows *rows);

/* Room for p rows and nnz entries in all. */
void il_rows_reserve(il_rows *rows, size_t p, size_t nnz);

/* Append a row with n entries; columns must increase strictly.
 * Inline, because a run with one wall spends much of its time here. */
static inline void il_rows_append(il_rows *rows, size_t id, double value, double rate, size_t n,
                                  const size_t *col, const double *coef) {
    if (rows->p == rows->row_capacity || rows->nnz + n > rows->entry_capacity) {
        il_rows_reserve(rows, rows->p + 1, rows->nnz + n);
    }
    size_t i = rows->p++;
    size_t at = rows->nnz;
    rows->id[i] = id;
    rows->value[i] = value;
    rows->rate[i] = rate;
    rows->start[i] = at;
    for (size_t k = 0; k < n; k++) {
        assert(k == 0 || col[k] > col[k - 1]);
        rows->col[at + k] = col[k];
        rows->coef[at + k] = coef[k];
    }
    rows->nnz = at + n;
    rows->start[i + 1] = at + n;
}

/* Append row i of `from`, which is another set. */
static inline void il_rows_append_row(il_rows *rows, const il_rows *from, size_t i) {
    size_t first = from->start[i];
    il_rows_append(rows, from->id[i], from->value[i], from->rate[i], from->start[i + 1] - first,
                   from->col + first, from->coef + first);
}

/* Rows are only read in the order of their numbers while some are dropped: row i takes the place
 * of row `to` <= i; rows behind it but before row i + 1 are then undefined. */
void il_rows_move(il_rows *rows, size_t i, size_t to);

/* Only the first p rows stay. */
void il_rows_cut(il_rows *rows, size_t p);

/* Drop the last row. */
void il_rows_pop(il_rows *rows);

/* g_i + <b_i, x - q>: row i, taken at q, at x. */
double il_rows_at(const il_rows *rows, size_t i, const double *q, const double *x);

/* Drop the last row if its linearisation at q, taken at x, is above slack. */
void il_rows_trim(il_rows *rows, const double *q, const double *x, double slack);

/* <b_i, x> for row i and a vector x of length d. Inline, as is the next function: projectors spend
 * most of their time in them. */
static inline double il_rows_dot(const il_rows *rows, size_t i, const double *x) {
    double sum = 0.0;
    size_t end = rows->start[i + 1];
    for (size_t k = rows->start[i]; k < end; k++) {
        sum += rows->coef[k] * x[rows->col[k]];
    }
    return sum;
}

/* x += c b_i; x may not lie within rows. */
static inline void il_rows_axpy(const il_rows *rows, size_t i, double c, double *restrict x) {
    const size_t *restrict col = rows->col;
    const double *restrict coef = rows->coef;
    size_t end = rows->start[i + 1];
    for (size_t k = rows->start[i]; k < end; k++) {
        x[col[k]] += c * coef[k];
    }
}

/* sum_k b_ik^2/m_k: b_i' M^{-1} b_i for the diagonal M of mass[d]. */
static inline double il_rows_norm2(const il_rows *rows, size_t i, const double *mass) {
    double sum = 0.0;
    size_t end = rows->start[i + 1];
    for (size_t k = rows->start[i]; k < end; k++) {
        sum += rows->coef[k] * rows->coef[k] / mass[rows->col[k]];
    }
    return sum;
}

#endif
