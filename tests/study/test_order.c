/*
 * test_order.c - orders from synthetic errors whose order is known.
 *
 * The models of an error: C h^p with lognormal noise; C h^p (1 + a w), w the sawtooth in [-1, 1) of
 * the phase s/h of an impact at time s in its step; sums with a plateau, and mixtures of two
 * limits.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/study/order.h"
#include "harness/study/order_cause.h"
#include "harness/study/order_lines.h"
#include "harness/study/order_math.h"
#include "tests/support/suite.h"

enum { LEVELS = 4, JITTER = 8, TRIALS = 1000, POINTS_MAX = 128 };

/* The time of the impact whose phase enters an error: irrational, so that the phase wanders. */
static const double IMPACT = 0.31830988618379067;
static const double C = 0.7;
static const double NOISE = 0.3; /* of log E: what an impact's phase does */

typedef struct {
    size_t n;
    double h[POINTS_MAX], e[POINTS_MAX];
} sample;

typedef struct {
    double ratio;
    size_t levels, jitter;
} design;

static const design usual = {2.0, LEVELS, JITTER};

/* Steps as lab.levels draws them: uniform in log N about 64 ratio^k; with one a level, nested. */
static sample draw(gsl_rng *rng, design d) {
    sample s = {.n = 0};
    for (size_t k = 0; k < d.levels; k++) {
        for (size_t j = 0; j < d.jitter; j++) {
            double off = d.jitter > 1 ? gsl_rng_uniform(rng) - 0.5 : 0.0;
            s.h[s.n++] = 1.0 / floor(64.0 * pow(d.ratio, (double)k + off));
        }
    }
    return s;
}

static void set_lognormal(gsl_rng *rng, sample *s, double p, double noise) {
    for (size_t i = 0; i < s->n; i++) {
        s->e[i] = C * pow(s->h[i], p) * exp(gsl_ran_gaussian(rng, noise));
    }
}

static void set_sawtooth(sample *s, double p, double amplitude) {
    for (size_t i = 0; i < s->n; i++) {
        double phase = IMPACT / s->h[i] - floor(IMPACT / s->h[i]);
        s->e[i] = C * pow(s->h[i], p) * (1.0 + amplitude * (2.0 * phase - 1.0));
    }
}

static const il_claim bound_1 = {.norm = "u_L1", .kind = IL_CLAIM_BOUND, .order = 1.0};
static const il_claim converges = {.norm = "u_L1", .kind = IL_CLAIM_CONVERGES};

static il_order fit_with(const sample *s, const il_claim *claim, il_order_data causes) {
    il_order o;
    il_error err = {IL_OK, ""};
    causes.n = s->n;
    causes.h = s->h;
    causes.error = s->e;
    CU_ASSERT_EQUAL(il_order_fit(&causes, 0.95, claim, &o, &err), IL_OK);
    return o;
}

static il_order fit(const sample *s, const il_claim *claim) {
    return fit_with(s, claim, (il_order_data){.causes = {.rounding = 1e-13}});
}

static size_t count(const il_order *o, il_level_fate fate) {
    size_t n = 0;
    for (size_t k = 0; k < o->levels; k++) {
        n += o->level[k].fate == fate;
    }
    return n;
}

/* ---- coverage ------------------------------------------------------------------------------- */

typedef struct {
    int student, sen, none;
} coverage;

static coverage cover(gsl_rng *rng, design d, double p, double noise, double amplitude) {
    coverage c = {0, 0, 0};
    for (int trial = 0; trial < TRIALS; trial++) {
        sample s = draw(rng, d);
        if (amplitude > 0.0) {
            set_sawtooth(&s, p, amplitude);
        } else {
            set_lognormal(rng, &s, p, noise);
        }
        il_order o = fit(&s, NULL);
        c.student += o.low <= p && p <= o.high;
        c.sen += o.sen.low <= p && p <= o.sen.high;
        c.none += isnan(o.slope);
    }
    return c;
}

/* 95 % of 1000 trials have a scatter of 0.7 %: 90 to 98 % leaves four of them on the near side.
 * A study without an order covers nothing and counts as a miss. */
static void the_interval_covers_the_true_order(void) {
    static const struct {
        double p, noise, amplitude;
    } list[] = {{0.5, NOISE, 0.0}, {1.0, NOISE, 0.0}, {2.0, NOISE, 0.0}, {1.0, 1.0, 0.0},
                {0.5, 0.0, 0.5},   {1.0, 0.0, 0.5},   {1.0, 0.0, 0.9},   {2.0, 0.0, 0.9}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        coverage c = cover(rng, usual, list[k].p, list[k].noise, list[k].amplitude);
        CU_ASSERT(c.student >= 900 && c.student <= 980);
        CU_ASSERT(c.sen >= 900 && c.sen <= 980);
        CU_ASSERT(c.none <= 5); /* a tenth of what the interval misses anyway */
    }
    gsl_rng_free(rng);
}

/* The levels that the fit makes are octaves, whatever the levels of the study were. */
static void any_design_will_do(void) {
    static const design list[] = {{4.0, 4, 8}, {1.5, 10, 4}, {2.0, 6, 8}, {3.0, 5, 3}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        coverage c = cover(rng, list[k], 1.0, NOISE, 0.0);
        CU_ASSERT(c.student >= 900 && c.student <= 980);
    }
    gsl_rng_free(rng);
    sample s = {.n = 6};
    for (size_t k = 0; k < s.n; k++) {
        s.h[k] = pow(3.7, -(double)k);
        s.e[k] = 2.0 * pow(s.h[k], 1.5);
    }
    il_claim sharp = {.norm = "u_L1", .kind = IL_CLAIM_SHARP, .order = 1.5};
    il_order o = fit(&s, &sharp);
    /* some ten roundings of logarithms of size 10 in six points */
    CU_ASSERT(fabs(o.slope - 1.5) <= 1e-13 && fabs(o.constant - 2.0) <= 1e-12);
    CU_ASSERT(fabs(o.sen.slope - 1.5) <= 1e-13);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_PASS);
    CU_ASSERT(o.levels == 6 && count(&o, IL_LEVEL_USED) == 6);
}

/* An interval computed from nested steps and a phase that repeats does not cover: the reason for
 * jitter, and proof that the coverage above can fail. The phase of 1/3 at steps 64 2^k is 1/3, 2/3,
 * 1/3, ...: the error alternates about the line, always in the same way. */
static void a_repeated_phase_biases(void) {
    sample s = {.n = LEVELS};
    for (size_t k = 0; k < s.n; k++) {
        s.h[k] = ldexp(1.0, -6 - (int)k);
        double phase = 64.0 / 3.0 * ldexp(1.0, (int)k);
        s.e[k] = C * s.h[k] * (1.0 + 0.9 * (2.0 * (phase - floor(phase)) - 1.0));
    }
    il_order o = fit(&s, NULL);
    /* y_k = x_k + log(0.7) or log(1.3) in turn: the slope errs by (sum k' y')/(sum k'^2) over log 2
     * = (-3 + 1)/2/5 log(13/7)/log 2, k' = k - 3/2 */
    double bias = 0.2 * log(13.0 / 7.0) / M_LN2;
    CU_ASSERT(fabs(fabs(o.whole.slope - 1.0) - bias) <= 1e-12);
}

/* ---- verdicts ------------------------------------------------------------------------------- */

static void claims_are_judged(void) {
    static const struct {
        il_claim_kind kind;
        double order;
        il_verdict verdict;
    } list[] = {
        {IL_CLAIM_SHARP, 1.0, IL_ORDER_PASS},
        {IL_CLAIM_BOUND, 1.0, IL_ORDER_PASS},
        {IL_CLAIM_BOUND, 0.5, IL_ORDER_PASS},
        {IL_CLAIM_CONVERGES, 0.0, IL_ORDER_PASS},
        {IL_CLAIM_SHARP, 0.5, IL_ORDER_FAIL},
        {IL_CLAIM_SHARP, 1.5, IL_ORDER_FAIL},
        {IL_CLAIM_BOUND, 1.5, IL_ORDER_FAIL},
        /* h^1.25 log(1/h) falls like h over these steps: what a bound asks is not refuted */
        {IL_CLAIM_BOUND, 1.25, IL_ORDER_INCONCLUSIVE}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    /* six octaves: what may bend the errors of four unseen leaves a tenth of an order open */
    sample s = draw(rng, (design){2.0, 6, JITTER});
    set_lognormal(rng, &s, 1.0, 0.02);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        il_claim claim = {.norm = "u_L1", .kind = list[k].kind, .order = list[k].order};
        CU_ASSERT_EQUAL(fit(&s, &claim).verdict, list[k].verdict);
    }
    CU_ASSERT_EQUAL(fit(&s, NULL).verdict, IL_ORDER_REPORTED);
    set_lognormal(rng, &s, 1.0, 2.0);
    CU_ASSERT_EQUAL(fit(&s, &bound_1).verdict, IL_ORDER_INCONCLUSIVE);
    gsl_rng_free(rng);
}

/* E = C/h with noise: FAIL whatever is claimed, REPORTED where nothing is. */
static void rising_errors_fail(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const il_claim *claims[] = {&bound_1, &converges, NULL};
    for (int trial = 0; trial < 300; trial++) {
        sample s = draw(rng, usual);
        set_lognormal(rng, &s, -1.0, NOISE);
        const il_claim *claim = claims[trial % 3];
        il_order o = fit(&s, claim);
        CU_ASSERT_EQUAL(o.verdict, claim != NULL ? IL_ORDER_FAIL : IL_ORDER_REPORTED);
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "do not fall"));
    }
    gsl_rng_free(rng);
}

/* Constant errors pass by chance alone: the claim of mere convergence asks for 0.1 below the whole
 * interval, which is 3.5 standard deviations of the slope here (0.3/(0.8 sqrt 32) = 0.066): 0.02 %.
 */
static void constant_errors_never_pass(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int passed = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        sample s = draw(rng, usual);
        set_lognormal(rng, &s, 0.0, NOISE);
        passed += fit(&s, &converges).verdict == IL_ORDER_PASS;
        il_verdict verdict = fit(&s, &bound_1).verdict;
        CU_ASSERT(verdict == IL_ORDER_FAIL || verdict == IL_ORDER_INCONCLUSIVE);
    }
    CU_ASSERT(passed <= 5);
    sample s = draw(rng, usual);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = 0.25;
    }
    CU_ASSERT_EQUAL(fit(&s, &converges).verdict, IL_ORDER_FAIL);
    gsl_rng_free(rng);
}

static void failed_studies_have_no_order(void) {
    static const struct {
        double value;
        il_verdict verdict;
    } list[] = {{NAN, IL_ORDER_FAIL}, {INFINITY, IL_ORDER_FAIL}, {-1e-3, IL_ORDER_FAIL}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    sample s = draw(rng, usual);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        set_lognormal(rng, &s, 1.0, 0.0);
        s.e[3] = list[k].value;
        il_order o = fit(&s, &bound_1);
        CU_ASSERT(o.verdict == list[k].verdict && isnan(o.slope) && isnan(o.low));
    }
    /* a run that is exact, like one at rounding, is no failure: it is set aside, and told */
    set_lognormal(rng, &s, 1.0, 0.0);
    s.e[3] = 0.0;
    s.e[17] = 1e-15;
    il_order some = fit(&s, &bound_1);
    CU_ASSERT(some.verdict == IL_ORDER_PASS && some.at_rounding == 2 && some.n == s.n - 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(some.reason, "2 runs at rounding set aside"));
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = 1e-15 * s.h[i]; /* rounding of a solution of size one */
    }
    il_order o = fit(&s, &bound_1);
    CU_ASSERT(o.verdict == IL_ORDER_INCONCLUSIVE && o.cause == IL_PLATEAU_ROUNDING);
    set_lognormal(rng, &s, 1.0, 0.0);
    s.n = 3;
    CU_ASSERT_EQUAL(fit(&s, &bound_1).verdict, IL_ORDER_INCONCLUSIVE);
    s.n = 0;
    CU_ASSERT_EQUAL(fit(&s, &bound_1).verdict, IL_ORDER_INCONCLUSIVE);
    gsl_rng_free(rng);
}

static void bad_input_is_refused(void) {
    il_order o;
    il_error err = {IL_OK, ""};
    double h[4] = {0.1, 0.2, 0.0, 0.4};
    double e[4] = {0.1, 0.2, 0.3, 0.4};
    il_order_data data = {.n = 4, .h = h, .error = e};
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, NULL, &o, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "h[2] is 0; allowed"));
    h[2] = 0.3;
    CU_ASSERT_EQUAL(il_order_fit(&data, 1.0, NULL, &o, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "confidence is 1; allowed"));
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, NULL, &o, &err), IL_OK);
}

/* ---- what is no power law ------------------------------------------------------------------- */

/* Every other run, or one by the toss of a coin, tends elsewhere: its error is the distance of the
 * two limits. */
static void two_limits_have_no_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < TRIALS; trial++) {
        sample s = draw(rng, usual);
        set_lognormal(rng, &s, 1.0, NOISE);
        double distance = trial % 2 == 0 ? 1.0 : 0.05;
        for (size_t i = 0; i < s.n; i++) {
            bool other = trial % 4 < 2 ? i % 2 == 0 : gsl_rng_uniform(rng) < 0.5;
            s.e[i] = other ? distance * exp(gsl_ran_gaussian(rng, 0.1)) : s.e[i];
        }
        il_order o = fit(&s, trial % 3 == 0 ? &converges : &bound_1);
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
        sample s = draw(rng, usual);
        set_lognormal(rng, &s, 1.0, 0.1);
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] *= gsl_rng_uniform(rng) < 0.5 ? 20.0 : 1.0;
        }
        several += fit(&s, NULL).several_limits;
    }
    CU_ASSERT(several == 0);
    gsl_rng_free(rng);
}

/* One branch like h^0.4, one like h: both converge, and neither rate is that of the runs. */
static void two_rates_are_no_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 100; trial++) {
        sample s = draw(rng, (design){2.0, 6, JITTER});
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] = C * pow(s.h[i], i % 2 == 0 ? 0.4 : 1.0) * exp(gsl_ran_gaussian(rng, 0.05));
        }
        il_order o = fit(&s, &bound_1);
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
    sample s = draw(rng, (design){2.0, 6, JITTER});
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = C * (s.h[i] - h0) * exp(gsl_ran_gaussian(rng, 0.02));
    }
    il_order o = fit_with(&s, &bound_1, (il_order_data){.causes = {.reference = 0.2 * C * h0}});
    CU_ASSERT(o.cause == IL_PLATEAU_REFERENCE && count(&o, IL_LEVEL_PLATEAU) >= 2);
    /* what remains has h >= 8 h0 at least: its slope, 1/(1 - h0/h), is at most 8/7 */
    CU_ASSERT(o.slope >= 1.0 - 0.02 && o.slope <= 8.0 / 7.0);
    CU_ASSERT(count(&o, IL_LEVEL_COARSE) == 0 && o.verdict != IL_ORDER_FAIL);
    gsl_rng_free(rng);
}

/* Errors against the nearest of several solutions all fall; the names tell. */
static void runs_nearest_to_different_solutions_have_no_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    sample s = draw(rng, usual);
    set_lognormal(rng, &s, 1.0, 0.1);
    size_t limit[POINTS_MAX] = {0};
    CU_ASSERT(!fit_with(&s, &converges, (il_order_data){.limit = limit}).several_limits);
    limit[5] = 1;
    il_order o = fit_with(&s, &converges, (il_order_data){.limit = limit});
    CU_ASSERT(o.several_limits && isnan(o.slope));
    CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "1 of 32 runs"));
    gsl_rng_free(rng);
}

/* E = C h (1 + (h/h0)^2) with h0 = 1/100: of order 3 at the two coarsest levels of six, and of 1
 * within 1 % at the last. They are dropped, and without them the slope is nearer to 1. */
static void coarse_levels_are_dropped(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    sample s = draw(rng, (design){2.0, 7, JITTER});
    set_lognormal(rng, &s, 1.0, 0.05);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] *= 1.0 + 1e4 * s.h[i] * s.h[i];
    }
    il_order o = fit(&s, &bound_1);
    size_t coarse = count(&o, IL_LEVEL_COARSE);
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
    for (int trial = 0; trial < 50; trial++) {
        sample s = draw(rng, (design){2.0, 14, JITTER}); /* h down to 1e-6: F/C is 1.4e-5 */
        set_lognormal(rng, &s, 1.0, 0.1);
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] += F * exp(gsl_ran_gaussian(rng, 0.1));
        }
        for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
            il_order o = fit_with(&s, &bound_1,
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
            CU_ASSERT(count(&o, IL_LEVEL_PLATEAU) >= 3 && count(&o, IL_LEVEL_USED) >= 3);
        }
    }
    gsl_rng_free(rng);
}

/* Where the plateau leaves too little, no order is given. */
static void short_slopes_have_no_order(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    sample s = draw(rng, (design){2.0, 6, JITTER});
    set_lognormal(rng, &s, 1.0, 0.05);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] += 2e-3; /* reached at h = 1/350, the third of six levels */
    }
    il_order o = fit_with(&s, &bound_1, (il_order_data){.causes = {.tolerance = 1e-2}});
    CU_ASSERT(o.cause == IL_PLATEAU_TOLERANCE && isnan(o.slope));
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
    o = fit(&s, &bound_1);
    CU_ASSERT(o.cause == IL_PLATEAU_UNEXPLAINED && o.verdict == IL_ORDER_FAIL);
    gsl_rng_free(rng);
}

/* ---- verdicts that were fooled once --------------------------------------------------------- */

static const design six = {2.0, 6, JITTER};

/* A floor of at least what still falls at the finest step, with scatter of all errors or of the
 * falling part, or without: no PASS. 300 studies each at a chance of 1 %: 3, and at most 9 (three
 * standard deviations above). Floors of twenty times what falls FAIL four times of five. */
static void floors_do_not_pass(void) {
    static const struct {
        double p, times, spread;
        bool all; /* of all errors, else of what falls */
    } list[] = {{1.0, 1.0, 0.5, true},  {1.0, 6.0, 0.5, false}, {1.0, 20.0, 0.5, false},
                {0.25, 1.0, 0.0, true}, {0.5, 1.0, 0.1, true},  {0.25, 1.0, 0.1, true},
                {2.0, 1.0, 0.2, true},  {1.0, 20.0, 0.1, true}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        int passed = 0;
        int failed = 0;
        for (int trial = 0; trial < 300; trial++) {
            sample s = draw(rng, six);
            double floor_ = list[k].times * pow(1.0 / (64.0 * pow(2.0, 5.5)), list[k].p);
            for (size_t i = 0; i < s.n; i++) {
                double w = 1.0 + list[k].spread * (2.0 * gsl_rng_uniform(rng) - 1.0);
                double falls = pow(s.h[i], list[k].p);
                s.e[i] = list[k].all ? (floor_ + falls) * w : floor_ + falls * w;
            }
            il_verdict verdict = fit(&s, &converges).verdict;
            passed += verdict == IL_ORDER_PASS;
            failed += verdict == IL_ORDER_FAIL;
        }
        CU_ASSERT(passed <= 9);
        CU_ASSERT(list[k].times < 20.0 || failed >= 240);
    }
    gsl_rng_free(rng);
}

/* The same number at every step, as a scheme gives that obeys another law: FAIL, whatever is
 * claimed. With one run of eight exact by chance too. */
static void constant_errors_fail(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    sample s = draw(rng, six);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = 0.511;
    }
    il_order o = fit(&s, &converges);
    CU_ASSERT(o.verdict == IL_ORDER_FAIL && fabs(o.floor - 0.511) <= 1e-3);
    CU_ASSERT(o.floor_low >= 0.5 && o.floor_high <= 0.52);
    CU_ASSERT_EQUAL(fit(&s, &bound_1).verdict, IL_ORDER_FAIL);
    for (size_t i = 0; i < s.n; i += 8) {
        s.e[i] = 1e-16;
    }
    CU_ASSERT_EQUAL(fit(&s, &converges).verdict, IL_ORDER_FAIL);
    gsl_rng_free(rng);
}

/* Five runs of 48 that are exact moved the least squares line to -0.33 [-2.32, 1.66]. */
static void exact_runs_do_not_matter(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 20; trial++) {
        sample s = draw(rng, six);
        set_lognormal(rng, &s, 1.0, 0.1);
        for (size_t i = 0; i < s.n; i++) {
            double u = gsl_rng_uniform(rng);
            s.e[i] *= u < 0.1 ? 1e-16 : u < 0.2 ? 1e-4 : 1.0;
        }
        il_order o = fit(&s, &bound_1);
        CU_ASSERT(o.verdict != IL_ORDER_FAIL && fabs(o.slope - 1.0) <= 0.15);
        CU_ASSERT(o.at_rounding + o.far_below >= 1 && o.at_rounding + o.far_below + o.n <= s.n);
        CU_ASSERT_EQUAL(fit(&s, &converges).verdict == IL_ORDER_FAIL, false);
    }
    gsl_rng_free(rng);
}

/* phase h + c h^2: the interval of a line covered 1 in 57 % of studies. */
static void the_next_power_is_allowed_for(void) {
    static const double cs[] = {1.0, 5.0, 20.0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof cs / sizeof cs[0]; k++) {
        int covered = 0;
        for (int trial = 0; trial < 400; trial++) {
            sample s = draw(rng, six);
            double impact = gsl_rng_uniform(rng);
            for (size_t i = 0; i < s.n; i++) {
                double phase = impact / s.h[i] - floor(impact / s.h[i]);
                s.e[i] = phase * s.h[i] + cs[k] * s.h[i] * s.h[i];
            }
            il_order o = fit(&s, NULL);
            covered += o.low <= 1.0 && 1.0 <= o.high;
        }
        CU_ASSERT(covered >= 360); /* 93 %, less three standard deviations of 400: 358 */
    }
    gsl_rng_free(rng);
}

/* h log(1/h) is no power over any range: an order of 1 is not refuted, nor a bound of it granted. */
static void a_logarithm_is_no_failure(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 100; trial++) {
        sample s = draw(rng, six);
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] = s.h[i] * log(1.0 / s.h[i]) * exp(gsl_ran_gaussian(rng, trial % 2 * 0.02));
        }
        il_order o = fit(&s, &bound_1);
        CU_ASSERT(o.verdict == IL_ORDER_INCONCLUSIVE);
        CU_ASSERT_EQUAL(fit(&s, &converges).verdict, IL_ORDER_PASS);
    }
    gsl_rng_free(rng);
}

/* The worst phase of h (1 + 20 [one run of eight]) is of order 1 too, with another constant. */
static void the_worst_phase_is_another_number(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    sample s = draw(rng, (design){2.0, 8, JITTER});
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = s.h[i] * (i % JITTER == 3 ? 21.0 : 1.0) * exp(gsl_ran_gaussian(rng, 0.02));
    }
    il_order mean = fit(&s, &converges);
    il_order worst = fit_with(&s, &converges, (il_order_data){.of = IL_ORDER_WORST});
    CU_ASSERT(worst.n >= 7 && worst.n <= 9 && mean.n > 40);
    CU_ASSERT(fabs(worst.slope - 1.0) <= 0.1 && fabs(mean.slope - 1.0) <= 0.1);
    CU_ASSERT(worst.finest > 15.0 * mean.finest && worst.finest < 27.0 * mean.finest);
    gsl_rng_free(rng);
}

/* A claim that does not speak of the problem is not judged, whatever the errors do. */
static void a_barred_claim_is_reported(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    sample s = draw(rng, six);
    for (int p = 0; p < 2; p++) {
        set_lognormal(rng, &s, p, 0.02);
        il_order_data data = {.barred = "some g_i is not convex"};
        il_order o = fit_with(&s, &converges, data);
        CU_ASSERT_EQUAL(o.verdict, IL_ORDER_REPORTED);
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "some g_i is not convex"));
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, p == 0 ? "fall" : "errors fall"));
    }
    gsl_rng_free(rng);
}

/* Values of Student's and the normal quantiles from tables (Abramowitz & Stegun 26.1, 26.10). */
static void quantiles_are_those_of_tables(void) {
    static const struct {
        double p, freedom, value;
    } list[] = {{0.975, 3.0, 3.182},  {0.975, 5.0, 2.571}, {0.975, 10.0, 2.228},
                {0.975, 30.0, 2.042}, {0.99, 4.0, 3.747},  {0.99, 10.0, 2.764},
                {0.995, 10.0, 3.169}, {0.95, 20.0, 1.725}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        double t = il_order_t_quantile(list[k].p, list[k].freedom);
        CU_ASSERT(fabs(t / list[k].value - 1.0) <= 3e-3);
        double other = il_order_t_quantile(1.0 - list[k].p, list[k].freedom);
        CU_ASSERT(fabs(t + other) <= 1e-6);
    }
    CU_ASSERT(fabs(il_order_normal_quantile(0.975) - 1.959963985) <= 1e-6);
    CU_ASSERT(fabs(il_order_normal_quantile(0.6) - 0.253347103) <= 1e-6);
    CU_ASSERT(il_order_t_quantile(0.975, 1.0) >= 3.182 && il_order_t_quantile(0.975, 2.0) >= 4.3);
}

/* The sizes of causes, and which one explains a height: the nearest that reaches it; nothing below
 * a reference's own error is explained by it. */
static void causes_have_sizes(void) {
    il_order_causes c = il_order_causes_of(1000.0, 2.0, 1e-8, 3e-8, 1e-6);
    CU_ASSERT(c.rounding == 8.0 * 1000.0 * 0x1p-52 * 2.0 && c.tolerance == 1000.0 * 3e-8);
    CU_ASSERT_EQUAL(il_order_cause(&c, 1e-12), IL_PLATEAU_ROUNDING);
    CU_ASSERT_EQUAL(il_order_cause(&c, 5e-7), IL_PLATEAU_BELOW_REFERENCE);
    CU_ASSERT_EQUAL(il_order_cause(&c, 5e-6), IL_PLATEAU_REFERENCE);
    CU_ASSERT_EQUAL(il_order_cause(&c, 2e-5), IL_PLATEAU_TOLERANCE);
    CU_ASSERT_EQUAL(il_order_cause(&c, 1e-4), IL_PLATEAU_UNEXPLAINED);
    c = il_order_causes_of(NAN, NAN, NAN, -1.0, NAN);
    CU_ASSERT(c.rounding == 8.0 * 0x1p-52 && c.tolerance == 0.0 && c.reference == 0.0);
}

/* ---- the parts ------------------------------------------------------------------------------ */

/* Sen's own kind of example: an outlier moves the mean slope, not the median. Slopes of the pairs
 * of (0,0), (1,1), (2,2), (3,30): 1, 1, 10, 1, 14.5, 28; their median is 5.5. */
static void theil_sen_is_the_median_of_slopes(void) {
    const double x[] = {0.0, 1.0, 2.0, 3.0};
    const double y[] = {0.0, 1.0, 2.0, 30.0};
    double room[6];
    il_sen sen = il_line_sen(x, y, 4, 0.95, room);
    CU_ASSERT_EQUAL(sen.slope, 5.5);
    /* four points cannot exclude anything: C = 1.96 sqrt(4 3 13/18) = 5.8 of 6 pairs */
    CU_ASSERT(sen.low == -INFINITY && sen.high == INFINITY);
    const double same[] = {1.0, 1.0};
    sen = il_line_sen(same, y, 2, 0.95, room);
    CU_ASSERT(isnan(sen.slope));
}

static const il_test tests[] = {
    {"the interval covers the true order", the_interval_covers_the_true_order},
    {"any design will do", any_design_will_do},
    {"a repeated phase biases", a_repeated_phase_biases},
    {"claims are judged", claims_are_judged},
    {"rising errors fail", rising_errors_fail},
    {"constant errors never pass", constant_errors_never_pass},
    {"failed studies have no order", failed_studies_have_no_order},
    {"bad input is refused", bad_input_is_refused},
    {"two limits have no order", two_limits_have_no_order},
    {"two constants are one limit", two_constants_are_one_limit},
    {"two rates are no order", two_rates_are_no_order},
    {"errors near the reference are cut off", errors_near_the_reference_are_cut_off},
    {"runs nearest to different solutions have no order",
     runs_nearest_to_different_solutions_have_no_order},
    {"coarse levels are dropped", coarse_levels_are_dropped},
    {"plateaus have causes", plateaus_have_causes},
    {"short slopes have no order", short_slopes_have_no_order},
    {"floors do not pass", floors_do_not_pass},
    {"constant errors fail", constant_errors_fail},
    {"exact runs do not matter", exact_runs_do_not_matter},
    {"the next power is allowed for", the_next_power_is_allowed_for},
    {"a logarithm is no failure", a_logarithm_is_no_failure},
    {"the worst phase is another number", the_worst_phase_is_another_number},
    {"a barred claim is reported", a_barred_claim_is_reported},
    {"quantiles are those of tables", quantiles_are_those_of_tables},
    {"causes have sizes", causes_have_sizes},
    {"Theil and Sen: the median of slopes", theil_sen_is_the_median_of_slopes},
    {NULL, NULL}};

const il_suite il_suite_order = {"order", tests};
