/*
 * test_step_plan.c - plans of runs: followed, they decide; what needs none, or has none, is told.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/study/order/step_plan.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

enum { FIRST = 5, ROOM = FIRST + IL_PLAN_RUNS_MAX };

static const double HORIZON = 2.0;
static const double FIRST_STEPS[FIRST] = {32.0, 45.0, 64.0, 90.0, 128.0};

/* A generator of its own (splitmix64), so that studies are not those that a plan draws. */
static double uniform(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state) {
    double r = sqrt(-2.0 * il_log(uniform(state)));
    return r * il_cos(6.283185307179586 * uniform(state));
}

typedef struct {
    double h[ROOM], error[ROOM];
    size_t n;
} runs;

static void add_run(runs *r, double steps, double p, double sigma, uint64_t *state) {
    double h = HORIZON / steps;
    r->h[r->n] = h;
    r->error[r->n++] = 0.3 * il_pow(h, p) * il_exp(sigma * normal(state));
}

static il_order_data data_of(const runs *r) {
    return (il_order_data){.n = r->n, .h = r->h, .error = r->error};
}

/* Studies whose errors scatter by sigma about h^p: how many are decided when the plan is followed;
 * each must have one. */
static size_t follow(double p, double sigma, const il_claim *claim, size_t studies) {
    size_t decided = 0;
    uint64_t state = 20;
    for (size_t k = 0; k < studies; k++) {
        runs r = {.n = 0};
        il_step_plan plan;
        il_order order;
        il_error err = {IL_OK, ""};
        for (size_t i = 0; i < FIRST; i++) {
            add_run(&r, FIRST_STEPS[i], p, sigma, &state);
        }
        il_order_data data = data_of(&r);
        CU_ASSERT_EQUAL_FATAL(il_step_plan_make(&data, claim, 1, HORIZON, &plan, &err), IL_OK);
        for (size_t i = 0; i < plan.n; i++) {
            CU_ASSERT(i == 0 || plan.steps[i] > plan.steps[i - 1]);
            add_run(&r, plan.steps[i], p, sigma, &state);
        }
        CU_ASSERT(plan.n > 0 || !plan.open);
        data = data_of(&r);
        CU_ASSERT_EQUAL_FATAL(il_order_fit(&data, 0.95, claim, &order, &err), IL_OK);
        decided += order.verdict != IL_ORDER_INCONCLUSIVE;
        free(plan.steps);
    }
    return decided;
}

static const il_claim converges = {
    .norm = "u_L1", .kind = IL_CLAIM_CONVERGES, .factor = IL_ORDER_FACTOR, .source = "a test"};
static const il_claim one = {.norm = "u_L1",
                             .kind = IL_CLAIM_BOUND,
                             .order = 1.0,
                             .factor = IL_ORDER_FACTOR,
                             .source = "a test"};

/* Four of five at least. */
static void plans_decide(void) {
    CU_ASSERT(follow(1.0, 0.2, &converges, 5) >= 4);
    CU_ASSERT(follow(0.7, 0.1, &converges, 5) >= 4);
    CU_ASSERT(follow(2.0, 0.1, &one, 5) >= 4);
}

/* Over three studies each, more scatter needs more steps; what is decided needs none. */
static void plans_are_as_long_as_needed(void) {
    double cost[2] = {0.0, 0.0};
    il_error err = {IL_OK, ""};
    il_step_plan plan;
    for (uint64_t k = 0; k < 6; k++) {
        uint64_t state = 100 + k / 2;
        runs r = {.n = 0};
        for (size_t i = 0; i + 1 < FIRST; i++) {
            add_run(&r, FIRST_STEPS[i], 1.0, k % 2 == 0 ? 0.01 : 0.4, &state);
        }
        const il_order_data data = data_of(&r);
        CU_ASSERT_EQUAL_FATAL(il_step_plan_make(&data, &converges, 1, HORIZON, &plan, &err), IL_OK);
        CU_ASSERT(plan.n > 0 || (plan.open && k % 2 == 1));
        for (size_t i = 0; i < plan.n; i++) {
            cost[k % 2] += plan.steps[i];
        }
        cost[k % 2] += plan.open ? 1e6 : 0.0;
        free(plan.steps);
    }
    CU_ASSERT(cost[1] > 2.0 * cost[0]);
    uint64_t state = 3;
    runs r = {.n = 0};
    double N = 32.0;
    while (N < 2000.0) {
        add_run(&r, N, 1.0, 0.05, &state);
        N = floor(1.2 * N);
    }
    const il_order_data data = data_of(&r);
    CU_ASSERT_EQUAL_FATAL(il_step_plan_make(&data, &converges, 1, HORIZON, &plan, &err), IL_OK);
    CU_ASSERT(plan.n == 0 && !plan.open && plan.steps == NULL);
    CU_ASSERT_EQUAL(plan.norms[0].verdict, IL_ORDER_PASS);
    CU_ASSERT_DOUBLE_EQUAL(plan.norms[0].order, 1.0, 0.1);
}

static void what_cannot_be_planned_is_told(void) {
    runs r = {.n = 2, .h = {0.1, 0.05}, .error = {0.1, 0.05}};
    il_step_plan plan;
    il_error err = {IL_OK, ""};
    il_order_data data = data_of(&r);
    CU_ASSERT_EQUAL(il_step_plan_make(&data, &converges, 1, HORIZON, &plan, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "2 runs are too few to plan by"));
    r = (runs){.n = 3, .h = {0.1, 0.05, 0.02}, .error = {0.1, 0.0, 0.02}};
    data = data_of(&r);
    CU_ASSERT_EQUAL(il_step_plan_make(&data, &converges, 1, HORIZON, &plan, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "h = 0.05 is 0; a plan needs errors > 0"));
    r = (runs){.n = 3, .h = {0.1, 0.1, 0.1}, .error = {0.1, 0.2, 0.3}};
    data = data_of(&r);
    CU_ASSERT_EQUAL(il_step_plan_make(&data, &converges, 1, HORIZON, &plan, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "one step, h = 0.1"));
}

static const il_test tests[] = {{"plans that are followed decide in four of five", plans_decide},
                                {"plans are as long as needed", plans_are_as_long_as_needed},
                                {"what cannot be planned is told", what_cannot_be_planned_is_told},
                                {.name = NULL}};

extern const il_suite il_suite_step_plan;
const il_suite il_suite_step_plan = {"step_plan", tests};
