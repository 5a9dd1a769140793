/*
 * order_floor.h - e(h) = a + b h^p: how high is the floor a? Not for use outside
 * harness/study/order*.
 *
 * Robust maximum likelihood of log e = log(a + b h^p) + scatter, and the interval of all a that the
 * likelihood does not reject, b and p being fitted anew for each (profile likelihood). The scatter
 * is that of order_trend.h: Student's, with a scale of each level. b > 0 and 0.1 <= p <= 8, or the
 * data's `flattest` and `steepest`.
 */
#ifndef IL_ORDER_FLOOR_H
#define IL_ORDER_FLOOR_H

#include "harness/study/order/order_trend.h"

typedef struct {
    double floor, low, high; /* a, in the units of the errors */
    double below;            /* the largest A of e = b h^p - A that fits as well as none, nearly */
    double part_high;        /* a/(a + b h^p) at the finest step, of the curve that has a = high */
    double order;            /* p */
    double finest;           /* a + b h^p at the finest step */
    double misfit;           /* scale of the scatter in log e */
    double likelihood;       /* its logarithm, but for a constant of n */
    double without;          /* that of the curve without a floor */
} il_floor;

enum { IL_FLOOR_ROOM = 5 };

/* data as for il_trend_fit, floor unused, room [IL_FLOOR_ROOM n]; a one-sided confidence for either
 * bound, such as 0.99. With coarse > 0 a next power stands beside the floor, drawn towards none as
 * in order_trend.h: b h^p (1 + c h^next). False with fewer than four points, or where nothing can
 * be fitted. */
bool il_floor_fit(const il_trend_data *data, double confidence, il_floor *out);

/* The part that falls over the floor at x, x_n being the finest: b h^p/a. Infinite if a = 0. */
double il_floor_rise(const il_floor *f, double x, double finest_x);

/* Is a point of a curve with a floor, such as il_floor_fit's, far below the floor: by half, and by
 * so many times the median distance of the points that lie near it? data as for il_floor_fit.
 * Errors that change their sign dip so. */
bool il_floor_dips(const il_trend_data *data, const il_floor *f);

#endif
