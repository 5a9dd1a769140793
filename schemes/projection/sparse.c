/*
 * sparse.c - multifrontal Cholesky factors of H = M + sum_i w_i b_i b_i': numbers.
 *
 * Front by front in postorder: add the rows that are first eliminated here and the updates of the
 * children, eliminate, keep the panel, leave the update to the parent.
 */
#include "schemes/projection/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/projection/sparse_dense.h"
#include "schemes/projection/sparse_layout.h"

bool il_sparse_need(il_sparse *f, int which, size_t n, size_t size) {
    buffer *b = &f->memory[which];
    size_t bytes = (n > 0 ? n : 1) * size;
    if (bytes <= b->bytes) {
        return true;
    }
    bytes = bytes < 2 * b->bytes ? 2 * b->bytes : bytes;
    void *bigger = realloc(b->at, bytes);
    if (bigger == NULL) {
        return false;
    }
    b->at = bigger;
    b->bytes = bytes;
    return true;
}

il_sparse *il_sparse_create(void) {
    return calloc(1, sizeof(il_sparse));
}

void il_sparse_destroy(il_sparse *f) {
    if (f == NULL) {
        return;
    }
    for (int k = 0; k < BUFFERS; k++) {
        free(f->memory[k].at);
    }
    free(f);
}

double il_sparse_work(const il_sparse *f) {
    return f->work;
}

size_t il_sparse_size(const il_sparse *f) {
    return f->panels;
}

/* The front's own rows and masses. */
static void assemble(const il_sparse *f, const front *fr, const double *mass, const il_rows *rows,
                     const double *weight, double *a) {
    const int *index = ints(f, INDEX) + fr->first;
    const int *local = ints(f, LOCAL);
    size_t ld = (size_t)fr->f;
    for (size_t j = 0; j < ld; j++) {
        size_t from = j > 0 ? j - 1 : 0; /* update4 also runs over the number above the diagonal */
        memset(a + j * ld + from, 0, (ld - from) * sizeof *a);
    }
    for (size_t k = 0; k < (size_t)fr->w; k++) {
        a[k * ld + k] = mass[index[k]];
    }
    for (int r = fr->row0; r < fr->row1; r++) {
        size_t row = (size_t)ints(f, ROWS)[r];
        if (weight[row] == 0.0) {
            continue;
        }
        for (size_t e = rows->start[row]; e < rows->start[row + 1]; e++) {
            size_t i = (size_t)local[rows->col[e]];
            double c = weight[row] * rows->coef[e];
            for (size_t g = rows->start[row]; g <= e; g++) {
                size_t j = (size_t)local[rows->col[g]];
                a[i > j ? j * ld + i : i * ld + j] += c * rows->coef[g];
            }
        }
    }
}

/* Add the update u of a child to its parent's matrix a. */
static void extend(const il_sparse *f, const front *from, const double *u, double *a, size_t ld) {
    const int *index = ints(f, INDEX) + from->first + from->w;
    const int *local = ints(f, LOCAL);
    size_t n = (size_t)(from->f - from->w);
    for (size_t j = 0; j < n; j++) {
        size_t to = (size_t)local[index[j]];
        double *column = a + to * ld;
        for (size_t i = j; i < n; i++) {
            column[local[index[i]]] += u[j * n + i];
        }
    }
}

/* Keep the panel of the eliminated front a, and put what it does to its parent at `to`. */
static void put_away(il_sparse *f, const front *fr, const double *a, double *to) {
    size_t ld = (size_t)fr->f;
    size_t w = (size_t)fr->w;
    size_t n = ld - w;
    memcpy(numbers(f, PANELS) + fr->panel, a, ld * w * sizeof *a);
    for (size_t j = 0; j < n; j++) {
        memcpy(to + j * n + j, a + (w + j) * (ld + 1), (n - j) * sizeof *a);
    }
}

il_status il_sparse_factor(il_sparse *f, const double *mass, const il_rows *rows,
                           const double *weight) {
    size_t square = (size_t)f->largest * (size_t)f->largest;
    if (!il_sparse_need(f, PANELS, f->panels, sizeof(double)) ||
        !il_sparse_need(f, MATRIX, square, sizeof(double)) ||
        !il_sparse_need(f, UPDATES, f->deepest, sizeof(double)) ||
        !il_sparse_need(f, PACKED, il_dense_scratch(f->largest), sizeof(double)) ||
        !il_sparse_need(f, STACK, (size_t)f->fronts + 1, sizeof(int))) {
        return IL_ENOMEM;
    }
    const front *fronts = f->memory[FRONTS].at;
    double *a = numbers(f, MATRIX);
    double *updates = numbers(f, UPDATES);
    int *waiting = ints(f, STACK);
    int depth = 0;
    size_t top = 0;
    for (size_t k = 0; k < f->d; k++) {
        numbers(f, DIAGONAL)[k] = ints(f, GROUP_OF)[k] < 0 ? 1.0 / mass[k] : 1.0;
    }
    for (int s = 0; s < f->fronts; s++) {
        const front *fr = &fronts[s];
        for (int k = 0; k < fr->f; k++) {
            ints(f, LOCAL)[ints(f, INDEX)[fr->first + k]] = k;
        }
        assemble(f, fr, mass, rows, weight, a);
        for (int c = 0; c < fr->children; c++) {
            const front *from = &fronts[waiting[--depth]];
            top -= update_size(from);
            extend(f, from, updates + top, a, (size_t)fr->f);
        }
        if (!il_dense_eliminate(a, fr->f, fr->w, numbers(f, PACKED))) {
            return IL_ENUMERIC;
        }
        put_away(f, fr, a, updates + top);
        waiting[depth++] = s;
        top += update_size(fr);
    }
    return IL_OK;
}

void il_sparse_solve(const il_sparse *f, double *x) {
    const front *fronts = f->memory[FRONTS].at;
    for (size_t k = 0; k < f->d; k++) {
        x[k] *= numbers(f, DIAGONAL)[k];
    }
    for (int s = 0; s < f->fronts; s++) { /* L y = x */
        const front *fr = &fronts[s];
        const int *index = ints(f, INDEX) + fr->first;
        const double *l = numbers(f, PANELS) + fr->panel;
        for (int c = 0; c < fr->w; c++, l += fr->f) {
            double y = x[index[c]] / l[c];
            x[index[c]] = y;
            for (int i = c + 1; i < fr->f; i++) {
                x[index[i]] -= l[i] * y;
            }
        }
    }
    for (int s = f->fronts - 1; s >= 0; s--) { /* L' x = y */
        const front *fr = &fronts[s];
        const int *index = ints(f, INDEX) + fr->first;
        const double *l = numbers(f, PANELS) + fr->panel + (size_t)fr->f * (size_t)fr->w;
        for (int c = fr->w - 1; c >= 0; c--) {
            l -= fr->f;
            double sum = x[index[c]];
            for (int i = c + 1; i < fr->f; i++) {
                sum -= l[i] * x[index[i]];
            }
            x[index[c]] = sum / l[c];
        }
    }
}
