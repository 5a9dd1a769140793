/*
 * order.h - estimates the order p of convergence of errors in the step h, and judges a claim by it.
 *
 * A verdict is a statement about the steps that were measured. An error component that does not
 * decrease with h is called a floor. No finite study excludes a floor below its finest errors, so
 * every order comes with floor_high, the largest floor that the data do not exclude, and a claim of
 * convergence passes if the errors decrease by a given factor over the range, fast enough, and no
 * floor is significant.
 *
 * The errors are fitted by the curves of order_curve.h; the dependence on the phases of impacts
 * within their steps is treated as scatter:
 *
 *     power   b h^p
 *     next    b h^p (1 + c h^r), r = 1/2 and 1, the next power at most six times the first at the
 *             coarsest step
 *     floor   a + b h^p, a >= 0
 *
 * 1. Runs at rounding level are not used: octaves in which half of the runs or more are at rounding
 *    level, and all finer ones, are left out.
 * 2. The order is that of the best `next`, of which a power is a special case. Its interval is
 *    that of profile likelihood: all p for which some curve has a deviance at most t^2 phi above
 *    the minimum, with Student's quantile t and the dispersion phi, Pearson's statistic over its
 *    degrees of freedom (McCullagh & Nelder 1989, section 9.3 and ch. 7; Venzon & Moolgavkar 1988,
 *    Appl. Statist. 37, 87). Nested steps are judged by the same rule.
 * 3. The fold is the factor by which the errors decrease over the range: its lower 95 % limit for
 *    the power.
 * 4. A floor is significant at a level where the deviance of the best `floor` is smaller by more
 *    than t^2 phi than that of the best `power` or `next` that converges: a power of order 0.1 at
 *    least, or a next power above one of order 0.4, which is 1/2, the slowest order that is proved
 *    for any scheme here, less the margin.
 * 5. floor_high is the largest a, over curves with and without a next power, whose deviance is at
 *    most t^2 phi above the minimum, at 95 %.
 *
 * How often that is right is tabulated by `make coverage-orders`: results/reference/orders.txt.
 */
#ifndef IL_ORDER_H
#define IL_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/study/order/order_curve.h"
#include "schemes/scheme.h"

typedef enum { IL_ORDER_PASS, IL_ORDER_FAIL, IL_ORDER_INCONCLUSIVE, IL_ORDER_REPORTED } il_verdict;

/* The sizes of errors that do not depend on the step; 0: none. */
typedef struct {
    double rounding;  /* of the whole run */
    double tolerance; /* of the projector, summed over the steps */
    double reference; /* the reference's own error */
} il_order_causes;

/* Known properties of the runs of a study: steps of the longest, size of what the norm measures,
 * the projector's tolerance, the deepest violation (>= 0), and the reference's error in the norm.
 * Each step rounds every coordinate some eight times, and leaves a constraint violated by the
 * tolerance at most: both add up over the steps. Whatever is NaN or negative counts as 0, steps as
 * 1 at least, a size that is 0 as 1. */
il_order_causes il_order_causes_of(double steps, double size, double tolerance, double violation,
                                   double reference);

typedef struct {
    size_t n;
    const double *h;     /* [n] step sizes > 0, in any order, with any ratio */
    const double *error; /* [n] */
    const size_t *limit; /* [n] which solution each error is a distance to, by number; NULL: one */
    il_order_causes causes;
    const char *barred; /* that the claim does not apply to this problem, or is not known to, and
                           why; NULL: it applies */
    size_t unmeasured;  /* runs that ended well without a value in this norm */
    size_t rounds;      /* number of interim analyses of growing data, which share the levels of a
                           verdict (Bonferroni); 0 counts as 1 */
} il_order_data;

/* The factor by which errors must decrease unless a claim gives another: two octaves of order
 * one. */
#define IL_ORDER_FACTOR 4.0

/* A fit takes some milliseconds for fifty runs, a tenth of a second from five hundred on. */
enum { IL_ORDER_RUNS_MAX = 100000 };

typedef struct {
    double order, low, high;      /* p and its interval; NaN: undetermined */
    double level;                 /* of that interval, such as 0.95 */
    double sure_low, sure_high;   /* the ends of the 99.5 % interval: orders beyond are refuted */
    double fold;                  /* the factor by which errors decrease over the range, lower 95 %
                                     limit */
    double octaves, h_max, h_min; /* the range that was used: log2(h_max/h_min) */
    double finest;                /* the curve at h_min */
    double floor, floor_high; /* a of the best floor; the largest that is not excluded at 95 % */
    double scatter;           /* relative, phi^(1/2) */
    il_curve curve;           /* that was fitted, of h/h_max; mu in units of the errors */
    size_t runs, used;
    bool several_limits;
    il_verdict verdict;
    char reason[240]; /* of the verdict, in words */
} il_order;

/* Fit, and judge by claim (NULL: none).
 *
 *   PASS          the errors decrease by a factor at least over the range (claim->factor, or 4), no
 *                 floor is significant (5 %), and low >= 0.1 (convergence), low >= p - 0.1 (bound),
 *                 low <= p <= high (sharp)
 *   FAIL          sure_high is below the claimed order (0.1 for convergence); sharp: sure_low above
 *                 p + 0.1; a floor is significant (0.5 %) and at least half of the finest errors;
 *                 the errors do not decrease: the power's upper 99.5 % limit is below 0.1; none of
 *                 these where rounding, tolerance or reference explain it; a run failed: its error
 *                 is NaN, infinite or negative; several limits where an order is claimed
 *   INCONCLUSIVE  neither; the reason says why. Also fewer than five runs, and steps that span less
 *                 than a factor of four
 *   REPORTED      without a claim, or with one that does not apply to this problem
 *
 * IL_ENOMEM, IL_EINVAL for a step that is not > 0, a level outside (0, 1) or more than
 * IL_ORDER_RUNS_MAX runs. */
il_status il_order_fit(const il_order_data *data, double level, const il_claim *claim,
                       il_order *out, il_error *err);

/* "PASS", ... */
const char *il_verdict_name(il_verdict verdict);

/* "falls like h^1.00 [0.97, 1.03] over 8 octaves, 230-fold at least, to 4.4e-05; a floor above
 * 2.1e-05 would have shown. PASS (source)", or why there is no order. source may be NULL. */
void il_order_sentence(const il_order *order, const char *source, char *out, size_t capacity);

#endif
