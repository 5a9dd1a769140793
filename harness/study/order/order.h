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
 *   1. errors that are NaN, negative or infinite are a failed study, but for a norm that some runs
 *      did not measure, which leaves it open;
 *      the same run twice, at steps within 2^-30 and errors within 1e-6, counts once;
 *   2. runs at rounding, zeros and runs far below the line of the others are set aside and counted;
 *   3. runs that tend to different limits, or fall at two rates at the same steps, have no order
 *      (order_lines.h);
 *   4. a floor a that is not compatible with zero (order_floor.h) is cut off with the levels near
 *      it, and its cause named where its size tells it (order_cause.h); without a cause it is a
 *      floor only if no run dips far below it, if the finest octaves stand as its curve does, for
 *      an error that changes its sign dips, rises and falls again, and if neither a power of a
 *      logarithm log(H/h), which falls slower than any power of h, nor a power of h above a tail
 *      c/log(H/h) explains the errors as well;
 *   5. coarse levels are dropped while they bend the line significantly;
 *   6. the order and its interval are those of a robust line with allowances for the next power of
 *      h and, upwards, for a floor that is too low to be seen (order_trend.h): it only flattens;
 *      the interval covers the estimates of Theil and Sen and of the finer half of the octaves
 *      alone, and the whole interval of the latter where it is the narrower one, where the scatter
 *      grows as h falls, and of both where runs are fewer than sixteen; runs that repeat their
 *      neighbours, or octaves that differ, count for fewer in all bounds (il_trend_repetition), and
 *      a reference that errs by r widens the interval by what errors e +- r may turn the line;
 *   7. what refutes a claim is such an interval at 99 %; and from above no next power may explain
 *      it: in e = h^p (b + c h^q) the claimed order p is refuted if b is surely none, which is to
 *      say that e/h^p falls to zero, by the test that convergence has to pass.
 *
 * The next power may be half an order higher. The interval reaches down to what Richardson's
 * extrapolation of the slopes of the coarser and the finer half says for it, with the saturation of
 * a next power that is larger than the first: of h + 4 h^(3/2), of
 * slope 1.08 over the finer half of five octaves, it covers 1 some 93 times of 100, and the half
 * width of one power that scatters by 10 % is 0.07 over six octaves, in place of 0.06. An allowance
 * in the regression does as much and makes 0.60 of 0.17 in h + 100 h^2; this makes 0.22.
 *
 * A floor may add in size, a + b h^p, or in square, as a component does that is at a right angle to
 * what falls: the latter shows later, and of errors (h^4 + a^2)^(1/2) whose floor is as large as
 * what falls at the finest step, with a scatter of 10 %, 47 of 100 PASSed where the former alone
 * was asked for. That none of nine tenths of what falls may be there, at 98 %, leaves PASS to 1.6
 * of 100 of them with a scatter of 30 %, where a floor that is seen was asked for to 4.8, and is
 * paid for where runs are few or scatter: of h^2 on nine dyadic runs 78 of 100 PASS in place of 91,
 * of h^(3/2) with a triangular scatter of 0.3 64 in place of 73. Beside it may stand a next power
 * that adds, as h + 16 h^(3/2) bends like it. Beside a next power of either sign, half an order
 * higher or a whole one, a floor in size is looked for, too: without scatter 0.1 + h^(1/4) shows
 * it, though it is below 45 % of the finest errors, and h (1 - h/(2 h_0)) + a hides it: of h^(1/2)
 * with a scatter of 10 % over six octaves of eight 64 of 100 PASS for it in place of 82. The last
 * octave is asked by itself as well: where there are many octaves before it, a robust line takes
 * errors that stop dead in it for outliers.
 *
 * PASS of convergence asks the worst of every four neighbouring runs as well: step counts that stay
 * away while the others fall hardly move the mean of log e. What share of the step counts stays is
 * seen only where it is drawn: of m in the finest octaves (1 - s)^m studies have none of a share s,
 * of eight a tenth where it is a quarter. No judge sees those.
 *
 * No judge tells every floor from errors that converge: h + 0.1/log(1/h) FAILed 6 to 23 times of
 * 100. The flattest tail that counts as a fall, c/log(H/h) with a slope of 0.1 at the finest step,
 * is fitted in place of the floor, and a floor FAILs only where it is likelier by the square of the
 * normal quantile of 0.99: at most one such tail of a hundred FAILs. That is paid for. Of h + 20 of
 * the finest with a scatter of 10 % 23 of 100 studies of six octaves of eight FAIL in place of 99,
 * of h + 6 of the finest 3 in place of 98: from the
 * nearest such tail they are 1.6 and 0.7 standard deviations away (scripts/orders.lua), and a judge
 * that is wrong once of 100 FAILs 23 and 5 of 100 at most. Both FAIL with less scatter or
 * over more octaves, and errors that do not fall at all FAIL without it. Beyond ten octaves a tail
 * that falls so little begins at fewer than sixteen steps, and is not asked for.
 *
 * Two intervals, two promises. low to high has the order 91 times of 100 at least, whatever it
 * allows for is there: a next power, a floor of a tenth of the finest errors, scatter that changes;
 * but for errors that swing in log h so slowly that the range has a period or two (90 to 98 times),
 * or where a next power half an order higher is the larger one over half of a few dyadic runs (87),
 * or bends five octaves whose scatter is 5 % (88).
 * power.low to power.high has it 93 to 98 times where errors are one power, and promises nothing of
 * others. No interval does both, so that the first is covered more often than 98 times of 100 where
 * errors are one power with little scatter: they are identified but for what scatter hides, and an
 * interval that is to hold for all floors up to a tenth of the finest errors cannot be as short as
 * if there were none where there is none (Low 1997, Ann. Statist. 25, 2547: no interval adapts to
 * what it cannot see). Least squares of the power alone has a half width of 0.01 for scatter of
 * 10 % over six octaves of eight, and covers 93 times of 100; with a floor of a tenth of the finest
 * error it covers 22 times, the other, 0.07 wide, 93 times. Errors without scatter are covered
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
#include "harness/study/order/order_cause.h"
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
    size_t unmeasured;  /* runs that ended well and have no such error: NaN without a fault */
} il_order_data;

/* A fit takes some hundred microseconds a run, as its iterations take logarithms of each. */
enum { IL_ORDER_RUNS_MAX = 100000 };

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
    il_order_slope last;    /* the finest octave by itself, at 99 % */
    il_order_slope sure;    /* the order, its interval at 99 %: what lies beyond is refuted */
    double sure_whole_high; /* bound at 99 % of whole.slope and of sen.slope */
    double floor, floor_low, floor_high; /* a; each bound at 99 % */
    double floor_below; /* A, the most that e = b h^p - A may take away at all steps, the error
                           changing its sign below the finest: what fits at 90 %, or, beside a
                           next power, better than none at 75 % */
    double finest;      /* a + b h^p at the finest step */
    double reference;   /* the error of what the errors are distances to */
    double worst_high; /* the floor of the worst of every four neighbouring runs, as a part of their
                          finest errors: bound at 95 %; NaN with fewer than 24 runs, and where
                          floor_high is too high for PASS */
    double beside_high; /* the floor in e = a + b h^p (1 + c h), as a part of the finest error:
                           bound at 95 % */
    double square_high; /* the floor in e^2 = a^2 + b^2 h^2p (1 + c h)^2, c >= 0, as a part of the
                           finest e^2: bound at 98 %; both NaN where worst_high is for floor_high */
    double leading_low, leading_high; /* b/(b + c h^q) at the finest step in e = h^p (b + c h^q),
                                         p a sharp claim's: bounds at 99 %; NaN without one */
    size_t levels;                    /* octaves that have runs */
    il_order_level level[IL_ORDER_LEVELS_MAX]; /* [levels], the coarsest first */
    size_t repeated;               /* runs that are others once more: as if they were not there */
    size_t at_rounding, far_below; /* runs set aside */
    size_t outliers;    /* runs of the finer half whose errors are those of the coarsest steps */
    bool tail;          /* there is a floor, or a tail c/log(1/h), which looks the same */
    bool phase_repeats; /* three to seven errors in a row are the same on steps that only halve: an
                           impact whose phase repeats does that, of uniform phases once in 4 to 64
                           times */
    bool swings;        /* there is a floor, or a factor that swings slowly, which looks the same */
    double plateau;     /* height of what was cut off, NaN without it */
    il_plateau cause;
    bool several_limits; /* else two rates, if no slope is reported for that */
    double at_floor;     /* share of runs whose errors are rounding: above 1/2 no order */
    il_verdict verdict;
    char reason[400]; /* why, in words */
} il_order;

/* Fit, and judge by claim (NULL: none). With E the error at the finest step:
 *
 *   PASS          floor_low = 0 and floor_high + reference <= 0.45 E; floor_below, less what the
 *                 reference takes away, <= 0.45 E; worst_high <= 0.45 if known;
 *                 beside_high <= 0.45 and square_high <= 0.405; the finest octaves fall by
 *                 themselves, the last not surely less than half as fast as all; no run of the
 *                 finer half errs like the coarsest steps; and
 *                 bound: low >= p - 0.1; sharp: the interval within p +- 0.1; convergence without a
 *                 rate: low >= 0.1
 *   FAIL          floor_low >= E/2 where the finest octaves fall less than half as fast as the
 *                 rest, and neither a cause nor a tail nor a factor that swings (order_swing.h)
 *                 explains it; the errors rise or stand, an order below 0.1 being none; bound and
 *                 sharp: the interval at 99 % is below the claim, by more than a logarithm of h
 *                 explains; sharp: it is above, by more than a next power explains (leading_low =
 *                 0 and leading_high <= 0.45, or leading_high <= 0.1); over three octaves or
 *                 fewer each by more than a factor that grows or falls threefold over the range
 *                 explains, which fades up to five, what stands being compared with the claimed
 *                 order or h^(1/2), unless errors differ by 1 % at most; not where phases repeat;
 *                 errors NaN, infinite or negative; with a claimed order also several limits
 *   INCONCLUSIVE  neither; the reason says what would decide. Also where the steps span less than a
 *                 factor of four, and nothing PASSes with fewer than five runs
 *   REPORTED      without a claim (but INCONCLUSIVE where not even a fall is sure, which says that
 *                 nothing is claimed), or with one that does not speak of this problem
 *
 * A tenth of an order is what a study of a few octaves can tell. IL_ENOMEM, IL_EINVAL for a step
 * that is not > 0, a confidence outside (0, 1) or more than IL_ORDER_RUNS_MAX runs. */
il_status il_order_fit(const il_order_data *data, double confidence, const il_claim *claim,
                       il_order *out, il_error *err);

const char *il_verdict_name(il_verdict verdict);

#endif
