/*
 * rows.c - growing storage for linearised constraints.
 */
#include "harness/base/rows.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

void il_rows_init(il_rows *rows) {
    memset(rows, 0, sizeof *rows);
}

void il_rows_free(il_rows *rows) {
    if (rows == NULL) {
        return;
    }
    free(rows->id);
    free(rows->value);
    free(rows->rate);
    free(rows->start);
    free(rows->col);
    free(rows->coef);
    il_rows_init(rows);
}

void il_rows_clear(il_rows *rows) {
    rows->p = 0;
    rows->nnz = 0;
}

/* Let the rows be sifted where p and nnz are more than there is room for. What stays may fill half
 * of the room; else they ask for more. */
static void sift(il_rows *rows, size_t *p, size_t *nnz) {
    if (rows->p < rows->many || (*p <= rows->row_capacity && *nnz <= rows->entry_capacity)) {
        return;
    }
    size_t more = *p - rows->p;
    size_t entries = *nnz - rows->nnz;
    rows->sift(rows->context);
    *p = 2 * rows->p > rows->row_capacity ? rows->row_capacity + 1 : rows->p + more;
    *nnz = 2 * rows->nnz > rows->entry_capacity ? rows->entry_capacity + 1 : rows->nnz + entries;
}

void il_rows_reserve(il_rows *rows, size_t p, size_t nnz) {
    if (rows->sift != NULL) {
        sift(rows, &p, &nnz);
    }
    if (p > rows->row_capacity) {
        size_t n = rows->row_capacity > 0 ? rows->row_capacity : 8;
        while (n < p) {
            n *= 2;
        }
        il_memory_grow(&rows->id, n, sizeof *rows->id);
        il_memory_grow(&rows->value, n, sizeof *rows->value);
        il_memory_grow(&rows->rate, n, sizeof *rows->rate);
        il_memory_grow(&rows->start, n + 1, sizeof *rows->start);
        rows->row_capacity = n;
    }
    if (nnz > rows->entry_capacity) {
        size_t n = rows->entry_capacity > 0 ? rows->entry_capacity : 16;
        while (n < nnz) {
            n *= 2;
        }
        il_memory_grow(&rows->col, n, sizeof *rows->col);
        il_memory_grow(&rows->coef, n, sizeof *rows->coef);
        rows->entry_capacity = n;
    }
}

void il_rows_move(il_rows *rows, size_t i, size_t to) {
    if (to == i) {
        return;
    }
    size_t first = rows->start[i];
    size_t n = rows->start[i + 1] - first;
    size_t at = rows->start[to];
    rows->id[to] = rows->id[i];
    rows->value[to] = rows->value[i];
    rows->rate[to] = rows->rate[i];
    memmove(rows->col + at, rows->col + first, n * sizeof *rows->col);
    memmove(rows->coef + at, rows->coef + first, n * sizeof *rows->coef);
    rows->start[to + 1] = at + n;
}

void il_rows_cut(il_rows *rows, size_t p) {
    rows->p = p;
    rows->nnz = p > 0 ? rows->start[p] : 0;
}

void il_rows_pop(il_rows *rows) {
    assert(rows->p > 0);
    il_rows_cut(rows, rows->p - 1);
}

double il_rows_at(const il_rows *rows, size_t i, const double *q, const double *x) {
    double g = rows->value[i];
    for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        g += rows->coef[k] * (x[rows->col[k]] - q[rows->col[k]]);
    }
    return g;
}

void il_rows_trim(il_rows *rows, const double *q, const double *x, double slack) {
    if (slack < INFINITY && il_rows_at(rows, rows->p - 1, q, x) > slack) {
        il_rows_pop(rows);
    }
}
