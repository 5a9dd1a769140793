/*
 * sum.h - compensated summation (Neumaier 1974): the error of a sum of n terms is one rounding plus
 * O(n eps^2), so a measured drift is the scheme's and not the summation's.
 */
#ifndef IL_BASE_SUM_H
#define IL_BASE_SUM_H

#include <math.h>

typedef struct {
    double sum, carry;
} il_sum;

static inline void il_sum_add(il_sum *s, double x) {
    double t = s->sum + x;
    s->carry += fabs(s->sum) >= fabs(x) ? (s->sum - t) + x : (x - t) + s->sum;
    s->sum = t;
}

static inline double il_sum_value(const il_sum *s) {
    return s->sum + s->carry;
}

#endif
