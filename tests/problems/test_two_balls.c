/*
 * test_two_balls.c - two balls and a spring that fall on a floor: the exact motion against the
 * inclusion, the event-driven reference, and a fall and a rebound worked out by hand.
 */
#include <math.h>

#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Closed forms by hand: a few roundings of the modes, times omega = 141. */
static const double CLOSED = 1e-11;

/* The event-driven reference keeps 1e-13 a step over 2048 steps; in velocities the spring
 * multiplies that by omega, and the impacts after it. */
static const double REFERENCE = 1e-7;

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void the_inclusion_holds(void) {
    static const char *const cases[][5] = {
        {NULL},
        {"e=0", NULL},
        {"e=1", "T=0.8", NULL},
        {"masses=1,3", "stiffness=200", "length=0.9", "u0=1,0", NULL},
        {"stiffness=0", "e=0.5", NULL},
        {"q0=0.2,1.2", "e=0", NULL}}; /* lies on the floor */
    il_residual most = il_residual_within(1e-9);
    /* u' by differences over delta = 1/200 of a piece of at most 0.6, of swings of 3.6: an error
     * of 3.6 omega (2 delta omega)^6/322560 = 6e-4. A law that is wrong is off by the spring's
     * 500. */
    most.dynamics = 1e-3;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        il_expect_solution("two_balls", cases[k], 1e-11, &most);
    }
}

/* Runge-Kutta with located events. */
static void it_agrees_with_the_event_driven_reference(void) {
    static const char *const cases[][4] = {
        {NULL}, {"e=0", NULL}, {"masses=1,3", "stiffness=200", "u0=1,0", NULL}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        il_expect_event_driven("two_balls", cases[c], REFERENCE);
    }
}

/* The spring is at rest: both fall by 0.8 as one, to v = (2 g 0.8)^(1/2). The lower ball leaves
 * with 0.8 v, and s = q_2 - q_1 - 1 = -1.8 v/omega sin(omega t), omega = (2 k/m)^(1/2), about the
 * centre of mass, which has -0.1 v and falls on. */
static void a_fall_and_a_rebound(void) {
    il_test_problem made = il_test_problem_new("two_balls", 0.0, SETS("T=1"));
    const il_exact *exact = made.problem->exact;
    const double g = 9.81;
    double v = sqrt(2.0 * g * 0.8);
    double omega = sqrt(2e4);
    double after = 0.01;
    double q[2];
    double u[2];
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    CU_ASSERT(fabs(exact->breaks[1] - v / g) <= CLOSED);
    exact->eval(exact, exact->breaks[1], 1, q, u);
    CU_ASSERT(fabs(u[0] - 0.8 * v) <= CLOSED && fabs(u[1] + v) <= CLOSED);
    exact->eval(exact, v / g + after, 1, q, u);
    double s = -1.8 * v / omega * sin(omega * after);
    double rate = -1.8 * v * cos(omega * after);
    double centre = 0.7 - 0.1 * v * after - 0.5 * g * after * after;
    CU_ASSERT(fabs(q[0] - (centre - 0.5 * (1.0 + s))) <= CLOSED);
    CU_ASSERT(fabs(q[1] - (centre + 0.5 * (1.0 + s))) <= CLOSED);
    CU_ASSERT(fabs(u[0] - (-0.1 * v - g * after - 0.5 * rate)) <= 100.0 * CLOSED);
    CU_ASSERT(fabs(u[1] - (-0.1 * v - g * after + 0.5 * rate)) <= 100.0 * CLOSED);
    il_test_problem_free(&made);
}

static void bad_data_are_refused(void) {
    il_expect_refusal("two_balls", SETS("stiffness=-1"), "stiffness");
    il_expect_refusal("two_balls", SETS("masses=0,1"), "masses");
    il_expect_refusal("two_balls", SETS("q0=0.1,2"), "ball 1 and the floor");
}

static const il_test tests[] = {
    {"the inclusion holds", the_inclusion_holds},
    {"two balls agree with the event-driven reference", it_agrees_with_the_event_driven_reference},
    {"a fall and a rebound, by hand", a_fall_and_a_rebound},
    {"bad data are refused", bad_data_are_refused},
    {NULL, NULL}};

const il_suite il_suite_two_balls = {"two_balls", tests};
