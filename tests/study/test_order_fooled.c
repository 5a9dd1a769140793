/*
 * test_order_fooled.c - errors that fooled a judge of orders once: floors, runs that are exact, the
 * next power, a logarithm.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/study/order/order.h"
#include "tests/support/order_sample.h"
#include "tests/support/suite.h"

enum { TRIALS = 100 };

/* A floor of at least what still falls at the finest step, with scatter of all errors or of the
 * falling part, or without: no PASS. 100 studies each at a chance of 1 %: 1, and at most 4 (three
 * standard deviations above). Floors of twenty times what falls FAIL where the scatter lets them be
 * told from a fall like 1/log(1/h): four times of five (less three standard deviations). With a
 * scatter of 10 % the two are 1.6 standard deviations apart (scripts/orders.lua), and no judge that
 * is wrong once of 100 FAILs more than 23 of 100. */
static void floors_do_not_pass(void) {
    static const struct {
        double p, times, spread;
        bool all;   /* of all errors, else of what falls */
        bool fails; /* not told from a fall otherwise */
    } list[] = {{1.0, 1.0, 0.5, true, false},   {1.0, 6.0, 0.5, false, false},
                {1.0, 20.0, 0.5, false, false}, {0.25, 1.0, 0.0, true, false},
                {0.5, 1.0, 0.1, true, false},   {0.25, 1.0, 0.1, true, false},
                {2.0, 1.0, 0.2, true, false},   {1.0, 20.0, 0.1, true, false},
                {1.0, 20.0, 0.02, true, true},  {1.0, 20.0, 0.1, false, true}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        int passed = 0;
        int failed = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            il_sample s = il_sample_draw(rng, il_design_six);
            double floor_ = list[k].times * pow(1.0 / (64.0 * pow(2.0, 5.5)), list[k].p);
            for (size_t i = 0; i < s.n; i++) {
                double w = 1.0 + list[k].spread * (2.0 * gsl_rng_uniform(rng) - 1.0);
                double falls = pow(s.h[i], list[k].p);
                s.e[i] = list[k].all ? (floor_ + falls) * w : floor_ + falls * w;
            }
            il_verdict verdict = il_sample_fit(&s, &il_claim_converges).verdict;
            passed += verdict == IL_ORDER_PASS;
            failed += verdict == IL_ORDER_FAIL;
        }
        CU_ASSERT(passed <= 4);
        CU_ASSERT(!list[k].fails || failed >= 68);
    }
    gsl_rng_free(rng);
}

/* A floor that is a component of its own, (h^2p + a^2)^(1/2), a being h^p at the finest step, shows
 * in the last octave alone: with a scatter of 10 % 5 of 100 such studies PASSed of h and 47 of h^2,
 * which a + b h^p fitted with next to no floor. 200 studies at a chance of 1 %: at most 6. Without
 * the floor at least 180 of 200 PASS. */
static void floors_at_right_angles_do_not_pass(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < 4; k++) {
        int passed = 0;
        for (int trial = 0; trial < 2 * TRIALS; trial++) {
            il_sample s = il_sample_draw(rng, il_design_six);
            double p = k % 2 == 0 ? 1.0 : 2.0;
            double finest = 1.0;
            for (size_t i = 0; i < s.n; i++) {
                finest = fmin(finest, pow(s.h[i], p));
            }
            for (size_t i = 0; i < s.n; i++) {
                double w = 1.0 + 0.1 * (2.0 * gsl_rng_uniform(rng) - 1.0);
                s.e[i] = hypot(pow(s.h[i], p), k < 2 ? finest : 0.0) * w;
            }
            passed += il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_PASS;
        }
        CU_ASSERT(k < 2 ? passed <= 6 : passed >= 180);
    }
    gsl_rng_free(rng);
}

/* Floors as large as what falls at the finest step that PASSed more often than once of 100: those
 * of squares, (h^4 + a^2)^(1/2), with a scatter of 30 % (4.8 of 100), for a bend was asked for that
 * is surely there; and those that a next power of the other sign hides, h (1 - h/(2 h_0)) + a, over
 * five octaves of eleven (5.5 of 100). 400 studies at a chance of 1 %: at most 10. */
static void floors_that_hide_do_not_pass(void) {
    static const il_design design[] = {{2.0, 6, 9}, {2.0, 5, 11}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < 2; k++) {
        int passed = 0;
        for (int trial = 0; trial < 4 * TRIALS; trial++) {
            il_sample s = il_sample_draw(rng, design[k]);
            double finest = 1.0;
            double coarsest = 0.0;
            for (size_t i = 0; i < s.n; i++) {
                finest = fmin(finest, s.h[i]);
                coarsest = fmax(coarsest, s.h[i]);
            }
            for (size_t i = 0; i < s.n; i++) {
                double h = s.h[i];
                double w = 1.0 + (k == 0 ? 0.3 : 0.1) * (2.0 * gsl_rng_uniform(rng) - 1.0);
                s.e[i] = k == 0 ? hypot(h * h, finest * finest) * w
                                : (h * (1.0 - 0.5 * h / coarsest) + finest) * w;
            }
            passed += il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_PASS;
        }
        CU_ASSERT(passed <= 10);
    }
    gsl_rng_free(rng);
}

/* 0.1 + h^(1/4), whose floor is four fifths of what falls, 0.02 + h^(1/4) and 0.05 + h^(1/2), all
 * without scatter, fit a + b h^p to the last digit and no power with a next one: no PASS. 53 of 300
 * of the first PASSed, as a floor below 45 % of the finest errors was asked for alone. */
static void floors_without_scatter_do_not_pass(void) {
    static const double floors[][2] = {{0.1, 0.25}, {0.02, 0.25}, {0.05, 0.5}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof floors / sizeof floors[0]; k++) {
        int passed = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            il_sample s = il_sample_draw(rng, il_design_six);
            for (size_t i = 0; i < s.n; i++) {
                s.e[i] = floors[k][0] + pow(s.h[i], floors[k][1]);
            }
            passed += il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_PASS;
        }
        CU_ASSERT_EQUAL(passed, 0);
    }
    gsl_rng_free(rng);
}

/* h + 16 h^(3/2) bends like a floor of squares, which barred 30 of 100 PASSes before a next power
 * was fitted beside it: at least 80 of 100, less three standard deviations. */
static void a_next_power_is_no_floor_of_squares(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int passed = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        il_sample s = il_sample_draw(rng, (il_design){2.0, 5, 12});
        for (size_t i = 0; i < s.n; i++) {
            double w = 1.0 + 0.1 * (2.0 * gsl_rng_uniform(rng) - 1.0);
            s.e[i] = s.h[i] * (1.0 + 16.0 * sqrt(s.h[i])) * w;
        }
        passed += il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_PASS;
    }
    CU_ASSERT(passed >= 68);
    gsl_rng_free(rng);
}

/* h + 0.1/log(1/h) converges and looks like a floor: 23 of 100 such studies FAILed. 200 studies at
 * a chance of 1 %: at most 6; and the reason names the logarithm. */
static void a_tail_is_no_floor(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int failed = 0;
    int named = 0;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        il_sample s = il_sample_draw(rng, (il_design){2.0, 6, 6});
        for (size_t i = 0; i < s.n; i++) {
            double w = 1.0 + 0.1 * (2.0 * gsl_rng_uniform(rng) - 1.0);
            s.e[i] = (s.h[i] + 0.1 / log(1.0 / s.h[i])) * w;
        }
        il_order o = il_sample_fit(&s, &il_claim_converges);
        failed += o.verdict == IL_ORDER_FAIL;
        named += o.tail && strstr(o.reason, "1/log(1/h)") != NULL;
        CU_ASSERT(o.verdict != IL_ORDER_PASS);
    }
    CU_ASSERT(failed <= 6 && named > 0);
    gsl_rng_free(rng);
}

/* Errors that fall as h does and stop dead at the last octave, as high as where it begins: after
 * six octaves of sixteen a robust line took them for outliers, and 97 of 100 such studies PASSed
 * without scatter, 39 with one of 10 %. 100 studies at a chance of 1 %: at most 4. */
static void errors_that_stop_dead_do_not_pass(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < 2; k++) {
        int passed = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            il_sample s = il_sample_draw(rng, (il_design){2.0, 7, 16});
            double finest = 1.0;
            for (size_t i = 0; i < s.n; i++) {
                finest = fmin(finest, s.h[i]);
            }
            for (size_t i = 0; i < s.n; i++) {
                double w = 1.0 + 0.1 * k * (2.0 * gsl_rng_uniform(rng) - 1.0);
                s.e[i] = fmax(s.h[i], 2.0 * finest) * w;
            }
            passed += il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_PASS;
        }
        CU_ASSERT(passed <= 4);
    }
    gsl_rng_free(rng);
}

/* |h - h^2/z|: steeper than first order above the zero z, a dip there, a hump below, first order at
 * last. With z in the finer half of the octaves the hump looked like a floor: all such studies
 * FAILed. 200 zeros drawn over all octaves at a chance of 1 %: 2, and at most 6 (three standard
 * deviations above). */
static void errors_that_change_sign_are_no_floor(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int failed = 0;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        il_sample s = il_sample_draw(rng, il_design_six);
        double zero = pow(2.0, -6.0 * gsl_rng_uniform(rng)) / 64.0;
        for (size_t i = 0; i < s.n; i++) {
            double w = 1.0 + 0.1 * (2.0 * gsl_rng_uniform(rng) - 1.0);
            s.e[i] = fabs(s.h[i] - s.h[i] * s.h[i] / zero) * w;
        }
        failed += il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_FAIL;
    }
    CU_ASSERT(failed <= 6);
    gsl_rng_free(rng);
}

/* 1/log(1/h), slower than any power, passes for a floor: its slope sinks from 0.27 to 0.12 over
 * seven octaves, and 13 of 100 such studies FAILed. 200 studies at a chance of 1 %: 2, and at most
 * 6 (three standard deviations above). */
static void a_logarithm_is_no_floor(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int failed = 0;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        il_sample s = il_sample_draw(rng, (il_design){2.0, 7, 6});
        for (size_t i = 0; i < s.n; i++) {
            double w = 1.0 + 0.1 * (2.0 * gsl_rng_uniform(rng) - 1.0);
            s.e[i] = w / log(0.6 / s.h[i]);
        }
        failed += il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_FAIL;
    }
    CU_ASSERT(failed <= 6);
    gsl_rng_free(rng);
}

/* Half of the step counts, or a third, stay away: the mean of log e has a floor of a third of the
 * finest errors, or less, and PASSes; its worst runs have one. 200 studies at a chance of 1 %: at
 * most 6. Of all that fall alike at least 160 PASS (80 %), so that it is the staying that bars. */
static void step_counts_that_stay_do_not_pass(void) {
    static const struct {
        int every;
        double times;
    } list[] = {{2, 2.0}, {3, 6.0}, {1, 0.0}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        int passed = 0;
        for (int trial = 0; trial < 2 * TRIALS; trial++) {
            il_sample s = il_sample_draw(rng, il_design_six);
            double finest = 1.0 / (64.0 * pow(2.0, 5.5));
            for (size_t i = 0; i < s.n; i++) {
                double w = 1.0 + 0.1 * (2.0 * gsl_rng_uniform(rng) - 1.0);
                bool stays = (int)lround(1.0 / s.h[i]) % list[k].every == 0;
                s.e[i] = (s.h[i] + (stays ? list[k].times * finest : 0.0)) * w;
            }
            passed += il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_PASS;
        }
        CU_ASSERT(list[k].times > 0.0 ? passed <= 6 : passed >= 160);
    }
    gsl_rng_free(rng);
}

/* The same number at every step, as a scheme gives that obeys another law: FAIL, whatever is
 * claimed. With one run of eight exact by chance too. */
static void constant_errors_fail(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_draw(rng, il_design_six);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = 0.511;
    }
    il_order o = il_sample_fit(&s, &il_claim_converges);
    CU_ASSERT(o.verdict == IL_ORDER_FAIL && fabs(o.floor - 0.511) <= 1e-3);
    CU_ASSERT(o.floor_low >= 0.5 && o.floor_high <= 0.52);
    CU_ASSERT_EQUAL(il_sample_fit(&s, &il_claim_bound_1).verdict, IL_ORDER_FAIL);
    for (size_t i = 0; i < s.n; i += 8) {
        s.e[i] = 1e-16;
    }
    CU_ASSERT_EQUAL(il_sample_fit(&s, &il_claim_converges).verdict, IL_ORDER_FAIL);
    gsl_rng_free(rng);
}

/* Five runs of 48 that are exact moved the least squares line to -0.33 [-2.32, 1.66]. */
static void exact_runs_do_not_matter(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 20; trial++) {
        il_sample s = il_sample_draw(rng, il_design_six);
        il_sample_lognormal(rng, &s, 1.0, 0.1);
        for (size_t i = 0; i < s.n; i++) {
            double u = gsl_rng_uniform(rng);
            s.e[i] *= u < 0.1 ? 1e-16 : u < 0.2 ? 1e-4 : 1.0;
        }
        il_order o = il_sample_fit(&s, &il_claim_bound_1);
        CU_ASSERT(o.verdict != IL_ORDER_FAIL && fabs(o.slope - 1.0) <= 0.15);
        CU_ASSERT(o.at_rounding + o.far_below >= 1 && o.at_rounding + o.far_below + o.n <= s.n);
        CU_ASSERT_EQUAL(il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_FAIL, false);
    }
    gsl_rng_free(rng);
}

/* h log(1/h) is no power over any range: an order of 1 is not refuted, nor a bound of it
 * granted. It converges, which is missed where runs seem to depend on each other: by chance once of
 * 100, for each of four curves. 50 studies without scatter, 50 with one of 2 %. */
static void a_logarithm_is_no_failure(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int passed[2] = {0, 0};
    for (int trial = 0; trial < 100; trial++) {
        il_sample s = il_sample_draw(rng, il_design_six);
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] = s.h[i] * log(1.0 / s.h[i]) * exp(gsl_ran_gaussian(rng, trial % 2 * 0.02));
        }
        il_order o = il_sample_fit(&s, &il_claim_bound_1);
        CU_ASSERT(o.verdict == IL_ORDER_INCONCLUSIVE);
        il_verdict verdict = il_sample_fit(&s, &il_claim_converges).verdict;
        CU_ASSERT(verdict != IL_ORDER_FAIL);
        passed[trial % 2] += verdict == IL_ORDER_PASS;
    }
    CU_ASSERT(passed[0] == 50 && passed[1] >= 46);
    gsl_rng_free(rng);
}

/* The worst phase of h (1 + 20 [one run of eight]) is of order 1 too, with another constant. */
static void the_worst_phase_is_another_number(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_draw(rng, (il_design){2.0, 8, IL_SAMPLE_JITTER});
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] =
            s.h[i] * (i % IL_SAMPLE_JITTER == 3 ? 21.0 : 1.0) * exp(gsl_ran_gaussian(rng, 0.02));
    }
    il_order mean = il_sample_fit(&s, &il_claim_converges);
    il_order worst =
        il_sample_fit_with(&s, &il_claim_converges, (il_order_data){.of = IL_ORDER_WORST});
    CU_ASSERT(worst.n >= 7 && worst.n <= 9 && mean.n > 40);
    CU_ASSERT(fabs(worst.slope - 1.0) <= 0.1 && fabs(mean.slope - 1.0) <= 0.1);
    CU_ASSERT(worst.finest > 15.0 * mean.finest && worst.finest < 27.0 * mean.finest);
    gsl_rng_free(rng);
}

/* A claim that does not speak of the problem is not judged, whatever the errors do. */
static void a_barred_claim_is_reported(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_draw(rng, il_design_six);
    for (int p = 0; p < 2; p++) {
        il_sample_lognormal(rng, &s, p, 0.02);
        il_order_data data = {.barred = "some g_i is not convex"};
        il_order o = il_sample_fit_with(&s, &il_claim_converges, data);
        CU_ASSERT_EQUAL(o.verdict, IL_ORDER_REPORTED);
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "some g_i is not convex"));
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, p == 0 ? "fall" : "errors fall"));
    }
    gsl_rng_free(rng);
}

/* The order of n runs over six octaves, h (1 +- 0.3), of which every tenth stays at `stays`. */
static il_order many(size_t n, double stays, il_order_of of) {
    double *h = malloc(2 * n * sizeof *h);
    CU_ASSERT_PTR_NOT_NULL_FATAL(h);
    double *e = h + n;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < n; i++) {
        h[i] = exp(-6.0 * log(2.0) * (double)i / (double)(n - 1)) / 64.0;
        e[i] = h[i] * (1.0 + 0.3 * (2.0 * gsl_rng_uniform(rng) - 1.0));
        e[i] = i % 10 == 0 ? fmax(e[i], stays) : e[i];
    }
    il_order o;
    il_order_data data = {.n = n, .h = h, .error = e, .of = of};
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, &il_claim_converges, &o, NULL), IL_OK);
    gsl_rng_free(rng);
    free(h);
    return o;
}

/* More runs than Theil and Sen can pair: parts of them that it can were written past their room,
 * and the worst phase was quietly the mean. One run of ten stays at the errors of the coarsest
 * steps. */
static void many_runs_are_judged_too(void) {
    for (size_t n = 2001; n <= 8004; n *= 2) {
        il_order mean = many(n, 0.0, IL_ORDER_MEAN);
        CU_ASSERT(mean.verdict == IL_ORDER_PASS && fabs(mean.slope - 1.0) <= 0.05);
        CU_ASSERT(mean.low <= 1.0 && mean.high >= 1.0);
        il_order worst = many(n, 0.0, IL_ORDER_WORST);
        CU_ASSERT(worst.n <= 7 && fabs(worst.slope - 1.0) <= 0.1);
        CU_ASSERT(many(n, 1.0 / 64.0, IL_ORDER_MEAN).verdict != IL_ORDER_PASS);
        CU_ASSERT(many(n, 1.0 / 64.0, IL_ORDER_WORST).verdict != IL_ORDER_PASS);
    }
}

/* Forty runs over less than two octaves, without scatter: a power, a power above a floor and a
 * number that swings in log h look alike there. Over two octaves the first PASSes. */
static void few_octaves_decide_nothing(void) {
    for (int k = 0; k < 8; k++) {
        il_sample s = {.n = 40};
        double octaves = k % 2 == 0 ? 1.95 : 2.0;
        for (size_t i = 0; i < s.n; i++) {
            s.h[i] = exp(-octaves * log(2.0) * (double)i / 39.0) / 64.0;
            double swings = 0.01 * (1.0 - 0.5 * sin(0.7 * log(64.0 * s.h[i]) + 1.0));
            s.e[i] = k < 2 ? s.h[i] : k < 4 ? s.h[i] + 0.01 : k < 6 ? 0.01 : swings;
        }
        il_verdict verdict = il_sample_fit(&s, &il_claim_converges).verdict;
        CU_ASSERT(octaves == 2.0 || verdict == IL_ORDER_INCONCLUSIVE);
        CU_ASSERT(k != 1 || verdict == IL_ORDER_PASS);
        CU_ASSERT(k != 5 || verdict == IL_ORDER_FAIL);
        verdict = il_sample_fit(&s, &il_claim_bound_1).verdict;
        CU_ASSERT(octaves == 2.0 || verdict == IL_ORDER_INCONCLUSIVE);
    }
}

/* Four runs on a power of h have no scatter to judge by, and none of them is an outlier. */
static void four_runs_decide_nothing(void) {
    for (size_t n = 4; n <= 5; n++) {
        il_sample s = {.n = n};
        for (size_t i = 0; i < n; i++) {
            s.e[i] = s.h[i] = 1.0 / (double)(64 << i);
        }
        il_order o = il_sample_fit(&s, &il_claim_bound_1);
        CU_ASSERT_EQUAL(o.verdict, n == 4 ? IL_ORDER_INCONCLUSIVE : IL_ORDER_PASS);
        CU_ASSERT_EQUAL(o.outliers, 0);
        CU_ASSERT(n == 5 || strstr(o.reason, "a fifth run would decide") != NULL);
    }
}

/* Powers from h^0.11 to h^6, without scatter: below h^0.2 "the errors bend towards a floor" was the
 * answer, above h^4 one of 100 % of the finest errors fitted as well. With a scatter of 2 % the
 * steep ones PASS in 18 studies of 20 at least; the flat ones are not told from floors, but do not
 * FAIL. */
static void flat_and_steep_powers_pass(void) {
    static const double powers[] = {0.11, 0.13, 0.17, 4.05, 4.3, 5.0, 6.0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof powers / sizeof powers[0]; k++) {
        int passed = 0;
        for (int trial = 0; trial < 21; trial++) {
            double scatter = trial == 20 ? 0.0 : 0.02;
            il_sample s = il_sample_draw(rng, il_design_six);
            for (size_t i = 0; i < s.n; i++) {
                double w = 1.0 + scatter * (2.0 * gsl_rng_uniform(rng) - 1.0);
                s.e[i] = pow(1e3 * s.h[i], powers[k]) * w;
            }
            il_verdict verdict = il_sample_fit(&s, &il_claim_converges).verdict;
            passed += trial < 20 && verdict == IL_ORDER_PASS;
            CU_ASSERT(trial < 20 || verdict == IL_ORDER_PASS);
            CU_ASSERT(verdict != IL_ORDER_FAIL);
        }
        CU_ASSERT(powers[k] < 1.0 || passed >= 18);
    }
    gsl_rng_free(rng);
}

/* |h - a h_1| (1 +- w), h_1 the finest step: a scheme that tends elsewhere, and whose error changes
 * its sign only below h_1. For a = 1/2 it stays at what it errs by there, for 0.8 at four times
 * that. It falls ever faster, and PASSed up to 100 times of 100. 100 studies at a chance of 1 %: at
 * most 4. The same of order 1/2 that is taken for 1, h |1 - (z/h)^(1/2)|, z = h_1/3, at 0.1. */
static void errors_that_change_sign_below_do_not_pass(void) {
    static const struct {
        double a, w;
    } list[] = {{0.5, 0.0}, {0.5, 0.03}, {0.5, 0.1}, {0.8, 0.1}, {0.0, 0.1}};
    static const il_design design[] = {{2.0, 6, 8}, {2.0, 4, 16}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < 2 * sizeof list / sizeof list[0]; k++) {
        int passed = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            il_sample s = il_sample_draw(rng, design[k % 2]);
            double finest = 1.0;
            for (size_t i = 0; i < s.n; i++) {
                finest = fmin(finest, s.h[i]);
            }
            for (size_t i = 0; i < s.n; i++) {
                double h = s.h[i];
                double w = 1.0 + list[k / 2].w * (2.0 * gsl_rng_uniform(rng) - 1.0);
                double slow = h * fabs(1.0 - sqrt(finest / (3.0 * h)));
                s.e[i] = w * (list[k / 2].a > 0.0 ? fabs(h - list[k / 2].a * finest) : slow);
            }
            passed += il_sample_fit(&s, &il_claim_bound_1).verdict == IL_ORDER_PASS;
        }
        CU_ASSERT(passed <= 4);
    }
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"many runs are judged, too", many_runs_are_judged_too},
    {"few octaves decide nothing", few_octaves_decide_nothing},
    {"four runs decide nothing", four_runs_decide_nothing},
    {"floors do not pass", floors_do_not_pass},
    {"floors without scatter do not pass", floors_without_scatter_do_not_pass},
    {"floors that hide do not pass", floors_that_hide_do_not_pass},
    {"a next power is no floor of squares", a_next_power_is_no_floor_of_squares},
    {"a tail is no floor", a_tail_is_no_floor},
    {"errors that stop dead do not pass", errors_that_stop_dead_do_not_pass},
    {"floors at right angles do not pass", floors_at_right_angles_do_not_pass},
    {"errors that change sign are no floor", errors_that_change_sign_are_no_floor},
    {"errors that change sign below do not pass", errors_that_change_sign_below_do_not_pass},
    {"a logarithm is no floor", a_logarithm_is_no_floor},
    {"step counts that stay do not pass", step_counts_that_stay_do_not_pass},
    {"constant errors fail", constant_errors_fail},
    {"exact runs do not matter", exact_runs_do_not_matter},
    {"a logarithm is no failure", a_logarithm_is_no_failure},
    {"the worst phase is another number", the_worst_phase_is_another_number},
    {"flat and steep powers pass", flat_and_steep_powers_pass},
    {"a barred claim is reported", a_barred_claim_is_reported},
    {NULL, NULL}};

const il_suite il_suite_order_fooled = {"order fooled", tests};
