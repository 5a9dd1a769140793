/*
 * turning.c - how far gradients of the same constraints turn between places.
 */
#include "harness/outside/turning.h"

#include <math.h>

double il_rows_turning(const il_rows *rows, size_t p) {
    double most = 0.0;
    for (size_t i = p; i < rows->p; i++) {
        size_t a = rows->start[i % p];
        size_t b = rows->start[i];
        double norm = 0.0;
        double apart = 0.0;
        for (; a < rows->start[i % p + 1] && b < rows->start[i + 1]; a++, b++) {
            double other = rows->col[a] == rows->col[b] ? rows->coef[b] : INFINITY;
            norm += rows->coef[a] * rows->coef[a];
            apart += (rows->coef[a] - other) * (rows->coef[a] - other);
        }
        most = fmax(most, norm > 0.0 ? sqrt(apart / norm) : 0.0);
    }
    return fmin(most, 1.0);
}
