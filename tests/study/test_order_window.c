/*
 * test_order_window.c - what the judge of orders once took for a floor, another order or a fall.
 */
#include <CUnit/CUnit.h>
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

/* x (1 + 10 x)/(1 + 30 x) looks like h^0.8 over six octaves, and is of order one; 1 - exp(-20 x)
 * still steepens. */
static void slopes_near_the_claim_are_not_accused(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const il_claim bound = il_sample_claim(IL_CLAIM_BOUND, 1.0);
    int refuted = 0;
    for (int k = 0; k < STUDIES; k++) {
        for (int f = 0; f < 2; f++) {
            il_sample s = il_sample_steps(rng, f == 0 ? 6 : 5, 8);
            for (size_t i = 0; i < s.n; i++) {
                double x = 32.0 * s.h[i];
                double e = f == 0 ? x * (1.0 + 10.0 * x) / (1.0 + 30.0 * x) : -expm1(-20.0 * x);
                s.e[i] = e * (1.0 + 0.05 * (2.0 * gsl_rng_uniform(rng) - 1.0));
            }
            refuted += judged(&s, &bound).verdict == IL_ORDER_FAIL;
        }
    }
    CU_ASSERT(refuted <=
              2); /* of 80, at most one in a hundred: three or more once in twenty times */
    gsl_rng_free(rng);
}

/* Phases that are an effect of the next order: h (1 + 4 x (2 theta - 1)/5) is one line over all
 * octaves, though the finest scatter by a thirtieth of what the coarsest do. */
static void scatter_may_grow_with_the_step(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int whole = 0;
    int passed = 0;
    for (int k = 0; k < STUDIES; k++) {
        il_sample s = il_sample_steps(rng, 6, 8);
        for (size_t i = 0; i < s.n; i++) {
            s.e[i] = s.h[i] * (1.0 + 25.6 * s.h[i] * (2.0 * gsl_rng_uniform(rng) - 1.0));
        }
        il_order o = judged(&s, &CONVERGES);
        whole += o.octaves > 5.0;
        passed += o.verdict == IL_ORDER_PASS;
    }
    CU_ASSERT(whole >= OF_90);
    CU_ASSERT(passed >= OF_95);
    gsl_rng_free(rng);
}

/* Ten runs of each of four steps, with the same errors each: their order among themselves is
 * none. */
static void runs_of_one_step_are_not_alike(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = {.n = 40};
    for (size_t i = 0; i < s.n; i++) {
        s.h[i] = pow(10.0, -floor(0.1 * (double)i));
        s.e[i] = i < 10 ? 0.5 + gsl_rng_uniform(rng) : s.e[i - 10];
    }
    CU_ASSERT_EQUAL(judged(&s, &CONVERGES).verdict, IL_ORDER_FAIL);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] *= s.h[i];
    }
    il_order o = judged(&s, &CONVERGES);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_PASS);
    CU_ASSERT_EQUAL(o.used, 40);
    gsl_rng_free(rng);
}

/* One drop of a hundred, before and after which errors stand still but for a tenth: two pairs of
 * finer runs have larger errors. */
static void one_drop_is_no_fall(void) {
    il_sample s = il_sample_steps(NULL, 5, 1);
    const double e[] = {1.0, 1.06, 0.0103, 0.0101, 0.0108};
    memcpy(s.e, e, sizeof e);
    il_order o = judged(&s, &CONVERGES);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "by chance"));
}

/* Errors that fall like h^(1/2), above others that tend to a floor. */
static void what_is_never_smaller_shares_a_floor(void) {
    il_sample s = il_sample_steps(NULL, 8, 1);
    il_sample floor = s;
    il_sample_fill(NULL, &floor, 10.0 * il_sample_finest(&s), 1.0, 0.0, 1.0, 0.0);
    il_sample_fill(NULL, &s, 0.0, 0.5, 0.0, 1.0, 0.0);
    for (size_t i = 0; i < s.n; i++) { /* h^(1/2) is above h + 10 h_min */
        CU_ASSERT(floor.e[i] <= s.e[i]);
    }
    CU_ASSERT_EQUAL(judged(&s, &CONVERGES).verdict, IL_ORDER_PASS);
    il_order o = il_sample_judged(&s, &CONVERGES, (il_order_data){.below = floor.e});
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "smaller norm"));
    floor.e[0] = 2.0 * s.e[0]; /* no bound */
    o = il_sample_judged(&s, &CONVERGES, (il_order_data){.below = floor.e});
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_PASS);
}

/* Verdicts on h^p (1 + c 32 h) with c of the study in [-0.3, 0.6], beside a floor. */
static void count(gsl_rng *rng, size_t octaves, size_t per, double p, double floor, double claimed,
                  int of[4]) {
    const il_claim bound = il_sample_claim(IL_CLAIM_BOUND, claimed);
    for (int k = 0; k < STUDIES; k++) {
        il_sample s = il_sample_steps(rng, octaves, per);
        il_sample_fill(rng, &s, floor, p, 0.9 * gsl_rng_uniform(rng) - 0.3, 1.0, 0.01);
        of[judged(&s, &bound).verdict]++;
    }
}

/* Errors of order five are at rounding after three or four octaves: these decide. */
static void few_octaves_of_high_order_decide(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int odd = 3; odd <= 5; odd += 2) {
        double p = odd;
        for (size_t octaves = 3; octaves <= 4; octaves++) {
            int right[4] = {0};
            int less[4] = {0};
            int floor[4] = {0};
            count(rng, octaves, 8, p, 0.0, p, right);
            count(rng, octaves, 8, p - 1.0, 0.0, p, less);
            count(rng, octaves, 8, p, pow(2.0, -7.0 * p), p, floor); /* h^p at 1/128 */
            CU_ASSERT(right[IL_ORDER_PASS] >= OF_90 && right[IL_ORDER_FAIL] == 0);
            CU_ASSERT(less[IL_ORDER_PASS] == 0 && floor[IL_ORDER_PASS] <= 2);
            CU_ASSERT(octaves == 3 || less[IL_ORDER_FAIL] >= OF_90 - 4);
        }
    }
    gsl_rng_free(rng);
}

/* h^5 to 1/128, from where on it is h^4 or h: its coarse half does not pass for it. */
static void an_order_that_ends_does_not_pass(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const il_claim bound = il_sample_claim(IL_CLAIM_BOUND, 5.0);
    for (int k = 0; k < STUDIES; k++) {
        il_sample s = il_sample_steps(rng, 4, 8);
        for (size_t i = 0; i < s.n; i++) {
            double y = 128.0 * s.h[i];
            s.e[i] = fmax(pow(y, 5.0), pow(y, k % 2 == 0 ? 4.0 : 1.0)) *
                     (1.0 + 0.05 * (2.0 * gsl_rng_uniform(rng) - 1.0));
        }
        CU_ASSERT_NOT_EQUAL(judged(&s, &bound).verdict, IL_ORDER_PASS);
    }
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"slopes near the claim are not accused", slopes_near_the_claim_are_not_accused},
    {"scatter may grow with the step", scatter_may_grow_with_the_step},
    {"runs of one step are not alike", runs_of_one_step_are_not_alike},
    {"one drop is no fall", one_drop_is_no_fall},
    {"what is never smaller shares a floor", what_is_never_smaller_shares_a_floor},
    {"few octaves of high order decide", few_octaves_of_high_order_decide},
    {"an order that ends does not pass", an_order_that_ends_does_not_pass},
    {NULL, NULL}};
const il_suite il_suite_order_window = {"order_window", tests};
