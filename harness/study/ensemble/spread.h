/*
 * spread.h - how far a number moves when the data do, what that makes of it, and how fast runs
 * part.
 *
 * A run's number x is repeated from data moved by E (relative), at several sizes E_1 < E_2 < ...,
 * and D_j = max |x_m - x| over the members of size E_j. What the data explain is
 *
 *     D_j <= A s E_j + noise,    A = IL_SPREAD_AMPLIFICATION,
 *
 * s the size of what the number is made of, not the number's own: a momentum drift of 1e-16 is a
 * difference of momenta, and no digit of it means anything. noise is what rounding and the
 * projector's tolerance move by themselves. A number that obeys at every size is robust.
 *
 * One that does not is ill-conditioned if it moves in proportion to E and keeps digits, or if it
 * jumps, as from a start on a border. It is chaotic if the runs part exponentially (il_growth), it
 * takes about as many values as there are runs, and it has lost its digits under the least
 * perturbation: D_1 is a tenth of the number itself, or a ten thousandth of it, the fourth digit,
 * and as large as what a perturbation 2^20 times as large does, but for a factor of ten.
 */
#ifndef IL_SPREAD_H
#define IL_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

/* A: two digits. A flight carries a change of velocity along for T, a step divides a change of
 * position by h: both are in s. What is left are sums over contacts and bodies, and norms: factors
 * of some tens. A number worse than that has lost more digits than they can explain. */
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
    bool parting;       /* the runs part exponentially */
} il_spread_query;

typedef struct {
    double value, median, low, high; /* over x and the members of the least size */
    double spread;                   /* high - low */
    double condition; /* max over j of (D_j - noise)/(s E_j), at least 0: digits are lost by its
                         logarithm */
    double slope;     /* log(D_last/D_1)/log(E_last/E_1): 1 in proportion, 0 as far whatever E;
                         NaN with one size or D of zero */
    size_t values;    /* different ones, closer ones than a hundredth of the spread being one */
    size_t lost;      /* members of the least size without the number */
    il_sensitivity class;
} il_spread;

/* IL_EINVAL without members of the least size that have the number; IL_ENOMEM. */
il_status il_spread_of(const il_spread_query *query, il_spread *out, il_error *err);

/* ---- growth --------------------------------------------------------------------------------- */

/* How fast runs from almost the same data part, and when their digits are gone.
 *
 * delta(t) is the distance of two runs over the size of the state. log delta = a + lambda t is
 * fitted by least squares where delta grows freely: from four times where it began to a tenth of
 * the most that it comes to. A rise of which one interval makes more than half (of the logarithm)
 * is a jump and no growth: the runs meet a discontinuity there. lambda is a finite-time Lyapunov
 * exponent of the scheme's own map.
 */

/* Digits that may be left, at which times are told. */
enum { IL_DIGITS = 4 };
extern const int il_digits_left[IL_DIGITS]; /* 12, 8, 4, 2 */

typedef struct {
    double rate;     /* lambda, per unit of time; NaN where it does not grow enough to tell */
    double from, to; /* the times that were fitted; NaN */
    double rise;     /* delta(to)/delta(from) */
    double jump;     /* where it jumps; NaN */
    double left;     /* decimal digits that the runs have in common when they are farthest
                        apart: -log10 max delta, from 0 to 16 */
    double time[IL_DIGITS]; /* first t with delta > 10^-il_digits_left[k]; NaN: never */
} il_growth;

/* t[n] increasing, delta[n] >= 0. A rate asks for five times at least, and for a rise of a thousand
 * times at least: three digits, more than a sum of contacts does. */
il_growth il_growth_of(const double *t, const double *delta, size_t n);

#endif
