/*
 * order.c - log E = log C + p log h by least squares, with Student's interval for p.
 */
#include "harness/order.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Errors this small, relative to the solution, are rounding and not the scheme's. */
static const double FLOOR = 1e-13;

/* An observed order is compared with a claimed one to this: a tenth of an order is what a study of
 * a few octaves can tell. */
static const double MARGIN = 0.1;

enum { LEAST_POINTS = 4 };

const char *il_verdict_name(il_verdict verdict) {
    static const char *const names[] = {"PASS", "FAIL", "INCONCLUSIVE", "REPORTED"};
    return (unsigned)verdict < sizeof names / sizeof names[0] ? names[verdict] : "UNKNOWN";
}

static il_order give_up(il_order o, il_verdict verdict, const char *reason) {
    o.verdict = verdict;
    (void)snprintf(o.reason, sizeof o.reason, "%s", reason);
    return o;
}

/* How many different step sizes there are, counted to a relative 1e-12. */
static size_t distinct(const double *h, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++) {
            seen = fabs(h[i] - h[j]) <= 1e-12 * h[j];
        }
        count += !seen;
    }
    return count;
}

/* Is the study fit for a slope at all? */
static bool usable(il_order *o, const double *h, const double *errors, size_t n, double scale) {
    size_t floor_count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(errors[i]) || errors[i] < 0.0) {
            *o = give_up(*o, IL_ORDER_FAIL, "an error is not finite: a run failed or blew up");
            return false;
        }
        floor_count += errors[i] <= 10.0 * FLOOR * scale;
    }
    o->at_floor = n > 0 ? (double)floor_count / (double)n : 0.0;
    if (n < LEAST_POINTS || distinct(h, n) < 3) {
        *o = give_up(*o, IL_ORDER_INCONCLUSIVE,
                     "too few runs: an order needs four, with three different steps");
        return false;
    }
    if (2 * floor_count > n) {
        *o = give_up(*o, IL_ORDER_INCONCLUSIVE,
                     "most errors are at rounding level: the scheme is exact here, or nearly");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (errors[i] == 0.0) {
            *o = give_up(*o, IL_ORDER_INCONCLUSIVE, "some errors are exactly zero: no power law");
            return false;
        }
    }
    return true;
}

/* The regression; false if memory ran out. */
static bool fit(il_order *o, const double *h, const double *errors, size_t n) {
    double *x = malloc(2 * n * sizeof *x);
    if (x == NULL) {
        return false;
    }
    double *y = x + n;
    for (size_t i = 0; i < n; i++) {
        x[i] = log(h[i]);
        y[i] = log(errors[i]);
    }
    double c0 = 0.0;
    double c1 = 0.0;
    double v00 = 0.0;
    double v01 = 0.0;
    double v11 = 0.0;
    double rss = 0.0;
    (void)gsl_fit_linear(x, 1, y, 1, n, &c0, &c1, &v00, &v01, &v11, &rss);
    free(x);
    double freedom = (double)n - 2.0;
    double half = gsl_cdf_tdist_Pinv(0.5 + 0.5 * o->level, freedom) * sqrt(v11);
    o->slope = c1;
    o->low = c1 - half;
    o->high = c1 + half;
    o->constant = exp(c0);
    o->spread = sqrt(rss / freedom) / log(10.0);
    return isfinite(o->slope) && isfinite(half);
}

static il_order judge(il_order o, double claimed, int sharp) {
    if (o.low <= 0.0) {
        return o.slope <= 0.0
                   ? give_up(o, IL_ORDER_FAIL, "the errors do not fall with the step")
                   : give_up(o, IL_ORDER_INCONCLUSIVE,
                             "the interval of the order reaches zero: convergence is not shown");
    }
    if (isnan(claimed)) {
        return give_up(o, IL_ORDER_REPORTED, "the errors fall; no order is claimed");
    }
    if (sharp != 0) {
        bool inside = o.low >= claimed - MARGIN && o.high <= claimed + MARGIN;
        bool outside = o.high < claimed - MARGIN || o.low > claimed + MARGIN;
        return inside    ? give_up(o, IL_ORDER_PASS, "the interval agrees with the claimed order")
               : outside ? give_up(o, IL_ORDER_FAIL, "the interval excludes the claimed order")
                         : give_up(o, IL_ORDER_INCONCLUSIVE, "the interval is too wide to decide");
    }
    return o.low >= claimed - MARGIN ? give_up(o, IL_ORDER_PASS, "at least the claimed order")
           : o.high < claimed - MARGIN
               ? give_up(o, IL_ORDER_FAIL, "below the claimed order")
               : give_up(o, IL_ORDER_INCONCLUSIVE, "the interval is too wide to decide");
}

il_order il_order_fit(const double *h, const double *errors, size_t n, double level, double claimed,
                      int sharp, double scale) {
    il_order o = {.n = n,
                  .slope = NAN,
                  .low = NAN,
                  .high = NAN,
                  .level = level,
                  .constant = NAN,
                  .spread = NAN};
    if (!usable(&o, h, errors, n, scale)) {
        return o;
    }
    if (!fit(&o, h, errors, n)) {
        return give_up(o, IL_ORDER_INCONCLUSIVE, "the regression could not be computed");
    }
    return judge(o, claimed, sharp);
}
