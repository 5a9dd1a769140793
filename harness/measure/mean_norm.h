/*
 * mean_norm.h - the mean norm along a straight line from a to b, int_0^1 |a + s (b - a)| ds, in
 * closed form and to rounding.
 */
#ifndef IL_MEASURE_MEAN_NORM_H
#define IL_MEASURE_MEAN_NORM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { IL_MEAN_GAUSS = 16 };

typedef struct {
    double weight[IL_MEAN_GAUSS];  /* Gauss's rule on [0,1] */
    double here[3][IL_MEAN_GAUSS]; /* at its points s: (1-s)^2, 2 (1-s) s, s^2 */
} il_mean_norm_rule;

void il_mean_norm_make(il_mean_norm_rule *rule);

/* The mean norm of vectors a[d] and b[d] with aa = <a,a>, ab = <a,b>, bb = <b,b>. */
double il_mean_norm(const il_mean_norm_rule *rule, size_t d, const double *a, const double *b,
                    double aa, double ab, double bb);

/* That of numbers: a trapezium, or two triangles where the sign changes. */
static inline double il_mean_size(double a, double b) {
    bool one_sign = (a >= 0.0 && b >= 0.0) || (a <= 0.0 && b <= 0.0);
    return 0.5 * (one_sign ? fabs(a + b) : (a * a + b * b) / fabs(b - a));
}

#endif
