/*
 * test_pressureless.c - the gas without pressure: particles judged by the inclusion, against
 * sticky, which follows collisions, and by the equations of the gas.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Positions and speeds below one. */
static const double ROUNDING = 1e-13;

enum { MOST = 31, TEXT = 1000 };

static void the_inclusion_holds(void) {
    static const char *const counts[] = {"N=2", "N=3", "N=12", "N=31"};
    const il_residual most = il_residual_within(1e-12);
    for (size_t k = 0; k < 4; k++) {
        const char *const sets[] = {counts[k], NULL};
        il_expect_solution("pressureless", sets, 1e-13, &most);
    }
}

static void list(char *out, const char *key, const double *x, size_t n) {
    (void)snprintf(out, TEXT, "%s=", key);
    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(out);
        (void)snprintf(out + at, TEXT - at, i > 0 ? ",%.17g" : "%.17g", x[i]);
    }
}

static void sticky_particles_are_on_its_paths(void) {
    for (size_t n = 2; n <= MOST; n += 7) {
        char text[4][TEXT];
        double m[MOST];
        (void)snprintf(text[0], TEXT, "N=%zu", n);
        il_test_problem made =
            il_test_problem_new("pressureless", 4.0, (const char *const[]){text[0], NULL});
        for (size_t i = 0; i < n; i++) {
            m[i] = 1.0 / (double)n;
        }
        list(text[1], "q0", made.problem->q0, n);
        list(text[2], "u0", made.problem->u0, n);
        list(text[3], "masses", m, n);
        il_test_problem other = il_test_problem_new(
            "sticky", 4.0, (const char *const[]){text[0], text[1], text[2], text[3], NULL});
        const il_exact *gas = made.problem->exact;
        const il_exact *sticky = other.problem->exact;
        for (int k = 0; k <= 400; k++) {
            double q[2][MOST];
            double u[2][MOST];
            gas->eval(gas, 0.01 * k + 0.001, 1, q[0], u[0]);
            sticky->eval(sticky, 0.01 * k + 0.001, 1, q[1], u[1]);
            for (size_t i = 0; i < n; i++) {
                CU_ASSERT(fabs(q[0][i] - q[1][i]) <= ROUNDING);
                CU_ASSERT(fabs(u[0][i] - u[1][i]) <= ROUNDING);
            }
        }
        il_test_problem_free(&other);
        il_test_problem_free(&made);
    }
}

/* The middle takes up mass at the rate at which the gas flows into it: with rho = dy/dX on both
 * sides, d(2 a)/dt = 2 rho |u|, u = -y (1 - 4 y^2) and dX/dy = 1 - t + 12 t y^2 at y = a. */
static void the_middle_takes_what_flows_in(void) {
    for (int k = 1; k <= 40; k++) {
        double t = 1.0 + 0.1 * k;
        double a = 0.5 * sqrt(1.0 - 1.0 / t);
        double inflow = 2.0 * a * (1.0 - 4.0 * a * a) / (1.0 - t + 12.0 * t * a * a);
        double rate = 1.0 / (4.0 * a * t * t); /* of 2 a, from 4 a^2 = 1 - 1/t */
        CU_ASSERT(fabs(rate - inflow) <= ROUNDING * (1.0 + rate));
        il_test_problem made =
            il_test_problem_new("pressureless", 6.0, (const char *const[]){"N=400", NULL});
        double q[400];
        double u[400];
        size_t inside = 0;
        made.problem->exact->eval(made.problem->exact, t, 1, q, u);
        for (size_t i = 0; i < 400; i++) {
            inside += q[i] == 0.0 && u[i] == 0.0;
        }
        CU_ASSERT(fabs((double)inside / 400.0 - 2.0 * a) <= 1.0 / 400.0 + ROUNDING);
        il_test_problem_free(&made);
    }
}

static const il_test tests[] = {
    {"the inclusion holds", the_inclusion_holds},
    {"sticky particles are on its paths", sticky_particles_are_on_its_paths},
    {"the middle takes what flows in", the_middle_takes_what_flows_in},
    {NULL, NULL}};

const il_suite il_suite_pressureless = {"pressureless", tests};
