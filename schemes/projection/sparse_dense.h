/*
 * sparse_dense.h - partial Cholesky elimination of one dense front.
 */
#ifndef IL_PROJECTION_SPARSE_DENSE_H
#define IL_PROJECTION_SPARSE_DENSE_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers of scratch for fronts of up to f columns. */
size_t il_dense_scratch(int f);

/* Eliminate the first w of f columns of the lower triangle a, f x f by columns, in place: the first
 * w columns become [L11; L21], the rest the Schur complement. What is above the diagonal is not
 * kept. False when a pivot is not positive. */
bool il_dense_eliminate(double *a, int f, int w, double *scratch);

#endif
