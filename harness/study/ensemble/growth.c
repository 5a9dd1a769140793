/*
 * growth.c - the rate at which runs part.
 */
#include "harness/study/ensemble/growth.h"

#include <math.h>

#include "harness/base/elementary.h"

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
    double threshold = 1.0;
    for (int i = 0, power = 0; i < IL_DIGITS; i++) {
        g.time[i] = NAN;
        for (threshold = 1.0, power = 0; power < il_digits_left[i]; power++) {
            threshold /= 10.0;
        }
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
