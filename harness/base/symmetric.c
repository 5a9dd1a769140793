/*
 * symmetric.c - A 2^-e, e even, max |A_ij| 2^-e in [1/4, 1); and entries that are nothing beside
 * it.
 */
#include "harness/base/symmetric.h"

#include <math.h>

bool il_symmetric_level(gsl_matrix *A, int *exponent) {
    double largest = 0.0;
    *exponent = 0;
    for (size_t i = 0; i < A->size1; i++) {
        for (size_t j = 0; j <= i; j++) {
            double x = fabs(gsl_matrix_get(A, i, j));
            if (!isfinite(x)) {
                return false;
            }
            largest = fmax(largest, x);
        }
    }
    (void)frexp(largest, exponent);
    *exponent += *exponent % 2 != 0;
    for (size_t i = 0; i < A->size1; i++) {
        for (size_t j = 0; j <= i; j++) {
            gsl_matrix_set(A, i, j, ldexp(gsl_matrix_get(A, i, j), -*exponent));
        }
    }
    return true;
}

void il_symmetric_flush(gsl_matrix *A) {
    for (size_t i = 0; i < A->size1; i++) {
        for (size_t j = 0; j <= i; j++) {
            if (fabs(gsl_matrix_get(A, i, j)) < 0x1p-200) {
                gsl_matrix_set(A, i, j, 0.0);
            }
        }
    }
}
