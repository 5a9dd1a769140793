/*
 * order.h - the order p at which errors fall with the step h, with its uncertainty, and what it
 * says of a claim.
 *
 *     e(h) = a + b h^p,   scatter of log e by level
 *
 * The place of an impact within its step, its phase, scatters the errors. Phases are not random,
 * but on jittered steps (lab.levels) they look so. What is estimated is either the mean over the
 * phases, of log e, robustly: runs that are exact by chance count for little; or the worst phase:
 * the largest error of each level, an octave of h counted from the coarsest run.
 *
 *   1. errors that are NaN, negative or infinite are a failed study;
 *   2. runs at rounding, zeros and runs far below the line of the others are set aside and counted;
 *   3. runs that tend to different limits, or fall at two rates at the same steps, have no order
 *      (order_lines.h);
 *   4. a floor a that is not compatible with zero (order_floor.h) is cut off with the levels near
 *      it, and its cause named where its size tells it (order_cause.h); without a cause it is a
 *      floor only if no run dips far below it and the finest octaves stand as its curve does: an
 *      error that changes its sign dips, rises and falls again;
 *   5. coarse levels are dropped while they bend the line significantly;
 *   6. the order and its interval are those of a robust line with allowances for the next power of
 *      h and, upwards, for a floor that is too low to be seen (order_trend.h): it only flattens;
 *      the interval covers the
 *      estimates of Theil and Sen and of the finer half of the octaves alone, and the whole
 *      interval of the latter where it is the narrower one, where the scatter grows as h falls, and
 *      of both where runs are fewer than sixteen;
 *   7. what refutes a claim is such an interval at 99 %; and from above no next power may explain
 *      it: in e = h^p (b + c h^q) the claimed order p is refuted if b is surely none, which is to
 *      say that e/h^p falls to zero, by the test that convergence has to pass.
 *
 * The next power is taken for h^(p + 1). Of h^p + 4 h^(p + 1/2), whose slope over the finer half of
 * four octaves is within 0.1 of p, the interval covers p 35 to 41 times of 100; with 1/2 in the
 * place of 1 it does so 92 to 95 times, but is 0.09 in place of 0.06 wide to either side where one
 * power scatters by 10 %, and 0.60 in place of 0.17 in h + 100 h^2. So it is left at 1.
 *
 * Why the interval of one power with little scatter is covered more often than 95 times of 100: an
 * interval that is to hold for all floors up to a tenth of the finest errors cannot be as short as
 * if there were none where there is none (Low 1997, Ann. Statist. 25, 2547: no interval adapts to
 * what it cannot see). Least squares of the power alone has a half width of 0.01 for scatter of
 * 10 % over six octaves of eight, and covers 93 times of 100; with a floor of a tenth of the finest
 * error it covers 22 times, this interval, 0.06 wide, 93 times. Errors without scatter are covered
 * always or never. `power` is the short one, for who knows that there is one power alone.
 *
 * How often the interval covers the true order, and verdicts are wrong, is tabulated by
 * scripts/orders.lua.
 */
#ifndef IL_ORDER_H
#define IL_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/study/order_cause.h"
#include "schemes/scheme.h"

typedef enum { IL_ORDER_PASS, IL_ORDER_FAIL, IL_ORDER_INCONCLUSIVE, IL_ORDER_REPORTED } il_verdict;

typedef enum { IL_LEVEL_USED, IL_LEVEL_COARSE, IL_LEVEL_PLATEAU } il_level_fate;

/* What is estimated: the mean over the phases or the worst phase. */
typedef enum { IL_ORDER_MEAN, IL_ORDER_WORST } il_order_of;

typedef struct {
    double h; /* geometric mean of its steps */
    size_t n; /* runs, without those set aside */
    il_level_fate fate;
    double misfit; /* what dropped it, in standard errors; NaN if it was used */
} il_order_level;

enum { IL_ORDER_LEVELS_MAX = 64 };

typedef struct {
    size_t n;
    const double *h;     /* [n] step sizes > 0, in any order, with any ratio */
    const double *error; /* [n] */
    const size_t *limit; /* [n] which solution each error is a distance to, by number; NULL: one */
    il_order_of of;
    il_order_causes causes;
    const char *barred; /* why the claim does not speak of this problem, or NULL: it does */
} il_order_data;

/* A slope of log e over part of the octaves. */
typedef struct {
    double slope, low, high;
} il_order_slope;

typedef struct {
    size_t runs, n;         /* given, used */
    double slope;           /* observed order; NaN: none is reported */
    double low, high;       /* its interval */
    double confidence;      /* of all intervals but those of floor and sure, such as 0.95 */
    double constant;        /* E = constant h^slope */
    double h_max, h_min;    /* steps of the runs used */
    double spread;          /* scale of the scatter of log10 E */
    il_order_slope sen;     /* the median slope of all pairs; NaN above 2000 runs */
    il_order_slope power;   /* least squares of all runs used and Student's interval: of a pure
                               power, without a next one, a floor, or scatter that changes with h */
    il_order_slope whole;   /* all runs used, without allowances */
    il_order_slope half;    /* the finer half of the octaves by itself */
    il_order_slope fine;    /* the two finest octaves by themselves; three where runs are few */
    il_order_slope sure;    /* the order, its interval at 99 %: what lies beyond is refuted */
    double sure_whole_high; /* bound at 99 % of whole.slope and of sen.slope */
    double floor, floor_low, floor_high; /* a; each bound at 99 % */
    double finest;                       /* a + b h^p at the finest step */
    double worst_high; /* the floor of the worst of every four neighbouring runs, as a part of their
                          finest errors: bound at 99 %; NaN with fewer than 24 runs */
    double leading_low, leading_high; /* b/(b + c h^q) at the finest step in e = h^p (b + c h^q),
                                         p a sharp claim's: bounds at 99 %; NaN without one */
    size_t levels;                    /* octaves that have runs */
    il_order_level level[IL_ORDER_LEVELS_MAX]; /* [levels], the coarsest first */
    size_t at_rounding, far_below;             /* runs set aside */
    size_t outliers; /* runs of the finer half whose errors are those of the coarsest steps */
    double plateau;  /* height of what was cut off, NaN without it */
    il_plateau cause;
    bool several_limits; /* else two rates, if no slope is reported for that */
    double at_floor;     /* share of runs whose errors are rounding: above 1/2 no order */
    il_verdict verdict;
    char reason[400]; /* why, in words */
} il_order;

/* Fit, and judge by claim (NULL: none). With E the error at the finest step:
 *
 *   PASS          floor_low = 0 and floor_high <= 0.45 E; the finest octaves fall by themselves; no
 *                 run of the finer half errs like the coarsest steps; and
 *                 bound: low >= p - 0.1; sharp: the interval within p +- 0.1; convergence without a
 *                 rate: low >= 0.1
 *   FAIL          floor_low >= E/2 where the finest octaves fall less than half as fast as the
 *                 rest, and no cause explains it; the errors rise or stand, an order below 0.1
 *                 being none; bound and sharp: the interval at 99 % is below the claim, by more
 *                 than a logarithm of h explains; sharp: it is above, by more than a next power
 *                 explains (leading_low = 0 and leading_high <= 0.45, or leading_high <= 0.1);
 *                 errors NaN, infinite or negative; with a claimed order also several limits
 *   INCONCLUSIVE  neither; the reason says what would decide
 *   REPORTED      without a claim, or with one that does not speak of this problem
 *
 * A tenth of an order is what a study of a few octaves can tell. IL_ENOMEM, IL_EINVAL for a step
 * that is not > 0 or a confidence outside (0, 1). */
il_status il_order_fit(const il_order_data *data, double confidence, const il_claim *claim,
                       il_order *out, il_error *err);

const char *il_verdict_name(il_verdict verdict);

#endif
