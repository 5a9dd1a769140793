/*
 * independent.c - L y = products, pivot = square - |y|^2.
 */
#include "schemes/stepping/independent.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

static const double INDEPENDENT = 1e-13;

double *il_independent_room(il_independent *w) {
    if (w->n >= w->room) {
        size_t room = 2 * (w->n + 1);
        il_memory_grow(&w->factor, room * (room + 1) / 2, sizeof *w->factor);
        w->room = room;
    }
    return w->factor + w->n * (w->n + 1) / 2;
}

bool il_independent_add(il_independent *w, double square) {
    double *y = w->factor + w->n * (w->n + 1) / 2;
    double pivot = square;
    for (size_t j = 0; j < w->n; j++) {
        const double *L = w->factor + j * (j + 1) / 2;
        for (size_t k = 0; k < j; k++) {
            y[j] -= L[k] * y[k];
        }
        y[j] /= L[j];
        pivot -= y[j] * y[j];
    }
    if (!(pivot > INDEPENDENT * square)) {
        return false;
    }
    y[w->n++] = sqrt(pivot);
    return true;
}

void il_independent_free(il_independent *w) {
    free(w->factor);
}
