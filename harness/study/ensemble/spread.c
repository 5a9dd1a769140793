/*
 * spread.c - the spread of a number over an ensemble, and its class.
 */
#include "harness/study/ensemble/spread.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/elementary.h"
#include "harness/base/vector.h"

/* Digits of a number count as lost when it moves by this fraction of itself. */
static const double TENTH = 0.1;
/* And those that a table prints. */
static const double FOURTH = 1e-4;
/* Values closer than this part of the spread are one value. */
static const double SAME = 0.01;

const char *il_sensitivity_name(il_sensitivity class) {
    static const char *const names[] = {"robust", "ill-conditioned", "chaotic"};
    return names[class];
}

static double least_size(const il_spread_query *q) {
    double size = INFINITY;
    for (size_t k = 0; k < q->n; k++) {
        size = fmin(size, q->size[k]);
    }
    return size;
}

/* D of the members of that size. */
static double distance(const il_spread_query *q, double size) {
    double most = 0.0;
    for (size_t k = 0; k < q->n; k++) {
        if (q->size[k] == size && !isnan(q->x[k])) {
            most = fmax(most, fabs(q->x[k] - q->value));
        }
    }
    return most;
}

static double condition(const il_spread_query *q) {
    double most = 0.0;
    for (size_t k = 0; k < q->n; k++) {
        double d = fabs(q->x[k] - q->value) - q->noise;
        most = fmax(most, d / (q->scale * q->size[k])); /* passes over NaN */
    }
    return most;
}

/* Sorted x[n]: how many different values. */
static size_t count_values(const double *x, size_t n) {
    double apart = SAME * (x[n - 1] - x[0]);
    size_t values = 1;
    for (size_t k = 1; k < n; k++) {
        values += x[k] - x[k - 1] > apart;
    }
    return values;
}

/* e1 and en are the least and the largest size, d1 and dn their distances. */
static il_sensitivity classify(const il_spread_query *q, const il_spread *s, double e1, double en,
                               double d1, double dn, size_t runs) {
    bool few = s->values <= 2 || 4 * s->values <= runs;
    bool chaos = q->parting && !few;
    if (q->count) {
        return d1 == 0.0 ? IL_ROBUST : chaos ? IL_CHAOTIC : IL_ILL_CONDITIONED;
    }
    double explained = IL_SPREAD_AMPLIFICATION * q->scale * e1 + q->noise;
    if (s->condition <= IL_SPREAD_AMPLIFICATION) {
        return IL_ROBUST;
    }
    /* a number at rounding level has no digits of its own to lose */
    double itself = fabs(q->value) > explained ? fabs(q->value) : q->scale;
    bool saturated = en > e1 && d1 >= TENTH * dn && d1 >= FOURTH * itself;
    bool gone = d1 > explained && (d1 >= TENTH * itself || saturated);
    return gone && chaos ? IL_CHAOTIC : IL_ILL_CONDITIONED;
}

bool il_spread_of(const il_spread_query *q, double *x, il_spread *out) {
    double e1 = least_size(q);
    double en = il_largest(q->size, q->n);
    size_t n = 0;
    x[n++] = q->value;
    for (size_t k = 0; k < q->n; k++) {
        if (q->size[k] == e1 && !isnan(q->x[k])) {
            x[n++] = q->x[k];
        }
    }
    if (n == 1 || isnan(q->value)) {
        return false;
    }
    qsort(x, n, sizeof *x, il_ascending);
    double d1 = distance(q, e1);
    double dn = distance(q, en);
    bool sizes = en > e1 && d1 > 0.0 && dn > 0.0;
    *out = (il_spread){.value = q->value,
                       .median = n % 2 == 1 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]),
                       .low = x[0],
                       .high = x[n - 1],
                       .spread = x[n - 1] - x[0],
                       .condition = condition(q),
                       .slope = sizes ? il_log(dn / d1) / il_log(en / e1) : (double)NAN,
                       .values = count_values(x, n)};
    out->class = classify(q, out, e1, en, d1, dn, n);
    return true;
}

/* ---- growth: the rate at which runs diverge ------------------------------------------------- */

const int il_digits_left[IL_DIGITS] = {12, 8, 4, 2};

static const double FREE = 4.0;      /* times the beginning: growth has set in */
static const double SATURATED = 0.1; /* of the most: growth has ended */
static const double RISE = 1000.0;   /* that a rate asks for */
static const double HALF = 0.5;
static const size_t TIMES = 5;
static const double DIGITS = 16.0; /* of a double */

/* Least squares of log delta on t over [first, last]. */
static double slope(const double *t, const double *delta, size_t first, size_t last) {
    double n = 0.0;
    double tm = 0.0;
    double ym = 0.0;
    for (size_t k = first; k <= last; k++) {
        if (delta[k] > 0.0) {
            n += 1.0;
            tm += t[k];
            ym += il_log(delta[k]);
        }
    }
    tm /= n;
    ym /= n;
    double stt = 0.0;
    double sty = 0.0;
    for (size_t k = first; k <= last; k++) {
        if (delta[k] > 0.0) {
            stt += (t[k] - tm) * (t[k] - tm);
            sty += (t[k] - tm) * (il_log(delta[k]) - ym);
        }
    }
    return n >= (double)TIMES ? sty / stt : NAN;
}

/* The time to which delta rises most, first + 1 .. last. */
static size_t steepest(const double *delta, size_t first, size_t last) {
    size_t at = last;
    double most = 0.0;
    for (size_t k = first + 1; k <= last; k++) {
        if (delta[k - 1] > 0.0 && delta[k] > most * delta[k - 1]) {
            most = delta[k] / delta[k - 1];
            at = k;
        }
    }
    return at;
}

static void find_rate(const double *t, const double *delta, size_t n, double most, il_growth *g) {
    size_t began = 0;
    while (began < n && delta[began] == 0.0) {
        began++;
    }
    size_t last = began;
    while (last < n && delta[last] < SATURATED * most) {
        last++;
    }
    if (last >= n) {
        return;
    }
    size_t first = began; /* after the last time at which it was near its beginning */
    for (size_t k = began; k < last; k++) {
        first = delta[k] < FREE * delta[began] ? k : first;
    }
    if (!(delta[last] >= RISE * delta[first] && delta[first] > 0.0)) {
        return;
    }
    size_t at = steepest(delta, first, last);
    if (il_log(delta[at] / delta[at - 1]) > HALF * il_log(delta[last] / delta[first])) {
        g->jump = t[at];
        return;
    }
    g->rate = slope(t, delta, first, last);
    if (!isnan(g->rate)) {
        g->from = t[first];
        g->to = t[last];
        g->rise = delta[last] / delta[first];
    }
}

il_growth il_growth_of(const double *t, const double *delta, size_t n) {
    il_growth g = {.rate = NAN, .from = NAN, .to = NAN, .rise = NAN, .jump = NAN, .left = DIGITS};
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, delta[k]);
    }
    for (int i = 0; i < IL_DIGITS; i++) {
        double threshold = 1.0;
        for (int power = 0; power < il_digits_left[i]; power++) {
            threshold /= 10.0;
        }
        g.time[i] = NAN;
        for (size_t k = 0; k < n && isnan(g.time[i]); k++) {
            g.time[i] = delta[k] > threshold ? t[k] : NAN;
        }
    }
    if (most > 0.0) {
        g.left = fmin(DIGITS, fmax(0.0, -il_log(most) / il_log(10.0)));
        find_rate(t, delta, n, most, &g);
    }
    return g;
}
