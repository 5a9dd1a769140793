/*
 * order_math.h - the few functions that orders need and arithmetic does not have. Not for use
 * outside harness/study/order* and step_design.c.
 *
 * The elementary functions are those whose bits are the same on every machine. Quantiles are
 * algebra on il_order_log: no library of distributions.
 */
#ifndef IL_ORDER_MATH_H
#define IL_ORDER_MATH_H

#include <math.h>

#include "harness/base/elementary.h"

static inline double il_order_log(double x) {
    return il_log(x);
}

static inline double il_order_exp(double x) {
    return il_exp(x);
}

static inline double il_order_power(double x, double y) {
    return il_pow(x, y);
}

/* z with P(Z <= z) = p for a normal Z, 0 < p < 1 (Wichura 1988, PPND7; relative error 1e-7). */
double il_order_normal_quantile(double p);

/* The same for Student's t with freedom > 0, by Cornish and Fisher's expansion in 1/freedom
 * (Abramowitz & Stegun 26.7.5): within 0.3 % for freedom >= 3 and 0.005 <= p <= 0.995. Below three
 * degrees of freedom that of three is widened by 3/freedom: wider than Student's at these p. */
double il_order_t_quantile(double p, double freedom);

#endif
