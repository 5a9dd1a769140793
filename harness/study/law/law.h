/*
 * law.h - the constant c in error = c h^p as a function of where the events of the exact solution
 * fall within their steps.
 *
 * theta = frac(t/h) is the phase of an event at t. Over step sizes whose phases are equidistributed
 * on [0,1) the values c_i = error_i/h_i^p have a distribution that depends only on the scheme, not
 * on the steps. Phases that are not equidistributed (h = T/2^k and t/T = 1/3) sample only part of
 * it: such data are refused.
 */
#ifndef IL_LAW_H
#define IL_LAW_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

enum { IL_LAW_LEAST = 50, IL_LAW_HUMPS = 2, IL_LAW_EVENTS = 16, IL_LAW_QUANTILES = 5 };

/* The shares that quantiles are given of. */
extern const double il_law_shares[IL_LAW_QUANTILES];

/* The errors that are studied, and the events of their runs. */
typedef struct {
    size_t n; /* at least IL_LAW_LEAST */
    const double *h, *error;
    double order;         /* p >= 0; 0: errors that do not fall */
    const double *events; /* [nevents] times; at most IL_LAW_EVENTS */
    size_t nevents;
} il_law_data;

typedef struct {
    size_t n, nevents;
    double order;
    double least, largest, mean;
    double mean_within; /* the mean over all phases of one event is no farther from `mean` if c has
                           at most IL_LAW_HUMPS humps (Koksma); else NAN */
    double geometric;   /* exp of the mean of log c; 0 where some c is 0 */
    double quantile[IL_LAW_QUANTILES];
    double atom, atom_share; /* a value that a tenth or more of all c lie near, and how many; NAN, 0
                                if there is none */
    double widest;           /* part of a step that no phase of some event falls into; 0 without */
    double discrepancy;      /* largest star discrepancy of the phases; NAN without events */
} il_law;

/* The law of data; c[n] receives the constants, in ascending order. IL_EINVAL, in a sentence: too
 * few, numbers that are none, phases of one event that leave out more than a twentieth of a step,
 * or of two against each other: m_1 t_1 + m_2 t_2 near a simple fraction of the horizon. */
il_status il_law_find(il_law *law, const il_law_data *data, double *c, il_error *err);

/* The order that the means of two studies of n and m errors imply, the one at steps `ratio` times
 * those of the other: p + log(mean of coarse/mean of fine)/log ratio. */
double il_law_order(const il_law *coarse, const il_law *fine, double ratio);

/* sup |F_n - F| of c_1 <= ... <= c_n, whose distribution function is F: low[n] and high[n] are F at
 * c_k - slack and c_k + slack, between which the next order in h may have moved it. */
double il_law_distance(size_t n, const double *low, const double *high);

/* The most that distance may be if F is the law, of one event: {theta : c(theta) <= x} is at most k
 * intervals of the circle of phases where c has k humps (rises and falls k times around it), each
 * of which has its share up to 2 D, D the star discrepancy: 2 k D. Of several events NAN: sets in
 * the square of phases have no bound that is small at any number of runs, D^(1/2) at best. A
 * uniform law that is shifted by a twentieth of its width is 0.05 away, and seen if 2 k D and the
 * 2 k D of its own runs are less together, D < 1/(80 k): il_law_decides. */
double il_law_allowed(const il_law *law, size_t humps);
bool il_law_decides(const il_law *law, size_t humps);

#endif
