/*
 * law.c - phases, the constants c, and their distribution.
 */
#include "harness/study/law/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"
#include "harness/base/sum.h"
#include "harness/base/vector.h"

const double il_law_shares[IL_LAW_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};

/* Phases that leave out more than this of a step are called locked: t/T that is a fraction with a
 * denominator below 20. 50 phases of the golden ratio leave out 0.04. */
static const double LOCKED = 0.05;

/* Two events are locked to each other if m_1 t_1 + m_2 t_2 is near a fraction p/q of the horizon:
 * pairs of phases then lie on lines, between which strips 1/(q max|m_i|) wide are empty. q < 20 is
 * refused for m = (1, 1) and (1, -1), as for one event; strips wider than STRIP for others. Of
 * pairs of events drawn evenly, neither locked, that refuses 14 % at 233 runs and 3 % at 1000. */
enum { RELATION = 6 };
static const double STRIP = 0.15;

/* c within this part of the largest are one value; a share from ATOM on is an atom. Around a smooth
 * maximum sqrt(2 NEAR) = 0.045 of all c are so near. */
static const double NEAR = 1e-3;
static const double ATOM = 0.1;

static double phase(double t, double h) {
    double x = t / h;
    return x - floor(x);
}

/* ---- phases --------------------------------------------------------------------------------- */

/* The widest gap on the circle of x[n] in [0,1), which are sorted, where it begins, and the star
 * discrepancy. */
typedef struct {
    double widest, from, discrepancy;
} spread;

static spread spread_of(double *x, size_t n) {
    qsort(x, n, sizeof *x, il_ascending);
    spread s = {x[0] + 1.0 - x[n - 1], x[n - 1], 0.0};
    for (size_t k = 0; k < n; k++) {
        double below = fabs((double)k / (double)n - x[k]);
        double above = fabs((double)(k + 1) / (double)n - x[k]);
        s.discrepancy = fmax(s.discrepancy, fmax(below, above));
        if (k > 0 && x[k] - x[k - 1] > s.widest) {
            s.widest = x[k] - x[k - 1];
            s.from = x[k - 1];
        }
    }
    return s;
}

/* The widest gap between the phases of m_i t_i + m_j t_j if it may be above least, else 0: no
 * interval half as wide is empty then. work[n]. */
static double gap_of(const il_law_data *data, double t, double least, double *work) {
    bool seen[64] = {false};
    size_t parts = (size_t)ceil(2.0 / least); /* at most 2/LOCKED = 40 */
    size_t empty = parts;
    for (size_t k = 0; k < data->n && empty > 0; k++) {
        size_t at = (size_t)(phase(t, data->h[k]) * (double)parts) % parts;
        empty -= !seen[at];
        seen[at] = true;
    }
    for (size_t k = 0; k < data->n && empty > 0; k++) {
        work[k] = phase(t, data->h[k]);
    }
    return empty > 0 ? spread_of(work, data->n).widest : 0.0;
}

/* Are the events i and j locked to each other? For m and n of both signs; |m| <= RELATION. */
static bool locked_pair(const il_law_data *data, size_t i, size_t j, double *work) {
    for (int m = 1; m <= RELATION; m++) {
        for (int n = -RELATION; n <= RELATION; n++) {
            int most = m > abs(n) ? m : abs(n);
            double least = most == 1 ? LOCKED : STRIP * most;
            double t = m * data->events[i] + n * data->events[j];
            if (n != 0 && gap_of(data, t, least, work) > least) {
                return true;
            }
        }
    }
    return false;
}

/* Phases of event i, and of i against each event before it. work[n]. */
static il_status look_at(il_law *law, const il_law_data *data, size_t i, double *work,
                         il_error *err) {
    const double *t = data->events;
    for (size_t k = 0; k < data->n; k++) {
        work[k] = phase(t[i], data->h[k]);
    }
    spread own = spread_of(work, data->n);
    law->widest = fmax(law->widest, own.widest);
    law->discrepancy = fmax(isnan(law->discrepancy) ? 0.0 : law->discrepancy, own.discrepancy);
    if (own.widest > LOCKED) {
        return il_fail(
            err, IL_EINVAL,
            "the event at t = %.6g is locked to the steps: t/T is near a simple fraction, "
            "and no step has it between %.3g and %.3g of its length; choose another "
            "horizon or event, or more step sizes",
            t[i], own.from, own.from + own.widest);
    }
    for (size_t j = 0; j < i; j++) {
        if (locked_pair(data, i, j, work)) {
            return il_fail(err, IL_EINVAL,
                           "the events at t = %.6g and %.6g are locked to each other: their "
                           "phases do not meet in all ways; take more step sizes, or other times",
                           t[j], t[i]);
        }
    }
    return IL_OK;
}

/* ---- constants ------------------------------------------------------------------------------ */

static il_status constants(const il_law_data *data, double *c, il_error *err) {
    if (data->n < IL_LAW_LEAST) {
        return il_fail(err, IL_EINVAL,
                       "%zu step sizes; allowed: %d or more, so that their phases "
                       "can spread",
                       data->n, IL_LAW_LEAST);
    }
    if (!(data->order >= 0.0 && data->order <= 16.0)) {
        return il_fail(err, IL_EINVAL, "order is %.6g; allowed: a number in [0, 16]", data->order);
    }
    for (size_t k = 0; k < data->n; k++) {
        c[k] = data->error[k] / il_pow(data->h[k], data->order);
        if (!(data->h[k] > 0.0 && data->error[k] >= 0.0 && isfinite(c[k]))) {
            return il_fail(err, IL_EINVAL,
                           "error %zu is %.6g at h = %.6g; allowed: numbers >= 0 at h > 0", k + 1,
                           data->error[k], data->h[k]);
        }
    }
    qsort(c, data->n, sizeof *c, il_ascending);
    return IL_OK;
}

/* The value with most c near it. */
static void find_atom(il_law *law, const double *c) {
    size_t most = 0;
    size_t end = 0;
    law->atom = NAN;
    law->atom_share = 0.0;
    for (size_t k = 0; k < law->n; k++) {
        while (end < law->n && c[end] <= c[k] + 2.0 * NEAR * law->largest) {
            end++;
        }
        if (end - k > most) {
            most = end - k;
            law->atom = c[k + most / 2];
        }
    }
    law->atom_share = (double)most / (double)law->n;
    if (law->atom_share < ATOM) {
        law->atom = NAN;
        law->atom_share = 0.0;
    }
}

static void describe(il_law *law, const double *c) {
    il_sum sum = {0.0, 0.0};
    il_sum logs = {0.0, 0.0};
    law->least = c[0];
    law->largest = c[law->n - 1];
    for (size_t k = 0; k < law->n; k++) {
        il_sum_add(&sum, c[k]);
        il_sum_add(&logs, c[k] > 0.0 ? il_log(c[k]) : 0.0);
    }
    law->mean = il_sum_value(&sum) / (double)law->n;
    law->geometric = c[0] > 0.0 ? il_exp(il_sum_value(&logs) / (double)law->n) : 0.0;
    for (size_t j = 0; j < IL_LAW_QUANTILES; j++) {
        law->quantile[j] = c[(size_t)(il_law_shares[j] * (double)law->n)];
    }
    find_atom(law, c);
}

il_status il_law_find(il_law *law, const il_law_data *data, double *c, il_error *err) {
    *law =
        (il_law){.n = data->n, .nevents = data->nevents, .order = data->order, .discrepancy = NAN};
    il_status status = constants(data, c, err);
    if (status != IL_OK) {
        return status;
    }
    if (data->nevents > IL_LAW_EVENTS) {
        return il_fail(err, IL_EINVAL,
                       "%zu events; allowed: at most %d, since no phases spread in so many ways at "
                       "once",
                       data->nevents, IL_LAW_EVENTS);
    }
    double *work = il_alloc(data->n, sizeof *work);
    for (size_t i = 0; status == IL_OK && i < data->nevents; i++) {
        status = look_at(law, data, i, work, err);
    }
    free(work);
    describe(law, c);
    law->mean_within = il_law_allowed(law, IL_LAW_HUMPS) * (law->largest - law->least);
    return status;
}

double il_law_order(const il_law *coarse, const il_law *fine, double ratio) {
    return fine->order + il_log(coarse->mean / fine->mean) / il_log(ratio);
}

/* ---- claims --------------------------------------------------------------------------------- */

double il_law_distance(size_t n, const double *low, const double *high) {
    double worst = 0.0;
    for (size_t k = 0; k < n; k++) {
        /* at most k constants are below c_k - slack, k + 1 at least below c_k + slack */
        double few = low[k] - (double)k / (double)n;
        double many = (double)(k + 1) / (double)n - high[k];
        if (isnan(few) || isnan(many)) {
            return NAN;
        }
        worst = fmax(worst, fmax(few, many));
    }
    return worst;
}

double il_law_allowed(const il_law *law, size_t humps) {
    return law->nevents == 1 ? 2.0 * (double)humps * law->discrepancy : (double)NAN;
}

bool il_law_decides(const il_law *law, size_t humps) {
    return 2.0 * il_law_allowed(law, humps) < 0.05; /* not where it is NaN */
}
