/*
 * worse.h - the worse of two numbers, NaN being the worst: extrema over a run keep a NaN. Also the
 * minimum and maximum of two numbers where NaN is checked elsewhere. Inline: every row of every
 * step calls them several times, and the C library's fmin and fmax are function calls.
 */
#ifndef IL_BASE_WORSE_H
#define IL_BASE_WORSE_H

#include <math.h>

/* Of numbers where larger is better. */
static inline double il_worse_low(double a, double b) {
    return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
}

/* Of numbers where smaller is better. */
static inline double il_worse_high(double a, double b) {
    return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
}

/* fmin(a, b) and fmax(a, b) where b is no NaN: b where a is NaN, or both are zero. */
static inline double il_lesser(double a, double b) {
    return a < b ? a : b;
}

static inline double il_greater(double a, double b) {
    return a > b ? a : b;
}

#endif
