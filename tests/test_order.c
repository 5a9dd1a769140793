/*
 * test_order.c - orders from synthetic errors whose order is known.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "harness/order.h"
#include "tests/suite.h"

enum { LEVELS = 4, JITTER = 8, POINTS = LEVELS * JITTER, TRIALS = 1000 };

/* E = C h^p with logarithmic noise; h jittered within each octave. */
static void synthesise(gsl_rng *rng, double p, double noise, double *h, double *e) {
    for (size_t k = 0; k < POINTS; k++) {
        size_t octave = k / JITTER;
        double steps = 64.0 * pow(2.0, (double)octave + gsl_rng_uniform(rng) - 0.5);
        h[k] = 1.0 / floor(steps);
        e[k] = 0.7 * pow(h[k], p) * exp(gsl_ran_gaussian(rng, noise));
    }
}

/* The interval covers the truth as often as it says: 95 % of 1000 trials, whose own scatter is
 * 0.7 %; 90 to 98 % leaves four of them on the near side. */
static void the_interval_covers_the_true_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double orders[3] = {0.5, 1.0, 2.0};
    for (int k = 0; k < 3; k++) {
        int covered = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double h[POINTS];
            double e[POINTS];
            synthesise(rng, orders[k], 0.3, h, e);
            il_order o = il_order_fit(h, e, POINTS, 0.95, NAN, 0, 1.0);
            covered += o.low <= orders[k] && orders[k] <= o.high;
        }
        CU_ASSERT(covered >= 900 && covered <= 980);
    }
    gsl_rng_free(rng);
}

static void claims_are_judged(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double h[POINTS];
    double e[POINTS];
    synthesise(rng, 1.0, 0.02, h, e);
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 1.0, 1, 1.0).verdict, IL_ORDER_PASS);
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 0.5, 0, 1.0).verdict, IL_ORDER_PASS);
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 0.5, 1, 1.0).verdict, IL_ORDER_FAIL);
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 2.0, 0, 1.0).verdict, IL_ORDER_FAIL);
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, NAN, 0, 1.0).verdict, IL_ORDER_REPORTED);
    synthesise(rng, 1.0, 2.0, h, e);
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 1.0, 1, 1.0).verdict, IL_ORDER_INCONCLUSIVE);
    gsl_rng_free(rng);
}

/* Errors that rise, stand still, vanish or are no numbers never pass. */
static void failed_studies_have_no_order(void) {
    double h[POINTS];
    double e[POINTS];
    for (size_t k = 0; k < POINTS; k++) {
        h[k] = 1.0 / (64.0 + 7.0 * (double)k);
        e[k] = 1e-3 / h[k];
    }
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 1.0, 0, 1.0).verdict, IL_ORDER_FAIL);
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, NAN, 0, 1.0).verdict, IL_ORDER_FAIL);
    for (size_t k = 0; k < POINTS; k++) {
        e[k] = 0.25;
    }
    il_verdict still = il_order_fit(h, e, POINTS, 0.95, 0.0, 0, 1.0).verdict;
    CU_ASSERT(still == IL_ORDER_FAIL || still == IL_ORDER_INCONCLUSIVE);
    for (size_t k = 0; k < POINTS; k++) {
        e[k] = h[k];
    }
    e[3] = NAN;
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 1.0, 0, 1.0).verdict, IL_ORDER_FAIL);
    e[3] = INFINITY;
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 1.0, 0, 1.0).verdict, IL_ORDER_FAIL);
    e[3] = 0.0;
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 1.0, 0, 1.0).verdict, IL_ORDER_INCONCLUSIVE);
    e[3] = h[3];
    CU_ASSERT_EQUAL(il_order_fit(h, e, 3, 0.95, 1.0, 0, 1.0).verdict, IL_ORDER_INCONCLUSIVE);
    for (size_t k = 0; k < POINTS; k++) {
        e[k] = 1e-15 * h[k]; /* rounding of a solution of size one */
    }
    CU_ASSERT_EQUAL(il_order_fit(h, e, POINTS, 0.95, 1.0, 0, 1.0).verdict, IL_ORDER_INCONCLUSIVE);
}

/* Ratios other than two, and the noiseless slope to rounding of the logarithms. */
static void any_ratio_will_do(void) {
    double h[6];
    double e[6];
    for (int k = 0; k < 6; k++) {
        h[k] = pow(3.7, -k);
        e[k] = 2.0 * pow(h[k], 1.5);
    }
    il_order o = il_order_fit(h, e, 6, 0.95, 1.5, 1, 1.0);
    CU_ASSERT(fabs(o.slope - 1.5) <= 1e-13 && fabs(o.constant - 2.0) <= 1e-12);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_PASS);
}

static const il_test tests[] = {
    {"the interval covers the true order", the_interval_covers_the_true_order},
    {"claims are judged", claims_are_judged},
    {"failed studies have no order", failed_studies_have_no_order},
    {"any ratio will do", any_ratio_will_do},
    {NULL, NULL}};

const il_suite il_suite_order = {"order", tests};
