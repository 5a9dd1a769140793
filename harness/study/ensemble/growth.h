/*
 * growth.h - how fast runs from almost the same data part, and when their digits are gone.
 *
 * delta(t) is the distance of two runs over the size of the state. log delta = a + lambda t is
 * fitted by least squares where delta grows freely: from four times where it began to a tenth of
 * the most that it comes to. A rise of which one interval makes more than half (of the logarithm)
 * is a jump and no growth: the runs meet a discontinuity there. lambda is a finite-time Lyapunov
 * exponent of the scheme's own map.
 */
#ifndef IL_GROWTH_H
#define IL_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

/* Digits that may be left, at which times are told. */
enum { IL_DIGITS = 4 };
extern const int il_digits_left[IL_DIGITS]; /* 12, 8, 4, 2 */

typedef struct {
    double rate;     /* lambda, per unit of time; NaN where it does not grow enough to tell */
    double from, to; /* the times that were fitted; NaN */
    double rise;     /* delta(to)/delta(from) */
    double jump;     /* where it jumps; NaN */
    double left;     /* decimal digits that the runs have in common when they are farthest
                        apart: -log10 max delta, from 0 to 16 */
    double time[IL_DIGITS]; /* first t with delta > 10^-il_digits_left[k]; NaN: never */
} il_growth;

/* t[n] increasing, delta[n] >= 0. A rate asks for five times at least, and for a rise of a thousand
 * times at least: three digits, more than a sum of contacts does. */
il_growth il_growth_of(const double *t, const double *delta, size_t n);

#endif
