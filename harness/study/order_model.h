/*
 * order_model.h - the regressions behind an observed order. Not for use outside
 * harness/study/order*.
 *
 * Points are (x, y) = (log h, log E), sorted from the coarsest step to the finest: x falls.
 * Everything here is dimensionless.
 */
#ifndef IL_ORDER_MODEL_H
#define IL_ORDER_MODEL_H

#include <stdbool.h>
#include <stddef.h>

/* y = constant + slope x by least squares over n points. */
typedef struct {
    size_t n;
    double slope, constant;
    double mean;     /* of x */
    double sxx, rss; /* sum (x - mean)^2, sum of squared residuals */
} il_line;

il_line il_line_fit(const double *x, const double *y, size_t n);

/* Half the width of Student's interval at a two-sided confidence, for a parameter whose variance
 * is `variance` times that of the noise; rss over `freedom` estimates the noise. */
double il_line_half(double rss, double freedom, double variance, double confidence);

/* Does the line miss the means of the levels? Nested F test of one line against parallel lines, one
 * a level:
 *
 *     F = (RSS_line - RSS_levels)/(L - 1) / (RSS_levels/(n - L - 1)),
 *
 * where what scatters inside the levels is the pure error. Where the levels do not repeat the test
 * is that of a quadratic term. level[n] numbers the points' levels, equal numbers side by side. */
typedef struct {
    double p;      /* that chance misses them so; NaN where too few points are there for any test */
    double missed; /* by how much: root mean square, in y */
} il_lack;

il_lack il_line_lack(const double *x, const double *y, const size_t *level, size_t n);

/* How much the slope at the last (finest) point differs from the line's: the quadratic term's. */
double il_line_drift(const double *x, const double *y, size_t n);

/* The broken line y = c + p x + d min(x - b, 0): slope p at coarse steps, p + d at fine ones. */
typedef struct {
    double at, rss;      /* b, sum of squared residuals */
    double coarse, fine; /* slopes */
    double fine_half;    /* of the 95 % interval of the fine slope */
    double p;            /* that d is there by chance, times the number of b tried */
} il_bend;

/* The best b with at least two points on either side; p is NaN where there is none. work[n]. */
il_bend il_line_bend(const double *x, const double *y, size_t n, double *work);

/* Two branches, found by assigning each point to the nearer of two lines until nothing changes. */
typedef struct {
    bool two;            /* see il_line_split */
    size_t upper_n;      /* points on the upper branch */
    double upper, lower; /* slopes; the upper branch is the one with the larger y at the finest x */
} il_split;

/* Are there two limits? Two lines must explain nine tenths of what one line leaves; they must stand
 * apart at the finest step by six times their scatter and a factor of two in E; runs must change
 * from one to the other at least four times; and the upper must fall less than half as fast: some
 * runs stay away from what the others tend to. branch[n] is work. */
il_split il_line_split(const double *x, const double *y, size_t n, bool *branch);

/* Theil and Sen: the median of the slopes of all pairs with different x, and the interval of
 * Kendall's statistic at a two-sided confidence (Sen 1968). room[n (n - 1)/2]. NaN where no two x
 * differ. */
typedef struct {
    double slope, low, high;
} il_sen;

il_sen il_line_sen(const double *x, const double *y, size_t n, double confidence, double *room);

#endif
