/*
 * order_curve.h - curves for errors against steps, and the distance of errors from them.
 *
 *     line    mu = b Y^p                               Y = h/h_min >= 1
 *     bent    mu = b Y^p (1 - v + v Y^r)^(+-1)         r = 1/2, 1, 3/2, 2
 *     floor   mu = b (1 - v + v Y^r)                   0.1 <= r <= 8
 *
 * b is the value at the finest step, and p the order for h -> 0. The share v of the other power is
 * that at the finest step, 1/2 at most; in the inverse, whose local slopes rise towards the fine
 * end, r v is at most 1/4. The share of a floor in the finest error is q = 1 - v < 1, of either
 * sign.
 *
 * The distance is the deviance of quasi-likelihood with variance proportional to the square of the
 * mean (McCullagh & Nelder 1989, Generalized linear models, ch. 9):
 *
 *     D = 2 sum (e - mu)/mu - ln(e/mu)
 *
 * Its minimum estimates the mean over the phases of impacts in their steps, without the logarithm
 * of a single error: for one that is 0, given as IL_CURVE_ZERO, ln mu counts. For given v and r a
 * line or a bent curve is log-linear: D is convex in p, and b is exact. Everything here is
 * dimensionless.
 */
#ifndef IL_ORDER_CURVE_H
#define IL_ORDER_CURVE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double b, p, v, r; /* of a floor p is 0 */
    bool inverse, floor;
    double deviance; /* D of the data that it was fitted to */
} il_curve;

/* n runs; x[n] = ln(h/h_min) >= 0, ascending; e[n] > 0 errors; room[3 n]. */
typedef struct {
    size_t n;
    const double *x, *e;
    double *room;
} il_curve_data;

/* Stands for an error of 0. */
#define IL_CURVE_ZERO 1e-150

/* mu at Y = h/h_min. */
double il_curve_at(const il_curve *curve, double Y);

/* rho[n] = e/mu - 1; returns the sum of their squares, Pearson's statistic. */
double il_curve_residuals(const il_curve_data *data, const il_curve *curve, double *rho);

/* The best line with p >= least. */
il_curve il_curve_line(const il_curve_data *data, double least);

enum { IL_CURVE_MINIMA = 49 };

/* The best line, and all minima over p >= least and v of bent curves: the best first. Returns
 * their number. */
size_t il_curve_bent(const il_curve_data *data, double least, il_curve found[IL_CURVE_MINIMA]);

/* The best of lines and bent curves of a given order p. */
il_curve il_curve_through(const il_curve_data *data, double p);

/* The best floor, or with Y^p in place of the constant; and the best one whose share is q. */
il_curve il_curve_floor(const il_curve_data *data, double p);
il_curve il_curve_floor_of(const il_curve_data *data, double q);

#endif
