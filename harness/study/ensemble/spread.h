/*
 * spread.h - how far a number moves when the data are perturbed, the class that follows, and how
 * fast runs diverge.
 *
 * A number x of a run is recomputed from data perturbed by E (relative), at several sizes E_1 < E_2
 * < ..., and D_j = max |x_m - x| over the members of size E_j. The data explain
 *
 *     D_j <= A s E_j + noise,    A = IL_SPREAD_AMPLIFICATION,
 *
 * with s the scale of the quantities that the number is computed from, not its own: a momentum
 * drift of 1e-16 is a difference of momenta, and none of its digits is significant. noise is the
 * effect of rounding and of the projector's tolerance. A number that satisfies this at every size
 * is robust.
 *
 * Otherwise it is ill-conditioned if it moves in proportion to E and keeps digits, or if it jumps,
 * as from a start on a boundary between two behaviours. It is chaotic if the runs diverge
 * exponentially (il_growth), it takes about as many values as there are runs, and the least
 * perturbation destroys its digits: D_1 is a tenth of the number itself, or a ten thousandth of it
 * (the fourth digit) and within a factor of ten of what a perturbation 2^20 times as large does.
 */
#ifndef IL_SPREAD_H
#define IL_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

/* A: two digits. That a velocity acts over the time T and that a step divides a position by h is in
 * s. What remains are sums over contacts and bodies, and norms: factors of some tens. A number
 * worse than that has lost more digits than they can explain. */
#define IL_SPREAD_AMPLIFICATION 100.0

typedef enum { IL_ROBUST, IL_ILL_CONDITIONED, IL_CHAOTIC } il_sensitivity;

/* "robust", "ill-conditioned", "chaotic". */
const char *il_sensitivity_name(il_sensitivity class);

typedef struct {
    double value;       /* x */
    size_t n;           /* runs with moved data */
    const double *x;    /* [n] x_m; NaN: the run has no such number */
    const double *size; /* [n] E of each */
    double scale;       /* s > 0 */
    double noise;       /* >= 0, in the units of x */
    bool count;         /* an integer that counts: it can only jump */
    bool parting;       /* the runs diverge exponentially */
} il_spread_query;

typedef struct {
    double value, median, low, high; /* over x and the members of the least size */
    double spread;                   /* high - low */
    double condition; /* max over j of (D_j - noise)/(s E_j), at least 0: digits are lost by its
                         logarithm */
    double slope;     /* log(D_last/D_1)/log(E_last/E_1): 1 in proportion, 0 as far whatever E;
                         NaN with one size or D of zero */
    size_t values;    /* different ones, closer ones than a hundredth of the spread being one */
    il_sensitivity class;
} il_spread;

/* False without members of the least size that have the number. scratch[n + 1]. */
bool il_spread_of(const il_spread_query *query, double *scratch, il_spread *out);

/* ---- growth --------------------------------------------------------------------------------- */

/* How fast runs from almost the same data diverge, and when their digits are lost.
 *
 * delta(t) is the distance of two runs divided by the size of the state. log delta = a + lambda t
 * is fitted by least squares over the range of free growth: from four times its initial value to a
 * tenth of its maximum. A rise of which one interval makes more than half (of the logarithm) is a
 * jump, not growth: the runs met a discontinuity. lambda is a finite-time Lyapunov exponent of the
 * scheme's map. */

/* The numbers of remaining digits whose times are reported. */
enum { IL_DIGITS = 4 };
extern const int il_digits_left[IL_DIGITS]; /* 12, 8, 4, 2 */

typedef struct {
    double rate;     /* lambda, per unit of time; NaN where it does not grow enough to tell */
    double from, to; /* the times that were fitted; NaN */
    double rise;     /* delta(to)/delta(from) */
    double jump;     /* where it jumps; NaN */
    double left;     /* decimal digits in which the runs agree at their largest distance: -log10 max
                        delta, from 0 to 16 */
    double time[IL_DIGITS]; /* first t with delta > 10^-il_digits_left[k]; NaN: never */
} il_growth;

/* t[n] increasing, delta[n] >= 0. A rate needs at least five times, and a rise by a factor of 1000
 * at least: three digits, more than a sum of contacts does. */
il_growth il_growth_of(const double *t, const double *delta, size_t n);

#endif
