/*
 * test_order_units.c - an order is that of the same runs in any order, in other units of time and
 * of errors, and at another confidence: errors of every kind that the judge tells apart.
 */
#include <math.h>
#include <string.h>

#include "harness/study/order/order.h"
#include "tests/support/order_sample.h"
#include "tests/support/suite.h"

/* Logarithms of other numbers are rounded otherwise, and then searches end elsewhere: where a step
 * is below 1e-6 (order_floor.c). */
static const double FITTED = 1e-6;

static const double ROUNDING = 1e-13;

typedef enum { POWER, NEXT_POWER, FLOOR, ROUNDED, TWO_LIMITS, CONSTANT, KINDS } kind;

static il_sample draw(gsl_rng *rng, kind what) {
    il_sample s = il_sample_draw(rng, il_design_six);
    il_sample_lognormal(rng, &s, 1.0, IL_SAMPLE_NOISE);
    double finest = s.e[s.n - 1];
    for (size_t i = 0; i < s.n; i++) {
        double h = s.h[i];
        s.e[i] = what == NEXT_POWER                 ? s.e[i] * (1.0 + 40.0 * h)
                 : what == FLOOR                    ? s.e[i] + 20.0 * finest
                 : what == ROUNDED                  ? 1e-8 * s.e[i] + 3e-13
                 : what == TWO_LIMITS && i % 3 == 1 ? s.e[i] + 0.5
                 : what == CONSTANT                 ? 0.3 * s.e[i] / h
                                                    : s.e[i];
    }
    return s;
}

static il_order fit(const il_sample *s, double unit) {
    return il_sample_fit_with(s, &il_claim_bound_1,
                              (il_order_data){.causes = {.rounding = unit * ROUNDING}});
}

static bool near(double a, double b) {
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= FITTED * (1.0 + fabs(b));
}

static void expect_alike(const il_order *a, const il_order *b, double unit) {
    CU_ASSERT_EQUAL(a->verdict, b->verdict);
    CU_ASSERT(a->runs == b->runs && a->n == b->n && a->levels == b->levels);
    CU_ASSERT(a->at_rounding == b->at_rounding && a->far_below == b->far_below);
    CU_ASSERT(a->outliers == b->outliers && a->tail == b->tail && a->cause == b->cause);
    CU_ASSERT(near(a->slope, b->slope) && near(a->low, b->low) && near(a->high, b->high));
    CU_ASSERT(near(a->spread, b->spread));
    CU_ASSERT(near(a->sen.slope, b->sen.slope) && near(a->sen.low, b->sen.low));
    CU_ASSERT(near(a->power.slope, b->power.slope) && near(a->power.high, b->power.high));
    CU_ASSERT(near(a->whole.slope, b->whole.slope) && near(a->half.slope, b->half.slope));
    CU_ASSERT(near(a->fine.slope, b->fine.slope) && near(a->last.slope, b->last.slope));
    CU_ASSERT(near(a->finest / (unit * b->finest), 1.0) || isnan(b->finest));
    CU_ASSERT(near(a->plateau / unit, b->plateau));
    for (size_t k = 0; k < a->levels && k < b->levels; k++) {
        CU_ASSERT(a->level[k].fate == b->level[k].fate && a->level[k].n == b->level[k].n);
    }
}

/* The runs come in any order, to the same bits. */
static void runs_may_come_in_any_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < 3 * KINDS; k++) {
        il_sample s = draw(rng, (kind)(k % KINDS));
        il_sample mixed = s;
        il_order a = fit(&s, 1.0);
        for (size_t i = s.n - 1; i > 0; i--) {
            size_t j = (size_t)gsl_rng_uniform_int(rng, i + 1);
            double h = mixed.h[i];
            double e = mixed.e[i];
            mixed.h[i] = mixed.h[j];
            mixed.e[i] = mixed.e[j];
            mixed.h[j] = h;
            mixed.e[j] = e;
        }
        il_order b = fit(&mixed, 1.0);
        expect_alike(&b, &a, 1.0);
        CU_ASSERT_STRING_EQUAL(a.reason, b.reason);
        CU_ASSERT(memcmp(&a.slope, &b.slope, sizeof a.slope) == 0 &&
                  memcmp(&a.low, &b.low, sizeof a.low) == 0);
    }
    gsl_rng_free(rng);
}

/* E/8 over 4 h: the exponent is the same, and what is an error is an eighth. */
static void orders_have_no_units(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < 3 * KINDS; k++) {
        il_sample s = draw(rng, (kind)(k % KINDS));
        il_sample other = s;
        for (size_t i = 0; i < s.n; i++) {
            other.h[i] *= 4.0;
            other.e[i] *= 0.125;
        }
        il_order a = fit(&s, 1.0);
        il_order b = fit(&other, 0.125);
        expect_alike(&b, &a, 0.125);
        CU_ASSERT(near(b.h_max, 4.0 * a.h_max) && near(b.h_min, 4.0 * a.h_min));
    }
    gsl_rng_free(rng);
}

static const il_test tests[] = {{"runs may come in any order", runs_may_come_in_any_order},
                                {"orders have no units", orders_have_no_units},
                                {NULL, NULL}};

extern const il_suite il_suite_order_units;
const il_suite il_suite_order_units = {"order units", tests};
