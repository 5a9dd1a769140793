/*
 * test_order_shape.c - errors that are no power law, over all steps or some: several limits or
 * rates, references near by, coarse steps, plateaus.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/study/order/order.h"
#include "harness/study/order/order_part.h"
#include "tests/support/order_sample.h"
#include "tests/support/suite.h"

enum { TRIALS = 100 };

/* Every other run, or one by the toss of a coin, tends elsewhere: its error is the distance of the
 * two limits. */
static void two_limits_have_no_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < TRIALS; trial++) {
        il_sample s = il_sample_draw(rng, il_design_usual);
        il_sample_lognormal(rng, &s, 1.0, IL_SAMPLE_NOISE);
        double distance = trial % 2 == 0 ? 1.0 : 0.05;
        for (size_t i = 0; i < s.n; i++) {
            bool other = trial % 4 < 2 ? i % 2 == 0 : gsl_rng_uniform(rng) < 0.5;
            s.e[i] = other ? distance * exp(gsl_ran_gaussian(rng, 0.1)) : s.e[i];
        }
        il_order o = il_sample_fit(&s, trial % 3 == 0 ? &il_claim_converges : &il_claim_bound_1);
        CU_ASSERT(o.several_limits && isnan(o.slope) && isnan(o.low) && isnan(o.sen.slope));
        CU_ASSERT_EQUAL(o.verdict, trial % 3 == 0 ? IL_ORDER_INCONCLUSIVE : IL_ORDER_FAIL);
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "no single limit"));
    }
    gsl_rng_free(rng);
}

/* Two branches that fall alike, with constants of a ratio of twenty, are one limit. */
static void two_constants_are_one_limit(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int several = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        il_sample s = il_sample_draw(rng, il_design_usual);
        il_sample_lognormal(rng, &s, 1.0, 0.1);
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] *= gsl_rng_uniform(rng) < 0.5 ? 20.0 : 1.0;
        }
        several += il_sample_fit(&s, NULL).several_limits;
    }
    CU_ASSERT(several == 0);
    gsl_rng_free(rng);
}

/* One branch like h^0.4, one like h: both converge, and neither rate is that of the runs. */
static void two_rates_are_no_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 100; trial++) {
        il_sample s = il_sample_draw(rng, (il_design){2.0, 6, IL_SAMPLE_JITTER});
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] = IL_SAMPLE_C * pow(s.h[i], i % 2 == 0 ? 0.4 : 1.0) *
                     exp(gsl_ran_gaussian(rng, 0.05));
        }
        il_order o = il_sample_fit(&s, &il_claim_bound_1);
        CU_ASSERT(isnan(o.slope) && !o.several_limits && o.verdict == IL_ORDER_INCONCLUSIVE);
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "no single order"));
    }
    gsl_rng_free(rng);
}

/* A reference that errs by e0 like the runs, E = C (h - h0): the errors fall ever faster. The
 * finest levels are cut off where the size of that error is known. */
static void errors_near_the_reference_are_cut_off(void) {
    static const double h0 = 1.0 / 4096.0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_draw(rng, (il_design){2.0, 6, IL_SAMPLE_JITTER});
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = IL_SAMPLE_C * (s.h[i] - h0) * exp(gsl_ran_gaussian(rng, 0.02));
    }
    il_order o = il_sample_fit_with(
        &s, &il_claim_bound_1, (il_order_data){.causes = {.reference = 0.2 * IL_SAMPLE_C * h0}});
    CU_ASSERT(o.cause == IL_PLATEAU_REFERENCE && il_order_fates(&o, IL_LEVEL_PLATEAU) >= 2);
    /* what remains has h >= 8 h0 at least: its slope, 1/(1 - h0/h), is at most 8/7 */
    CU_ASSERT(o.slope >= 1.0 - 0.02 && o.slope <= 8.0 / 7.0);
    CU_ASSERT(il_order_fates(&o, IL_LEVEL_COARSE) == 0 && o.verdict != IL_ORDER_FAIL);
    gsl_rng_free(rng);
}

/* How far errors e_i of one power may turn their line through runs [from, n) if each is e - r to
 * e + r: sum |z| log(1/(1 - r/e))/sum z^2, z being log h less its mean. */
static double turned(const il_sample *s, size_t from, double r) {
    double mean = 0.0;
    double sum = 0.0;
    double square = 0.0;
    for (size_t i = from; i < s->n; i++) {
        mean += log(s->h[i]) / (double)(s->n - from);
    }
    for (size_t i = from; i < s->n; i++) {
        double z = log(s->h[i]) - mean;
        sum -= fabs(z) * log(1.0 - r / s->e[i]);
        square += z * z;
    }
    return sum / square;
}

/* Errors C h without scatter, four steps an octave: nothing but a reference that errs by a fiftieth
 * of the finest widens the interval, by what it may turn all octaves or the finer half of them. */
static void a_reference_widens_the_interval(void) {
    il_sample s = {.n = 24};
    for (size_t i = 0; i < s.n; i++) {
        s.h[i] = exp2(-6.0 - 0.25 * (double)i);
        s.e[i] = IL_SAMPLE_C * s.h[i];
    }
    double r = s.e[s.n - 1] / 50.0;
    il_order o = il_sample_fit_with(&s, NULL, (il_order_data){.causes = {.reference = r}});
    double by = fmax(turned(&s, 0, r), turned(&s, s.n / 2, r));
    /* a scatter of 1e-9 at least is allowed for */
    CU_ASSERT(fabs(o.slope - 1.0) <= 1e-6);
    CU_ASSERT(fabs(o.high - 1.0 - by) <= 1e-6 && fabs(1.0 - by - o.low) <= 1e-6);
    o = il_sample_fit(&s, NULL);
    CU_ASSERT(fabs(o.high - 1.0) <= 1e-6 && fabs(o.low - 1.0) <= 1e-6);
}

/* Errors C (h + a), a floor of 0.4 of the finest errors: no plateau yet, nearly as high as what is
 * called low, and nothing but the bend shows it. Where errors scatter little it is bounded from
 * below, at 99 % on either side; where they scatter much there is no bend to tell, and no bound. */
static void floors_are_seen_by_their_bend(void) {
    enum { DRAWS = 20 };
    static const double scatter[] = {0.002, 0.05};
    const double a = 0.7 / 2048.0; /* the last of six levels is around 2048 steps */
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < 2; k++) {
        int seen = 0;
        int bounded = 0;
        for (int trial = 0; trial < DRAWS; trial++) {
            il_sample s = il_sample_draw(rng, il_design_six);
            il_sample_lognormal(rng, &s, 0.0, scatter[k]);
            for (size_t i = 0; i < s.n; i++) {
                s.e[i] *= s.h[i] + a;
            }
            il_order o = il_sample_fit(&s, &il_claim_converges);
            CU_ASSERT(o.cause == IL_PLATEAU_NONE && o.verdict == IL_ORDER_INCONCLUSIVE);
            bool held = o.floor_low <= IL_SAMPLE_C * a && IL_SAMPLE_C * a <= o.floor_high;
            seen += o.floor_low > 0.0;
            bounded += held;
        }
        CU_ASSERT(k == 0 ? seen >= 2 * DRAWS / 5 : seen <= DRAWS / 10);
        CU_ASSERT(bounded >= DRAWS - 2);
    }
    gsl_rng_free(rng);
}

/* Errors against the nearest of several solutions all fall; the names tell. */
static void runs_nearest_to_different_solutions_have_no_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_draw(rng, il_design_usual);
    il_sample_lognormal(rng, &s, 1.0, 0.1);
    size_t limit[IL_SAMPLE_MAX] = {0};
    CU_ASSERT(!il_sample_fit_with(&s, &il_claim_converges, (il_order_data){.limit = limit})
                   .several_limits);
    limit[5] = 1;
    il_order o = il_sample_fit_with(&s, &il_claim_converges, (il_order_data){.limit = limit});
    CU_ASSERT(o.several_limits && isnan(o.slope));
    CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "1 of 32 runs"));
    gsl_rng_free(rng);
}

/* E = C h (1 + (h/h0)^2) with h0 = 1/100: of order 3 at the two coarsest levels of il_design_six,
 * and of 1 within 1 % at the last. They are dropped, and without them the slope is nearer to 1. */
static void coarse_levels_are_dropped(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_draw(rng, (il_design){2.0, 7, IL_SAMPLE_JITTER});
    il_sample_lognormal(rng, &s, 1.0, 0.05);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] *= 1.0 + 1e4 * s.h[i] * s.h[i];
    }
    il_order o = il_sample_fit(&s, &il_claim_bound_1);
    size_t coarse = il_order_fates(&o, IL_LEVEL_COARSE);
    CU_ASSERT(coarse >= 2 && coarse <= 4);
    for (size_t k = 0; k < o.levels; k++) {
        CU_ASSERT_EQUAL(o.level[k].fate, k < coarse ? IL_LEVEL_COARSE : IL_LEVEL_USED);
        CU_ASSERT(k < coarse ? fabs(o.level[k].misfit) > 2.6 : isnan(o.level[k].misfit));
    }
    CU_ASSERT(o.runs == s.n && o.n < s.n && o.slope > 0.0);
    /* the worst that may remain: levels where h0/h >= 4, whose slope is at most 1 + 2/17 */
    /* and chance, three standard errors of 0.07 */
    CU_ASSERT(o.slope <= 1.0 + 2.0 / 17.0 + 0.21 && o.slope >= 1.0 - 0.21);
    CU_ASSERT(o.low <= 1.0 && 1.0 <= o.high);
    gsl_rng_free(rng);
}

/* E = C h + F: the causes whose size is that of F are named, and what is above is fitted. */
static void plateaus_have_causes(void) {
    static const struct {
        double rounding, tolerance, reference;
        il_plateau cause;
        il_verdict verdict;
    } list[] = {{1e-9, 1e-4, 0.0, IL_PLATEAU_TOLERANCE, IL_ORDER_PASS},
                {1e-9, 1e-4, 5e-6, IL_PLATEAU_REFERENCE, IL_ORDER_PASS},
                /* a reference that errs by more than the plateau does not explain it */
                {1e-9, 0.0, 1e-4, IL_PLATEAU_BELOW_REFERENCE, IL_ORDER_PASS},
                {1e-9, 0.0, 0.0, IL_PLATEAU_UNEXPLAINED, IL_ORDER_FAIL}};
    static const double F = 1e-5;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 20; trial++) {
        il_sample s = il_sample_draw(
            rng, (il_design){2.0, 14, IL_SAMPLE_JITTER}); /* h down to 1e-6: F/C is 1.4e-5 */
        il_sample_lognormal(rng, &s, 1.0, 0.1);
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] += F * exp(gsl_ran_gaussian(rng, 0.1));
        }
        for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
            il_order o =
                il_sample_fit_with(&s, &il_claim_bound_1,
                                   (il_order_data){.causes = {.rounding = list[k].rounding,
                                                              .tolerance = list[k].tolerance,
                                                              .reference = list[k].reference}});
            CU_ASSERT_EQUAL(o.cause, list[k].cause);
            CU_ASSERT((o.verdict == IL_ORDER_FAIL) == (list[k].verdict == IL_ORDER_FAIL));
            CU_ASSERT(fabs(o.plateau / F - 1.0) <=
                      0.1); /* 8 runs an octave at 10 %: 2 %, five times */
            /* ten times above F at least: the slope errs by less than 1/11, and by chance by three
             * standard errors of 0.035 */
            CU_ASSERT(fabs(o.slope - 1.0) <= 1.0 / 11.0 + 0.105);
            CU_ASSERT(il_order_fates(&o, IL_LEVEL_PLATEAU) >= 3 &&
                      il_order_fates(&o, IL_LEVEL_USED) >= 3);
            /* the floor in its standard errors: at least as many as are asked for, the quantile of
             * 0.99; not more than if all runs had told it alone, and twice that for what their
             * scatter is taken for */
            double errors = o.level[o.levels - 1].misfit;
            CU_ASSERT(errors >= 2.326 && errors <= 2.0 * sqrt((double)s.n) / 0.1);
        }
    }
    gsl_rng_free(rng);
}

/* Squares of a floor at a right angle to what falls and has a next power: e^2 = a^2 + h^2
 * (1 + c h)^2, six runs an octave, a^2 a part of the finest e^2. By its Fisher information part of
 * such squares has a standard error of at most 3.3 of their scatter for these c; the bound is some
 * two above, by chance up to six. */
static void floors_of_squares_stand_beside_a_next_power(void) {
    enum { N = 36 };
    static const double c[] = {0.5, 1.0, 2.0, 4.0};
    static const double parts[] = {0.0, 0.01, 0.1};
    const double scatter = 5e-4; /* uniform in log e, to either side */
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double x[N];
    double y[N];
    double work[N * N];
    size_t level[2 * N];
    for (size_t k = 0; k < 12; k++) {
        il_order_points s = {.n = N, .to = N, .x = x, .y = y, .work = work, .level = level};
        double finest = exp2(-(N - 1) / 6.0);
        finest *= 1.0 + c[k % 4] * finest;
        double part = parts[k / 4];
        for (size_t i = 0; i < N; i++) {
            double h = exp2(-(double)i / 6.0);
            double falls = h * (1.0 + c[k % 4] * h);
            x[i] = log(h);
            y[i] = 0.5 * log(falls * falls + part / (1.0 - part) * finest * finest) +
                   scatter * (2.0 * gsl_rng_uniform(rng) - 1.0);
            level[i] = i / 6;
        }
        double high = il_order_floor_of_squares(&s);
        CU_ASSERT(fabs(high - part) <= 6.0 * 3.3 * 2.0 * scatter / sqrt(3.0));
    }
    gsl_rng_free(rng);
}

/* Where the plateau leaves too little, no order is given. */
static void short_slopes_have_no_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_draw(rng, (il_design){2.0, 6, IL_SAMPLE_JITTER});
    il_sample_lognormal(rng, &s, 1.0, 0.05);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] += 2e-3; /* reached at h = 1/350, the third of six levels */
    }
    il_order o =
        il_sample_fit_with(&s, &il_claim_bound_1, (il_order_data){.causes = {.tolerance = 1e-2}});
    CU_ASSERT(o.cause == IL_PLATEAU_TOLERANCE && isnan(o.slope));
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
    o = il_sample_fit(&s, &il_claim_bound_1);
    CU_ASSERT(o.cause == IL_PLATEAU_UNEXPLAINED && o.verdict == IL_ORDER_FAIL);
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"two limits have no order", two_limits_have_no_order},
    {"two constants are one limit", two_constants_are_one_limit},
    {"two rates are no order", two_rates_are_no_order},
    {"errors near the reference are cut off", errors_near_the_reference_are_cut_off},
    {"a reference widens the interval", a_reference_widens_the_interval},
    {"floors are seen by their bend", floors_are_seen_by_their_bend},
    {"runs nearest to different solutions have no order",
     runs_nearest_to_different_solutions_have_no_order},
    {"coarse levels are dropped", coarse_levels_are_dropped},
    {"plateaus have causes", plateaus_have_causes},
    {"floors of squares stand beside a next power", floors_of_squares_stand_beside_a_next_power},
    {"short slopes have no order", short_slopes_have_no_order},
    {NULL, NULL}};

const il_suite il_suite_order_shape = {"order shape", tests};
