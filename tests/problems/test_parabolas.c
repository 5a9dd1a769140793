/*
 * test_parabolas.c - the properties that the paper lists for the two walls of vibroimpact, f_i = -g_i, on
 * the problem's own rows: derivatives, hypomonotony, the bound of the gradients, the kinks, the angle.
 */
#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "tests/support/expect.h"
#include "tests/support/suite.h"

enum { PAIRS = 20000 };

static il_test_problem scenario(const char *set, double horizon) {
    return il_test_problem_new("vibroimpact", horizon, (const char *const[]){set, NULL});
}

typedef struct {
    double g, rate, gradient[2];
} row;

static row row_at(const il_problem *problem, size_t i, double t, double x, double y) {
    double q[2] = {x, y};
    row r = {NAN, NAN, {NAN, NAN}};
    il_rows rows;
    il_rows_init(&rows);
    if (problem->type->row(problem, t, q, i, &rows) == IL_OK && rows.nnz == 2) {
        r = (row){rows.value[0], rows.rate[0], {rows.coef[0], rows.coef[1]}};
    }
    il_rows_free(&rows);
    return r;
}

static double norm(const double *v) {
    return hypot(v[0], v[1]);
}

/* Pieces of g are quadratic: central differences that stay in one are exact but for the rounding
 * of values below 20 over the step, 20 eps 2^8. */
static void gradients_and_rates_are_derivatives(void) {
    static const double step = 0x1p-8;
    static const double tolerance = 20.0 * DBL_EPSILON * 0x1p8;
    il_test_problem made = scenario("scenario=slide", 0.0);
    for (size_t i = 0; i < 2; i++) {
        for (int k = -40; k < 80; k++) {
            double x = 0.1 * k + 0.05; /* off the kinks by more than step */
            double t = 0.3;
            double y = 1.7;
            row r = row_at(made.problem, i, t, x, y);
            double dx = row_at(made.problem, i, t, x + step, y).g -
                        row_at(made.problem, i, t, x - step, y).g;
            double dy = row_at(made.problem, i, t, x, y + step).g -
                        row_at(made.problem, i, t, x, y - step).g;
            double dt = row_at(made.problem, i, t + step, x, y).g -
                        row_at(made.problem, i, t - step, x, y).g;
            CU_ASSERT(fabs(dx / (2.0 * step) - r.gradient[0]) <= tolerance);
            CU_ASSERT(fabs(dy / (2.0 * step) - r.gradient[1]) <= tolerance);
            CU_ASSERT(fabs(dt / (2.0 * step) - r.rate) <= tolerance);
            CU_ASSERT(-r.rate == -1.0);        /* d_t f_i = -1 */
            CU_ASSERT(-r.gradient[1] == -1.0); /* d_y f_i = -1: A2 with v = (0,1), mu = 1 */
        }
    }
    il_test_problem_free(&made);
}

/* A1(ii): <grad f(p) - grad f(q), p - q> >= -gamma |p - q|^2 with gamma = 1/2 and no smaller one;
 * A1(i): the gradient's own Lipschitz constant is 1/2 as well. */
static void gradients_are_hypomonotone(void) {
    il_test_problem made = scenario("scenario=slide", 0.0);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    gsl_rng_set(rng, 7);
    for (size_t i = 0; i < 2; i++) {
        double gamma = 0.0;
        double lipschitz = 0.0;
        for (size_t k = 0; k < PAIRS; k++) {
            double p[2] = {10.0 * gsl_rng_uniform(rng) - 3.0, gsl_rng_uniform(rng)};
            double q[2] = {10.0 * gsl_rng_uniform(rng) - 3.0, gsl_rng_uniform(rng)};
            q[1] = k % 2 == 0 ? q[1] : p[1];
            double apart[2] = {p[0] - q[0], p[1] - q[1]};
            row a = row_at(made.problem, i, 0.5, p[0], p[1]);
            row b = row_at(made.problem, i, 0.5, q[0], q[1]);
            double turn[2] = {b.gradient[0] - a.gradient[0], b.gradient[1] - a.gradient[1]};
            double square = norm(apart) * norm(apart);
            double least = turn[0] * apart[0] + turn[1] * apart[1];
            /* Differences of gradients below 4 carry a few roundings. */
            CU_ASSERT(least >= -0.5 * square - 1e-14);
            CU_ASSERT(norm(turn) <= 0.5 * norm(apart) + 1e-14);
            if (norm(apart) > 1e-3) {
                gamma = fmax(gamma, -least / square);
                lipschitz = fmax(lipschitz, norm(turn) / norm(apart));
            }
        }
        CU_ASSERT(gamma >= 0.99 * 0.5);
        CU_ASSERT(lipschitz >= 0.99 * 0.5);
    }
    gsl_rng_free(rng);
    il_test_problem_free(&made);
}

/* |grad g_i|^2 = 1 + z^2/4 with z the distance to the kink: sqrt(5)/2 bounds it up to |z| = 1 and
 * not beyond. */
static void gradient_bound_ends_at_one(void) {
    static const double kink[2] = {0.0, 4.0};
    static const double bound = 1.1180339887498949; /* sqrt(5)/2 */
    il_test_problem made = scenario("scenario=slide", 0.0);
    for (size_t i = 0; i < 2; i++) {
        for (int k = -40; k <= 40; k++) {
            double z = 0.05 * k;
            row r = row_at(made.problem, i, 0.0, kink[i] + z, 0.0);
            if (k >= -20 && k <= 20) {
                CU_ASSERT(norm(r.gradient) <= bound * (1.0 + 4.0 * DBL_EPSILON));
            } else {
                CU_ASSERT(norm(r.gradient) >= bound + 1e-3);
            }
        }
        row r = row_at(made.problem, i, 0.0, kink[i] - 1.0, 0.0);
        CU_ASSERT(fabs(norm(r.gradient) - bound) <= 4.0 * DBL_EPSILON);
    }
    il_test_problem_free(&made);
}

/* One-sided second difference of g_i in x at y + t = 0, exact in binary for these arguments. */
static double second_difference(const il_problem *problem, size_t i, double x, double h) {
    double g0 = row_at(problem, i, 0.0, x, 0.0).g;
    double g1 = row_at(problem, i, 0.0, x + h, 0.0).g;
    double g2 = row_at(problem, i, 0.0, x + 2.0 * h, 0.0).g;
    return (g2 - 2.0 * g1 + g0) / (h * h);
}

static void second_derivative_is_missing_at_one_kink_each(void) {
    static const double h = 0x1p-6;
    static const double kink[2] = {0.0, 4.0};
    static const double sign[2] = {1.0, -1.0}; /* g_1'' = sign(x)/2, g_2'' = -sign(x-4)/2 */
    il_test_problem made = scenario("scenario=slide", 0.0);
    for (size_t i = 0; i < 2; i++) {
        CU_ASSERT(second_difference(made.problem, i, kink[i], h) == 0.5 * sign[i]);
        CU_ASSERT(second_difference(made.problem, i, kink[i], -h) == -0.5 * sign[i]);
        for (int k = -3; k <= 7; k++) {
            double x = k;
            double right = second_difference(made.problem, i, x, h);
            double left = second_difference(made.problem, i, x, -h);
            CU_ASSERT((right == left) == (x != kink[i]));
            /* Convex in q (second derivative 1/2) toward the other kink, concave away from it. */
            CU_ASSERT(x == kink[i] || right == (sign[i] * (x - kink[i]) > 0.0 ? 0.5 : -0.5));
        }
    }
    il_test_problem_free(&made);
}

/* A4 asks <grad f_1, grad f_2> <= 0 where both are active: at the corner, and nowhere else, they
 * are, and the product vanishes. */
static void constraints_meet_in_one_right_angle(void) {
    il_test_problem made = scenario("scenario=slide", 0.0);
    for (int k = 0; k <= 4; k++) {
        double t = 0.5 * k;
        row a = row_at(made.problem, 0, t, 2.0, -1.0 - t);
        row b = row_at(made.problem, 1, t, 2.0, -1.0 - t);
        CU_ASSERT(a.g == 0.0 && b.g == 0.0);
        CU_ASSERT(a.gradient[0] * b.gradient[0] + a.gradient[1] * b.gradient[1] == 0.0);
        CU_ASSERT(fabs(norm(a.gradient) - sqrt(2.0)) <= 2.0 * DBL_EPSILON);
    }
    for (int k = -24; k <= 40; k++) {
        double x = 0.25 * k;
        double difference =
            row_at(made.problem, 0, 0.0, x, 0.0).g - row_at(made.problem, 1, 0.0, x, 0.0).g;
        CU_ASSERT(x < 2.0 ? difference < 0.0 : x > 2.0 ? difference > 0.0 : difference == 0.0);
    }
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"rows carry the derivatives of their values", gradients_and_rates_are_derivatives},
    {"gradients are hypomonotone with 1/2 and Lipschitz with 1/2", gradients_are_hypomonotone},
    {"sqrt(5)/2 bounds the gradients up to distance 1 from the kink", gradient_bound_ends_at_one},
    {"each constraint lacks a second derivative at its kink alone",
     second_derivative_is_missing_at_one_kink_each},
    {"both constraints are active at one right angle only", constraints_meet_in_one_right_angle},
    {NULL, NULL}};

const il_suite il_suite_parabolas = {"parabolas", tests};
