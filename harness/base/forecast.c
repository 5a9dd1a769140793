/*
 * forecast.c - a piecewise linear model of job durations.
 */
#include "harness/base/forecast.h"

#include <math.h>
#include <string.h>

enum { LOWEST = -32 }; /* exponent of the units of the first bin, and of all below */

typedef struct {
    double units, seconds;
} point;

void il_forecast_clear(il_forecast *f) {
    memset(f->of, 0, f->classes * sizeof *f->of);
}

void il_forecast_see(il_forecast *f, size_t which, double units, double seconds, double weight) {
    int e = 0;
    (void)frexp(units, &e);
    int k = e - LOWEST;
    k = k < 0 ? 0 : k >= IL_FORECAST_BINS ? IL_FORECAST_BINS - 1 : k;
    il_forecast_class *c = &f->of[which];
    c->bin[k].weight += weight;
    c->bin[k].units += weight * units;
    c->bin[k].seconds += weight * seconds;
}

/* Seconds a unit over all classes. */
static double overall(const il_forecast *f) {
    double seconds = 0.0;
    double units = 0.0;
    for (size_t k = 0; k < f->classes; k++) {
        for (size_t i = 0; i < IL_FORECAST_BINS; i++) {
            seconds += f->of[k].bin[i].seconds;
            units += f->of[k].bin[i].units;
        }
    }
    return units > 0.0 ? seconds / units : (double)NAN;
}

/* The line through two points, the first with fewer units. */
static double along(point a, point b, double units) {
    return a.seconds + (units - a.units) / (b.units - a.units) * (b.seconds - a.seconds);
}

/* Beyond the outermost point, on from the one before it. */
static double beyond(point outer, point inner, double units) {
    point low = outer.units < inner.units ? outer : inner;
    point high = outer.units < inner.units ? inner : outer;
    if (!(high.seconds >= low.seconds)) {
        return outer.seconds; /* the larger the shorter is noise */
    }
    bool proportional = along(low, high, 0.0) < 0.0;
    return proportional ? units / outer.units * outer.seconds : along(low, high, units);
}

double il_forecast_seconds(const il_forecast *f, size_t which, double units) {
    point seen[IL_FORECAST_BINS];
    size_t n = 0;
    size_t above = 0; /* the first of more units */
    if (f->proportional) {
        return units * overall(f);
    }
    for (size_t i = 0; i < IL_FORECAST_BINS; i++) {
        double weight = f->of[which].bin[i].weight;
        if (weight > 0.0) {
            seen[n] =
                (point){f->of[which].bin[i].units / weight, f->of[which].bin[i].seconds / weight};
            above += seen[n].units <= units;
            n++;
        }
    }
    if (n < 2) {
        return n == 0 ? units * overall(f) : units / seen[0].units * seen[0].seconds;
    }
    return above == 0   ? beyond(seen[0], seen[1], units)
           : above == n ? beyond(seen[n - 1], seen[n - 2], units)
                        : along(seen[above - 1], seen[above], units);
}
