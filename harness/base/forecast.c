/*
 * forecast.c - see forecast.h.
 */
#include "harness/base/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ----------------------------------------------------------------------------------- */

static int by_class(const void *a, const void *b) {
    const il_planned *x = a;
    const il_planned *y = b;
    return x->which != y->which   ? (x->which > y->which) - (x->which < y->which)
           : x->units != y->units ? (x->units > y->units) - (x->units < y->units)
                                  : (x->k > y->k) - (x->k < y->k);
}

static int by_work(const void *a, const void *b) {
    const il_planned *x = a;
    const il_planned *y = b;
    return x->probe != y->probe   ? (x->probe ? -1 : 1)
           : x->units != y->units ? (x->units < y->units) - (x->units > y->units)
                                  : (x->k > y->k) - (x->k < y->k);
}

void il_schedule_order(il_planned *jobs, size_t n) {
    qsort(jobs, n, sizeof *jobs, by_class);
    for (size_t i = 0; i < n; i++) {
        jobs[i].probe = i == 0 || jobs[i].which != jobs[i - 1].which;
    }
    qsort(jobs, n, sizeof *jobs, by_work);
}

/* ---- duration -------------------------------------------------------------------------------- */

void il_forecast_clear(il_forecast *f) {
    memset(f->of, 0, f->classes * sizeof *f->of);
    f->all_units = f->all_seconds = 0.0;
}

void il_forecast_see(il_forecast *f, size_t which, double units, double seconds, double weight) {
    il_forecast_class *c = &f->of[which];
    double w = weight / units;
    c->weight += w;
    c->units += w * units;
    c->seconds += w * seconds;
    c->squares += w * units * units;
    c->products += w * units * seconds;
    f->all_units += weight * units;
    f->all_seconds += weight * seconds;
}

/* The line through the weighted mean, its slope between 0 and that of the line through the origin.
 */
double il_forecast_seconds(const il_forecast *f, size_t which, double units) {
    const il_forecast_class *c = &f->of[which];
    if (f->proportional || !(c->weight > 0.0)) {
        return f->all_units > 0.0 ? units * f->all_seconds / f->all_units : (double)NAN;
    }
    double u = c->units / c->weight;
    double s = c->seconds / c->weight;
    double variance = c->squares / c->weight - u * u;
    double covariance = c->products / c->weight - u * s;
    double rate = s / u;
    double slope = variance > 1e-9 * u * u ? fmin(fmax(0.0, covariance / variance), rate) : rate;
    return s + slope * (units - u);
}
