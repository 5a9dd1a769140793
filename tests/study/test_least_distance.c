/*
 * test_least_distance.c - the nearest point of a polyhedron: closed forms, chosen solutions, rows
 * that exclude each other.
 */
#include <math.h>

#include "harness/study/hypotheses/feasible.h"
#include "tests/support/suite.h"

enum { D_MAX = 12, P_MAX = 24 };

/* Some thousand roundings of numbers of size ten: a QR factorisation in twelve dimensions. */
static const double TOLERANCE = 1e-11;

/* Uniform in [-1, 1], the same in every run. */
static double uniform(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return 2.0 * (double)(*state >> 8) / (double)(1u << 24) - 1.0;
}

static void a_corner_has_its_closed_form(void) {
    /* two unit rows at angle theta: |y| = 1/cos(theta/2), lambda = 1/(2 cos^2(theta/2)) */
    for (int k = 1; k < 18; k++) {
        double theta = 0.17 * k;
        double g[] = {1.0, 0.0, cos(theta), sin(theta)};
        double h[] = {1.0, 1.0};
        double y[2];
        double lambda[2];
        il_polyhedron p = {.p = 2, .d = 2, .g = g, .h = h};
        CU_ASSERT_EQUAL(il_least_distance(&p, y, lambda, NULL), IL_OK);
        double c = cos(0.5 * theta);
        CU_ASSERT(fabs(hypot(y[0], y[1]) - 1.0 / c) <= TOLERANCE / c);
        CU_ASSERT(fabs(lambda[0] - 0.5 / (c * c)) <= TOLERANCE / (c * c));
        CU_ASSERT(fabs(lambda[1] - 0.5 / (c * c)) <= TOLERANCE / (c * c));
    }
}

/* G y >= h, lambda >= 0, y = G' lambda, lambda_i (<g_i, y> - h_i) = 0 to `loss` of the sizes. */
static bool is_nearest(const il_polyhedron *q, const double *y, const double *lambda, double loss) {
    double made[D_MAX] = {0};
    double size = 1.0;
    bool right = true;
    for (size_t i = 0; i < q->p; i++) {
        for (size_t k = 0; k < q->d; k++) {
            made[k] += lambda[i] * q->g[i * q->d + k];
            size = fmax(size, fabs(lambda[i]));
        }
    }
    for (size_t i = 0; i < q->p; i++) {
        double room = -q->h[i];
        for (size_t k = 0; k < q->d; k++) {
            room += q->g[i * q->d + k] * y[k];
        }
        right = right && room >= -loss * size && lambda[i] >= 0.0 &&
                fabs(lambda[i] * room) <= loss * size * size;
    }
    for (size_t k = 0; k < q->d; k++) {
        right = right && fabs(y[k] - made[k]) <= loss * size;
    }
    return right;
}

/* Rows at random around a point that satisfies them, many through that point itself, some of them
 * twice: the conditions of the minimum hold, and one multiplier more, or a row that is left out,
 * breaks them. */
static void the_conditions_of_the_minimum_hold(void) {
    unsigned state = 11;
    size_t caught = 0;
    for (int trial = 0; trial < 400; trial++) {
        size_t d = 2 + (size_t)(trial % (D_MAX - 1));
        double g[P_MAX * D_MAX] = {0};
        double h[P_MAX] = {0};
        double at[D_MAX];
        double y[D_MAX];
        double lambda[P_MAX];
        for (size_t k = 0; k < d; k++) {
            at[k] = uniform(&state);
        }
        for (size_t i = 0; i < P_MAX; i++) {
            bool again = i % 5 == 4; /* a row before it, longer */
            for (size_t k = 0; k < d; k++) {
                g[i * d + k] = again ? 3.0 * g[(i - 2) * d + k] : uniform(&state);
                h[i] += g[i * d + k] * at[k];
            }
            h[i] -= i % 3 == 0 ? 0.0 : 0.5 * fabs(uniform(&state));
        }
        il_polyhedron q = {.p = P_MAX, .d = d, .g = g, .h = h};
        CU_ASSERT_EQUAL_FATAL(il_least_distance(&q, y, lambda, NULL), IL_OK);
        CU_ASSERT(is_nearest(&q, y, lambda, 1e3 * TOLERANCE));
        for (size_t i = 0; i < P_MAX; i++) {
            if (lambda[i] > 1e-3) {
                lambda[i] *= 1.0 + 1e-4;
                caught += !is_nearest(&q, y, lambda, 1e3 * TOLERANCE);
                break;
            }
        }
    }
    CU_ASSERT(caught > 300);
}

/* sum mu_i g_i = 0 with mu > 0 and sum mu_i h_i > 0 (Farkas): nothing satisfies them. With the last
 * h smaller by the sum, something does. */
static void farkas_is_found(void) {
    unsigned state = 5;
    for (int trial = 0; trial < 200; trial++) {
        size_t d = 1 + (size_t)(trial % D_MAX);
        size_t p = d + 1;
        double g[P_MAX * D_MAX] = {0};
        double h[P_MAX];
        double y[D_MAX];
        double sum = 0.0;
        for (size_t i = 0; i < d; i++) {
            double mu = 1.1 + uniform(&state);
            h[i] = uniform(&state);
            sum += mu * h[i];
            for (size_t k = 0; k < d; k++) {
                g[i * d + k] = uniform(&state);
                g[d * d + k] -= mu * g[i * d + k];
            }
        }
        h[d] = 0.1 - sum;
        il_polyhedron q = {.p = p, .d = d, .g = g, .h = h};
        CU_ASSERT_EQUAL(il_least_distance(&q, y, NULL, NULL), IL_EINFEASIBLE);
        h[d] = -0.1 - sum;
        CU_ASSERT_EQUAL(il_least_distance(&q, y, NULL, NULL), IL_OK);
    }
}

static void rows_that_exclude_each_other_are_told(void) {
    const double g[] = {1, 0, -1, 0};
    const double opposite[] = {1, 1};
    const double nan_rows[] = {NAN, 0, -1, 0};
    double y[2];
    il_error err = {IL_OK, ""};
    il_polyhedron p = {.p = 2, .d = 2, .g = g, .h = opposite};
    CU_ASSERT_EQUAL(il_least_distance(&p, y, NULL, &err), IL_EINFEASIBLE);
    CU_ASSERT_STRING_EQUAL(err.message, "no point satisfies the 2 rows");
    p.g = nan_rows;
    CU_ASSERT_EQUAL(il_least_distance(&p, y, NULL, &err), IL_ENUMERIC);
}

static const il_test tests[] = {
    {"a corner has its closed form", a_corner_has_its_closed_form},
    {"the conditions of the minimum hold", the_conditions_of_the_minimum_hold},
    {"Farkas is found", farkas_is_found},
    {"rows that exclude each other are told", rows_that_exclude_each_other_are_told},
    {NULL, NULL}};
const il_suite il_suite_least_distance = {"least_distance", tests};
