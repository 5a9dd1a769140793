/*
 * vector.h - what both the residual and its least squares need of vectors.
 */
#ifndef IL_TESTS_VECTOR_H
#define IL_TESTS_VECTOR_H

#include <math.h>
#include <stddef.h>

/* max that keeps a NaN. */
static inline double il_vector_worse(double a, double b) {
    return b > a || isnan(b) ? b : a;
}

static inline double il_vector_dot(size_t n, const double *a, const double *b) {
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

static inline double il_vector_norm(size_t n, const double *a) {
    return sqrt(il_vector_dot(n, a, a));
}

#endif
