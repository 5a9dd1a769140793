/*
 * forecast.h - jobs of many lengths: in which order they are handed out, and how long those that
 * are left will take.
 *
 * A job has a class (a problem and a scheme) and an amount of expected work in units (a sweep's are
 * steps). In each class seconds = a + b units with a >= 0 and b >= 0 (a run has a fixed
 * cost), fitted to the jobs seen so far by least squares with a variance in proportion to the work.
 * A class without data uses the seconds per unit over all classes. A job that is running counts in
 * proportion to what is done.
 */
#ifndef IL_BASE_FORECAST_H
#define IL_BASE_FORECAST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t k;     /* the caller's number, of which no two are equal */
    size_t which; /* class */
    double units; /* of expected work, > 0 */
    bool probe;   /* written: it comes first */
} il_planned;

/* Order jobs[n]: the shortest job of each class first, for an early estimate of the total time,
 * then the others; both by decreasing work (a long job at the end would keep one worker busy while
 * the others wait; Graham 1969: within 4/3 of the shortest schedule), ties by number. */
void il_schedule_order(il_planned *jobs, size_t n);

/* Sums over the jobs of a class, each with its weight over its units. */
typedef struct {
    double weight, units, seconds, squares, products;
} il_forecast_class;

typedef struct {
    size_t classes;
    il_forecast_class *of; /* [classes] the caller's */
    bool proportional;     /* use the seconds per unit over all classes, whatever is known of one */
    double all_units, all_seconds;
} il_forecast;

/* Discard all observations. */
void il_forecast_clear(il_forecast *f);

/* Observe: a job of this class with `units` > 0 of work takes this many seconds; weight in (0, 1]
 * is the fraction that is done. */
void il_forecast_see(il_forecast *f, size_t which, double units, double seconds, double weight);

/* Predicted seconds for so many units of a class; NaN while nothing has been observed. */
double il_forecast_seconds(const il_forecast *f, size_t which, double units);

#endif
