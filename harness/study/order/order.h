/*
 * order.h - estimates the order p of convergence of errors in the step h, and judges a claim by it.
 *
 * A verdict is a statement about the finest octaves that one simple curve (order_curve.h)
 * explains. An error component that does not decrease with h is called a floor. No finite study
 * excludes a floor below its finest errors, so every order comes with floor_high, the largest
 * that the data do not exclude, of either sign. The phases of impacts within their steps are
 * treated as scatter.
 *
 * 1. Octaves at the fine end whose runs are at rounding level are not used; other zeros are data.
 * 2. The window: the finest three octaves, and one more while no shorter window is contradicted,
 *    by an F test (0.1 %) whose scatter is that of the newest octave where it is wider, or by
 *    residuals that are alike in order of h (Lepski 1990; von Neumann 1941).
 * 3. The order is that of the line over the window, with Student's interval; where a bend is sure
 *    (99.5 %) that of the best bent curve for h -> 0, with the interval of profile likelihood
 *    over all curves: a deviance at most t^2 phi above the minimum, phi Pearson's statistic over
 *    its degrees of freedom (McCullagh & Nelder 1989, ch. 9; Venzon & Moolgavkar 1988, Appl.
 *    Statist. 37, 87).
 * 4. The fold is the factor by which the errors decrease over the window: the line's lower 95 %
 *    end.
 * 5. A floor is seen where it fits better than all curves that converge by t^2 phi, and by a
 *    thousandth of every error, which no curve is exact to.
 *
 * How often that is right is tabulated by `make coverage-orders`: results/reference/orders.txt.
 */
#ifndef IL_ORDER_H
#define IL_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/study/order/order_fit.h"
#include "schemes/scheme.h"

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
    const double *below; /* [n] of the same runs in a norm that is never larger; NULL: none */
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

/* Fit, and judge by claim (NULL: none).
 *
 *   PASS          the errors decrease by a factor at least over the window (claim->factor, or
 *                 4), by their ranks too (97.5 %), and surely over the finest three octaves
 *                 (97.5 %); no floor of either sign is seen (5 %); low >= 0.1 over four octaves
 *                 alike (convergence), low >= p - 0.1 over five (bound), high <= p + 0.1 too
 *                 (sharp); the finest three and five octaves alone do not fall more slowly. Orders
 *                 p >= 2 over fewer octaves, if errors fall as much as order one does over five:
 *                 order >= p - 0.1, and all curves above p - 0.25
 *   FAIL          over five octaves that a curve fits, six of halved steps: all curves of the
 *                 window (99.5 %) and of the finest octaves alone lie below p - 0.1, the
 *                 observed slopes of both below p - 0.25, by .5 more where slopes rise (sharp: or
 *                 above), and over more than three octaves that fall as much, for p >= 2; a floor
 *                 that is half of the finest errors is sure (99.5 %), and no
 *                 falling curve is likelier; the errors do not fall: the line's upper 99.5 % end
 *                 is below 0.1; or they stand still in every run of the finest three octaves.
 *                 None of these where rounding, tolerance or reference explain it. A run failed:
 *                 its error is NaN, infinite or negative; several limits where an order is claimed
 *   INCONCLUSIVE  neither; the reason says why. A PASS is, where errors that are never larger do
 *                 not converge. Also fewer than five runs, and steps that span less
 *                 than a factor of four
 *   REPORTED      without a claim, or with one that does not apply to this problem
 *
 * IL_EINVAL for a step that is not > 0, a level outside (0, 1) or more than IL_ORDER_RUNS_MAX runs.
 */
il_status il_order_fit(const il_order_data *data, double level, const il_claim *claim,
                       il_order *out, il_error *err);

/* "PASS", ... */
const char *il_verdict_name(il_verdict verdict);

/* "falls like h^1.00 [0.97, 1.03] over 8 octaves, 230-fold at least, to 4.4e-05; a floor above
 * 2.1e-05 would have shown. PASS (source)", or why there is no order. source may be NULL. */
void il_order_sentence(const il_order *order, const char *source, char *out, size_t capacity);

#endif
