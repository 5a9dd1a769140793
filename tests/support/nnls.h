/*
 * nnls.h - non-negative least squares and least distance programming for tests, Lawson & Hanson, Solving
 * Least Squares Problems, 1974, chapter 23. Nothing of the program's own has a part in it.
 */
#ifndef IL_TESTS_NNLS_H
#define IL_TESTS_NNLS_H

#include <stdbool.h>
#include <stddef.h>

/* The distance of b[m] to the cone of the n columns of a, a column after the other; NaN on a
 * breakdown. */
double il_nnls_cone_distance(size_t m, size_t n, const double *a, const double *b);

/* LDP: the shortest y[m] with <g_j, y> >= h_j for the n rows g_j of g[n][m]. False if there is none. */
bool il_nnls_least_distance(size_t m, size_t n, const double *g, const double *h, double *y);

#endif
