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

il_status il_rows_reserve(il_rows *rows, size_t p, size_t nnz) {
    if (p > rows->row_capacity) {
        size_t n = rows->row_capacity > 0 ? rows->row_capacity : 8;
        while (n < p) {
            n *= 2;
        }
        if (!il_memory_grow(&rows->id, n, sizeof *rows->id) ||
            !il_memory_grow(&rows->value, n, sizeof *rows->value) ||
            !il_memory_grow(&rows->rate, n, sizeof *rows->rate) ||
            !il_memory_grow(&rows->start, n + 1, sizeof *rows->start)) {
            rows->starved = true;
            return IL_ENOMEM;
        }
        rows->row_capacity = n;
    }
    if (nnz > rows->entry_capacity) {
        size_t n = rows->entry_capacity > 0 ? rows->entry_capacity : 16;
        while (n < nnz) {
            n *= 2;
        }
        if (!il_memory_grow(&rows->col, n, sizeof *rows->col) ||
            !il_memory_grow(&rows->coef, n, sizeof *rows->coef)) {
            rows->starved = true;
            return IL_ENOMEM;
        }
        rows->entry_capacity = n;
    }
    return IL_OK;
}

void il_rows_pop(il_rows *rows) {
    assert(rows->p > 0);
    rows->p--;
    rows->nnz = rows->start[rows->p];
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
