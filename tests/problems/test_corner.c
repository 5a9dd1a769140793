/*
 * test_corner.c - the exact motion between two half-planes: against the inclusion for any angle,
 * force and mass matrix, against cases worked out by hand, and the fan of limits at obtuse angles.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>

#include "harness/run/run.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Numbers of order one to ten, a few roundings an event, divided by times of 1e-2 and more. */
static const double ROUNDING = 1e-10;

/* Cones at the very apex are met to the rounding of a position. */
static const double ACTIVE = 1e-11;

static void expect_solution(const char *const *sets) {
    const il_residual most = il_residual_within(ROUNDING);
    il_expect_solution("corner", sets, ACTIVE, &most);
}

static void the_inclusion_holds(void) {
    static const char *const cases[][6] = {
        {NULL},
        {"q0=0,1", NULL},
        {"angle=0.3", "q0=0,2", "u0=1,0.2", "T=5", NULL},
        {"angle=3", "force=0.2,-1", NULL},
        {"angle=1.2", "force=0.5,-2", "mass=3", NULL},
        {"mass=2,0.7,0.7,1", "force=0,-1", NULL},
        {"mass=1,25", "u0=-1,0.3", "angle=1", NULL},
        {"q0=0,0", "u0=0.3,-1", "force=0,1", NULL}, /* at the apex, pushed into it */
        {"q0=0,0", "u0=0,0", "force=1,-0.1", NULL},
        {"force=0.4,2", "u0=2,-3", "T=6", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        expect_solution(cases[k]);
    }
}

/* Starts, velocities, forces, matrices and angles at random: M = A A' + 1/10. */
static void it_holds_at_random(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (int k = 0; k < 300; k++) {
        double x[12];
        for (int i = 0; i < 12; i++) {
            x[i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
        }
        char text[5][128];
        double angle = 0.2 + 1.4 * (1.0 + x[0]);
        double up = 1.0 + x[1]; /* and beside the axis by less than tan(angle/2) of that */
        (void)snprintf(text[0], sizeof text[0], "angle=%.17g", angle);
        (void)snprintf(text[1], sizeof text[1], "q0=%.17g,%.17g", 0.9 * x[2] * up * tan(0.1), up);
        (void)snprintf(text[2], sizeof text[2], "u0=%.17g,%.17g", x[3], x[4]);
        (void)snprintf(text[3], sizeof text[3], "force=%.17g,%.17g", x[5], x[6]);
        (void)snprintf(text[4], sizeof text[4], "mass=%.17g,%.17g,%.17g,%.17g",
                       x[7] * x[7] + x[8] * x[8] + 0.1, x[7] * x[9] + x[8] * x[10],
                       x[7] * x[9] + x[8] * x[10], x[9] * x[9] + x[10] * x[10] + 0.1);
        const char *const sets[] = {text[0], text[1], text[2], text[3], text[4], "T=4", NULL};
        expect_solution(sets);
    }
    gsl_rng_free(rng);
}

static void exact_at(const char *const *sets, double t, double *q, double *u) {
    il_test_problem made = il_test_problem_new("corner", 0.0, sets);
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    made.problem->exact->eval(made.problem->exact, t, -1, q, u);
    il_test_problem_free(&made);
}

/* 120 degrees: from (x,1) down to (x, x/sqrt 3), on at cos 60 = 1/2 down the face for a way of 2
 * x/sqrt 3, over the apex, and up the other face at 1/4. As x -> 0 the apex is reached at t = 1. */
static void an_obtuse_corner_has_a_fan_of_limits(void) {
    double q[2];
    double u[2];
    for (int digits = 1; digits <= 8; digits++) {
        double x = pow(10.0, -digits);
        for (int side = -1; side <= 1; side += 2) {
            char start[64];
            (void)snprintf(start, sizeof start, "q0=%.17g,1", side * x);
            exact_at((const char *const[]){start, NULL}, 2.0, q, u);
            double rise = 1.0 - x / sqrt(3.0);
            double way = 0.25 * (2.0 - rise - 2.0 * (2.0 * x / sqrt(3.0)));
            CU_ASSERT(fabs(q[0] + side * way * sqrt(0.75)) <= ROUNDING);
            CU_ASSERT(fabs(q[1] - 0.5 * way) <= ROUNDING);
            CU_ASSERT(fabs(hypot(u[0], u[1]) - 0.25) <= ROUNDING);
        }
    }
    exact_at((const char *const[]){"q0=0,1", NULL}, 2.0, q, u);
    CU_ASSERT(hypot(q[0], q[1]) <= ROUNDING && hypot(u[0], u[1]) <= ROUNDING);
}

/* 60 degrees, and 120 that the metric sees as 60: y weighs 9 times x, so that lengths along it are
 * tripled, tan 30 = tan(60)/3. Both stop in the apex. With the masses changed over, 60 are seen as
 * 120. */
static void an_acute_corner_stops_the_point(void) {
    double q[2];
    double u[2];
    static const char *const stops[][4] = {{"angle=1.0471975511965976", NULL},
                                           {"angle=1.0471975511965976", "q0=-0.3,1", NULL},
                                           {"mass=1,9", NULL}};
    for (size_t k = 0; k < 3; k++) {
        exact_at(stops[k], 2.0, q, u);
        CU_ASSERT(hypot(q[0], q[1]) <= ROUNDING && hypot(u[0], u[1]) <= ROUNDING);
    }
    exact_at((const char *const[]){"angle=1.0471975511965976", "mass=9,1", "T=9", NULL}, 9.0, q, u);
    CU_ASSERT(u[0] < -1e-3 && u[1] > 1e-3); /* up the left face */
}

static const il_test tests[] = {
    {"the inclusion holds", the_inclusion_holds},
    {"it holds at random", it_holds_at_random},
    {"an obtuse corner has a fan of limits", an_obtuse_corner_has_a_fan_of_limits},
    {"an acute corner stops the point", an_acute_corner_stops_the_point},
    {NULL, NULL}};

const il_suite il_suite_corner = {"corner", tests};
