/*
 * sparse.c - multifrontal Cholesky factors of H = M + sum_i w_i b_i b_i': numbers.
 *
 * Front by front in postorder: add the rows that are first eliminated here and the updates of the
 * children, eliminate, leave the update to the parent. Panels are made where they stay.
 */
#include "schemes/projection/sparse/sparse.h"

#include <stdlib.h>
#include <string.h>

#include "schemes/projection/sparse/layout.h"

static il_sparse *create(const il_dense *dense) {
    il_sparse *f = calloc(1, sizeof *f);
    if (f != NULL) {
        f->dense = dense;
    }
    return f;
}

il_sparse *il_sparse_create(void) {
    return create(il_dense_fastest());
}

il_sparse *il_sparse_create_portable(void) {
    return create(il_dense_portable());
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

size_t il_sparse_factorisations(const il_sparse *f) {
    return f->factorisations;
}

size_t il_sparse_analyses(const il_sparse *f) {
    return f->analyses;
}

/* Zeros in a front, and its masses. */
static void open_front(const il_sparse *f, const front *fr, const double *mass, double *all) {
    const int *index = ints(f, INDEX) + fr->first;
    size_t ld = (size_t)fr->ld;
    size_t rest = (size_t)fr->rest;
    double *panel = all + fr->panel;
    double *update = all + fr->update;
    memset(panel, 0, ld * ((size_t)fr->w + 3) * sizeof *panel);
    for (size_t j = 0; j < rest; j++) {
        size_t from = j / 4 * 4; /* tiles on the diagonal reach above it */
        memset(update + j * rest + from, 0, (rest - from) * sizeof *update);
    }
    for (int k = 0; k < fr->w; k++) {
        panel[(size_t)k * (ld + 1)] = mass[index[k]];
    }
}

/* Add the front's own rows. Their entries start at e; returns where they end. */
static const entry *assemble(const il_sparse *f, const front *fr, const il_rows *rows,
                             const double *weight, double *all, const entry *e) {
    const int *list = ints(f, ROWS);
    for (int r = fr->row0; r < fr->row1; r++) {
        size_t row = (size_t)list[r];
        const entry *end = e + (rows->start[row + 1] - rows->start[row]);
        for (; weight[row] != 0.0 && e < end; e++) {
            double *column = all + e->column;
            double c = weight[row] * rows->coef[e->at];
            for (const entry *i = e; i < end; i++) {
                column[i->place] += c * rows->coef[i->at];
            }
        }
        e = end;
    }
    return e;
}

/* Add a block of numbers, or its lower triangle if it lies on the diagonal. */
static inline void add(double *restrict to, size_t ld, const double *restrict from, size_t ld_from,
                       size_t rows, size_t columns, bool diagonal) {
    for (size_t j = 0; j < columns; j++, to += ld, from += ld_from) {
        size_t i = diagonal ? j : 0;
        for (; i + 2 <= rows; i += 2) {
            double next = to[i + 1] + from[i + 1];
            to[i] += from[i];
            to[i + 1] = next;
        }
        if (i < rows) {
            to[i] += from[i];
        }
    }
}

/* Add the update of a child, runs of its columns by runs of its rows. */
static void extend(const il_sparse *f, const front *from, double *all) {
    const run *runs = f->memory[RUNS].at;
    const run *end = runs + from->run1;
    size_t ld = (size_t)from->rest;
    for (const run *c = runs + from->run0; c < end; c++) {
        const double *source = all + from->update + (size_t)c->from * ld;
        for (const run *r = c; r < end; r++) {
            add(all + c->column + r->to, (size_t)c->step, source + r->from, ld, (size_t)r->length,
                (size_t)c->length, r == c);
        }
    }
}

/* Room for the numbers, and the plan if there is none yet. */
static bool prepare(il_sparse *f, const il_rows *rows) {
    const front *fronts = f->memory[FRONTS].at;
    return (f->fronts == 0 || fronts[0].ld != 0 || il_sparse_plan(f, rows)) &&
           il_sparse_need(f, PANELS, f->stored + LINE, sizeof(double)) &&
           il_sparse_need(f, PACKED, il_dense_scratch(f->largest) + LINE, sizeof(double)) &&
           il_sparse_need(f, VECTOR, il_dense_rows(f->largest) + LINE, sizeof(double));
}

/* L y = x in one front: what its panel takes from the rows below is summed in v. */
static void forward(const il_sparse *f, const front *fr, double *x, double *v) {
    const int *index = ints(f, INDEX) + fr->first;
    int i = 0;
    for (; i < fr->w; i++) {
        v[i] = x[index[i]];
    }
    for (; i < fr->ld; i++) {
        v[i] = 0.0;
    }
    f->dense->forward(lines(f, PANELS) + fr->panel, (size_t)fr->ld, (size_t)fr->w, v);
    for (i = 0; i < fr->w; i++) {
        x[index[i]] = v[i];
    }
    for (; i < fr->f; i++) {
        x[index[i]] += v[i];
    }
}

/* L' x = y, from the last front to the first. */
static void backward(const il_sparse *f, double *x, double *v) {
    const front *fronts = f->memory[FRONTS].at;
    for (int s = f->fronts - 1; s >= 0; s--) {
        const front *fr = &fronts[s];
        const int *index = ints(f, INDEX) + fr->first;
        int i = 0;
        for (; i < fr->f; i++) {
            v[i] = x[index[i]];
        }
        for (; i < fr->ld; i++) {
            v[i] = 0.0;
        }
        f->dense->backward(lines(f, PANELS) + fr->panel, (size_t)fr->ld, (size_t)fr->w, v);
        for (i = 0; i < fr->w; i++) {
            x[index[i]] = v[i];
        }
    }
}

/* Coordinates that no row touches. */
static void divide_untouched(const il_sparse *f, double *x) {
    for (size_t k = 0; k < f->d; k++) {
        x[k] *= numbers(f, DIAGONAL)[k];
    }
}

il_status il_sparse_factor(il_sparse *f, const double *mass, const il_rows *rows,
                           const double *weight, double *x) {
    f->factorisations++;
    if (!prepare(f, rows)) {
        return IL_ENOMEM;
    }
    const front *fronts = f->memory[FRONTS].at;
    const entry *entries = f->memory[ENTRIES].at;
    double *all = lines(f, PANELS);
    int *waiting = ints(f, STACK);
    int depth = 0;
    for (size_t k = 0; k < f->d; k++) {
        numbers(f, DIAGONAL)[k] = ints(f, GROUP_OF)[k] < 0 ? 1.0 / mass[k] : 1.0;
    }
    divide_untouched(f, x);
    for (int s = 0; s < f->fronts; s++) {
        const front *fr = &fronts[s];
        open_front(f, fr, mass, all);
        entries = assemble(f, fr, rows, weight, all, entries);
        for (int c = 0; c < fr->children; c++) {
            extend(f, &fronts[waiting[--depth]], all);
        }
        waiting[depth++] = s;
        if (!f->dense->eliminate(all + fr->panel, (size_t)fr->ld, (size_t)fr->w,
                                 fr->rest > 0 ? all + fr->update : NULL, lines(f, PACKED))) {
            return IL_ENUMERIC;
        }
        forward(f, fr, x, lines(f, VECTOR)); /* while the panel is in the cache */
    }
    backward(f, x, lines(f, VECTOR));
    return IL_OK;
}

void il_sparse_solve(const il_sparse *f, double *x) {
    const front *fronts = f->memory[FRONTS].at;
    divide_untouched(f, x);
    for (int s = 0; s < f->fronts; s++) {
        forward(f, &fronts[s], x, lines(f, VECTOR));
    }
    backward(f, x, lines(f, VECTOR));
}
