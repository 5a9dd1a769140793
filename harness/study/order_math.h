/*
 * order_math.h - the few functions that orders need and arithmetic does not have. Not for use
 * outside harness/study/order* and step_design.c.
 *
 * Whatever an order calls of the mathematical library stands here, so that it can be exchanged in
 * one place. Quantiles are algebra on il_order_log: no library of distributions.
 */
#ifndef IL_ORDER_MATH_H
#define IL_ORDER_MATH_H

#include <math.h>

static inline double il_order_log(double x) {
    return log(x);
}

static inline double il_order_exp(double x) {
    return exp(x);
}

static inline double il_order_power(double x, double y) {
    return pow(x, y);
}

/* z with P(Z <= z) = p for a normal Z, 0 < p < 1 (Wichura 1988, PPND7; relative error 1e-7). */
double il_order_normal_quantile(double p);

/* The same for Student's t with freedom > 0, by Cornish and Fisher's expansion in 1/freedom
 * (Abramowitz & Stegun 26.7.5): within 0.3 % for freedom >= 3 and 0.005 <= p <= 0.995. Below three
 * degrees of freedom that of three is widened by 3/freedom: wider than Student's at these p. */
double il_order_t_quantile(double p, double freedom);

#endif
