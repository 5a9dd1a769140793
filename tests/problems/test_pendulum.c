/*
 * test_pendulum.c - small pendulums against a stop: the exact motion against the inclusion, the
 * event-driven reference and cases worked out by hand.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/modal/modal.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Numbers of order one to ten, a few roundings an event, divided by times of 1e-2 and more. */
static const double ROUNDING = 1e-10;

/* Closed forms worked out by hand: a few roundings, with nothing divided. */
static const double CLOSED = 1e-13;

/* du/dt by differences over delta = 1/200 of a piece at least: rounding of u by delta, in pieces of
 * a millionth of the horizon 1e-8; the rest, omega (2 delta omega)^6/322560 for the 20 radians of
 * the longest pieces here, 4e-8. A law that is wrong is off by the size of the force. */
static const double DYNAMICS = 1e-7;

/* The stop is met to the rounding of a position. */
static const double ACTIVE = 1e-12;

/* The event-driven reference keeps 1e-13 a step over 2048 steps, and divides it by the time since
 * an event in velocities. */
static const double REFERENCE = 2e-9;

static void expect_solution(const char *const *sets) {
    il_residual most = il_residual_within(ROUNDING);
    most.start = CLOSED;
    most.infeasible = ACTIVE;
    most.dynamics = DYNAMICS;
    il_expect_solution("pendulum", sets, ACTIVE, &most);
}

static void the_inclusion_holds(void) {
    static const char *const cases[][7] = {
        {NULL},
        {"e=0.5", NULL},
        {"e=0.9", "T=6", NULL},
        {"e=1", "T=9", NULL},
        {"joint=2", "stop=0", "T=6", NULL},
        {"N=1", NULL},
        {"N=1", "stop=-0.1", "e=0.7", NULL},
        {"N=7", "joint=4", "masses=1,2,1,2,1,2,1", "lengths=0.5", "T=4", NULL},
        {"stiffness=0", "force=-1,0.5", "e=0.3", NULL},
        {"stiffness=0", "mass=2,-1,-1,1", "u0=-1,1", NULL},
        {"stiffness=1,-1,-1,1", "u0=-1,-1", "e=0.5", "T=6", NULL}, /* one mode is free */
        {"q0=0.05,0", "u0=0", "e=0.5", NULL},                      /* at the stop */
        {"q0=0.05,0.3", "u0=-1,0", "e=0.5", NULL},                 /* pushed into it */
        {"q0=0.05,-3", NULL},                                      /* pulled from it */
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        expect_solution(cases[k]);
    }
}

/* M = A A' + 1/2, K = B B' of rank 3 or, with its last column left out, 2. */
static void it_holds_at_random(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (int k = 0; k < 200; k++) {
        double x[27];
        for (int i = 0; i < 27; i++) {
            x[i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
        }
        char text[2][512] = {"mass=", "stiffness="};
        for (int m = 0; m < 2; m++) {
            for (int e = 0; e < 9; e++) {
                const double *a = &x[9 * m + 3 * (e / 3)];
                const double *b = &x[9 * m + 3 * (e % 3)];
                double last = m == 0 || k % 2 == 0 ? a[2] * b[2] : 0.0;
                double entry = a[0] * b[0] + a[1] * b[1] + last;
                entry = m == 0 && e % 4 == 0 ? entry + 0.5 : entry;
                size_t used = strlen(text[m]);
                (void)snprintf(text[m] + used, sizeof text[m] - used, "%s%.17g", e > 0 ? "," : "",
                               entry);
            }
        }
        char numbers[3][128];
        (void)snprintf(numbers[0], sizeof numbers[0], "q0=%.17g,%.17g,%.17g", 1.0 + x[18], x[19],
                       x[20]);
        (void)snprintf(numbers[1], sizeof numbers[1], "force=%.17g,%.17g,%.17g", x[21], x[22],
                       x[23]);
        (void)snprintf(numbers[2], sizeof numbers[2], "e=%.17g", k % 3 == 0 ? 0.0 : fabs(x[24]));
        const char *const sets[] = {"N=3",      text[0],    text[1],  numbers[0],
                                    numbers[1], numbers[2], "stop=0", NULL};
        expect_solution(sets);
    }
    gsl_rng_free(rng);
}

/* A different method: Runge-Kutta with located events. */
static void it_agrees_with_the_event_driven_reference(void) {
    static const char *const cases[][6] = {{NULL},
                                           {"e=0.9", NULL},
                                           {"joint=2", "stop=0", "T=6", NULL},
                                           {"N=5", "joint=3", "lengths=0.5", "T=6"}};
    for (size_t c = 0; c < 4; c++) {
        il_expect_event_driven("pendulum", cases[c], REFERENCE);
    }
}

/* Equal rods and masses: omega^2 = (2 -+ sqrt 2) g/l with v = (1, +-sqrt 2). Released in the slow
 * mode the first joint meets the stop when cos(omega t) = stop/q0; with M^{-1} e_1 = (1, -1) it
 * leaves with -e u_1 and the other with u_2 + (1 + e) u_1. */
static void an_impact_moves_every_joint(void) {
    static const char *const sets[] = {
        "gravity=2", "q0=0.3,0.42426406871192851", "stop=0.1", "e=0.25", "T=2", NULL};
    il_test_problem made = il_test_problem_new("pendulum", 0.0, sets);
    const il_exact *exact = made.problem->exact;
    double omega = sqrt(2.0 * (2.0 - sqrt(2.0)));
    double t = acos(0.1 / 0.3) / omega;
    double u1 = -0.3 * omega * sin(omega * t);
    double q[2];
    double u[2];
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    CU_ASSERT(fabs(exact->breaks[1] - t) <= CLOSED);
    exact->eval(exact, exact->breaks[1], -1, q, u);
    CU_ASSERT(fabs(u[0] - u1) <= CLOSED && fabs(u[1] - sqrt(2.0) * u1) <= CLOSED);
    exact->eval(exact, exact->breaks[1], 1, q, u);
    CU_ASSERT(fabs(u[0] + 0.25 * u1) <= CLOSED);
    CU_ASSERT(fabs(u[1] - (sqrt(2.0) + 1.25) * u1) <= CLOSED);
    CU_ASSERT(fabs(q[0] - 0.1) <= CLOSED && fabs(q[1] - 0.1 * sqrt(2.0)) <= CLOSED);
    il_test_problem_free(&made);
}

/* A uniform rod of mass 1 by the heights of its ends, M = (1/6) (2 1; 1 2), falls level with speed
 * v; one end meets the stop. It takes the percussion v/4, and the other end goes on at 3v/2. */
static void a_rod_that_lands_on_one_end(void) {
    static const char *const sets[] = {
        "mass=0.33333333333333331,0.16666666666666666,0.16666666666666666,0.33333333333333331",
        "stiffness=0",
        "q0=1",
        "u0=-2",
        "stop=0",
        "T=1",
        NULL};
    il_test_problem made = il_test_problem_new("pendulum", 0.0, sets);
    const il_exact *exact = made.problem->exact;
    double q[2];
    double u[2];
    double Lambda = 0.0;
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    CU_ASSERT(exact->quadratic);
    exact->eval(exact, 0.75, 1, q, u);
    exact->impulse(exact, 0.75, 1, &Lambda);
    CU_ASSERT(fabs(u[0]) <= CLOSED && fabs(u[1] + 3.0) <= CLOSED);
    CU_ASSERT(fabs(q[0]) <= CLOSED && fabs(q[1] + 0.75) <= CLOSED);
    CU_ASSERT(fabs(Lambda - 0.5) <= CLOSED);
    il_test_problem_free(&made);
}

/* Without stiffness one coordinate under a constant force is the bouncing ball, past the
 * accumulation of its impacts too. */
static void without_stiffness_it_is_the_bouncing_ball(void) {
    static const char *const pendulum[] = {"N=1",  "mass=1", "stiffness=0", "force=-9.81",
                                           "q0=1", "stop=0", "e=0.5",       NULL};
    static const char *const ball[] = {"e=0.5", NULL};
    il_test_problem a = il_test_problem_new("pendulum", 2.0, pendulum);
    il_test_problem b = il_test_problem_new("bouncing_ball", 2.0, ball);
    CU_ASSERT_EQUAL_FATAL(a.problem->nexact, 1);
    const il_exact *x = a.problem->exact;
    const il_exact *y = b.problem->exact;
    CU_ASSERT(x->nbreaks > 40);
    for (int n = 0; n <= 1000; n++) { /* steps of the velocity are 1e-3 apart at least */
        double t = n / 500.0;
        double q[2];
        double u[2];
        double Lambda[2];
        x->eval(x, t, 1, &q[0], &u[0]);
        y->eval(y, t, 1, &q[1], &u[1]);
        x->impulse(x, t, 1, &Lambda[0]);
        y->impulse(y, t, 1, &Lambda[1]);
        CU_ASSERT(fabs(q[0] - q[1]) <= CLOSED && fabs(u[0] - u[1]) <= 10.0 * CLOSED);
        CU_ASSERT(fabs(Lambda[0] - Lambda[1]) <= 100.0 * CLOSED); /* numbers up to 20 */
    }
    il_test_problem_free(&a);
    il_test_problem_free(&b);
}

/* M (u(b) - u0) - int_0^b f = Lambda e_k at every break, f by Gauss-Legendre along the motion. */
static void the_impulse_balances_the_momentum(void) {
    static const char *const sets[] = {"e=0.5", "N=3", "joint=2", "T=5", NULL};
    il_test_problem made = il_test_problem_new("pendulum", 0.0, sets);
    const il_problem *problem = made.problem;
    const il_exact *exact = problem->exact;
    gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(40);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rule);
    CU_ASSERT_EQUAL_FATAL(problem->nexact, 1);
    double sum[3] = {0.0};
    double q[3];
    double u[3];
    double f[3];
    for (size_t k = 0; k + 1 < exact->nbreaks; k++) {
        double a = exact->breaks[k];
        double b = exact->breaks[k + 1];
        for (size_t i = 0; i < 40; i++) {
            double t = 0.0;
            double weight = 0.0;
            gsl_integration_glfixed_point(a, b, i, &t, &weight, rule);
            exact->eval(exact, t, 1, q, u);
            problem->type->force(problem, t, q, f);
            for (size_t c = 0; c < 3; c++) {
                sum[c] += weight * f[c];
            }
        }
        double Lambda = 0.0;
        exact->eval(exact, b, 1, q, u); /* from rest */
        exact->impulse(exact, b, 1, &Lambda);
        il_metric_mul(problem->mass, u, f);
        for (size_t c = 0; c < 3; c++) {
            CU_ASSERT(fabs(f[c] - sum[c] - (c == 1 ? Lambda : 0.0)) <= ROUNDING);
        }
    }
    gsl_integration_glfixed_table_free(rule);
    il_test_problem_free(&made);
}

/* The fast mode dips below the stop for a moment only. */
static void no_impact_is_passed_over(void) {
    for (int k = 0; k < 40; k++) {
        char start[64];
        (void)snprintf(start, sizeof start, "q0=1,%.17g", -0.04 + 0.002 * k);
        const char *const sets[] = {
            "mass=1,0.1,0.1,1", "stiffness=1,0.3,0.3,900", start, "stop=0", "T=8", NULL};
        il_test_problem made = il_test_problem_new("pendulum", 0.0, sets);
        CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
        double least = INFINITY;
        for (int n = 0; n <= 20000; n++) {
            double q[2];
            double u[2];
            made.problem->exact->eval(made.problem->exact, 8.0 * n / 20000.0, 1, q, u);
            least = fmin(least, q[0]);
        }
        CU_ASSERT(least >= -ACTIVE);
        il_test_problem_free(&made);
    }
}

/* y = (q, u): M = (2 1; 1 1), K = 9.81 (2 0; 0 1), two equal rods. */
static int fly(double t, const double y[], double dy[], void *context) {
    double f1 = -19.62 * y[0];
    double f2 = -9.81 * y[1];
    (void)t;
    (void)context;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = f1 - f2;
    dy[3] = 2.0 * f2 - f1;
    return GSL_SUCCESS;
}

/* The first joint lies at the stop while lambda = 19.62/20 + q_2'' >= 0, q_2 = -0.3 cos(omega t),
 * omega^2 = 9.81: to cos(omega t) = -1/3. Then both fly, integrated by Runge and Kutta's method of
 * order 8. */
static void a_rest_ends_where_the_force_falls_through_zero(void) {
    static const char *const sets[] = {"q0=0.05,-0.3", "T=1.1", NULL};
    il_test_problem made = il_test_problem_new("pendulum", 0.0, sets);
    const il_exact *exact = made.problem->exact;
    double omega = sqrt(9.81);
    double t = acos(-1.0 / 3.0) / omega;
    double y[4] = {0.05, 0.1, 0.0, 0.3 * omega * sqrt(8.0 / 9.0)};
    double q[2];
    double u[2];
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    CU_ASSERT_EQUAL_FATAL(exact->nbreaks, 3);
    CU_ASSERT(fabs(exact->breaks[1] - t) <= CLOSED);
    exact->eval(exact, 0.5 * t, 1, q, u);
    CU_ASSERT(q[0] == 0.05 && fabs(q[1] + 0.3 * cos(0.5 * omega * t)) <= CLOSED);
    gsl_odeiv2_system motion = {fly, NULL, 4, NULL};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&motion, gsl_odeiv2_step_rk8pd, 1e-3, 1e-15, 1e-15);
    CU_ASSERT_PTR_NOT_NULL_FATAL(driver);
    for (int k = 1; k <= 10; k++) {
        double at = exact->breaks[1] + (1.1 - exact->breaks[1]) * k / 10.0;
        CU_ASSERT_EQUAL(gsl_odeiv2_driver_apply(driver, &t, at, y), GSL_SUCCESS);
        exact->eval(exact, at, -1, q, u);
        CU_ASSERT(fabs(q[0] - y[0]) <= CLOSED && fabs(q[1] - y[1]) <= CLOSED);
        CU_ASSERT(fabs(u[0] - y[2]) <= 10.0 * CLOSED && fabs(u[1] - y[3]) <= 10.0 * CLOSED);
    }
    gsl_odeiv2_driver_free(driver);
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"a rest ends where the force falls through zero",
     a_rest_ends_where_the_force_falls_through_zero},
    {"the inclusion holds", the_inclusion_holds},
    {"it holds at random", it_holds_at_random},
    {"it agrees with the event-driven reference", it_agrees_with_the_event_driven_reference},
    {"an impact moves every joint", an_impact_moves_every_joint},
    {"a rod that lands on one end", a_rod_that_lands_on_one_end},
    {"without stiffness it is the bouncing ball", without_stiffness_it_is_the_bouncing_ball},
    {"the impulse balances the momentum", the_impulse_balances_the_momentum},
    {"no impact is passed over", no_impact_is_passed_over},
    {NULL, NULL}};

const il_suite il_suite_pendulum = {"pendulum", tests};
