/*
 * vector.h - sums over vectors, in the order of the entries, so that they have the same bits
 * everywhere; and a comparison of numbers for qsort.
 */
#ifndef IL_BASE_VECTOR_H
#define IL_BASE_VECTOR_H

#include <math.h>
#include <stddef.h>

/* <a, b>. */
static inline double il_dot(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* |a|_2. */
static inline double il_length(const double *a, size_t n) {
    return sqrt(il_dot(a, a, n));
}

/* |a - b|_2. */
static inline double il_apart(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    return sqrt(sum);
}

/* max |a_k|; passes over NaN. */
static inline double il_largest(const double *a, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(a[k]));
    }
    return most;
}

/* For qsort of doubles without NaN. */
static inline int il_ascending(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
