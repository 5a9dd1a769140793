/*
 * test_charged.c - two charges: the exact motion judged by the inclusion, by its energy, and by
 * hand.
 */
#include <math.h>

#include "harness/run/run.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Energies below 20; Kepler's equation is solved to some roundings. */
static const double ROUNDING = 1e-12;

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void the_inclusion_holds(void) {
    static const char *const cases[][5] = {
        {NULL},
        {"K=3", "T=0.8", NULL},                                        /* turns before contact */
        {"u0=0,0,0,0,0,0", NULL},                                      /* from rest */
        {"u0=0,0,0,3,0,0", "T=2", NULL},                               /* parts */
        {"masses=1,5", "radii=0.1,0.3", NULL},                         /* unequal */
        {"q0=0,0,0,0.6,0.8,0", "u0=0.6,0.8,1,-0.6,-0.8,1", NULL},      /* another line, in drift */
        {"q0=0,0,0,0.4,0,0", "u0=1,0,0,0,0,0", NULL},                  /* touching at the start */
        {"q0=0,0,0,0.4,0,0", "u0=0,0,0,0,0,0", "K=2", "T=0.8", NULL}}; /* the same at rest */
    il_residual most = il_residual_within(1e-11);
    most.dynamics = 1e-8; /* u changes within 0.3, differences of it over 0.005 of a piece */
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        il_expect_solution("charged", cases[k], 1e-11, &most);
    }
}

static double energy(const double *q, const double *u) {
    double E = 0.0;
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        E += 0.5 * (u[c] * u[c] + u[3 + c] * u[3 + c]);
        square += (q[3 + c] - q[c]) * (q[3 + c] - q[c]);
    }
    return E + 0.5 / sqrt(square);
}

/* By default E = 4 + 1/3, 0.5/0.4 = 1.25 of it is potential at contact: 37/12 is lost there, with
 * the relative speed 2 (37/12)^(1/2), half of which is the impulse; before and after the energy
 * stays. */
static void the_impact_takes_what_is_kinetic(void) {
    il_test_problem made = il_test_problem_new("charged", 2.0, SETS("T=2"));
    const il_exact *exact = made.problem->exact;
    double q[6];
    double u[6];
    double Lambda = NAN;
    CU_ASSERT_FATAL(made.problem->nexact == 1 && exact->nbreaks == 3);
    double contact = exact->breaks[1];
    for (int k = 0; k <= 200; k++) {
        double t = 0.01 * k;
        exact->eval(exact, t, 1, q, u);
        double expected = t < contact ? 4.0 + 1.0 / 3.0 : 1.25;
        CU_ASSERT(fabs(energy(q, u) - expected) <= ROUNDING);
        CU_ASSERT(fabs(q[0] + q[3]) <= ROUNDING && q[3] - q[0] >= 0.4 - ROUNDING);
    }
    exact->eval(exact, contact, -1, q, u);
    CU_ASSERT(fabs(q[3] - q[0] - 0.4) <= ROUNDING);
    CU_ASSERT(fabs(u[0] - u[3] - 2.0 * sqrt(37.0 / 12.0)) <= ROUNDING);
    exact->eval(exact, contact, 1, q, u);
    CU_ASSERT(u[0] == 0.0 && u[3] == 0.0);
    exact->impulse(exact, 2.0, 0, &Lambda);
    CU_ASSERT(fabs(Lambda - sqrt(37.0 / 12.0)) <= ROUNDING);
    il_test_problem_free(&made);
}

static void off_the_line_there_is_no_solution(void) {
    il_test_problem made = il_test_problem_new("charged", 0.0, SETS("u0=2,0.1,0,-2,0,0"));
    CU_ASSERT(made.problem->nexact == 0 && made.problem->no_exact != NULL);
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"the inclusion holds", the_inclusion_holds},
    {"the impact takes what is kinetic", the_impact_takes_what_is_kinetic},
    {"off the line there is no solution", off_the_line_there_is_no_solution},
    {NULL, NULL}};

const il_suite il_suite_charged = {"charged", tests};
