/*
 * forecast.h - how long jobs take, learned from those that were seen.
 *
 * A job has a class (a problem by a scheme) and so many units of expected work (steps times
 * coordinates). Of a class
 *
 *     seconds = a + b units,     a, b >= 0,
 *
 * by least squares: what a run costs whatever its steps, as springs do that make steps of their
 * own, and what a step costs. Of jobs of one size alone a = 0; of a class of which nothing was
 * seen, seconds a unit are those over all classes. A job that is under way counts as far as it is
 * done.
 */
#ifndef IL_BASE_FORECAST_H
#define IL_BASE_FORECAST_H

#include <stddef.h>

/* Sums over the jobs of a class, each with its weight. */
typedef struct {
    double weight, units, seconds, square, product;
} il_forecast_class;

typedef struct {
    size_t classes;
    il_forecast_class *of; /* [classes] the caller's */
} il_forecast;

/* Forget what was seen. */
void il_forecast_clear(il_forecast *f);

/* A job of a class, of so many units > 0, takes so many seconds; weight in (0, 1]: what share of it
 * is done. */
void il_forecast_see(il_forecast *f, size_t which, double units, double seconds, double weight);

/* Seconds for so many units of a class; NaN while nothing at all was seen. */
double il_forecast_seconds(const il_forecast *f, size_t which, double units);

#endif
