/*
 * test_nonuniqueness.c - the three solutions of nonuniqueness against the inclusion, their values
 * at known times, the scaling that exchanges them, the force means against quadrature, and the
 * range of alpha in which they exist.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/expect.h"
#include "tests/support/suite.h"

enum { SAMPLES = 24, KNOTS_MAX = 200 };

/* Values of O(1) after some ten roundings. */
static const double RESIDUAL = 1e-13;
/* du/dt from differences of u, which is linear on a piece: rounding u eps = 2e-16 over a stencil
 * of 0.005 of the piece, whose length is about u. */
static const double DYNAMICS = 1e-12;
/* Rest is q = 0 exactly; at any other tolerance the motions near t = 0 look like contact. */
static const double ACTIVE = 0.0;
/* Values computed by hand. */
static const double HAND = 1e-15;
/* A mean over h is a difference of integrals of order t: 4 eps t/h, for t/h <= 1000. */
static const double MEAN = 1e-12;

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void expect_solution(const il_problem *problem, size_t k) {
    il_residual r = il_residual_of(problem, k, SAMPLES, ACTIVE);
    il_residual most = il_residual_within(RESIDUAL);
    most.dynamics = DYNAMICS;
    il_expect_residual(&r, &most);
}

static void all_solve(void) {
    il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, NULL);
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 3);
    CU_ASSERT_STRING_EQUAL(made.problem->exact[0].name, "A");
    CU_ASSERT_STRING_EQUAL(made.problem->exact[1].name, "B");
    expect_solution(made.problem, 0);
    expect_solution(made.problem, 1);
    expect_solution(made.problem, 2);
    il_test_problem_free(&made);
}

/* A horizon that is no power of two, above and below the default. */
static void all_solve_on_other_horizons(void) {
    static const double horizons[] = {0.3, 1.0, 2.7, 37.0};
    for (size_t k = 0; k < sizeof horizons / sizeof horizons[0]; k++) {
        il_test_problem made = il_test_problem_new("nonuniqueness", horizons[k], NULL);
        CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 3);
        for (size_t i = 0; i < 3; i++) {
            const il_exact *exact = &made.problem->exact[i];
            CU_ASSERT(exact->breaks[exact->nbreaks - 1] == horizons[k]);
            il_residual r = il_residual_of(made.problem, i, SAMPLES, ACTIVE);
            double scale = fmax(1.0, horizons[k] * horizons[k]);
            CU_ASSERT(r.kinematics <= RESIDUAL * scale);
            CU_ASSERT(r.infeasible <= RESIDUAL * scale);
            CU_ASSERT(r.dynamics <= DYNAMICS);
            CU_ASSERT(r.impact <= RESIDUAL * scale);
        }
        il_test_problem_free(&made);
    }
}

/* From rest at tau: (q,u) at 1.5, 2, 3 tau are (1/8, 1/2), (0.15, -0.4), (0.25, 0.6) in units of
 * tau^2, tau; the wall is met at (2 + (0.6 + sqrt 1.26)/1.8) tau after tau, with speed sqrt 1.26
 * tau.
 */
static void values_by_hand(void) {
    static const struct {
        int which;
        double t, q, u;
    } table[] = {{0, 1.0, 0.0, 0.0},    {0, 1.5, 0.125, 0.5},        {0, 2.0, 0.15, -0.4},
                 {0, 3.0, 0.25, 0.6},   {0, 4.0, 0.0, 0.0},          {1, 1.0, 0.0375, -0.2},
                 {1, 1.5, 0.0625, 0.3}, {1, 2.0, 0.0, 0.0},          {1, 3.0, 0.5, 1.0},
                 {1, 4.0, 0.6, -0.8},   {0, 0.5, 0.15 / 16.0, -0.1}, {1, 0.25, 0.15 / 64.0, -0.05}};
    il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, NULL);
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        const il_exact *exact = &made.problem->exact[table[k].which];
        double q = NAN;
        double u = NAN;
        exact->eval(exact, table[k].t, 0, &q, &u);
        CU_ASSERT(fabs(q - table[k].q) <= HAND);
        CU_ASSERT(fabs(u - table[k].u) <= HAND);
    }
    const il_exact *a = &made.problem->exact[0];
    double landing = 1.0 + 2.0 + (0.6 + sqrt(1.26)) / 1.8;
    double q = NAN;
    double u = NAN;
    double before = NAN;
    CU_ASSERT(fabs(a->breaks[a->nbreaks - 2] - landing) <= HAND * 4.0);
    a->eval(a, a->breaks[a->nbreaks - 2], -1, &q, &before);
    CU_ASSERT(fabs(before + sqrt(1.26)) <= HAND * 4.0);
    a->eval(a, a->breaks[a->nbreaks - 2], 1, &q, &u);
    CU_ASSERT(q == 0.0 && u == 0.0);
    il_test_problem_free(&made);
}

/* t -> 2t, q -> 4q, u -> 2u turns A into B and B into A; powers of two lose nothing. */
static void scaling_exchanges_them(void) {
    il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, NULL);
    for (int k = 1; k <= 1000; k++) {
        double t = 0.002 * k;
        for (int i = 0; i < 2; i++) {
            const il_exact *here = &made.problem->exact[i];
            const il_exact *there = &made.problem->exact[1 - i];
            double q[2] = {NAN, NAN};
            double u[2] = {NAN, NAN};
            here->eval(here, t, 0, &q[0], &u[0]);
            there->eval(there, 2.0 * t, 0, &q[1], &u[1]);
            CU_ASSERT(q[1] == 4.0 * q[0]);
            CU_ASSERT(u[1] == 2.0 * u[0]);
        }
    }
    il_test_problem_free(&made);
}

/* ---- the force ---------------------------------------------------------------------------- */

/* F(2^j) = 2^j (1 - alpha)/2. */
static void means_from_zero(void) {
    il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, SETS("alpha=1.8"));
    for (int j = -40; j <= 2; j++) {
        double mean = NAN;
        made.problem->type->force_mean(made.problem, 0.0, ldexp(1.0, j), NULL, &mean);
        CU_ASSERT(fabs(mean + 0.4) <= HAND);
    }
    il_test_problem_free(&made);
}

static double force_of_time(double t, void *data) {
    const il_problem *problem = data;
    double f = NAN;
    problem->type->force(problem, t, NULL, &f);
    return f;
}

/* GSL quadrature of the force with its jumps given, away from t = 0. */
/* Forces up to 4^m at t <= 4 round as much more. */
static void means_match(const char *m, double scale) {
    il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, SETS("alpha=1.83", m));
    gsl_integration_workspace *work = gsl_integration_workspace_alloc(500);
    gsl_function f = {force_of_time, made.problem};
    static const double ends[][2] = {{0.01, 4.0}, {0.3, 0.31}, {0.9, 2.2}, {1e-3, 0.7}, {2.9, 3.1}};
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
        double knots[KNOTS_MAX];
        size_t n = 0;
        knots[n++] = ends[k][0];
        for (int j = -20; j <= 2; j++) {
            for (int half = 2; half <= 3; half++) {
                double t = ldexp(0.5 * half, j);
                if (t > ends[k][0] && t < ends[k][1]) {
                    knots[n++] = t;
                }
            }
        }
        knots[n++] = ends[k][1];
        double sum = NAN;
        double error = NAN;
        double mean = NAN;
        CU_ASSERT(gsl_integration_qagp(&f, knots, n, 1e-13 * scale, 0.0, 500, work, &sum, &error) ==
                  GSL_SUCCESS);
        made.problem->type->force_mean(made.problem, ends[k][0], ends[k][1], NULL, &mean);
        CU_ASSERT(fabs(mean - sum / (ends[k][1] - ends[k][0])) <= MEAN * scale);
    }
    gsl_integration_workspace_free(work);
    il_test_problem_free(&made);
}

static void means_match_quadrature(void) {
    means_match("m=0", 1.0);
    means_match("m=1", 4.0);
    means_match("m=2", 16.0);
}

/* ---- which alpha -------------------------------------------------------------------------- */

/* By hand: A and B end where the landing of their second contact, r' before the end of the push,
 * is so late that the point is still above the wall when the pull ends, r'^2 + r' > alpha/4, with
 * r' = 1/2 - (alpha - 1)/4 + sqrt((alpha - 2)(alpha + 1))/4: at ((sqrt(297) - 3)/8)^2 - 1. They and
 * C are one for alpha <= 4/3. C exists for every alpha. */
static void solutions_exist_for(void) {
    static const struct {
        const char *set;
        size_t nexact;
    } table[] = {{"alpha=0.5", 1},  {"alpha=1", 1},    {"alpha=1.3", 1},   {"alpha=4/3", 1},
                 {"alpha=1.34", 3}, {"alpha=1.5", 3},  {"alpha=1.76", 3},  {"alpha=23/13", 3},
                 {"alpha=1.77", 3}, {"alpha=1.8", 3},  {"alpha=1.99", 3},  {"alpha=2", 3},
                 {"alpha=2.01", 3}, {"alpha=2.15", 3}, {"alpha=2.165", 3}, {"alpha=2.166", 1},
                 {"alpha=2.2", 1},  {"alpha=2.99", 1}, {"alpha=3", 1},     {"alpha=3.5", 1},
                 {"alpha=100", 1}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, SETS(table[k].set));
        CU_ASSERT_EQUAL(made.problem->nexact, table[k].nexact);
        CU_ASSERT_STRING_EQUAL(made.problem->exact[made.problem->nexact - 1].name, "C");
        for (size_t i = 0; i < made.problem->nexact; i++) {
            expect_solution(made.problem, i);
        }
        il_test_problem_free(&made);
    }
}

/* They begin where C grazes, (4 mu - 1) alpha^2 + (4 mu^2 - 4 mu - 1) alpha = 12 mu^2 - 8 mu, mu =
 * 2^m: 1.695775, 2.055641, 2.373692; and end where 4 s^2 + (4 mu - 1) s = 10 + 8 mu, s^2 = alpha +
 * 1: 2.314156, 2.492207, 2.664422. */
static void flatter_forces_have_several_solutions(void) {
    static const struct {
        const char *m, *alpha;
        size_t nexact;
    } table[] = {{"m=1", "alpha=1.2", 1},    {"m=1", "alpha=1.6957", 1}, {"m=1", "alpha=1.6959", 3},
                 {"m=1", "alpha=1.9", 3},    {"m=1", "alpha=2.1", 3},    {"m=1", "alpha=2.3141", 3},
                 {"m=1", "alpha=2.3143", 1}, {"m=1", "alpha=3.2", 1},    {"m=2", "alpha=2.0555", 1},
                 {"m=2", "alpha=2.0558", 3}, {"m=2", "alpha=2.4921", 3}, {"m=2", "alpha=2.4923", 1},
                 {"m=3", "alpha=2.3736", 1}, {"m=3", "alpha=2.3738", 3}, {"m=3", "alpha=2.6644", 3},
                 {"m=3", "alpha=2.6645", 1}, {"m=8", "alpha=2.9", 1}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        il_test_problem made =
            il_test_problem_new("nonuniqueness", 2.7, SETS(table[k].m, table[k].alpha));
        CU_ASSERT_EQUAL(made.problem->nexact, table[k].nexact);
        for (size_t i = 0; i < made.problem->nexact; i++) {
            expect_solution(made.problem, i);
        }
        il_test_problem_free(&made);
    }
}

/* That end to a billionth, on both sides. */
static void two_solutions_end_at_a_closed_form(void) {
    const double s = (sqrt(297.0) - 3.0) / 8.0;
    for (int side = -1; side <= 1; side += 2) {
        char set[64];
        (void)snprintf(set, sizeof set, "alpha=%.17g", (s * s - 1.0) * (1.0 + side * 1e-9));
        il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, SETS(set));
        CU_ASSERT_EQUAL(made.problem->nexact, side < 0 ? 3 : 1);
        il_test_problem_free(&made);
    }
}

/* With alpha = 1.8, r = (sqrt 11.76 - 2.6)/2 before 3/2 C is on the wall; at 3/2 it is at r^2/2
 * with speed r, at 2 at r^2/2 + r/2 - 0.225 with r - 0.9. */
static void third_solution_by_hand(void) {
    il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, NULL);
    const il_exact *c = &made.problem->exact[2];
    double r = 0.5 * (sqrt(11.76) - 2.6);
    double q[2];
    double u[2];
    c->eval(c, 1.5, 0, &q[0], &u[0]);
    CU_ASSERT(fabs(q[0] - 0.5 * r * r) <= HAND && fabs(u[0] - r) <= HAND);
    c->eval(c, 2.0, 0, &q[0], &u[0]);
    CU_ASSERT(fabs(q[0] - (0.5 * r * r + 0.5 * r - 0.225)) <= HAND);
    CU_ASSERT(fabs(u[0] - (r - 0.9)) <= HAND);
    size_t k0 = 0;
    while (k0 + 1 < c->nbreaks && c->breaks[k0] < 1.25 - 0.5 * r) {
        k0++;
    }
    CU_ASSERT(fabs(c->breaks[k0] - (1.5 - r)) <= HAND);
    c->eval(c, c->breaks[k0], 1, &q[0], &u[0]);
    CU_ASSERT(q[0] == 0.0 && u[0] == 0.0);
    c->eval(c, c->breaks[k0], -1, &q[0], &u[0]);
    CU_ASSERT(fabs(q[0]) <= HAND && fabs(u[0] - 0.5 * (0.1 - r)) <= HAND); /* 1 - r - alpha/2 */
    for (int k = 1; k <= 1000; k++) {
        double t = 0.002 * k;
        c->eval(c, t, 0, &q[0], &u[0]);
        c->eval(c, 2.0 * t, 0, &q[1], &u[1]);
        CU_ASSERT(q[1] == 4.0 * q[0] && u[1] == 2.0 * u[0]);
    }
    il_test_problem_free(&made);
}

/* For alpha <= 4/3 the point never touches: q(t) = (7 - 5 alpha)/24 t^2 at t = 2^j. */
static void free_solution_by_hand(void) {
    il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, SETS("alpha=1.2"));
    const il_exact *c = &made.problem->exact[0];
    double q = NAN;
    double u = NAN;
    c->eval(c, 2.0, 0, &q, &u);
    CU_ASSERT(fabs(q - 4.0 / 24.0) <= HAND && fabs(u + 0.2) <= HAND);
    il_test_problem_free(&made);
}

/* |eigenvalues| of the motion over an octave at C, in scaled states: without contact those of
 * (q,u) -> ((q + u)/(4 mu), u/(2 mu)). Larger first. A landing's root costs some digits. */
static void multipliers_of_C(const char *m, const char *alpha, double *first, double *second) {
    il_test_problem made = il_test_problem_new("nonuniqueness", 4.0, SETS(m, alpha));
    const il_problem *problem = made.problem;
    const il_exact *c = &problem->exact[problem->nexact - 1];
    double z[2];
    double z1[2];
    double J[4];
    c->eval(c, 1.0, 1, &z[0], &z[1]);
    problem->type->scaling->flow(problem, 1.0, z, 2.0, z1, J);
    int position = problem->type->scaling->position(problem);
    CU_ASSERT(fabs(ldexp(z1[0], -position) - z[0]) <= 100.0 * HAND);
    CU_ASSERT(fabs(ldexp(z1[1], 1 - position) - z[1]) <= 100.0 * HAND);
    double trace = ldexp(J[0], -position) + ldexp(J[3], 1 - position);
    double det = ldexp(J[0] * J[3] - J[1] * J[2], 1 - 2 * position);
    double root = trace * trace - 4.0 * det;
    *first = root >= 0.0 ? 0.5 * (fabs(trace) + sqrt(root)) : sqrt(det);
    *second = root >= 0.0 ? 0.5 * fabs(fabs(trace) - sqrt(root)) : sqrt(det);
    il_test_problem_free(&made);
}

/* Just below the alpha at which A and B begin, and far below; just above, where it repels; and
 * above the alpha from which it attracts again. */
static void C_attracts_where_it_touches_nothing(void) {
    static const struct {
        const char *m, *far, *below, *above, *again;
        double mu;
    } table[] = {{"m=0", "alpha=0.7", "alpha=1.333", "alpha=1.334", "alpha=2.2", 1.0},
                 {"m=1", "alpha=1.1", "alpha=1.695", "alpha=1.696", "alpha=2.3", 2.0},
                 {"m=2", "alpha=1.6", "alpha=2.055", "alpha=2.056", "alpha=2.46", 4.0},
                 {"m=3", "alpha=2.0", "alpha=2.373", "alpha=2.374", "alpha=2.63", 8.0}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        double first = NAN;
        double second = NAN;
        for (int far = 0; far < 2; far++) {
            multipliers_of_C(table[k].m, far ? table[k].far : table[k].below, &first, &second);
            CU_ASSERT(fabs(first - 0.5 / table[k].mu) <= HAND);
            CU_ASSERT(fabs(second - 0.25 / table[k].mu) <= HAND);
        }
        multipliers_of_C(table[k].m, table[k].above, &first, &second);
        CU_ASSERT(first > 1.0);
        multipliers_of_C(table[k].m, table[k].again, &first, &second);
        CU_ASSERT(first < 1.0);
    }
}

static void other_starts_have_no_exact_solution(void) {
    static const char *const sets[][2] = {{"q0=0.1", NULL}, {"u0=1", NULL}, {"u0=-1", NULL}};
    for (size_t k = 0; k < 3; k++) {
        il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, sets[k]);
        CU_ASSERT_EQUAL(made.problem->nexact, 0);
        CU_ASSERT_PTR_NOT_NULL(made.problem->no_exact);
        il_test_problem_free(&made);
    }
}

static const il_test tests[] = {
    {"A, B and C solve the inclusion", all_solve},
    {"A, B and C solve it on other horizons", all_solve_on_other_horizons},
    {"A and B have the values of a calculation by hand", values_by_hand},
    {"doubling time exchanges A and B, to the last bit", scaling_exchanges_them},
    {"force means from zero to 2^j are (1 - alpha)/2", means_from_zero},
    {"force means match quadrature", means_match_quadrature},
    {"C exists for every alpha, A and B for 4/3 < alpha < 2.165592", solutions_exist_for},
    {"a force O(t^m) has several solutions for every m", flatter_forces_have_several_solutions},
    {"A and B end at ((sqrt(297) - 3)/8)^2 - 1", two_solutions_end_at_a_closed_form},
    {"C has the values of a calculation by hand", third_solution_by_hand},
    {"C never touches the wall for alpha <= 4/3", free_solution_by_hand},
    {"C attracts where it touches nothing", C_attracts_where_it_touches_nothing},
    {"no exact solution is offered from another start", other_starts_have_no_exact_solution},
    {NULL, NULL}};

const il_suite il_suite_nonuniqueness = {"nonuniqueness", tests};
