/*
 * test_cradle.c - the row that is hit by one: the exact solution against the inclusion and known
 * cases.
 */
#include <math.h>

#include "harness/run/run.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Numbers of order one, a few roundings each. */
static const double ROUNDING = 1e-13;

static const char *const defaults[] = {NULL};
static const char *const one[] = {"N=1", "radius=0", "gap=0.7", NULL};
static const char *const longer[] = {"N=40", "radius=0.01", "speed=3", "gap=0.2", NULL};
static const char *const elastic[] = {"N=3", "e=1", NULL};
static const char *const springy[] = {"N=6", "e=0.4", "gap=0.1", NULL};
static const char *const never[] = {"gap=5", NULL};

static void the_inclusion_holds(void) {
    const char *const *const cases[] = {defaults, one, longer, elastic, springy, never};
    const il_residual most = il_residual_within(ROUNDING);
    for (size_t k = 0; k < 6; k++) {
        il_expect_solution("cradle", cases[k], 1e-12, &most);
    }
}

/* By hand: momentum s is shared by N + 1 equal masses; with two balls and e = 1 they exchange. */
static void known_cases_come_out(void) {
    double q[5];
    double u[5];
    il_test_problem made = il_test_problem_new("cradle", 0.0, defaults);
    const il_exact *exact = made.problem->exact;
    exact->eval(exact, 1.0, -1, q, u);
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT(fabs(u[i] - 0.2) <= ROUNDING);
        CU_ASSERT(fabs(q[i] - (0.2 * (double)i + 0.7 * 0.2)) <= ROUNDING); /* 0.7 after t = 0.3 */
    }
    il_test_problem_free(&made);
    static const char *const exchange[] = {"N=1", "e=1", NULL};
    made = il_test_problem_new("cradle", 0.0, exchange);
    exact = made.problem->exact;
    exact->eval(exact, 1.0, -1, q, u);
    CU_ASSERT(fabs(u[0]) <= ROUNDING && fabs(u[1] - 1.0) <= ROUNDING);
    il_test_problem_free(&made);
}

/* Equal masses with e = 1 exchange their velocities, one pair after the other. */
static void pairs_hand_the_speed_on(void) {
    static const char *const handed[] = {"N=4", "e=1", "law=pairs", "speed=2", "gap=0.5", NULL};
    double q[5];
    double u[5];
    il_test_problem made = il_test_problem_new("cradle", 0.0, handed);
    const il_exact *exact = made.problem->exact;
    exact->eval(exact, 1.0, -1, q, u); /* struck at 0.25 */
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT(fabs(u[i] - (i == 4 ? 2.0 : 0.0)) <= ROUNDING);
        CU_ASSERT(fabs(q[i] - (0.2 * (double)i + (i == 4 ? 1.5 : 0.0))) <= ROUNDING);
    }
    il_test_problem_free(&made);
}

static const il_test tests[] = {{"the inclusion holds", the_inclusion_holds},
                                {"known cases come out", known_cases_come_out},
                                {"pairs hand the speed on", pairs_hand_the_speed_on},
                                {NULL, NULL}};

const il_suite il_suite_cradle = {"cradle", tests};
