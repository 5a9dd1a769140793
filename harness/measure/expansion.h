/*
 * expansion.h - over a short time, mostly of many steps, a smooth reference is a polynomial to
 * rounding, which costs far less to evaluate:
 *
 *     q(t) = sum_k c_k T_k(x),   x = (t - middle)/half,   k = 0, ..., 8,
 *
 * through its values at the Chebyshev points x = cos(j pi/8); u likewise, from its own values.
 */
#ifndef IL_EXPANSION_H
#define IL_EXPANSION_H

#include <stdbool.h>
#include <stddef.h>

#include "problems/problem.h"

enum { IL_EXPANSION_DEGREE = 8, IL_EXPANSION_SIZE = 2 * (IL_EXPANSION_DEGREE + 1) + 3 };

typedef struct {
    size_t d;
    double middle, half; /* of the interval */
    double *q, *u;       /* [d][IL_EXPANSION_DEGREE + 1] coefficients */
    double *work;        /* [3][d] */
} il_expansion;

/* An expansion in room, of IL_EXPANSION_SIZE x d numbers, the caller's. */
il_expansion il_expansion_in(double *room, size_t d);

/* Expand the reference over [a,b], which has no break inside. False if the polynomial is not the
 * reference to rounding, at two times between the points, where it should differ most. */
bool il_expansion_make(il_expansion *w, const il_exact *reference, double a, double b);

/* The sum of a series, w->q or w->u, at t into f[d]. */
void il_expansion_sum(const il_expansion *w, const double *series, double t, double *f);

#endif
