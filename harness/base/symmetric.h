/*
 * symmetric.h - symmetric matrices of any magnitude brought to order one, for GSL's eigenvalues.
 *
 * GSL's iteration has no bound and ends where an off-diagonal entry is below the rounding of its
 * neighbours. Among denormal numbers that rounding is 0, and where squares overflow there are only
 * NaN: it then goes on for ever.
 */
#ifndef IL_SYMMETRIC_H
#define IL_SYMMETRIC_H

#include <gsl/gsl_matrix.h>
#include <stdbool.h>

/* The lower triangle of A times 2^-exponent, so that its largest modulus lies in [1/4, 1); exponent
 * is even, so that no digit of a Cholesky factor changes either, and 0 for A = 0. The upper
 * triangle is left alone. False, and A as it was, if the lower triangle is not finite. */
bool il_symmetric_level(gsl_matrix *A, int *exponent);

/* 0 for what is below 2^-200 in the lower triangle of A, whose largest modulus is of order one: no
 * eigenvalue changes by more than n 2^-200, which no double beside 1 shows, and no square that the
 * iteration forms is denormal. */
void il_symmetric_flush(gsl_matrix *A);

#endif
