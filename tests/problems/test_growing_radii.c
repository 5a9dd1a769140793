/*
 * test_growing_radii.c - the exact solution of growing_radii against the inclusion and against hand
 * calculation, and the moving constraint against differences.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/expect.h"
#include "tests/support/suite.h"

enum { SAMPLES = 24 };

/* Values of O(1) after some ten roundings, and sums over SAMPLES x 16 Gauss points. */
static const double RESIDUAL = 1e-12;
/* du/dt from differences of u: rounding 1e-15 over a stencil of 0.005 of a piece (0.05 or more). */
static const double DYNAMICS = 1e-10;
/* Contact as the residual sees it: rounding of the spacing. */
static const double ACTIVE = 1e-12;
/* Values computed by hand, compared after about ten roundings. */
static const double HAND = 1e-14;

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* r_i from 1 to 2 with period 2: S = 2 + 1 - cos(pi t). */
#define UNIT "r0=1", "a=1", "omega=3.141592653589793"

static void expect_solution(const char *const *sets, size_t nbreaks, bool quadratic) {
    il_test_problem made = il_test_problem_new("growing_radii", 0.0, sets);
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    CU_ASSERT_EQUAL(made.problem->exact->nbreaks, nbreaks);
    CU_ASSERT_EQUAL(made.problem->exact->quadratic, quadratic);
    il_residual r = il_residual_of(made.problem, 0, SAMPLES, ACTIVE);
    il_residual most = il_residual_within(RESIDUAL);
    most.dynamics = DYNAMICS;
    il_expect_residual(&r, &most);
    il_test_problem_free(&made);
}

static void pairs_solve(void) {
    expect_solution(NULL, 4, false);
    expect_solution(SETS("masses=1,7"), 4, false);
    expect_solution(SETS("T=0.1"), 2, true);                   /* before contact */
    expect_solution(SETS("T=0.4"), 3, false);                  /* while it follows */
    expect_solution(SETS(UNIT, "q0=0,0,0,1.5,2,0"), 4, false); /* another direction */
    expect_solution(SETS(UNIT, "q0=0,0,0,2.9,0,0"), 4, false); /* just before the inflection */
    expect_solution(SETS(UNIT, "q0=0,0,0,3.1,0,0"), 3, true);  /* just after it */
    expect_solution(SETS(UNIT, "q0=0,0,0,3.5,0,0", "T=6"), 3, true);    /* long after it */
    expect_solution(SETS(UNIT, "q0=0,0,0,3.999,0,0", "T=20"), 3, true); /* barely touched */
    expect_solution(SETS(UNIT, "q0=0,0,0,4,0,0", "T=5"), 2, true);      /* grazed */
    expect_solution(SETS(UNIT, "q0=0,0,0,5,0,0", "T=5"), 2, true);      /* never touched */
    expect_solution(SETS(UNIT, "q0=0,0,0,2,0,0"), 3, false);            /* touching at 0 */
    expect_solution(SETS("a=0", "r0=0.5", "q0=0,0,0,0,1,0"), 2, true);  /* nothing grows */
}

static void rows_solve(void) {
    expect_solution(SETS("N=3"), 4, false);
    expect_solution(SETS("N=5", "masses=2"), 4, false);
    expect_solution(SETS("N=4", "masses=1,10,0.1,3"), 4, false);
    expect_solution(SETS("N=3", UNIT, "q0=-3.5,0,0,0,0,0,3.5,0,0", "T=3"), 3, true);
    expect_solution(SETS("N=3", UNIT, "q0=3,4,0,1.5,2,0,0,0,0", "masses=1,2,3"), 4, false);
    expect_solution(SETS("r0=0.3,0.6"), 4, false);
    expect_solution(SETS("N=4", "r0=0.3,0.6,0.2,0.5", "masses=1,10,0.1,3"), 4, false);
    expect_solution(SETS("N=3", "r0=1,2,1.5", "a=1", "omega=3.141592653589793",
                         "q0=0,0,0,2.1,2.8,0,4.5,6,0", "masses=3,1,2"),
                    4, false); /* gaps 1/2 along (3,4)/5 */
}

/* L = 2.5: sin^2(pi t/2) = 1/4 at t = 1/3, where S' = pi sin(pi/3); S turns concave at t = 1/2
 * with S = 3, S' = pi. */
static void follows_by_hand(void) {
    il_test_problem made =
        il_test_problem_new("growing_radii", 0.0, SETS(UNIT, "q0=1,0,0,3.5,0,0", "masses=1,4"));
    const il_exact *exact = made.problem->exact;
    double q[6];
    double u[6];
    CU_ASSERT_FATAL(exact->nbreaks == 4);
    CU_ASSERT(fabs(exact->breaks[1] - 1.0 / 3.0) <= HAND);
    CU_ASSERT(fabs(exact->breaks[2] - 0.5) <= HAND);
    exact->eval(exact, exact->breaks[1], -1, q, u);
    CU_ASSERT(u[0] == 0.0 && u[3] == 0.0 && q[3] - q[0] == 2.5);
    exact->eval(exact, exact->breaks[1], 1, q, u);
    CU_ASSERT(fabs(u[3] - u[0] - M_PI * sin(M_PI / 3.0)) <= HAND);
    CU_ASSERT(fabs(u[0] + 4.0 * u[3]) <= HAND);
    exact->eval(exact, 1.0, 0, q, u);
    CU_ASSERT(fabs(q[3] - q[0] - (3.0 + 0.5 * M_PI)) <= HAND);
    CU_ASSERT(fabs(q[0] + 4.0 * q[3] - 15.0) <= 10.0 * HAND); /* the centre of mass stays at 3 */
    CU_ASSERT(fabs(u[3] - 0.2 * M_PI) <= HAND);
    il_test_problem_free(&made);
}

/* Radii 1, 2, 3 from gaps 1/2, masses 1, 1, 2: contact at t = 1/3, S' = pi sin(pi/3) opens both
 * gaps; velocities (-b, 0, b) less their mean in mass, b/4. At t = 1 gaps are (S - S(0)) of before,
 * S = 1 at the inflection and pi/2 more. */
static void unequal_radii_by_hand(void) {
    il_test_problem made =
        il_test_problem_new("growing_radii", 0.0,
                            SETS("N=3", "a=1", "omega=3.141592653589793", "r0=1,2,3",
                                 "masses=1,1,2", "q0=0,0,0,3.5,0,0,9,0,0"));
    const il_exact *exact = made.problem->exact;
    double q[9];
    double u[9];
    CU_ASSERT_FATAL(made.problem->nexact == 1 && exact->nbreaks == 4);
    CU_ASSERT(fabs(exact->breaks[1] - 1.0 / 3.0) <= HAND);
    exact->eval(exact, exact->breaks[1], 1, q, u);
    double b = M_PI * sin(M_PI / 3.0);
    CU_ASSERT(fabs(u[0] + 1.25 * b) <= HAND && fabs(u[3] + 0.25 * b) <= HAND);
    CU_ASSERT(fabs(u[6] - 0.75 * b) <= HAND);
    CU_ASSERT(fabs(q[0]) <= HAND && fabs(q[3] - 3.5) <= HAND && fabs(q[6] - 9.0) <= 10.0 * HAND);
    exact->eval(exact, 1.0, 0, q, u);
    CU_ASSERT(fabs(q[3] - q[0] - (3.0 + 1.0 + 0.5 * M_PI)) <= 10.0 * HAND);
    CU_ASSERT(fabs(q[6] - q[3] - (5.0 + 1.0 + 0.5 * M_PI)) <= 10.0 * HAND);
    CU_ASSERT(fabs(q[0] + q[3] + 2.0 * q[6] - 21.5) <= 100.0 * HAND);
    double r[3];
    made.problem->type->radii(made.problem, 1.0, r);
    CU_ASSERT(fabs(r[0] - 2.0) <= HAND && fabs(r[1] - 3.0) <= HAND && fabs(r[2] - 4.0) <= HAND);
    il_test_problem_free(&made);
}

/* L = 3.5: contact at t = 2/3, after the inflection; off at once with S' = pi sin(pi/3). */
static void leaves_at_once_by_hand(void) {
    il_test_problem made =
        il_test_problem_new("growing_radii", 0.0, SETS(UNIT, "q0=0,0,0,3.5,0,0", "T=2"));
    const il_exact *exact = made.problem->exact;
    double q[6];
    double u[6];
    CU_ASSERT_FATAL(exact->nbreaks == 3);
    CU_ASSERT(fabs(exact->breaks[1] - 2.0 / 3.0) <= HAND);
    exact->eval(exact, 2.0, 0, q, u);
    CU_ASSERT(fabs(q[3] - q[0] - (3.5 + 4.0 / 3.0 * M_PI * sin(M_PI / 3.0))) <= HAND);
    il_test_problem_free(&made);
}

/* No second contact, whatever the first: over many periods the gap stays open. */
static void never_meets_again(void) {
    for (int k = 0; k < 40; k++) {
        char q0[64];
        (void)snprintf(q0, sizeof q0, "q0=0,0,0,%.17g,0,0", 2.0 + 2.0 * (k + 0.5) / 40.0);
        il_test_problem made = il_test_problem_new("growing_radii", 9.0, SETS(UNIT, q0));
        const il_problem *problem = made.problem;
        il_rows rows;
        il_rows_init(&rows);
        size_t last = problem->exact->nbreaks - 2; /* the flight starts there */
        double least = INFINITY;
        for (int i = 1; i <= 900; i++) {
            double t = problem->exact->breaks[last] + 1e-3 + 0.01 * i;
            double q[6];
            double u[6];
            problem->exact->eval(problem->exact, fmin(t, 9.0), 0, q, u);
            least = fmin(least, il_problem_gap(problem, fmin(t, 9.0), q, NULL, &rows));
        }
        CU_ASSERT(least > 0.0);
        il_rows_free(&rows);
        il_test_problem_free(&made);
    }
}

/* d_t g and grad g against central differences of step 1e-5: good to 1e-10 + 1e-16/1e-5. */
static void rows_match_differences(void) {
    static const double STEP = 1e-5;
    static const double DIFFERENCE = 1e-9;
    il_test_problem made =
        il_test_problem_new("growing_radii", 0.0, SETS("N=3", "q0=0,0,0,0.3,1.4,0.2,-1.5,1,1"));
    const il_problem *problem = made.problem;
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL(problem->p, 3);
    double q[9];
    memcpy(q, problem->q0, sizeof q);
    for (size_t id = 0; id < 3; id++) {
        il_rows_clear(&rows);
        CU_ASSERT(problem->type->row(problem, 0.37, q, id, &rows) == IL_OK);
        CU_ASSERT(problem->type->row(problem, 0.37 + STEP, q, id, &rows) == IL_OK);
        CU_ASSERT(problem->type->row(problem, 0.37 - STEP, q, id, &rows) == IL_OK);
        double slope = (rows.value[1] - rows.value[2]) / (2.0 * STEP);
        CU_ASSERT(fabs(rows.rate[0] - slope) <= DIFFERENCE);
        CU_ASSERT(rows.rate[0] < -0.1); /* it moves */
        for (size_t k = 0; k < 9; k++) {
            double unit[9] = {0.0};
            unit[k] = 1.0;
            double keep = q[k];
            q[k] = keep + STEP;
            CU_ASSERT(problem->type->row(problem, 0.37, q, id, &rows) == IL_OK);
            q[k] = keep - STEP;
            CU_ASSERT(problem->type->row(problem, 0.37, q, id, &rows) == IL_OK);
            q[k] = keep;
            slope = (rows.value[rows.p - 2] - rows.value[rows.p - 1]) / (2.0 * STEP);
            CU_ASSERT(fabs(il_rows_dot(&rows, 0, unit) - slope) <= DIFFERENCE);
        }
    }
    il_rows_free(&rows);
    il_test_problem_free(&made);
}

/* ---- parameters --------------------------------------------------------------------------- */

static void unequal_spacing_has_no_exact_solution(void) {
    static const char *const starts[] = {"q0=0,0,0,1.2,0,0,2.5,0,0",    /* unequal gaps */
                                         "q0=0,0,0,2.4,0,0,1.2,0,0",    /* out of order */
                                         "q0=0,0,0,1.2,0,0,1.8,1.03,0", /* a bend */
                                         "q0=0,0,0,1.2,0,0,2.4,1e-9,0"};
    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
        il_test_problem made = il_test_problem_new("growing_radii", 0.0, SETS("N=3", starts[k]));
        CU_ASSERT_EQUAL(made.problem->nexact, 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(made.problem->no_exact);
        CU_ASSERT_PTR_NOT_NULL(strstr(made.problem->no_exact, "equal gaps"));
        il_test_problem_free(&made);
    }
}

static const il_test tests[] = {
    {"two spheres solve the inclusion", pairs_solve},
    {"rows of spheres solve the inclusion for any masses", rows_solve},
    {"contact, following and leaving have the values of a calculation by hand", follows_by_hand},
    {"unequal radii by hand", unequal_radii_by_hand},
    {"contact beyond the inflection leaves at once", leaves_at_once_by_hand},
    {"the radii never catch up again", never_meets_again},
    {"rate and gradient match differences", rows_match_differences},
    {"unequal spacing has no exact solution, and says so", unequal_spacing_has_no_exact_solution},
    {NULL, NULL}};

const il_suite il_suite_growing_radii = {"growing_radii", tests};
