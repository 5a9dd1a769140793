/*
 * test_order_coverage.c - how often the interval of an order covers the truth, by fewer studies
 * than make coverage-orders has.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/study/order/order.h"
#include "tests/support/order_sample.h"
#include "tests/support/suite.h"

/* 95 % of 100 studies have a scatter of 2.2: LEAST is four of them below. An interval that is too
 * wide shows in 1000 studies, make coverage-orders. */
enum { TRIALS = 100, LEAST = 86 };

typedef struct {
    int student, sen, none;
} coverage;

static coverage cover(gsl_rng *rng, il_design d, double p, double noise, double amplitude) {
    coverage c = {0, 0, 0};
    for (int trial = 0; trial < TRIALS; trial++) {
        il_sample s = il_sample_draw(rng, d);
        if (amplitude > 0.0) {
            il_sample_sawtooth(&s, p, amplitude);
        } else {
            il_sample_lognormal(rng, &s, p, noise);
        }
        il_order o = il_sample_fit(&s, NULL);
        c.student += o.low <= p && p <= o.high;
        c.sen += o.sen.low <= p && p <= o.sen.high;
        c.none += isnan(o.slope);
    }
    return c;
}

/* A study without an order covers nothing and counts as a miss. */
static void the_interval_covers_the_true_order(void) {
    static const struct {
        double p, noise, amplitude;
    } list[] = {{0.5, IL_SAMPLE_NOISE, 0.0},
                {1.0, IL_SAMPLE_NOISE, 0.0},
                {2.0, IL_SAMPLE_NOISE, 0.0},
                {1.0, 1.0, 0.0},
                {0.5, 0.0, 0.5},
                {1.0, 0.0, 0.5},
                {1.0, 0.0, 0.9},
                {2.0, 0.0, 0.9}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        coverage c = cover(rng, il_design_usual, list[k].p, list[k].noise, list[k].amplitude);
        CU_ASSERT(c.student >= LEAST);
        CU_ASSERT(c.sen >= LEAST);
        CU_ASSERT(c.none <= 2); /* a tenth of what the interval misses anyway */
    }
    gsl_rng_free(rng);
}

/* h + 4 h^(3/2): over five octaves of twelve its slope sinks from 1.16 to 1.06, and an interval
 * that knows of a next power h^2 alone covered 1 in 39 studies of 100. Its half width of errors
 * without a next power is no more than three halves of what it was, 0.08. */
static void a_next_power_half_an_order_higher_is_covered(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int next = 0; next < 2; next++) {
        int covered = 0;
        double width = 0.0;
        for (int trial = 0; trial < TRIALS; trial++) {
            il_sample s = il_sample_draw(rng, (il_design){2.0, 5, 12});
            for (size_t i = 0; i < s.n; i++) {
                double w = 1.0 + 0.1 * (2.0 * gsl_rng_uniform(rng) - 1.0);
                s.e[i] = s.h[i] * (1.0 + next * 4.0 * sqrt(s.h[i])) * w;
            }
            il_order o = il_sample_fit(&s, NULL);
            covered += o.low <= 1.0 && 1.0 <= o.high;
            width += 0.5 * (o.high - o.low) / TRIALS;
        }
        CU_ASSERT(covered >= LEAST);
        CU_ASSERT(next == 1 || width <= 0.12);
    }
    gsl_rng_free(rng);
}

/* power: the interval of one power alone. Its half width is Student's quantile times noise over the
 * root of sum (x - mean)^2: known here, and attained in the mean (within a tenth: the sample's own
 * noise has a standard error of 1/sqrt(2 46) = 0.10 a study, 0.01 in the mean). The order's
 * interval allows for a next power and a floor besides, and is wider: downwards for a power half an
 * order higher, whose half width is that of Richardson's extrapolation of the slopes of two halves,
 * each of an eighth of the sum of squares and three octaves apart, within a quarter (it is the
 * least of three bounds, and the halves know their scatter less). */
static void the_line_of_one_power_has_its_width(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double noise = 0.1;
    const double student = 2.013; /* 0.975, 46 degrees of freedom */
    int covered = 0;
    int within = 0;
    double ratio = 0.0;
    double below = 0.0;
    for (int trial = 0; trial < TRIALS; trial++) {
        il_sample s = il_sample_draw(rng, il_design_six);
        il_sample_lognormal(rng, &s, 1.0, noise);
        il_order o = il_sample_fit(&s, NULL);
        double mean = 0.0;
        double sxx = 0.0;
        for (size_t i = 0; i < s.n; i++) {
            mean += log(s.h[i]) / (double)s.n;
        }
        for (size_t i = 0; i < s.n; i++) {
            sxx += pow(log(s.h[i]) - mean, 2.0);
        }
        covered += o.power.low <= 1.0 && 1.0 <= o.power.high;
        within += o.power.high - o.power.low < o.high - o.low;
        ratio += 0.5 * (o.power.high - o.power.low) / (student * noise / sqrt(sxx)) / TRIALS;
        below += (o.slope - o.low) / (student * noise * sqrt(8.0 / sxx)) / TRIALS;
    }
    CU_ASSERT(covered >= LEAST);
    CU_ASSERT_EQUAL(within, TRIALS);
    CU_ASSERT(fabs(ratio - 1.0) <= 0.1);
    double share = 1.0 / (pow(8.0, 0.5) - 1.0);
    below /= sqrt((1.0 + share) * (1.0 + share) + share * share);
    CU_ASSERT(below >= 1.0 && below <= 1.25);
    gsl_rng_free(rng);
}

/* The levels that the fit makes are octaves, whatever the levels of the study were. */
static void any_design_will_do(void) {
    static const il_design list[] = {{4.0, 4, 8}, {1.5, 10, 4}, {2.0, 6, 8}, {3.0, 5, 3}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        coverage c = cover(rng, list[k], 1.0, IL_SAMPLE_NOISE, 0.0);
        CU_ASSERT(c.student >= LEAST);
    }
    gsl_rng_free(rng);
    il_sample s = {.n = 6};
    for (size_t k = 0; k < s.n; k++) {
        s.h[k] = pow(3.7, -(double)k);
        s.e[k] = 2.0 * pow(s.h[k], 1.5);
    }
    il_claim sharp = {.norm = "u_L1", .kind = IL_CLAIM_SHARP, .order = 1.5};
    il_order o = il_sample_fit(&s, &sharp);
    /* some ten roundings of logarithms of size 10 in six points */
    CU_ASSERT(fabs(o.slope - 1.5) <= 1e-13 && fabs(o.constant - 2.0) <= 1e-12);
    CU_ASSERT(fabs(o.sen.slope - 1.5) <= 1e-13);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_PASS);
    CU_ASSERT(o.levels == 6 && il_order_fates(&o, IL_LEVEL_USED) == 6);
}

/* An interval computed from nested steps and a phase that repeats does not cover: the reason for
 * jitter, and proof that the coverage above can fail. The phase of 1/3 at steps 64 2^k is 1/3, 2/3,
 * 1/3, ...: the error alternates about the line, always in the same way. */
static void a_repeated_phase_biases(void) {
    il_sample s = {.n = IL_SAMPLE_LEVELS};
    for (size_t k = 0; k < s.n; k++) {
        s.h[k] = ldexp(1.0, -6 - (int)k);
        double phase = 64.0 / 3.0 * ldexp(1.0, (int)k);
        s.e[k] = IL_SAMPLE_C * s.h[k] * (1.0 + 0.9 * (2.0 * (phase - floor(phase)) - 1.0));
    }
    il_order o = il_sample_fit(&s, NULL);
    /* y_k = x_k + log(0.7) or log(1.3) in turn: the slope errs by (sum k' y')/(sum k'^2) over log 2
     * = (-3 + 1)/2/5 log(13/7)/log 2, k' = k - 3/2 */
    double bias = 0.2 * log(13.0 / 7.0) / M_LN2;
    CU_ASSERT(fabs(fabs(o.whole.slope - 1.0) - bias) <= 1e-12);
}

/* phase h + c h^2: the interval of a line covered 1 in 57 % of studies. With c = 100 coarse octaves
 * scatter less than fine ones: unless that was looked at, 84 % were covered. */
static void the_next_power_is_allowed_for(void) {
    static const double cs[] = {1.0, 5.0, 20.0, 100.0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof cs / sizeof cs[0]; k++) {
        int covered = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            il_sample s = il_sample_draw(rng, il_design_six);
            double impact = gsl_rng_uniform(rng);
            for (size_t i = 0; i < s.n; i++) {
                double phase = impact / s.h[i] - floor(impact / s.h[i]);
                s.e[i] = phase * s.h[i] + cs[k] * s.h[i] * s.h[i];
            }
            il_order o = il_sample_fit(&s, NULL);
            covered += o.low <= 1.0 && 1.0 <= o.high;
        }
        CU_ASSERT(covered >= LEAST);
    }
    gsl_rng_free(rng);
}

/* phase h at nine steps that halve: whoever takes the standard error of nine runs at its word calls
 * order 1 refuted in 4 of 100 studies. At most 1 of 100, and three standard deviations. */
static void nine_runs_refute_nothing_that_holds(void) {
    enum { STUDIES = 500, MOST = 11 };
    static const il_claim sharp = {.norm = "u_L1", .kind = IL_CLAIM_SHARP, .order = 1.0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int refuted = 0;
    for (int trial = 0; trial < STUDIES; trial++) {
        il_sample s = {.n = 9};
        for (size_t i = 0; i < s.n; i++) {
            s.h[i] = ldexp(1.0, -6 - (int)i);
            s.e[i] = s.h[i] * gsl_rng_uniform_pos(rng);
        }
        refuted += il_sample_fit(&s, &sharp).verdict == IL_ORDER_FAIL;
    }
    CU_ASSERT(refuted <= MOST);
    gsl_rng_free(rng);
}

/* Of errors h (phase + 100 h), 2.2 of 100 studies of four octaves refuted order 1 from above.
 * Without scatter no multiple of the next power that leaves the order a tenth of the finest error
 * does, however sure the slope is; h^2 does. */
static void a_next_power_refutes_no_sharp_order(void) {
    enum { STUDIES = 500, MOST = 11 }; /* 1 of 100, and three standard deviations */
    static const il_claim sharp = {.norm = "u_L1", .kind = IL_CLAIM_SHARP, .order = 1.0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int refuted = 0;
    for (int trial = 0; trial < STUDIES; trial++) {
        il_sample s = il_sample_draw(rng, il_design_usual);
        double impact = gsl_rng_uniform(rng);
        for (size_t i = 0; i < s.n; i++) {
            double phase = impact / s.h[i] - floor(impact / s.h[i]);
            s.e[i] = s.h[i] * (phase + 100.0 * s.h[i]);
        }
        refuted += il_sample_fit(&s, &sharp).verdict == IL_ORDER_FAIL;
    }
    CU_ASSERT(refuted <= MOST);
    il_sample s = il_sample_draw(rng, il_design_usual);
    for (int k = 0; k < 9; k++) {
        const double c = 10.0 * (double)(1 << k);
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] = s.h[i] * (1.0 + c * s.h[i]);
        }
        il_order bent = il_sample_fit(&s, &sharp);
        CU_ASSERT(bent.verdict == IL_ORDER_PASS || bent.verdict == IL_ORDER_INCONCLUSIVE);
    }
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = 100.0 * s.h[i] * s.h[i];
    }
    CU_ASSERT_EQUAL(il_sample_fit(&s, &sharp).verdict, IL_ORDER_FAIL);
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"the interval covers the true order", the_interval_covers_the_true_order},
    {"a next power half an order higher is covered", a_next_power_half_an_order_higher_is_covered},
    {"the line of one power has its width", the_line_of_one_power_has_its_width},
    {"any design will do", any_design_will_do},
    {"a repeated phase biases", a_repeated_phase_biases},
    {"the next power is allowed for", the_next_power_is_allowed_for},
    {"nine runs refute nothing that holds", nine_runs_refute_nothing_that_holds},
    {"a next power refutes no sharp order", a_next_power_refutes_no_sharp_order},
    {NULL, NULL}};

const il_suite il_suite_order_coverage = {"order coverage", tests};
