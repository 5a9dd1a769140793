/*
 * test_uzawa.c - the step rho of Maury's solver: measured where bodies do not see each other, and
 * how long it may be.
 */
#include <math.h>
#include <string.h>

#include "tests/support/kkt.h"
#include "tests/support/planted.h"
#include "tests/support/suite.h"

/* Forty balls on a floor, one of them light: forty rows that do not see each other. The top of the
 * spectrum belongs to the light ball alone, which a power iteration can miss. */
static void uzawa_sees_a_lone_light_body(void) {
    for (size_t light = 0; light < 40; light++) {
        il_kkt w;
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = w.p = 40;
        double mass[IL_KKT_D_MAX];
        double slack[IL_KKT_P_MAX] = {0.0};
        const double one = 1.0;
        for (size_t k = 0; k < w.d; k++) {
            mass[k] = k == light ? 0.2 : 1.0;
            w.lambda[k] = 1.0;
            il_rows_append(&w.rows, k, 0.0, 0.0, 1, &k, &one);
        }
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w.metric, w.d, mass, NULL), IL_OK);
        il_kkt_plant(&w, 1.0, slack);
        CU_ASSERT_EQUAL(il_kkt_check(&w, il_answer_type("uzawa")), false);
        il_kkt_free(&w);
    }
}

/* Solve with Uzawa at a given rho; returns the status. */
static il_status uzawa_at(const il_qp *qp, double rho, il_rho_rule rule, size_t limit,
                          il_projection_info *info) {
    const il_projector_type *type = il_answer_type("uzawa");
    il_projector_options options = {
        .tolerance = 1e-10, .max_iterations = limit, .rho_rule = rule, .rho = rho};
    double x[IL_KKT_D_MAX];
    double lambda[IL_KKT_P_MAX] = {0.0};
    void *self = NULL;
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    il_status status = type->solve(self, qp, x, lambda, info);
    type->destroy(self);
    return status;
}

/* Maury, Proposition 1 and Remark 8, on a row of touching equal spheres in space, where the norm is
 * known: B B' for N - 1 contacts in a row is tridiagonal (2, -1), with largest eigenvalue
 * 2 + 2 cos(pi/N), so that rho_max = 2 m / (h^2 (2 + 2 cos(pi/N))). */
static void uzawa_converges_below_rho_max_and_not_above(void) {
    enum { N = 12 };
    const double m = 2.0;
    const double h = 0.1;
    il_kkt w;
    memset(&w, 0, sizeof w);
    il_rows_init(&w.rows);
    w.d = 3 * N;
    double mass[3 * N];
    double slack[IL_KKT_P_MAX] = {0.0};
    for (size_t k = 0; k < w.d; k++) {
        mass[k] = m;
        w.x[k] = 0.5;
    }
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w.metric, w.d, mass, NULL), IL_OK);
    for (size_t i = 0; i + 1 < N; i++) {
        size_t col[2] = {3 * i, 3 * i + 3};
        double coef[2] = {-1.0, 1.0};
        il_rows_append(&w.rows, i, 0.0, 0.0, 2, col, coef);
        w.lambda[w.p++] = 1.0 + 0.1 * (double)i;
    }
    il_kkt_plant(&w, h, slack);
    double rho_max = 2.0 * m / (h * h * (2.0 + 2.0 * cos(M_PI / N)));
    double maury = m / (2.0 * 12.0 * h * h * sqrt(3.0)); /* Remark 8, d = 3, kappa = 12 */
    il_projection_info used = {0};
    CU_ASSERT_EQUAL(uzawa_at(&w.qp, 0.999 * rho_max, IL_RHO_GIVEN, 200000, &used), IL_OK);
    /* cycling (not converged) or overflow: never a solution */
    CU_ASSERT_NOT_EQUAL(uzawa_at(&w.qp, 1.05 * rho_max, IL_RHO_GIVEN, 200000, &used), IL_OK);
    CU_ASSERT_EQUAL(uzawa_at(&w.qp, 0.0, IL_RHO_MEASURED, 200000, &used), IL_OK);
    /* 0.9 rho_max from a power iteration stopped at 1e-4, which approaches from below slowly */
    CU_ASSERT(used.rho >= 0.9 * rho_max && used.rho <= 0.98 * rho_max);
    CU_ASSERT_EQUAL(uzawa_at(&w.qp, 0.0, IL_RHO_EXPLICIT, 200000, &used), IL_OK);
    CU_ASSERT(used.rho >= maury && used.rho < rho_max);
    /* lost in rounding: told after a look or two, not after the limit, and with what it needs
       at a hundredth of rho_max it does not give up */
    const double lost[] = {1e-300, 1e-30};
    for (size_t k = 0; k < sizeof lost / sizeof *lost; k++) {
        CU_ASSERT_EQUAL(uzawa_at(&w.qp, lost[k], IL_RHO_GIVEN, 1000000, &used), IL_ESTALLED);
        CU_ASSERT(used.iterations <= 2000); /* two windows */
    }
    CU_ASSERT_EQUAL(uzawa_at(&w.qp, 0.01 * rho_max, IL_RHO_GIVEN, 1000000, &used), IL_OK);
    CU_ASSERT(used.iterations > 2000);
    il_kkt_free(&w);
}

/* Rows on which the fixed start of the power iteration is an eigenvector, and not that of the
 * largest eigenvalue: two bodies of one mass, pushed by rows along the start and across it. What
 * is measured is then too small, by whatever the rows across are longer, and the step too long; it
 * is halved until it leads to the answer, and is below rho_max. The start is
 * (1 + sin(1)/2, 1 - 3 sin(3)/2). */
static void a_norm_that_was_missed_is_mended(void) {
    const double v[2] = {1.0 + 0.5 * sin(1.0), 1.0 - 1.5 * sin(3.0)};
    const double unit = sqrt(v[0] * v[0] + v[1] * v[1]);
    static const double longer[] = {1.5, 3.0, 10.0};
    for (size_t k = 0; k < sizeof longer / sizeof longer[0]; k++) {
        il_kkt w;
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = w.p = 2;
        /* B = sqrt(W) of W = v v' + longer^2 w w', w across v, both of length one */
        for (size_t i = 0; i < w.p; i++) {
            const double c[2] = {v[i] / unit, (i == 0 ? -v[1] : v[0]) / unit};
            static const size_t col[2] = {0, 1};
            const double b[2] = {
                c[0] * v[0] / unit - longer[k] * c[1] * v[1] / unit,
                c[0] * v[1] / unit + longer[k] * c[1] * v[0] / unit,
            };
            il_rows_append(&w.rows, i, 0.0, 0.0, 2, col, b);
            w.lambda[i] = 1.0;
        }
        const double mass[2] = {1.0, 1.0};
        double slack[2] = {0.0, 0.0};
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w.metric, w.d, mass, NULL), IL_OK);
        il_kkt_plant(&w, 1.0, slack);
        il_projection_info info;
        CU_ASSERT_EQUAL(uzawa_at(&w.qp, 0.0, IL_RHO_MEASURED, 100000, &info), IL_OK);
        CU_ASSERT(info.rho < 2.0 / (longer[k] * longer[k]));
        il_kkt_free(&w);
    }
}

static const il_test tests[] = {
    {"uzawa sees a lone light body", uzawa_sees_a_lone_light_body},
    {"uzawa converges below rho_max and not above, nor where rho is lost in rounding",
     uzawa_converges_below_rho_max_and_not_above},
    {"a norm that was missed is mended", a_norm_that_was_missed_is_mended},
    {NULL, NULL}};

const il_suite il_suite_uzawa = {"uzawa", tests};
