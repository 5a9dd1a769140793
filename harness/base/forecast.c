/*
 * forecast.c - a line through what was seen of a class.
 */
#include "harness/base/forecast.h"

#include <math.h>
#include <string.h>

/* Of the mean square of units, the share that their variance must be to say what a line's slope is.
 */
static const double APART = 1e-6;

void il_forecast_clear(il_forecast *f) {
    memset(f->of, 0, f->classes * sizeof *f->of);
}

void il_forecast_see(il_forecast *f, size_t which, double units, double seconds, double weight) {
    il_forecast_class *c = &f->of[which];
    c->weight += weight;
    c->units += weight * units;
    c->seconds += weight * seconds;
    c->square += weight * units * units;
    c->product += weight * units * seconds;
}

/* Seconds a unit over all classes. */
static double overall(const il_forecast *f) {
    double seconds = 0.0;
    double units = 0.0;
    for (size_t k = 0; k < f->classes; k++) {
        seconds += f->of[k].seconds;
        units += f->of[k].units;
    }
    return units > 0.0 ? seconds / units : (double)NAN;
}

double il_forecast_seconds(const il_forecast *f, size_t which, double units) {
    const il_forecast_class *c = &f->of[which];
    if (!(c->weight > 0.0)) {
        return units * overall(f);
    }
    double mean = c->units / c->weight;
    double variance = c->square / c->weight - mean * mean;
    if (variance <= APART * c->square / c->weight) {
        return units * c->seconds / c->units;
    }
    double b = (c->product / c->weight - mean * c->seconds / c->weight) / variance;
    double a = c->seconds / c->weight - b * mean;
    if (b < 0.0) {
        return c->seconds / c->weight;
    }
    return a < 0.0 ? units * c->product / c->square : a + b * units;
}
