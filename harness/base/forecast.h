/*
 * forecast.h - how long jobs take, learned from those that were seen.
 *
 * A job has a class (a problem by a scheme) and so many units of expected work (steps times
 * coordinates). Seconds of a class are a polygon in units, through the means of those that were
 * seen between two powers of 2: runs cost something whatever their steps, and fine steps may be
 * cheaper or dearer than coarse ones. Beyond those seen it goes on as the line through the last
 * two, falling to no less than in proportion, or through the only one. Of a class of which nothing
 * was seen, seconds a unit are those over all classes. A job that is under way counts as far as it
 * is done.
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
    bool proportional;     /* seconds a unit are those over all classes, whatever was seen of one */
} il_forecast;

/* Forget what was seen. */
void il_forecast_clear(il_forecast *f);

/* A job of a class, of so many units > 0, takes so many seconds; weight in (0, 1]: what share of it
 * is done. */
void il_forecast_see(il_forecast *f, size_t which, double units, double seconds, double weight);

/* Seconds for so many units of a class; NaN while nothing at all was seen. */
double il_forecast_seconds(const il_forecast *f, size_t which, double units);

#endif
