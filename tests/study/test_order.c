/*
 * test_order.c - orders of errors whose order, floor and scatter are known.
 */
#include <CUnit/CUnit.h>
#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "harness/study/order/order.h"
#include "tests/support/order_sample.h"
#include "tests/support/suite.h"

static const il_claim CONVERGES = {.norm = "", .kind = IL_CLAIM_CONVERGES};

static il_order judged(const il_sample *s, const il_claim *claim) {
    return il_sample_judged(s, claim, (il_order_data){.n = 0});
}

/* ---- without scatter ------------------------------------------------------------------------ */

/* A fit ends where its deviance is settled to 1e-12, its roots to 1e-6. */
static const double FITTED = 1e-5;

static void powers_are_found(void) {
    const double orders[] = {0.5, 1.0, 2.0};
    for (int k = 0; k < 3; k++) {
        il_sample s = il_sample_steps(NULL, 8, 1);
        il_sample_fill(NULL, &s, 0.0, orders[k], 0.0, 1.0, 0.0);
        il_claim sharp = il_sample_claim(IL_CLAIM_SHARP, orders[k]);
        il_claim twice = il_sample_claim(IL_CLAIM_BOUND, 2.0 * orders[k]);
        il_order o = judged(&s, &sharp);
        CU_ASSERT(fabs(o.order - orders[k]) <= FITTED);
        CU_ASSERT(o.low <= orders[k] + FITTED && o.high >= orders[k] - FITTED);
        /* a scatter of a thousandth is assumed: 1.94 1e-3/4.5 in the order, 4.9 of that in the
         * fold */
        CU_ASSERT(fabs(o.fold / pow(128.0, orders[k]) - 1.0) <= 3e-3);
        CU_ASSERT(fabs(o.finest / pow(s.h[7], orders[k]) - 1.0) <= FITTED);
        CU_ASSERT(o.octaves == 7.0 && o.used == 8);
        CU_ASSERT_EQUAL(judged(&s, &CONVERGES).verdict, IL_ORDER_PASS);
        CU_ASSERT_EQUAL(judged(&s, &twice).verdict, IL_ORDER_FAIL);
        CU_ASSERT_EQUAL(judged(&s, NULL).verdict, IL_ORDER_REPORTED);
    }
}

static void a_next_power_is_seen_through(void) {
    const double shares[] = {0.1, 1.0, 4.0};
    for (int k = 0; k < 3; k++) {
        for (int half = 0; half < 2; half++) {
            il_sample s = il_sample_steps(NULL, 6, 1);
            il_sample_fill(NULL, &s, 0.0, 1.0, shares[k], half ? 0.5 : 1.0, 0.0);
            il_claim bound = il_sample_claim(IL_CLAIM_BOUND, 1.0);
            CU_ASSERT_EQUAL(judged(&s, &bound).verdict, IL_ORDER_PASS);
            CU_ASSERT(fabs(judged(&s, NULL).order - 1.0) <= 1e-3);
        }
    }
}

/* h + A 2^-L on L octaves: A times as much as what falls at the finest step stays. */
static void more_exact_data_never_weakens_a_verdict(void) {
    const double floors[] = {1.0, 3.0, 10.0, 30.0};
    for (int k = 0; k < 4; k++) {
        bool failed = false;
        for (size_t L = 5; L <= 20; L++) {
            il_sample s = il_sample_steps(NULL, L + 1, 1);
            il_sample_fill(NULL, &s, floors[k] * il_sample_finest(&s), 1.0, 0.0, 1.0, 0.0);
            il_order o = judged(&s, &CONVERGES);
            bool fails = o.verdict == IL_ORDER_FAIL;
            CU_ASSERT(fails || !failed);
            CU_ASSERT(o.verdict != IL_ORDER_PASS);
            failed = failed || fails;
            CU_ASSERT(o.floor_high >= floors[k] * il_sample_finest(&s) * (1.0 - 1e-3));
        }
        CU_ASSERT(failed);
    }
}

/* Zeros at the coarse end are data, at the fine end they are at rounding; what grows never passes.
 * */
static void only_zeros_at_the_fine_end_are_rounding(void) {
    il_sample s = il_sample_steps(NULL, 8, 1);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = i == 0 ? 0.0 : 1.0;
    }
    CU_ASSERT_EQUAL(judged(&s, &CONVERGES).verdict, IL_ORDER_FAIL);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = i == 0 ? 0.0 : ldexp(1.0, (int)i);
    }
    CU_ASSERT_EQUAL(judged(&s, &CONVERGES).verdict, IL_ORDER_FAIL);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = i == 7 ? 0.0 : s.h[i];
    }
    il_order o = judged(&s, &CONVERGES);
    CU_ASSERT(o.verdict == IL_ORDER_PASS && o.rounded == 1 && o.used == 7);
}

/* x/(1+x), 1 - exp(-3x), min(1, 20x) and x max(1, 16x) are of order one, |h - a| has a floor of the
 * other sign: no claim that is true is refuted, no floor is above its bound. */
static void steepening_curves_are_not_accused(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const il_claim bound = il_sample_claim(IL_CLAIM_BOUND, 1.0);
    int refuted = 0;
    int bounded = 0;
    for (int k = 0; k < STUDIES; k++) {
        il_sample s = il_sample_steps(rng, 6, 8);
        double a = 0.5 * il_sample_finest(&s);
        for (int f = 0; f < 5; f++) {
            for (size_t i = 0; i < s.n; i++) {
                double x = 32.0 * s.h[i];
                const double of[] = {x / (1.0 + x), -expm1(-3.0 * x), fmin(1.0, 20.0 * x),
                                     x * fmax(1.0, 16.0 * x), fabs(s.h[i] - a)};
                s.e[i] = of[f] * (1.0 + 0.05 * (2.0 * gsl_rng_uniform(rng) - 1.0));
            }
            il_order o = judged(&s, &bound);
            refuted += o.verdict == IL_ORDER_FAIL;
            bounded += f == 4 && o.floor_high >= a;
        }
    }
    CU_ASSERT(refuted <= 2); /* of 200 */
    CU_ASSERT(bounded >= OF_95);
    gsl_rng_free(rng);
}

/* h over four octaves, then four that rise like h^(-1/2), in one curve or two. */
static void what_rises_at_the_fine_end_never_passes(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < STUDIES; k++) {
        il_sample s = il_sample_steps(rng, 8, 4);
        for (size_t i = 0; i < s.n; i++) {
            double y = s.h[i] * 512.0;
            s.e[i] = fmax(y, 1.0 / sqrt(y)) * (1.0 + 0.2 * (2.0 * gsl_rng_uniform(rng) - 1.0));
        }
        CU_ASSERT_NOT_EQUAL(judged(&s, &CONVERGES).verdict, IL_ORDER_PASS);
    }
    gsl_rng_free(rng);
}

static void errors_that_do_not_fall_fail(void) {
    il_sample s = il_sample_steps(NULL, 5, 1);
    for (int k = 0; k < 3; k++) {
        il_sample_fill(NULL, &s, 0.0, -0.2 * k, 0.0, 1.0, 0.0);
        il_order o = judged(&s, &CONVERGES);
        CU_ASSERT_EQUAL(o.verdict, IL_ORDER_FAIL);
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "do not fall"));
    }
}

/* The claim's own factor: eight octaves of order 1/2 fall sixteenfold. */
static void a_claim_may_ask_for_a_larger_fall(void) {
    il_sample s = il_sample_steps(NULL, 9, 1);
    il_sample_fill(NULL, &s, 0.0, 0.5, 0.0, 1.0, 0.0);
    il_claim claim = CONVERGES;
    claim.factor = 15.0;
    CU_ASSERT_EQUAL(judged(&s, &claim).verdict, IL_ORDER_PASS);
    claim.factor = 17.0;
    CU_ASSERT_EQUAL(judged(&s, &claim).verdict, IL_ORDER_INCONCLUSIVE);
}

/* ---- with scatter --------------------------------------------------------------------------- */

/* Counts of STUDIES: verdicts, intervals that hold the order, bounds that hold the floor. */
typedef struct {
    int of[4], held, bounded;
} counts;

/* The number that an interval has to hold: the order for h -> 0 where a bend was seen, else a slope
 * of the window. */
static bool holds(const il_order *o, double p, double c, double r) {
    if (o->curve.v > 0.0) {
        return o->low <= p && p <= o->high;
    }
    double coarse = c * pow(32.0 * o->h_max, r);
    double fine = c * pow(32.0 * o->h_min, r);
    return o->low <= p + r * coarse / (1.0 + coarse) && p + r * fine / (1.0 + fine) <= o->high;
}

static counts studies(size_t octaves, size_t per, double floor, double p, double c, double r,
                      double scatter) {
    counts n = {.held = 0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 2026);
    for (int k = 0; k < STUDIES; k++) {
        il_sample s = il_sample_steps(rng, octaves, per);
        double a = floor * pow(il_sample_finest(&s), p);
        il_sample_fill(rng, &s, a, p, c, r, scatter);
        il_order o = judged(&s, &CONVERGES);
        n.of[o.verdict]++;
        n.held += holds(&o, p, c, r);
        n.bounded += o.floor_high >= a;
    }
    gsl_rng_free(rng);
    return n;
}

static void clean_lines_pass(void) {
    CU_ASSERT(studies(6, 8, 0.0, 1.0, 0.0, 1.0, 0.5).of[IL_ORDER_PASS] >= OF_95);
    CU_ASSERT(studies(4, 8, 0.0, 2.0, 0.0, 1.0, 0.2).of[IL_ORDER_PASS] >= OF_95);
    CU_ASSERT(studies(6, 8, 0.0, 0.5, 0.0, 1.0, 0.2).of[IL_ORDER_PASS] >= OF_95);
    CU_ASSERT(studies(6, 1, 0.0, 1.0, 0.0, 1.0, 0.05).of[IL_ORDER_PASS] >= OF_95);
}

static void floors_fail(void) {
    counts n = studies(6, 8, 10.0, 1.0, 0.0, 1.0, 0.05);
    CU_ASSERT(n.of[IL_ORDER_FAIL] >= OF_90);
    CU_ASSERT(n.of[IL_ORDER_PASS] <= OF_5);
    CU_ASSERT(n.bounded >= OF_95);
    n = studies(8, 1, 3.0, 1.0, 0.0, 1.0, 0.01);
    CU_ASSERT(n.of[IL_ORDER_FAIL] >= OF_90);
    CU_ASSERT(n.of[IL_ORDER_PASS] <= OF_5);
}

static void intervals_hold_the_order(void) {
    CU_ASSERT(studies(6, 8, 0.0, 1.0, 0.0, 1.0, 0.2).held >= OF_95);
    CU_ASSERT(studies(6, 8, 0.0, 1.0, 6.0, 0.5, 0.2).held >= OF_90);
    CU_ASSERT(studies(4, 8, 0.0, 0.5, 3.0, 1.0, 0.1).held >= OF_90);
    CU_ASSERT(studies(8, 1, 0.0, 2.0, 3.0, 0.5, 0.05).held >= OF_90);
}

/* The number of STUDIES, INCONCLUSIVE for a reason, that its advice decides. */
static int decided_by_advice(const char *reason, const il_claim *claim, size_t octaves, size_t per,
                             double floor, double p, double scatter, size_t more_octaves,
                             size_t more_per, int *open) {
    int decided = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 2027);
    *open = 0;
    for (int k = 0; k < STUDIES; k++) {
        il_sample s = il_sample_steps(rng, octaves, per);
        il_sample_fill(rng, &s, floor, p, 0.0, 1.0, scatter);
        il_order o = judged(&s, claim);
        if (o.verdict == IL_ORDER_INCONCLUSIVE && strstr(o.reason, reason) != NULL) {
            s = il_sample_steps(rng, more_octaves, more_per);
            il_sample_fill(rng, &s, floor, p, 0.0, 1.0, scatter);
            decided += judged(&s, claim).verdict != IL_ORDER_INCONCLUSIVE;
            ++*open;
        }
    }
    gsl_rng_free(rng);
    return decided;
}

/* Four times of five, whatever the reason. */
static void advice_decides(void) {
    int open = 0;
    int decided =
        decided_by_advice("twice as many octaves", &CONVERGES, 4, 8, 0.0, 0.5, 0.2, 8, 8, &open);
    CU_ASSERT(open >= 20 && 5 * decided >= 4 * open);
    double floor = ldexp(1.0, -11); /* what falls at the finest of six octaves */
    decided = decided_by_advice("two more octaves", &CONVERGES, 6, 8, floor, 1.0, 0.1, 8, 8, &open);
    CU_ASSERT(open >= 10 && 5 * decided >= 4 * open);
}

/* Two looks share a level: each has a wider interval. */
static void rounds_share_the_levels(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_steps(rng, 6, 8);
    il_sample_fill(rng, &s, 0.0, 1.0, 0.0, 1.0, 0.2);
    il_order once = judged(&s, &CONVERGES);
    il_order twice = il_sample_judged(&s, &CONVERGES, (il_order_data){.rounds = 4});
    CU_ASSERT(twice.low < once.low && twice.high > once.high);
    CU_ASSERT(twice.floor_high > once.floor_high && twice.fold < once.fold);
    gsl_rng_free(rng);
}

/* The same runs in another order are the same study, to the bit. */
static void the_order_of_runs_does_not_matter(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_steps(rng, 4, 8);
    il_sample back = s;
    il_sample_fill(rng, &s, 0.0, 1.0, 0.0, 1.0, 0.2);
    for (size_t i = 0; i < s.n; i++) {
        back.h[i] = s.h[s.n - 1 - i];
        back.e[i] = s.e[s.n - 1 - i];
    }
    il_order o = judged(&s, NULL);
    il_order r = judged(&back, NULL);
    CU_ASSERT(o.order == r.order && o.low == r.low && o.high == r.high);
    CU_ASSERT(o.floor_high == r.floor_high && o.fold == r.fold);
    gsl_rng_free(rng);
}

/* ---- what else the runs may be -------------------------------------------------------------- */

static void a_run_that_blew_up_fails_the_study(void) {
    const double bad[] = {NAN, INFINITY, -1.0};
    for (int k = 0; k < 3; k++) {
        il_sample s = il_sample_steps(NULL, 6, 1);
        il_sample_fill(NULL, &s, 0.0, 1.0, 0.0, 1.0, 0.0);
        s.e[3] = bad[k];
        il_order o = judged(&s, &CONVERGES);
        CU_ASSERT_EQUAL(o.verdict, IL_ORDER_FAIL);
        CU_ASSERT(isnan(o.order));
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "1 of 6 runs failed"));
        CU_ASSERT_EQUAL(judged(&s, NULL).verdict, IL_ORDER_REPORTED);
    }
    il_sample s = il_sample_steps(NULL, 6, 1);
    il_sample_fill(NULL, &s, 0.0, 1.0, 0.0, 1.0, 0.0);
    s.e[0] = NAN;
    il_order o = il_sample_judged(&s, &CONVERGES, (il_order_data){.unmeasured = 1});
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
}

static void few_runs_and_few_octaves_decide_nothing(void) {
    il_sample s = il_sample_steps(NULL, 4, 1);
    il_sample_fill(NULL, &s, 0.0, 1.0, 0.0, 1.0, 0.0);
    il_order o = judged(&s, &CONVERGES);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "4 runs are too few"));
    s = il_sample_steps(NULL, 6, 1);
    for (size_t i = 0; i < s.n; i++) {
        s.h[i] = i < 3 ? 0.2 : 0.1;
        s.e[i] = s.h[i];
    }
    o = judged(&s, &CONVERGES);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "span a factor of 2"));
    s.n = 0;
    CU_ASSERT_EQUAL(judged(&s, &CONVERGES).verdict, IL_ORDER_INCONCLUSIVE);
}

static void two_limits_have_no_order(void) {
    const size_t limit[] = {0, 1, 0, 1, 0, 1};
    il_sample s = il_sample_steps(NULL, 6, 1);
    il_sample_fill(NULL, &s, 0.0, 1.0, 0.0, 1.0, 0.0);
    il_claim bound = il_sample_claim(IL_CLAIM_BOUND, 1.0);
    il_order o = il_sample_judged(&s, &bound, (il_order_data){.limit = limit});
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_FAIL);
    CU_ASSERT(o.several_limits && isnan(o.order));
    o = il_sample_judged(&s, &CONVERGES, (il_order_data){.limit = limit});
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
}

static void what_is_exact_passes_and_rounding_is_set_aside(void) {
    il_sample s = il_sample_steps(NULL, 12, 1);
    il_order_data data = {.causes = {.rounding = 1e-14}};
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = i % 2 == 0 ? 0.0 : DBL_EPSILON;
    }
    CU_ASSERT_EQUAL(il_sample_judged(&s, &CONVERGES, data).verdict, IL_ORDER_PASS);
    for (size_t i = 0; i < s.n; i++) { /* h^4 from 2^-5 on is below 1e-14 from the eighth on */
        s.e[i] = fmax(pow(s.h[i], 4.0), 1e-15);
    }
    il_order o = il_sample_judged(&s, &CONVERGES, data);
    CU_ASSERT_EQUAL(o.used, 7);
    CU_ASSERT(fabs(o.order - 4.0) <= FITTED);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_PASS);
}

static void a_floor_with_a_known_cause_does_not_fail(void) {
    il_sample s = il_sample_steps(NULL, 10, 1);
    il_sample_fill(NULL, &s, 10.0 * il_sample_finest(&s), 1.0, 0.0, 1.0, 0.0);
    il_order_data data = {.causes = {.reference = 2.0 * il_sample_finest(&s)}};
    il_order o = il_sample_judged(&s, &CONVERGES, data);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "the reference's own error"));
    data.causes.reference = 0.1 * il_sample_finest(&s);
    CU_ASSERT_EQUAL(il_sample_judged(&s, &CONVERGES, data).verdict, IL_ORDER_FAIL);
}

static void sizes_of_causes_are_sums_over_the_steps(void) {
    il_order_causes c = il_order_causes_of(100.0, 2.0, 1e-10, 1e-9, 1e-6);
    CU_ASSERT(fabs(c.rounding / (8.0 * 100.0 * DBL_EPSILON * 2.0) - 1.0) <= 1e-15);
    CU_ASSERT(fabs(c.tolerance / 1e-7 - 1.0) <= 1e-15);
    CU_ASSERT(c.reference == 1e-6);
    c = il_order_causes_of(NAN, NAN, NAN, NAN, NAN);
    CU_ASSERT(c.rounding == 8.0 * DBL_EPSILON && c.tolerance == 0.0 && c.reference == 0.0);
}

static void bad_input_is_refused(void) {
    il_order o;
    il_error err = {IL_OK, ""};
    double h[] = {0.1, 0.0};
    double e[] = {0.1, 0.1};
    il_order_data data = {.n = 2, .h = h, .error = e};
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, NULL, &o, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "h[2]: 0; allowed: a finite number > 0"));
    CU_ASSERT_EQUAL(il_order_fit(&data, 1.0, NULL, &o, &err), IL_EINVAL);
    data.n = IL_ORDER_RUNS_MAX + 1;
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, NULL, &o, &err), IL_EINVAL);
}

/* Many runs are grouped: the same order as of a sample of them. */
static void many_runs_are_a_mean_of_groups(void) {
    enum { RUNS = 100000 };
    static double h[RUNS];
    static double e[RUNS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_order o;
    il_error err = {IL_OK, ""};
    for (size_t i = 0; i < RUNS; i++) {
        h[i] = pow(2.0, -6.0 * gsl_rng_uniform(rng));
        e[i] = h[i] * 2.0 * gsl_rng_uniform(rng);
    }
    gsl_rng_free(rng);
    il_order_data data = {.n = RUNS, .h = h, .error = e};
    il_claim sharp = il_sample_claim(IL_CLAIM_SHARP, 1.0);
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, &sharp, &o, &err), IL_OK);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_PASS);
    CU_ASSERT(o.used == RUNS && o.high - o.low <= 0.1);
}

static void an_order_is_one_sentence(void) {
    char text[1000];
    il_sample s = il_sample_steps(NULL, 8, 1);
    il_sample_fill(NULL, &s, 0.0, 1.0, 0.0, 1.0, 0.0);
    il_order o = judged(&s, &CONVERGES);
    il_order_sentence(&o, "Someone 2026", text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text,
                                  "falls like h^1.00 [1.00, 1.00] over 7 octaves, 128-fold at "
                                  "least, to 0.00024; a floor above "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " would have shown. PASS (Someone 2026)"));
    s.n = 3;
    o = judged(&s, &CONVERGES);
    il_order_sentence(&o, NULL, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "INCONCLUSIVE: 3 runs are too few: an order needs 5");
}

static const il_test tests[] = {
    {"powers are found", powers_are_found},
    {"a next power is seen through", a_next_power_is_seen_through},
    {"more exact data never weakens a verdict", more_exact_data_never_weakens_a_verdict},
    {"only zeros at the fine end are rounding", only_zeros_at_the_fine_end_are_rounding},
    {"steepening curves are not accused", steepening_curves_are_not_accused},
    {"what rises at the fine end never passes", what_rises_at_the_fine_end_never_passes},
    {"errors that do not fall fail", errors_that_do_not_fall_fail},
    {"a claim may ask for a larger fall", a_claim_may_ask_for_a_larger_fall},
    {"clean lines pass", clean_lines_pass},
    {"floors fail", floors_fail},
    {"intervals hold the order", intervals_hold_the_order},
    {"advice decides", advice_decides},
    {"rounds share the levels", rounds_share_the_levels},
    {"the order of runs does not matter", the_order_of_runs_does_not_matter},
    {"a run that blew up fails the study", a_run_that_blew_up_fails_the_study},
    {"few runs and few octaves decide nothing", few_runs_and_few_octaves_decide_nothing},
    {"two limits have no order", two_limits_have_no_order},
    {"what is exact passes and rounding is set aside",
     what_is_exact_passes_and_rounding_is_set_aside},
    {"a floor with a known cause does not fail", a_floor_with_a_known_cause_does_not_fail},
    {"sizes of causes are sums over the steps", sizes_of_causes_are_sums_over_the_steps},
    {"bad input is refused", bad_input_is_refused},
    {"many runs are a mean of groups", many_runs_are_a_mean_of_groups},
    {"an order is one sentence", an_order_is_one_sentence},
    {NULL, NULL}};
const il_suite il_suite_order = {"order", tests};
