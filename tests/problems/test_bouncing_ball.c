/*
 * test_bouncing_ball.c - the ball's exact solution against the inclusion, the geometric series of
 * its impacts and the balance of energy.
 */
#include <float.h>
#include <math.h>

#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Speeds are below 5 and times below 10, so q and t carry roundings of some 1e-15; differences of
 * u over a fiftieth of the shortest piece looked at (1e-6 of the horizon) keep eight digits of the
 * acceleration, whose u shrinks with the piece. */
static const double ROUNDING = 1e-13;
static const double DYNAMICS = 1e-8;
/* Bounces this small (g v^2 / 2) no longer matter for which constraint counts as active. */
static const double ACTIVE = 1e-12;

static void check_inclusion(double horizon, const char *const *sets) {
    il_test_problem made = il_test_problem_new("bouncing_ball", horizon, sets);
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    il_residual r = il_residual_of(made.problem, 0, 5, ACTIVE);
    il_residual most = il_residual_within(ROUNDING);
    most.dynamics = DYNAMICS;
    il_expect_residual(&r, &most);
    il_test_problem_free(&made);
}

static void satisfies_inclusion(void) {
    static const char *const e[] = {"e=0", "e=0.5", "e=0.9", "e=1"};
    static const char *const start[][2] = {{"q0=1", "u0=0"},
                                           {"q0=0", "u0=-2"},
                                           {"q0=0", "u0=3"},
                                           {"q0=0.3", "u0=-4"},
                                           {"q0=0", "u0=0"}};
    for (size_t i = 0; i < sizeof e / sizeof e[0]; i++) {
        for (size_t j = 0; j < sizeof start / sizeof start[0]; j++) {
            check_inclusion(0.0, (const char *const[]){e[i], start[j][0], start[j][1], NULL});
        }
    }
    check_inclusion(10.0, (const char *const[]){"e=0.9", NULL}); /* past the accumulation */
}

/* A drop from 1 takes t_1 = sqrt(2/g) and lands with g t_1; bounce j lasts 2 e^j t_1. */
static double impact_time(double t1, double e, size_t k) {
    return t1 * (1.0 + 2.0 * e * (1.0 - pow(e, (double)k)) / (1.0 - e));
}

static void check_accumulation(const char *set, double e, double horizon) {
    /* The sum of the bounces is compensated: a few roundings of t, whatever their number. */
    const double tolerance = 8.0 * DBL_EPSILON * horizon;
    il_test_problem made =
        il_test_problem_new("bouncing_ball", horizon, (const char *const[]){set, NULL});
    const il_exact *exact = made.problem->exact;
    double t1 = sqrt(2.0 / 9.81);
    double limit = t1 * (1.0 + e) / (1.0 - e);
    size_t impacts = exact->nbreaks - 2;
    /* Bounces that last two roundings of t and more must be there, one by one. */
    size_t seen = (size_t)(log(DBL_EPSILON * limit / t1) / log(e));
    CU_ASSERT_FATAL(impacts > seen);
    for (size_t k = 0; k < seen; k++) {
        CU_ASSERT(fabs(exact->breaks[k + 1] - impact_time(t1, e, k)) <= tolerance);
    }
    for (size_t k = 0; k + 1 < exact->nbreaks; k++) {
        CU_ASSERT(exact->breaks[k] < exact->breaks[k + 1]);
    }
    CU_ASSERT(fabs(exact->breaks[impacts] - limit) <= tolerance);
    double q = NAN;
    double u = NAN;
    exact->eval(exact, 0.5 * (limit + horizon), 0, &q, &u);
    CU_ASSERT(q == 0.0 && u == 0.0);
    il_test_problem_free(&made);
}

static void impacts_accumulate(void) {
    check_accumulation("e=0.5", 0.5, 2.0);
    check_accumulation("e=0.9", 0.9, 10.0);
    check_accumulation("e=0.99", 0.99, 100.0);
}

static void energy_falls_by_e_squared(void) {
    const double e = 0.9;
    /* The velocity before impact k is v_k - g (t_{k+1} - t_k): a rounding of t times g. */
    const double tolerance = 4.0 * 9.81 * 4.0 * DBL_EPSILON;
    il_test_problem made =
        il_test_problem_new("bouncing_ball", 4.0, (const char *const[]){"e=0.9", NULL});
    const il_exact *exact = made.problem->exact;
    double v = sqrt(2.0 * 9.81);
    CU_ASSERT_FATAL(exact->nbreaks > 5);
    for (size_t k = 1; k + 1 < exact->nbreaks; k++) {
        double q[2];
        double u[2];
        exact->eval(exact, exact->breaks[k], -1, &q[0], &u[0]);
        exact->eval(exact, exact->breaks[k], 1, &q[1], &u[1]);
        CU_ASSERT(fabs(u[0] + v) <= tolerance * (double)k);
        CU_ASSERT(fabs(u[1] * u[1] - e * e * u[0] * u[0]) <= 2.0 * v * tolerance * (double)k);
        CU_ASSERT(u[1] > 0.0);
        v *= e;
    }
    il_test_problem_free(&made);
}

static void elastic_ball_keeps_its_energy(void) {
    il_test_problem made =
        il_test_problem_new("bouncing_ball", 50.0, (const char *const[]){"e=1", NULL});
    const il_exact *exact = made.problem->exact;
    double t1 = sqrt(2.0 / 9.81);
    /* Impacts at t_1, 3 t_1, 5 t_1, ... up to 50. */
    CU_ASSERT_EQUAL(exact->nbreaks - 2, (size_t)((50.0 / t1 + 1.0) / 2.0));
    for (int i = 0; i <= 1000; i++) {
        double q = NAN;
        double u = NAN;
        exact->eval(exact, 0.05 * i, 0, &q, &u);
        /* t carries a rounding of 50, which moves q by u and u by g times that. */
        CU_ASSERT(fabs(0.5 * u * u + 9.81 * q - 9.81) <= 100.0 * 50.0 * DBL_EPSILON);
    }
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"the exact motion satisfies the inclusion and the impact law", satisfies_inclusion},
    {"impacts accumulate where the geometric series says", impacts_accumulate},
    {"an impact leaves e^2 of the energy", energy_falls_by_e_squared},
    {"with e = 1 no energy is lost and no impact missed", elastic_ball_keeps_its_energy},
    {NULL, NULL}};

const il_suite il_suite_bouncing_ball = {"bouncing_ball", tests};
