/*
 * metric.h - the mass matrix M and the norm |a|_M = sqrt(a' M a) that it defines.
 *
 * M is symmetric positive definite, d x d. Diagonal matrices are stored as their diagonal, others
 * as M with its Cholesky factor M = L L'. Units: those of mass. The creator destroys.
 */
#ifndef IL_BASE_METRIC_H
#define IL_BASE_METRIC_H

#include <gsl/gsl_matrix.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct il_metric il_metric;

/* M = diag(mass), mass[d] copied. IL_EINVAL for a mass outside 1e-100 to 1e100. */
il_status il_metric_diagonal(il_metric **out, size_t d, const double *mass, il_error *err);

/* M dense, row-major d x d, copied. IL_EINVAL when it is not symmetric (to 1e-14 of its largest
 * entry) or not positive definite. */
il_status il_metric_dense(il_metric **out, size_t d, const double *matrix, il_error *err);

void il_metric_destroy(il_metric *metric);

size_t il_metric_size(const il_metric *metric);

/* The diagonal [d] if M is diagonal, else NULL. Owned by metric. */
const double *il_metric_masses(const il_metric *metric);

/* The smallest eigenvalue of M (Maury's alpha). */
double il_metric_smallest(const il_metric *metric);

/* y = M x; x and y distinct. */
void il_metric_mul(const il_metric *metric, const double *x, double *y);

/* y = M^{-1} x; x and y may be the same. No allocation. */
void il_metric_solve(const il_metric *metric, const double *x, double *y);

/* y = L^{-1} x and y = L^{-T} x with M = L L'; x and y may be the same. For diagonal M, L is the
 * square root. */
void il_metric_whiten(const il_metric *metric, const double *x, double *y);
void il_metric_unwhiten(const il_metric *metric, const double *x, double *y);

/* x' M y. */
double il_metric_inner(const il_metric *metric, const double *x, const double *y);

/* ---- symmetric matrices of any magnitude, brought to order one for GSL's eigenvalues ------------
 *
 * GSL's iteration has no bound and ends where an off-diagonal entry is below the rounding of its
 * neighbours. Among denormal numbers that rounding is 0, and where squares overflow there are only
 * NaN: it then goes on for ever. */

/* The lower triangle of A times 2^-exponent, so that its largest modulus lies in [1/4, 1); exponent
 * is even, so that no digit of a Cholesky factor changes either, and 0 for A = 0. The upper
 * triangle is left alone. False, and A as it was, if the lower triangle is not finite. */
bool il_symmetric_level(gsl_matrix *A, int *exponent);

/* 0 for what is below 2^-200 in the lower triangle of A, whose largest modulus is of order one: no
 * eigenvalue changes by more than n 2^-200, which no double beside 1 shows, and no square that the
 * iteration forms is denormal. */
void il_symmetric_flush(gsl_matrix *A);

#endif
