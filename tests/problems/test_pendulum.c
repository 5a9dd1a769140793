/*
 * test_pendulum.c - small pendulums against a stop: the exact motion against the inclusion, the
 * event-driven reference and cases worked out by hand; the schemes against the exact motion.
 */
#include <gsl/gsl_integration.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/reference/event_driven.h"
#include "harness/run/run.h"
#include "problems/modal/modes.h"
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
        il_test_problem made = il_test_problem_new("pendulum", 0.0, cases[c]);
        const il_projector_type *projector = NULL;
        il_event_driven *reference = NULL;
        CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &projector, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_event_driven_create(&reference, made.problem, projector, NULL),
                              IL_OK);
        CU_ASSERT(il_event_driven_events(reference) >= 2);
        const il_exact *other = il_event_driven_exact(reference);
        double most = 0.0;
        for (int n = 1; n < 1000; n++) { /* none of these times is near an event */
            double q[2][5];
            double u[2][5];
            double t = made.problem->horizon * n / 1000.3;
            made.problem->exact->eval(made.problem->exact, t, 1, q[0], u[0]);
            other->eval(other, t, 1, q[1], u[1]);
            for (size_t i = 0; i < made.problem->d; i++) {
                double apart = fabs(q[0][i] - q[1][i]) + fabs(u[0][i] - u[1][i]);
                most = apart <= most ? most : apart;
            }
        }
        CU_ASSERT(most <= REFERENCE);
        il_event_driven_destroy(reference);
        il_test_problem_free(&made);
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

/* u_L1 and q_Linf, as geometric means over neighbouring step counts: where in its step an impact
 * falls is a matter of luck. */
static void errors(const char *scheme, const char *const *sets, size_t steps, double *mean) {
    mean[0] = mean[1] = 1.0;
    for (size_t k = 0; k < 3; k++) {
        il_test_problem made = il_test_problem_new("pendulum", 0.0, sets);
        il_run_spec spec = {.problem = made.problem->type,
                            .params = made.params,
                            .steps = steps + k * (steps / 37),
                            .norms = 0};
        il_record record = {0};
        CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &spec.scheme, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(record.status, IL_OK);
        mean[0] *= pow(record.distances[0].error.u_L1, 1.0 / 3.0);
        mean[1] *= pow(record.distances[0].error.q_Linf, 1.0 / 3.0);
        il_record_free(&record);
        il_test_problem_free(&made);
    }
}

/* Order one in both norms: eight times the steps leave an eighth of the error, and up to a fifth by
 * luck with the impacts. Orders with intervals are for sweeps. */
static void schemes_converge(void) {
    static const struct {
        const char *scheme;
        bool restitution;
    } schemes[] = {{"maury", false},
                   {"venel", false},
                   {"paoli", true},
                   {"moreau_jean", true},
                   {"penalty", true}};
    static const char *const cases[][4] = {{"e=0", NULL}, {"e=0.5", NULL}, {"e=0.9", NULL}};
    for (size_t c = 0; c < 3; c++) {
        for (size_t s = 0; s < 5; s++) {
            double coarse[2];
            double fine[2];
            if (c >= 1 && !schemes[s].restitution) {
                continue;
            }
            errors(schemes[s].scheme, cases[c], 701, coarse);
            errors(schemes[s].scheme, cases[c], 8 * 701, fine);
            CU_ASSERT(fine[0] <= 0.2 * coarse[0]);
            CU_ASSERT(fine[1] <= 0.2 * coarse[1]);
        }
    }
}

static void bad_input_is_refused(void) {
    static const struct {
        const char *sets[4], *words;
    } cases[] = {
        {{"mass=1,1,1,1"}, "not positive definite: its smallest eigenvalue is 0"},
        {{"mass=1,2,2,1"}, "not positive definite: its smallest eigenvalue is -1"},
        {{"mass=0.1,0.3,0.3,0.9"}, "not positive definite"}, /* singular but for rounding */
        {{"mass=1,0.5,0.25,1"}, "'mass' is not symmetric: entry (2,1) is 0.25 but entry (1,2)"},
        {{"N=3", "mass=2,0,0,0,2,1,0,0.5,2"},
         "'mass' is not symmetric: entry (3,2) is 0.5 but entry (2,3)"},
        {{"mass=1,2,3"}, "'mass' has 3 values; allowed: 1, 2 or 4"},
        {{"mass=-1"}, "not positive definite"},
        {{"mass=1,0"}, "not positive definite"},
        {{"stiffness=-1"}, "'stiffness' is not positive semidefinite"},
        {{"stiffness=1,2,2,1"}, "'stiffness' is not positive semidefinite"},
        {{"stiffness=1,2,1,1"}, "'stiffness' is not symmetric"},
        {{"stiffness=1,2,3"}, "'stiffness' has 3 values; allowed: 1, 2 or 4"},
        {{"mass=1", "stiffness=1", "gravity=1"}, "'gravity' has no effect"},
        {{"joint=3"}, "'joint' is 3; allowed: 1 to N = 2"},
        {{"joint=0"}, "'joint' is 0; allowed"},
        {{"masses=1,-1"}, "'masses': value 2 is -1; allowed"},
        {{"lengths=0"}, "'lengths' is 0; allowed"},
        {{"masses=1,2,3"}, "'masses' has 3 values; allowed: 1 or 2"},
        {{"stop=0.5"}, "joint 1 and the stop has g(0,q0) = -0.2"},
        {{"e=1.5"}, "'e' is 1.5; allowed: a number in [0, 1]"},
        {{"N=65"}, "'N' is 65; allowed: an integer in [1, 64]"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        il_expect_refusal("pendulum", cases[k].sets, cases[k].words);
    }
}

/* S, C and D by their formulas, where those lose at most a digit, and by their values at omega = 0;
 * D on either side of where the series begins. A row of a matrix takes no number of the next. */
static void modes_swing_as_their_formulas_say(void) {
    static const double DIGIT = 1e-14; /* of x - sin x near 1: some ten roundings */
    static const double A[4] = {1.0, 2.0, 3.0, 4.0};
    static const double x[3] = {5.0, 6.0, 7.0};
    for (int k = 0; k < 40; k++) {
        double omega = 2.0;
        double s = 0.25 + 0.025 * k; /* omega s from 1/2 to 5/2 */
        il_swing w = il_swing_after(omega, s);
        double lost = 1.0 / pow(fmin(1.0, omega * s), 2.0); /* digits of x - sin x below 1 */
        CU_ASSERT(fabs(w.S - sin(omega * s) / omega) <= DIGIT);
        CU_ASSERT(fabs(w.C - (1.0 - cos(omega * s)) / (omega * omega)) <= DIGIT);
        CU_ASSERT(fabs(w.D - (s - sin(omega * s) / omega) / (omega * omega)) <= DIGIT * lost);
    }
    il_swing rest = il_swing_after(0.0, 3.0);
    CU_ASSERT_DOUBLE_EQUAL(rest.S, 3.0, DIGIT);
    CU_ASSERT_DOUBLE_EQUAL(rest.C, 4.5, DIGIT);
    CU_ASSERT_DOUBLE_EQUAL(rest.D, 4.5, DIGIT);
    CU_ASSERT_EQUAL(il_modal_row_times(A, 2, 0, x), 17.0);
    CU_ASSERT_EQUAL(il_modal_row_times(A, 2, 1, x), 39.0);
}

/* Of 2^k K and 2^m M the modes are those of K and M with omega times 2^((k-m)/2) and V times
 * 2^(-m/2): for even k and m to the bit, as scaling by powers of two rounds nothing. */
static void modes_have_no_unit(void) {
    static const double K[9] = {3.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 1.5};
    static const double M[9] = {2.0, 0.5, 0.0, 0.5, 1.0, 0.25, 0.0, 0.25, 3.0};
    static const int scales[][2] = {{0, 0}, {-1000, 0}, {1000, 0}, {300, -300}, {-500, 490}};
    double first[3];
    double V_first[9];
    for (size_t c = 0; c < sizeof scales / sizeof scales[0]; c++) {
        double k[9];
        double m[9];
        double V[9];
        double omega[3];
        for (size_t i = 0; i < 9; i++) {
            k[i] = ldexp(K[i], scales[c][0]);
            m[i] = ldexp(M[i], scales[c][1]);
        }
        il_modes modes = {.n = 3, .V = V, .omega = omega};
        il_modal_system system = {.d = 3, .K = k, .M = m};
        CU_ASSERT_EQUAL_FATAL(il_modes_find(&modes, &system, 3, NULL), IL_OK);
        for (size_t j = 0; j < 3; j++) {
            first[j] = c == 0 ? omega[j] : first[j];
            CU_ASSERT_EQUAL(omega[j], ldexp(first[j], (scales[c][0] - scales[c][1]) / 2));
        }
        for (size_t i = 0; i < 9; i++) {
            V_first[i] = c == 0 ? V[i] : V_first[i];
            CU_ASSERT_EQUAL(V[i], ldexp(V_first[i], -scales[c][1] / 2));
        }
    }
}

/* GSL's iteration went on for ever on numbers without digits. */
static void a_gravity_of_no_digits_ends(void) {
    static const char *const sets[] = {"N=7", "gravity=5.9e-323", "T=1", NULL};
    il_test_problem made = il_test_problem_new("pendulum", 0.0, sets);
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    double q[7];
    double u[7];
    made.problem->exact->eval(made.problem->exact, 0.5, 1, q, u);
    for (size_t k = 0; k < 7; k++) { /* free: 5e-323 moves nothing */
        CU_ASSERT_DOUBLE_EQUAL(q[k], made.problem->q0[k] + 0.5 * made.problem->u0[k], CLOSED);
        CU_ASSERT_DOUBLE_EQUAL(u[k], made.problem->u0[k], CLOSED);
    }
    il_test_problem_free(&made);
}

/* From rest at the stop a constant force as small as may be pulls away, t^2 force/2, and there is
 * no event; as large ones do. */
static void the_smallest_force_lifts_off(void) {
    static const char *const forces[] = {"force=1e-300", "force=1e-17", "force=1e-3", "force=2"};
    static const double size[] = {1e-300, 1e-17, 1e-3, 2.0};
    for (size_t k = 0; k < 4; k++) {
        const char *const sets[] = {"N=1",    "mass=1", "stiffness=0", "q0=0",    "u0=0",
                                    "stop=0", "T=1",    "e=0",         forces[k], NULL};
        il_test_problem made = il_test_problem_new("pendulum", 0.0, sets);
        CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
        double q = 0.0;
        double u = 0.0;
        double Lambda = 0.0;
        const il_exact *exact = made.problem->exact;
        exact->eval(exact, 0.5, 1, &q, &u);
        exact->impulse(exact, 0.5, 1, &Lambda);
        CU_ASSERT_EQUAL(exact->nbreaks, 2);
        CU_ASSERT(fabs(q / size[k] - 0.125) <= CLOSED && fabs(u / size[k] - 0.5) <= CLOSED);
        CU_ASSERT_EQUAL(Lambda, 0.0);
        il_test_problem_free(&made);
    }
}

/* Eight stiff modes, each of a hundred thousand impacts some thousand steps after the one before.
 */
static void a_search_that_would_not_end_gives_no_exact(void) {
    static const char *const sets[] = {"N=8", "lengths=1,1,1,1,1,1,1,1e-6", "joint=8", "T=1e6",
                                       NULL};
    il_test_problem made = il_test_problem_new("pendulum", 0.0, sets);
    CU_ASSERT_EQUAL(made.problem->nexact, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(made.problem->no_exact);
    CU_ASSERT_PTR_NOT_NULL(strstr(made.problem->no_exact, "more than a second"));
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"the inclusion holds", the_inclusion_holds},
    {"it holds at random", it_holds_at_random},
    {"it agrees with the event-driven reference", it_agrees_with_the_event_driven_reference},
    {"an impact moves every joint", an_impact_moves_every_joint},
    {"a rod that lands on one end", a_rod_that_lands_on_one_end},
    {"without stiffness it is the bouncing ball", without_stiffness_it_is_the_bouncing_ball},
    {"the impulse balances the momentum", the_impulse_balances_the_momentum},
    {"no impact is passed over", no_impact_is_passed_over},
    {"schemes converge", schemes_converge},
    {"bad input is refused", bad_input_is_refused},
    {"modes swing as their formulas say", modes_swing_as_their_formulas_say},
    {"modes have no unit", modes_have_no_unit},
    {"a gravity of no digits ends", a_gravity_of_no_digits_ends},
    {"the smallest force lifts off", the_smallest_force_lifts_off},
    {"a search that would not end gives no exact motion",
     a_search_that_would_not_end_gives_no_exact},
    {NULL, NULL}};

const il_suite il_suite_pendulum = {"pendulum", tests};
