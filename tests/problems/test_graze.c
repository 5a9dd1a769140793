/*
 * test_graze.c - the flight past a bump: the inclusion; how far maury and moreau_jean are thrown
 * off it, against what problems/README.md derives; the ball that rolls along the bump.
 */
#include <math.h>
#include <stdio.h>

#include "harness/run/run.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

static const double ROUNDING = 1e-13;
enum { STEPS = 4000, PHASES = 21 };

static void the_inclusion_holds(void) {
    static const char *const cases[][4] = {
        {NULL}, {"k=1.2", NULL}, {"k=3.7", "c=5", NULL}, {"speed=7", "s=0", NULL}, {"s=3", NULL}};
    const il_residual most = il_residual_within(ROUNDING);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        il_expect_solution("graze", cases[i], ROUNDING, &most);
    }
}

/* u_y after the bump over c v^k h^(k-1), by the recursion of the page: before the top by xi steps
 * maury asks for W >= (k - xi) xi^(k-1) - Y, Y the height gained so far. */
static double maury_law(double k, double theta) {
    double W = 0.0;
    double Y = 0.0;
    for (int m = (int)ceil(k); m >= 0; m--) {
        double xi = theta + m;
        W = fmax(W, (k - xi) * pow(xi, k - 1.0) - Y);
        Y += W;
    }
    return W;
}

/* moreau_jean looks half a step ahead along the tangent, xi <= k/2, and then stops the approach. */
static double moreau_jean_law(double k, double theta) {
    double xi = theta + floor(0.5 * k - theta);
    return xi < 0.0 ? 0.0 : k * pow(xi, k - 1.0);
}

/* The record of the run in which the top comes theta steps after node 1000. */
static void run(const char *scheme, double k, double c, double v, double theta, double *u,
                double *u_L1) {
    char text[4][64];
    (void)snprintf(text[0], sizeof text[0], "k=%.17g", k);
    (void)snprintf(text[1], sizeof text[1], "c=%.17g", c);
    (void)snprintf(text[2], sizeof text[2], "speed=%.17g", v);
    (void)snprintf(text[3], sizeof text[3], "s=%.17g", (1000.0 + theta) / STEPS);
    il_test_problem made = il_test_problem_new(
        "graze", 0.0, (const char *const[]){text[0], text[1], text[2], text[3], NULL});
    il_run_spec spec = {.problem = made.problem->type, .params = made.params, .steps = STEPS};
    il_record record = {0};
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(record.status, IL_OK);
    *u = record.u[1];
    *u_L1 = record.distances[0].error.u_L1;
    il_record_free(&record);
    il_test_problem_free(&made);
}

/* The next term is slope^2 = (c k)^2 (v h xi)^(2k-2) of the first, xi <= k: of order h for k = 3/2,
 * where h = 1/4000. The constant in u_L1 is the time left, 3/4 up to the steps of the kick. A
 * thousand additions leave x off by 1e-13, xi by 1e-13/h, and W changes by at most k^k of that. */
static void expect_law(const char *scheme, double (*law)(double k, double theta), double k,
                       double c, double v) {
    double h = 1.0 / STEPS;
    double scale = c * pow(v, k) * pow(h, k - 1.0);
    double next = 2.0 * c * c * k * k * pow(k * v * h, 2.0 * k - 2.0);
    double rounding = pow(k, k) * ROUNDING / h;
    for (int j = 1; j < PHASES; j++) {
        double theta = (double)j / PHASES;
        double u = 0.0;
        double u_L1 = 0.0;
        run(scheme, k, c, v, theta, &u, &u_L1);
        double W = law(k, theta);
        CU_ASSERT(fabs(u / scale - W) <= next + rounding);
        CU_ASSERT(fabs(u_L1 / scale - 0.75 * W) <= 2.0 * next + k * h * W + rounding);
    }
}

static void maury_is_thrown_off(void) {
    expect_law("maury", maury_law, 2.0, 1.0, 1.0);
    expect_law("maury", maury_law, 2.0, 3.0, 0.5);
    expect_law("maury", maury_law, 1.5, 0.25, 1.0);
    expect_law("maury", maury_law, 3.0, 2.0, 2.0);
    expect_law("maury", maury_law, 4.5, 1.0, 3.0);
}

static void moreau_jean_is_thrown_off(void) {
    expect_law("moreau_jean", moreau_jean_law, 2.0, 1.0, 1.0);
    expect_law("moreau_jean", moreau_jean_law, 1.5, 0.25, 1.0);
    expect_law("moreau_jean", moreau_jean_law, 3.0, 2.0, 2.0);
}

/* The page's closed form for k = 2 is what the recursion gives. */
static void the_closed_form_is_the_recursion(void) {
    for (int j = 0; j <= 1000; j++) {
        double theta = j / 1000.0;
        double W = fmax(1.0 - theta * theta, 2.0 * theta - 1.0);
        CU_ASSERT(fabs(maury_law(2.0, theta) - W) <= ROUNDING);
    }
}

/* Schemes that look at the gap where they are going, not at its tangent, notice nothing. */
static void positions_are_not_thrown_off(void) {
    double u = 0.0;
    double u_L1 = 0.0;
    for (int j = 1; j < 10; j++) {
        run("paoli", 2.0, 1.0, 1.0, j / 10.0, &u, &u_L1);
        CU_ASSERT(u == 0.0 && u_L1 <= ROUNDING);
    }
}

/* <b, x - q> >= -|b|^2 |x - q|^2/(2 rho) for q on the bump and all x above it, and for k = 2 with
 * rho = 1/(2 c), the radius of curvature on top. */
static void the_ball_rolls(void) {
    static const char *const cases[][3] = {
        {NULL}, {"k=2.5", NULL}, {"k=3", "c=4", NULL}, {"k=8", "c=0.1", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        il_test_problem made = il_test_problem_new("graze", 0.0, cases[i]);
        const il_problem *p = made.problem;
        il_rows rows;
        il_rows_init(&rows);
        double rho = il_problem_rolling(p, 0.0, 0);
        CU_ASSERT(rho > 0.0 && isfinite(rho));
        CU_ASSERT(i != 0 || rho == 0.5);
        for (int a = -60; a <= 60; a++) {
            double q[2] = {a / 30.0, 0.0};
            il_rows_clear(&rows);
            CU_ASSERT_EQUAL_FATAL(p->type->row(p, 0.0, q, 0, &rows), IL_OK);
            q[1] = -rows.value[0];
            double b = rows.coef[0];
            for (int e = -90; e <= 90; e++) {
                double x[2] = {e / 30.0 + 0.004, 0.0};
                il_rows_clear(&rows);
                CU_ASSERT_EQUAL_FATAL(p->type->row(p, 0.0, x, 0, &rows), IL_OK);
                double dx = x[0] - q[0];
                double dy = -rows.value[0] - q[1];
                double far = dx * dx + dy * dy;
                CU_ASSERT(b * dx + dy >= -(1.0 + b * b) * far / (2.0 * rho) - ROUNDING);
            }
        }
        il_rows_free(&rows);
        il_test_problem_free(&made);
    }
    il_test_problem made = il_test_problem_new("graze", 0.0, (const char *const[]){"k=1.5", NULL});
    CU_ASSERT(isnan(il_problem_rolling(made.problem, 0.0, 0)));
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"the inclusion holds", the_inclusion_holds},
    {"maury is thrown off by what the page derives", maury_is_thrown_off},
    {"moreau_jean is thrown off by what the page derives", moreau_jean_is_thrown_off},
    {"the closed form is the recursion", the_closed_form_is_the_recursion},
    {"positions are not thrown off", positions_are_not_thrown_off},
    {"the ball rolls", the_ball_rolls},
    {NULL, NULL}};

const il_suite il_suite_graze = {"graze", tests};
