/*
 * order_trend.h - the order as a robust regression with allowances. Not for use outside
 * harness/study/order*.
 *
 *     log E = alpha + p (x - mean) + c exp(x - x_0) + f exp(-q (x - x_n)) + scatter,  x = log h
 *
 * x_0 is the coarsest step, x_n the finest. The third term is the next power of h, which bends
 * errors at coarse steps; the fourth is a floor, which bends them at fine steps: both to first
 * order, c and f being their sizes relative to the error at the coarsest and at the finest step.
 * Neither is known, so that c and f are drawn towards zero with the precisions 1/prior^2 of a
 * normal distribution: where the data tell them they have no influence; where the scatter hides
 * them, the interval of p is as much wider as they might have moved it.
 *
 * The scatter has Student's distribution with four degrees of freedom and a scale of each level:
 * runs that are exact by chance, or phases with heavy tails, count for little, and a level that
 * scatters more counts for less than the others.
 */
#ifndef IL_ORDER_TREND_H
#define IL_ORDER_TREND_H

#include <stdbool.h>
#include <stddef.h>

enum { IL_TREND_TERMS = 4, IL_TREND_LEVELS = 64 };

typedef struct {
    size_t n;
    const double *x, *y;  /* [n] log h, log E, the coarsest first */
    const size_t *level;  /* [n] octave of each, rising, below IL_TREND_LEVELS */
    double coarse, floor; /* standard deviations of c and f; 0: the term is left out */
    double guess;         /* a slope to start from, and q */
    double steepest;      /* the largest p of a curve with a floor; 0: 8 */
    double flattest;      /* the least; 0: 0.1 */
    double next;          /* of a curve with a floor: the next power is h^(p + next); 0: 1 */
    bool adds;            /* of such a curve: the next power makes no error smaller */
    double fold;          /* of such a curve: y is log E^fold; 0: 1 */
    double repeats;       /* what is known of il_trend.repeats; 0: nothing */
    const double *tail; /* [n] of such a curve: logarithms of the factors by which the floor itself
                             falls; NULL: it stands */
    double *room;       /* [IL_TREND_ROOM n] */
} il_trend_data;

enum { IL_TREND_ROOM = 8 };

typedef struct {
    double slope, error; /* p and its standard error, allowances included */
    double constant;     /* log E at x = 0 on the line alpha + p (x - mean) */
    double freedom;      /* degrees of freedom of the error */
    double repeats;      /* n runs tell as much as n/repeats that are independent */
    double scale;        /* of the scatter in log E */
    double mean;         /* of x */
    double theta[IL_TREND_TERMS];
    double bend[2]; /* the allowances at the coarse and the fine end, in standard errors */
    double level_scale[IL_TREND_LEVELS]; /* of each level that has runs */
} il_trend;

/* Needs three points with two different x at least; false without, or if the equations are
 * singular. */
bool il_trend_fit(const il_trend_data *data, il_trend *out);

/* Student's weight of a residual r at a scale, and what the scale is at least: logarithms of
 * errors carry rounding. */
double il_trend_weight(double r, double scale);

/* New scales from n residuals, as Student's likelihood has them from the old ones but for the
 * freedom that so many terms took: of all, and of each of IL_TREND_LEVELS levels, which is drawn
 * towards it. */
void il_trend_scales(size_t n, const double *r, const size_t *level, double taken, double *scale,
                     double *level_scale);

/* Errors that swing about the curve, as where they change their sign, are alike from run to run, or
 * from octave to octave: n runs tell as much as n/repeats that are independent. `repeats` is the
 * larger of what the correlation of neighbours and the variance between levels say, of what the
 * weights leave of the residuals of a curve of `taken` terms, but for a parabola; 1 where neither
 * is significant. work[n] may be the weights'. */
double il_trend_repetition(const il_trend_data *d, const double *residual,
                           const double *level_scale, double taken, double *work);

#define IL_TREND_SCALE_LEAST 1e-9

#endif
