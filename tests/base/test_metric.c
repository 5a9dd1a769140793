/*
 * test_metric.c - the mass matrix: its factor and its answers against what it came from, dense
 * against diagonal, and what is no mass.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/base/metric.h"
#include "harness/base/status.h"
#include "tests/support/suite.h"

/* ---- the mass matrix ------------------------------------------------------------------------ */

enum { D = 4 };

/* The second-difference matrix tridiag(-1, 2, -1): eigenvalues 2 - 2 cos(k pi / (d+1)), and
 * <x, M x> = x_1^2 + sum (x_{k+1} - x_k)^2 + x_d^2. */
static il_metric *second_difference(void) {
    double m[D * D] = {0.0};
    for (size_t k = 0; k < D; k++) {
        m[k * D + k] = 2.0;
        if (k + 1 < D) {
            m[k * D + k + 1] = m[(k + 1) * D + k] = -1.0;
        }
    }
    il_metric *metric = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_dense(&metric, D, m, NULL), IL_OK);
    return metric;
}

/* Condition number below 10 and four unknowns: a few dozen roundings of numbers below 10. */
static const double DENSE = 100.0 * DBL_EPSILON;

static void check_factor(const il_metric *metric, const double *x, const double *y) {
    double a[D];
    double b[D];
    double sum = 0.0;
    il_metric_whiten(metric, x, a);
    il_metric_whiten(metric, y, b);
    for (size_t k = 0; k < D; k++) {
        sum += a[k] * b[k]; /* <L^{-1}x, L^{-1}y> = x' M^{-1} y */
    }
    il_metric_solve(metric, y, b);
    double direct = 0.0;
    for (size_t k = 0; k < D; k++) {
        direct += x[k] * b[k];
    }
    CU_ASSERT(fabs(sum - direct) <= DENSE);
    il_metric_unwhiten(metric, a, a);
    il_metric_solve(metric, x, b);
    for (size_t k = 0; k < D; k++) {
        CU_ASSERT(fabs(a[k] - b[k]) <= DENSE); /* L^{-T} L^{-1} = M^{-1} */
    }
}

static void dense_metrics_multiply_and_solve(void) {
    il_metric *metric = second_difference();
    const double x[D] = {1.0, -2.0, 0.5, 3.0};
    const double y[D] = {0.25, 1.0, -1.0, 2.0};
    double z[D];
    CU_ASSERT(fabs(il_metric_smallest(metric) - (2.0 - 2.0 * cos(M_PI / (D + 1)))) <= DENSE);
    CU_ASSERT_EQUAL(il_metric_size(metric), D);
    CU_ASSERT_PTR_NULL(il_metric_masses(metric));
    il_metric_mul(metric, x, z);
    CU_ASSERT(z[0] == 4.0 && z[1] == -5.5 && z[2] == 0.0 && z[3] == 5.5); /* exact: binary */
    il_metric_solve(metric, z, z);
    for (size_t k = 0; k < D; k++) {
        CU_ASSERT(fabs(z[k] - x[k]) <= DENSE);
    }
    /* 1 + 9 + 6.25 + 6.25 + 9 */
    CU_ASSERT(fabs(il_metric_inner(metric, x, x) - 31.5) <= DENSE);
    CU_ASSERT(fabs(il_metric_inner(metric, x, y) - il_metric_inner(metric, y, x)) <= DENSE);
    check_factor(metric, x, y);
    il_metric_destroy(metric);
    il_metric_destroy(NULL);
}

static void diagonal_metrics_agree_with_dense_ones(void) {
    const double mass[D] = {1.0, 4.0, 0.25, 9.0};
    double full[D * D] = {0.0};
    for (size_t k = 0; k < D; k++) {
        full[k * D + k] = mass[k];
    }
    il_metric *diagonal = NULL;
    il_metric *dense = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&diagonal, D, mass, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_metric_dense(&dense, D, full, NULL), IL_OK);
    const double x[D] = {1.0, -2.0, 0.5, 3.0};
    double a[D];
    double b[D];
    void (*const maps[])(const il_metric *, const double *, double *) = {
        il_metric_mul, il_metric_solve, il_metric_whiten, il_metric_unwhiten};
    for (size_t j = 0; j < 4; j++) {
        maps[j](diagonal, x, a);
        maps[j](dense, x, b);
        for (size_t k = 0; k < D; k++) {
            CU_ASSERT(fabs(a[k] - b[k]) <= DENSE);
        }
    }
    CU_ASSERT(il_metric_inner(diagonal, x, x) == 98.0625); /* 1 + 16 + 1/16 + 81 */
    CU_ASSERT(fabs(il_metric_inner(dense, x, x) - 98.0625) <= 10.0 * DENSE);
    CU_ASSERT(il_metric_smallest(diagonal) == 0.25);
    CU_ASSERT(fabs(il_metric_smallest(dense) - 0.25) <= DENSE);
    CU_ASSERT(memcmp(il_metric_masses(diagonal), mass, sizeof mass) == 0);
    check_factor(diagonal, x, a);
    il_metric_destroy(diagonal);
    il_metric_destroy(dense);
}

static void masses_that_are_no_masses_are_refused(void) {
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        il_metric *metric = NULL;
        il_error err = {IL_OK, ""};
        const double mass[] = {1.0, bad[k]};
        CU_ASSERT_EQUAL(il_metric_diagonal(&metric, 2, mass, &err), IL_EINVAL);
        CU_ASSERT_PTR_NULL(metric);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "mass 2 is"));
    }
}

static void matrices_that_are_no_metrics_are_refused(void) {
    static const struct {
        double m[4];
        const char *word;
    } bad[] = {{{1.0, 0.5, 0.4, 1.0}, "not symmetric"},
               {{1.0, 2.0, 2.0, 1.0}, "smallest eigenvalue is -1"},
               {{1.0, 1.0, 1.0, 1.0}, "not positive definite"},
               {{0.0, 0.0, 0.0, 0.0}, "not positive definite"},
               {{1.0, 0.0, 0.0, NAN}, "not finite"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        il_metric *metric = NULL;
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL(il_metric_dense(&metric, 2, bad[k].m, &err), IL_EINVAL);
        CU_ASSERT_PTR_NULL(metric);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, bad[k].word));
        il_metric_destroy(metric);
    }
}

/* n - max(i,j) in units of 40 times the least number: the eigenvalues are
 * 1/(4 sin^2 ((2k-1) pi/(4n + 2))), k to n, and have up to three digits. GSL's iteration went on
 * for ever. */
static void matrices_of_few_digits_have_eigenvalues(void) {
    enum { N = 7 };
    static const double UNIT = 5e-324;
    double m[N * N];
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            m[i * N + j] = (double)(40 * (N - (i > j ? i : j))) * UNIT;
        }
    }
    il_metric *metric = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_dense(&metric, N, m, NULL), IL_OK);
    double least = 40.0 / (4.0 * pow(sin((2.0 * N - 1.0) * M_PI / (4.0 * N + 2.0)), 2.0));
    CU_ASSERT_EQUAL(il_metric_smallest(metric) / UNIT, rint(least));
    il_metric_destroy(metric);
}

static const il_test tests[] = {
    {"dense metrics multiply, solve and factor", dense_metrics_multiply_and_solve},
    {"diagonal metrics agree with dense ones", diagonal_metrics_agree_with_dense_ones},
    {"masses that are not positive and finite are refused", masses_that_are_no_masses_are_refused},
    {"matrices that are no metrics are refused with the reason",
     matrices_that_are_no_metrics_are_refused},
    {"matrices of few digits have eigenvalues", matrices_of_few_digits_have_eigenvalues},
    {NULL, NULL}};

const il_suite il_suite_metric = {"metric", tests};
