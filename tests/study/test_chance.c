/*
 * test_chance.c - shares and quantiles against closed forms and against a direct sum.
 */
#include <math.h>

#include "harness/study/ensemble/chance.h"
#include "tests/support/suite.h"

/* Bisection to 2^-60 of an interval of length 1, on probabilities with n roundings. */
static const double FOUND = 1e-12;

static void the_ends_of_an_interval_are_closed_forms(void) {
    /* all hit: P(B >= n) = p^n; none hit: P(B <= 0) = (1-p)^n */
    const size_t ns[] = {1, 2, 10, 40, 5000};
    for (size_t k = 0; k < 5; k++) {
        double n = (double)ns[k];
        double edge = pow(0.025, 1.0 / n);
        il_share s = {0};
        CU_ASSERT_EQUAL(il_share_of(ns[k], ns[k], 0.95, &s, NULL), IL_OK);
        CU_ASSERT(fabs(s.low - edge) <= FOUND);
        CU_ASSERT(s.high == 1.0 && s.share == 1.0);
        CU_ASSERT_EQUAL(il_share_of(0, ns[k], 0.95, &s, NULL), IL_OK);
        CU_ASSERT(fabs(s.high - (1.0 - edge)) <= FOUND);
        CU_ASSERT(s.low == 0.0 && s.share == 0.0);
    }
}

/* P(B <= k) by logarithms of factorials. */
static double below(size_t k, size_t n, double p) {
    double sum = 0.0;
    for (size_t i = 0; i <= k; i++) {
        double c =
            lgamma((double)n + 1.0) - lgamma((double)i + 1.0) - lgamma((double)(n - i) + 1.0);
        sum += exp(c + (double)i * log(p) + (double)(n - i) * log1p(-p));
    }
    return sum;
}

static void at_its_ends_an_interval_has_the_tails_that_it_names(void) {
    const double level = 0.9;
    for (size_t n = 2; n <= 60; n += 7) {
        for (size_t hits = 1; hits < n; hits++) {
            il_share s = {0};
            CU_ASSERT_EQUAL(il_share_of(hits, n, level, &s, NULL), IL_OK);
            CU_ASSERT(fabs(below(hits, n, s.high) - 0.05) <= 1e-10); /* lgamma's digits */
            CU_ASSERT(fabs(1.0 - below(hits - 1, n, s.low) - 0.05) <= 1e-10);
            CU_ASSERT(s.low < s.share && s.share < s.high);
        }
    }
}

static void ten_thousand_coins_do_not_underflow(void) {
    /* symmetric: P(B <= 4999) = (1 - P(B = 5000))/2, P(B = n/2) = 1/sqrt(pi n/2) (1 - 1/(4n) + ...)
     */
    double middle = (1.0 - 1.0 / 40000.0) / sqrt(acos(-1.0) * 5000.0);
    CU_ASSERT(fabs(il_binomial_below(4999, 10000, 0.5) - 0.5 * (1.0 - middle)) <= 1e-9);
}

static void a_median_of_ten_lies_between_the_second_and_the_ninth(void) {
    /* P(B < 2) = 11/1024 <= 0.025 < P(B < 3) = 56/1024 */
    double x[] = {7, 3, 10, 1, 5, 2, 9, 4, 8, 6};
    il_quantile q = {0};
    CU_ASSERT_EQUAL(il_quantile_of(x, 10, 0.5, 0.95, &q, NULL), IL_OK);
    CU_ASSERT(q.value == 5.5 && q.low == 2.0 && q.high == 9.0);
    CU_ASSERT(fabs(q.coverage - (1.0 - 22.0 / 1024.0)) <= 1e-15);
}

static void what_did_not_end_is_larger_than_all_else(void) {
    double x[] = {INFINITY, 1, INFINITY, 2, 3, INFINITY, 4, INFINITY, INFINITY, INFINITY};
    il_quantile q = {0};
    CU_ASSERT_EQUAL(il_quantile_of(x, 10, 0.5, 0.95, &q, NULL), IL_OK);
    CU_ASSERT(q.value == INFINITY && q.low == 2.0 && q.high == INFINITY);
    CU_ASSERT_EQUAL(q.endless, 6);
}

static void few_values_bound_nothing(void) {
    double x[] = {1, 2, 3};
    il_quantile q = {0};
    CU_ASSERT_EQUAL(il_quantile_of(x, 3, 0.5, 0.95, &q, NULL), IL_OK);
    CU_ASSERT(q.value == 2.0 && q.low == -INFINITY && q.high == INFINITY && q.coverage == 1.0);
}

/* The interval of a quantile holds what it says: 400 samples of 25 uniform numbers from a fixed
 * sequence; the count of misses is binomial with mean at most 400 (1 - coverage). */
static void intervals_of_quantiles_cover(void) {
    unsigned long state = 12345;
    const double ps[] = {0.5, 0.2};
    for (size_t which = 0; which < 2; which++) {
        double missed = 0.0;
        double expected = 0.0;
        for (int sample = 0; sample < 400; sample++) {
            double x[25];
            for (int i = 0; i < 25; i++) {
                state = (state * 6364136223846793005ul + 1442695040888963407ul);
                x[i] = (double)(state >> 11) * 0x1p-53;
            }
            il_quantile q = {0};
            CU_ASSERT_EQUAL(il_quantile_of(x, 25, ps[which], 0.8, &q, NULL), IL_OK);
            CU_ASSERT(q.coverage >= 0.8);
            missed += !(q.low <= ps[which] && ps[which] <= q.high);
            expected += 1.0 - q.coverage;
        }
        CU_ASSERT(missed <= expected + 4.0 * sqrt(expected)); /* four deviations */
        CU_ASSERT(missed >= expected - 4.0 * sqrt(expected));
    }
}

static void what_is_no_sample_is_refused(void) {
    il_share s = {0};
    il_quantile q = {0};
    double x[] = {1, NAN};
    CU_ASSERT_EQUAL(il_share_of(3, 2, 0.95, &s, NULL), IL_EINVAL);
    CU_ASSERT_EQUAL(il_share_of(0, 0, 0.95, &s, NULL), IL_EINVAL);
    CU_ASSERT_EQUAL(il_share_of(1, 2, 1.0, &s, NULL), IL_EINVAL);
    CU_ASSERT_EQUAL(il_share_of(1, 2, NAN, &s, NULL), IL_EINVAL);
    CU_ASSERT_EQUAL(il_quantile_of(x, 2, 0.5, 0.95, &q, NULL), IL_EINVAL);
    CU_ASSERT_EQUAL(il_quantile_of(x, 1, 0.0, 0.95, &q, NULL), IL_EINVAL);
}

static const il_test tests[] = {
    {"the ends of an interval are closed forms", the_ends_of_an_interval_are_closed_forms},
    {"at its ends an interval has the tails that it names",
     at_its_ends_an_interval_has_the_tails_that_it_names},
    {"ten thousand coins do not underflow", ten_thousand_coins_do_not_underflow},
    {"a median of ten lies between the second and the ninth",
     a_median_of_ten_lies_between_the_second_and_the_ninth},
    {"what did not end is larger than all else", what_did_not_end_is_larger_than_all_else},
    {"few values bound nothing", few_values_bound_nothing},
    {"intervals of quantiles cover", intervals_of_quantiles_cover},
    {"what is no sample is refused", what_is_no_sample_is_refused},
    {NULL, NULL}};

const il_suite il_suite_chance = {"chance", tests};
