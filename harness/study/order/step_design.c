/*
 * step_design.c - draws step counts uniformly in the logarithm, level by level.
 */
#include "harness/study/order/step_design.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/base/elementary.h"

static const double STEPS_MAX = 0x1p40; /* as il_run allows */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool drawn(const double *steps, size_t n, double x) {
    for (size_t k = 0; k < n; k++) {
        if (steps[k] == x) {
            return true;
        }
    }
    return false;
}

/* n distinct integers in [low, high), sorted. The caller has checked that twice as many exist, so
 * that a draw meets a new one with a chance that does not vanish. */
static void draw_level(gsl_rng *rng, double low, double high, double *steps, size_t n) {
    for (size_t k = 0; k < n;) {
        double x = floor(low * il_pow(high / low, gsl_rng_uniform(rng)));
        if (x >= low && x < high && !drawn(steps, k, x)) {
            steps[k++] = x;
        }
    }
    qsort(steps, n, sizeof *steps, by_size);
}

static il_status refuse(il_error *err, double N, const char *why, const char *allowed) {
    return il_fail(err, IL_EINVAL, "the level around %g steps %s; allowed: %s", N, why, allowed);
}

static il_status draw(const il_step_design *d, gsl_rng *rng, double *steps, il_error *err) {
    for (size_t k = 0; k < d->count; k++) {
        double N = (double)d->from * il_pow(d->ratio, (double)k);
        double low = N / sqrt(d->ratio);
        double high = N * sqrt(d->ratio);
        if (d->jitter == 1) {
            steps[k] = round(N);
            if (k > 0 && steps[k] <= steps[k - 1]) {
                return refuse(err, N, "rounds to the level before", "a larger from or ratio");
            }
        } else if (ceil(high) - ceil(low) < 2.0 * (double)d->jitter) {
            return refuse(err, N, "has too few integers for the jitter",
                          "a jitter of at most half their number");
        } else {
            draw_level(rng, low, high, steps + k * d->jitter, d->jitter);
        }
    }
    return IL_OK;
}

il_status il_step_design_check(const il_step_design *design, il_error *err) {
    double last = (double)design->from * il_pow(design->ratio, (double)design->count - 1.0);
    if (!(last * design->ratio <= STEPS_MAX) || design->jitter > IL_DESIGN_JITTER_MAX) {
        return refuse(err, last, "or their number is too large",
                      "2^40 steps, 1000000 step counts a level");
    }
    return IL_OK;
}

il_status il_step_design_draw(const il_step_design *design, double *steps, il_error *err) {
    il_status status = il_step_design_check(design, err);
    if (status != IL_OK) {
        return status;
    }
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, design->seed);
    status = draw(design, rng, steps, err);
    gsl_rng_free(rng);
    return status;
}
