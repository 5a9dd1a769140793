/*
 * order_lines.h - one line, two lines, and the median slope. Not for use outside
 * harness/study/order*.
 *
 * Points are (x, y) = (log h, log E), sorted from the coarsest step to the finest: x falls.
 * Everything here is dimensionless.
 */
#ifndef IL_ORDER_LINES_H
#define IL_ORDER_LINES_H

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
 * differ. Of points that repeat their neighbours n tell as much as n/repeats. */
typedef struct {
    double slope, low, high;
} il_sen;

il_sen il_line_sen(const double *x, const double *y, size_t n, double confidence, double repeats,
                   double *room);

/* That median alone, by selection. */
double il_line_sen_slope(const double *x, const double *y, size_t n, double *room);

/* Kendall's statistic of y against x over its standard deviation: normal where y does not depend on
 * x, whatever its distribution (Kendall 1938). y without ties. */
double il_line_kendall(const double *x, const double *y, size_t n);

#endif
