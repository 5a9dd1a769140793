/*
 * worse.h - the worse of two numbers, of which NaN is the worst: what a run found at its worst is
 * kept so. And the lesser and the greater of two where NaN is somebody else's to find. Inline:
 * every row of every step asks several times, and the C library's fmin and fmax are calls.
 */
#ifndef IL_BASE_WORSE_H
#define IL_BASE_WORSE_H

#include <math.h>

/* Of numbers that had better be high. */
static inline double il_worse_low(double a, double b) {
    return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
}

/* Of numbers that had better be low. */
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
