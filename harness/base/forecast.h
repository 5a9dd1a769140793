/*
 * forecast.h - how long jobs take, estimated from those that have run.
 *
 * A job has a class (a problem and a scheme) and an amount of expected work in units (steps times
 * coordinates). For each class, seconds are a piecewise linear function of units, through the means
 * of the jobs seen between consecutive powers of 2: a run has a fixed cost, and fine steps may be
 * cheaper or more expensive than coarse ones. Beyond the jobs seen, the line through the last two
 * points is continued, falling no faster than in proportion to the work; with a single point the
 * function is proportional. A class without data uses the seconds per unit over all classes. A job
 * that is running counts in proportion to what is done.
 */
#ifndef IL_BASE_FORECAST_H
#define IL_BASE_FORECAST_H

#include <stdbool.h>
#include <stddef.h>

enum { IL_FORECAST_BINS = 64 };

/* Sums over the jobs of a class, each with its weight, by powers of 2 of their units. */
typedef struct {
    struct {
        double weight, units, seconds;
    } bin[IL_FORECAST_BINS];
} il_forecast_class;

typedef struct {
    size_t classes;
    il_forecast_class *of; /* [classes] the caller's */
    bool proportional;     /* use the seconds per unit over all classes, whatever is known of one */
} il_forecast;

/* Discard all observations. */
void il_forecast_clear(il_forecast *f);

/* Observe: a job of this class with `units` > 0 of work takes this many seconds; weight in (0, 1]
 * is the fraction that is done. */
void il_forecast_see(il_forecast *f, size_t which, double units, double seconds, double weight);

/* Predicted seconds for so many units of a class; NaN while nothing has been observed. */
double il_forecast_seconds(const il_forecast *f, size_t which, double units);

#endif
