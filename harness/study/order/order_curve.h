/*
 * order_curve.h - a curve for errors against steps, and the distance of errors from it.
 *
 *     mu(x) = a + b x^p ((1 - v) + v x^r),   x = h/H <= 1, H the coarsest step, r = 1/2 or 1
 *
 * A power has a = v = 0; a next power has the fraction v of the whole at the coarsest step; a floor
 * has a > 0. The distance is the deviance of quasi-likelihood with variance proportional to the
 * square of the mean (McCullagh & Nelder 1989, Generalized linear models, ch. 9):
 *
 *     D = 2 sum (e - mu)/mu - ln(e/mu)
 *
 * Its minimum estimates the mean over the phases of impacts in their steps, without the logarithm
 * of a single error, so errors that are zero or small by chance need no special treatment. For
 * given a = 0 and v it is convex in (ln b, p). Everything here is dimensionless.
 */
#ifndef IL_ORDER_CURVE_H
#define IL_ORDER_CURVE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double a, b, p, v;
    bool half;       /* r = 1/2, else 1 */
    double deviance; /* D of the data that it was fitted to */
} il_curve;

/* n runs; whole[n] = h/H, x[n] = ln(h/H), root[n] = (h/H)^(1/2), e[n] >= 0 errors; power[n] is room
 * for il_curve_through. */
typedef struct {
    size_t n;
    const double *x, *root, *whole, *e;
    double *power;
} il_curve_data;

/* mu at h/H. */
double il_curve_at(const il_curve *curve, double whole);

/* sum of ((e - mu)/mu)^2, Pearson's statistic. */
double il_curve_pearson(const il_curve_data *data, const il_curve *curve);

/* Fit b of a curve whose other parameters are given. */
void il_curve_fit_scale(const il_curve_data *data, il_curve *curve);

/* The best b and v, of both r, for a given p and a = 0. */
il_curve il_curve_through(const il_curve_data *data, double p);

/* The best power, v = 0, with p >= least and a = 0. */
il_curve il_curve_power(const il_curve_data *data, double least);

enum { IL_CURVE_MINIMA = 42 };

/* All minima over b, p >= least and v, of both r, with a = 0: the best first. Returns their number,
 * at least 2. */
size_t il_curve_next(const il_curve_data *data, double least, il_curve found[IL_CURVE_MINIMA]);

/* The best floor a >= 0 with a power p >= least beside it. */
il_curve il_curve_floor(const il_curve_data *data, double least);

/* The best curve above a given floor a: a power, or one with a next power (r = 1) of half or the
 * largest share. */
il_curve il_curve_above(const il_curve_data *data, double least, double a);

#endif
