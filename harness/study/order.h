/*
 * order.h - the order p at which errors E = C h^p fall with h, with its uncertainty, and what it
 * says of a claim.
 *
 * Least squares of log E against log h over all runs of a study, Student's interval for the slope,
 * the estimate of Theil and Sen beside it. Before the fit the data must show that they are of one
 * power law:
 *
 *   1. errors that are NaN, negative or infinite are a failed study, zeros are no power law;
 *   2. runs that tend to different limits, or that fall at two rates at the same steps, have no
 *      order (il_line_split);
 *   3. a plateau at the fine end is cut off, and its cause named where the size of the errors tells
 *      it: rounding, the projector's tolerance, the error of the reference; else nothing but a lack
 *      of convergence explains it;
 *   4. coarse levels are dropped while the line misses the means of the levels (il_line_lack).
 *
 * A level is an octave of h, counted from the coarsest run. The step counts of a study are jittered
 * (lab.levels): on nested dyadic grids the phase of an impact in its step repeats, the slope is
 * biased and the interval lies.
 */
#ifndef IL_ORDER_H
#define IL_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "schemes/scheme.h"

typedef enum { IL_ORDER_PASS, IL_ORDER_FAIL, IL_ORDER_INCONCLUSIVE, IL_ORDER_REPORTED } il_verdict;

/* Why errors stop falling. */
typedef enum {
    IL_PLATEAU_NONE,
    IL_PLATEAU_ROUNDING,
    IL_PLATEAU_TOLERANCE,
    IL_PLATEAU_REFERENCE,
    IL_PLATEAU_UNEXPLAINED
} il_plateau;

typedef enum { IL_LEVEL_USED, IL_LEVEL_COARSE, IL_LEVEL_PLATEAU } il_level_fate;

typedef struct {
    double h; /* geometric mean of its steps */
    size_t n; /* runs */
    il_level_fate fate;
    double p; /* of the test that dropped it; NaN if it was used */
} il_order_level;

enum { IL_ORDER_LEVELS_MAX = 64 };

typedef struct {
    size_t n;
    const double *h;     /* [n] step sizes > 0, in any order, with any ratio */
    const double *error; /* [n] */
    const size_t *limit; /* [n] which solution each error is a distance to, by number; NULL: one */
    /* Errors up to these may have other causes than the step; 0: that cause is excluded. */
    double rounding, tolerance, reference;
} il_order_data;

typedef struct {
    size_t runs, n;      /* given, used */
    double slope;        /* observed order; NaN: none is reported */
    double low, high;    /* Student's interval */
    double confidence;   /* of both intervals, such as 0.95 */
    double constant;     /* E = constant h^slope */
    double h_max, h_min; /* steps of the runs used */
    double spread;       /* residual standard deviation of log10 E: the scatter of the phase */
    double sen;          /* the median slope of all pairs; NaN above 2000 runs */
    double sen_low, sen_high;
    double fit_p;  /* lack of fit of what is used; NaN: not enough runs to test */
    double drift;  /* where lack of fit remains, by how much the slope at the finest step
                      differs: the interval is that much wider; else 0 */
    size_t levels; /* octaves that have runs */
    il_order_level level[IL_ORDER_LEVELS_MAX]; /* [levels], the coarsest first */
    double plateau;                            /* height of the plateau, NaN without one */
    il_plateau cause;
    bool several_limits; /* else two rates, if no slope is reported for that */
    double at_floor;     /* share of runs whose errors are rounding: above 1/2 no order */
    il_verdict verdict;
    char reason[320]; /* why, in words */
} il_order;

/* Fit, and judge by claim (NULL: none). Verdicts:
 *
 *   PASS          bound: low >= p - 0.1; sharp: the interval within p +- 0.1; convergence without a
 *                 rate: low >= 0.1; and low > 0 always
 *   FAIL          the interval excludes the claim; errors NaN, infinite, negative or rising;
 *                 a plateau that nothing explains; with a claimed order also several limits
 *   INCONCLUSIVE  the interval decides nothing; fewer than four runs or three steps; several
 * limits; zeros, errors at rounding level, a plateau that leaves fewer than three levels REPORTED
 * an order without a claim
 *
 * A tenth of an order is what a study of a few octaves can tell: the interval of a scheme of order
 * p reaches below p as often as above. IL_ENOMEM, IL_EINVAL for a step that is not > 0 or a
 * confidence outside (0, 1). */
il_status il_order_fit(const il_order_data *data, double confidence, const il_claim *claim,
                       il_order *out, il_error *err);

const char *il_verdict_name(il_verdict verdict);

/* "rounding", "projector tolerance", "reference", "no convergence"; "none". */
const char *il_plateau_name(il_plateau cause);

#endif
