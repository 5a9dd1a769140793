/*
 * test_spread.c - growth and spreads of an ensemble from their definitions, computed another way.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "harness/study/ensemble/disturb.h"
#include "harness/study/ensemble/spread.h"
#include "tests/support/suite.h"

enum { RUNS = 12, ALL = 18 };

/* Three times nothing, then delta = 2^(k-40) at t = 3 k^2 / 2: what is fitted begins where it has
 * not yet grown to four times its first, k = 1, and ends at the first that is a tenth of the most,
 * 2^27 of 2^30. The slope is that of the least squares of k over t there, by sums of integers. */
static void a_fit_begins_at_four_times_the_first_and_ends_at_a_tenth_of_the_most(void) {
    double t[34];
    double delta[34] = {0.0};
    double st = 0.0;
    double sk = 0.0;
    double stt = 0.0;
    double stk = 0.0;
    for (int k = -3; k <= 30; k++) {
        t[k + 3] = k < 0 ? k : 1.5 * k * k;
        delta[k + 3] = k < 0 ? 0.0 : ldexp(1.0, k - 40);
        if (1 <= k && k <= 27) {
            st += t[k + 3];
            sk += k;
            stt += t[k + 3] * t[k + 3];
            stk += t[k + 3] * k;
        }
    }
    il_growth g = il_growth_of(t, delta, 34);
    double slope = log(2.0) * (27.0 * stk - st * sk) / (27.0 * stt - st * st);
    CU_ASSERT(fabs(g.rate - slope) <= 1e-13 * slope); /* 27 roundings of logarithms below 28 */
    CU_ASSERT(g.from == t[4] && g.to == t[30] && g.rise == 0x1p26);
    CU_ASSERT(isnan(g.jump));
    CU_ASSERT(fabs(g.left - 10.0 * log10(2.0)) <= 1e-14);
}

/* Of what a rounding of 2e-3 explains nothing is chaos, though larger moves do far more. */
static void what_noise_explains_is_no_chaos(void) {
    double x[ALL];
    double size[ALL];
    for (int k = 0; k < ALL; k++) {
        size[k] = k < RUNS ? 1e-15 : 1e-9;
        x[k] = 1e-3 + (k < RUNS ? 1e-3 : 8e-3) * il_disturb_draw(3, (uint64_t)k);
    }
    il_spread_query q = {.value = 1e-3,
                         .n = ALL,
                         .x = x,
                         .size = size,
                         .scale = 1.0,
                         .noise = 2e-3,
                         .parting = true};
    il_spread s = {0};
    double scratch[ALL + 1];
    CU_ASSERT_TRUE(il_spread_of(&q, scratch, &s));
    CU_ASSERT_EQUAL(s.class, IL_ILL_CONDITIONED);
    q.noise = 1e-5; /* and with less it is */
    CU_ASSERT_TRUE(il_spread_of(&q, scratch, &s));
    CU_ASSERT_EQUAL(s.class, IL_CHAOTIC);
}

/* Of runs[n], sorted by counting: the mean of the two in the middle. */
static double middle_of(const double *x, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        int less = 0;
        int upto = 0;
        for (int j = 0; j < n; j++) {
            less += x[j] < x[i];
            upto += x[j] <= x[i];
        }
        int half = (n - 1) / 2; /* ranks from 0 */
        bool low = less <= half && half < upto;
        bool high = less <= n / 2 && n / 2 < upto;
        sum += (double)(low + high) * x[i] / (double)(upto - less);
    }
    return 0.5 * sum;
}

/* Numbers of a spread from their definitions; every fifth member has no such number. */
static void spreads_are_those_of_their_definitions(void) {
    for (uint64_t seed = 1; seed <= 40; seed++) {
        double x[ALL];
        double size[ALL];
        double least[RUNS + 1] = {0.25};
        double worst = 0.0;
        double d[2] = {0.0, 0.0};
        int n = 1;
        for (int k = 0; k < ALL; k++) {
            bool small = (k + (int)seed) % 3 != 0;
            size[k] = small ? 0x1p-40 : 0x1p-20;
            bool none = (k * 7 + (int)seed) % 5 == 0;
            x[k] = none ? NAN : 0.25 + 64.0 * size[k] * il_disturb_draw(seed, (uint64_t)k);
            if (!none) {
                d[!small] = fmax(d[!small], fabs(x[k] - 0.25));
                worst = fmax(worst, (fabs(x[k] - 0.25) - 0x1p-42) / (2.0 * size[k]));
            }
            if (!none && small) {
                least[n++] = x[k];
            }
        }
        il_spread_query q = {
            .value = 0.25, .n = ALL, .x = x, .size = size, .scale = 2.0, .noise = 0x1p-42};
        il_spread s = {0};
        double scratch[ALL + 1];
        CU_ASSERT_TRUE(il_spread_of(&q, scratch, &s));
        double low = 0.25;
        double high = 0.25;
        for (int i = 0; i < n; i++) {
            low = fmin(low, least[i]);
            high = fmax(high, least[i]);
        }
        CU_ASSERT(s.value == 0.25 && s.low == low && s.high == high && s.spread == high - low);
        CU_ASSERT_EQUAL(s.median, middle_of(least, n));
        CU_ASSERT_EQUAL(s.condition, worst);
        double slope = log(d[1] / d[0]) / log(0x1p20);
        CU_ASSERT(fabs(s.slope - slope) <= 8.0 * DBL_EPSILON); /* three logarithms, of order 1 */
    }
}

static const il_test tests[] = {
    {"a fit begins at four times the first and ends at a tenth of the most",
     a_fit_begins_at_four_times_the_first_and_ends_at_a_tenth_of_the_most},
    {"what noise explains is no chaos", what_noise_explains_is_no_chaos},
    {"spreads are those of their definitions", spreads_are_those_of_their_definitions},
    {NULL, NULL}};

const il_suite il_suite_spread = {"spread", tests};
