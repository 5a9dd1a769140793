/*
 * order.h - the order at which errors fall with h, with its uncertainty.
 *
 * Least squares of log E against log h over all runs of a sweep; the slope's confidence interval
 * from Student's t with n - 2 degrees of freedom. The step counts of a sweep are jittered
 * (lab.levels): on nested dyadic grids the phase of an impact in its step biases the slope and the
 * interval lies.
 */
#ifndef IL_ORDER_H
#define IL_ORDER_H

#include <stddef.h>

#include "harness/base/status.h"

typedef enum { IL_ORDER_PASS, IL_ORDER_FAIL, IL_ORDER_INCONCLUSIVE, IL_ORDER_REPORTED } il_verdict;

typedef struct {
    size_t n;         /* points used */
    double slope;     /* observed order */
    double low, high; /* its confidence interval */
    double level;     /* confidence, such as 0.95 */
    double constant;  /* E = constant h^slope */
    double spread;    /* residual standard deviation of log10 E: the scatter of the phase */
    double at_floor;  /* share of points within a decade of rounding: above 1/2 no order */
    il_verdict verdict;
    char reason[256]; /* why, in words */
} il_order;

/* Fit errors[n] against steps[n] (sizes h > 0; any order, any ratio). claimed is the order to judge
 * by, NaN for none (verdict REPORTED unless the study failed). A NaN, zero, infinite or negative
 * error, fewer than 4 points, fewer than 3 different h, or errors that do not fall (interval that
 * reaches 0 or below) never pass: FAIL where errors are NaN or rise, INCONCLUSIVE else. scale is
 * the size of the solution, for the rounding floor (errors below 1e-13 scale). PASS: the whole
 * interval is at least claimed - 0.1 for a bound (sharp = 0), or contains claimed within 0.1 (sharp
 * = 1). */
il_order il_order_fit(const double *h, const double *errors, size_t n, double level, double claimed,
                      int sharp, double scale);

const char *il_verdict_name(il_verdict verdict);

#endif
