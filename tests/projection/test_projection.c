/*
 * test_projection.c - every projector on harder problems built from a chosen KKT point: dense
 * masses, large multipliers, piles. What all promise is in test_projectors.c.
 */
#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "schemes/projection/newton/dual.h"
#include "tests/support/allocation.h"
#include "tests/support/kkt.h"
#include "tests/support/planted.h"
#include "tests/support/suite.h"

static size_t check_all(const il_kkt *w) {
    size_t stalled = 0;
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        stalled += il_kkt_check(w, il_projector_type_at(k));
    }
    return stalled;
}

static void random_problems_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t stalled = 0;
    for (int trial = 0; trial < 200; trial++) {
        il_kkt w;
        size_t d = 1 + gsl_rng_uniform_int(rng, 12);
        size_t p = gsl_rng_uniform_int(rng, 2 * d + 1);
        il_kkt_random(&w, rng, d, p, trial % 3 == 0, 0, 100.0);
        stalled += check_all(&w);
        il_kkt_free(&w);
    }
    CU_ASSERT(stalled <= 4); /* nearly parallel rows: a million iterations are not enough */
    gsl_rng_free(rng);
}

static void larger_problems_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 10; trial++) {
        il_kkt w;
        il_kkt_random(&w, rng, IL_KKT_D_MAX, IL_KKT_P_MAX, trial % 2 == 0, 0, 10.0);
        (void)il_kkt_check(&w, il_answer_type("active_set"));
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

/* Masses in the ratio 1e6: the exact solvers still certify. */
static void unequal_masses_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 50; trial++) {
        il_kkt w;
        il_kkt_random(&w, rng, 8, 10, false, trial % 2 ? 2 : 0, 1e6);
        (void)il_kkt_check(&w, il_answer_type("active_set"));
        (void)il_kkt_check(&w, il_answer_type("auto"));
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

/* The contacts of a hexagonal pile of discs: about 3N rows for 2N unknowns, so that multipliers are
 * not unique (Maury, section 4). Pressed together from outside; the velocity is. */
static void crystals_are_solved(void) {
    enum { SIDE = 5, BODIES = SIDE * SIDE };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double place[BODIES][2];
    for (size_t i = 0; i < BODIES; i++) {
        size_t layer = i / SIDE;
        place[i][0] = (double)(i % SIDE) + (layer % 2 == 1 ? 0.5 : 0.0);
        place[i][1] = sqrt(0.75) * (double)layer;
    }
    for (int trial = 0; trial < 10; trial++) {
        il_kkt w;
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = 2 * BODIES;
        w.metric = il_kkt_metric(rng, w.d, false, 1.0 + trial);
        double slack[IL_KKT_P_MAX];
        for (size_t i = 0; i < BODIES; i++) {
            for (size_t j = i + 1; j < BODIES; j++) {
                double e[2] = {place[j][0] - place[i][0], place[j][1] - place[i][1]};
                if (hypot(e[0], e[1]) > 1.0 + 1e-9) {
                    continue;
                }
                size_t col[4] = {2 * i, 2 * i + 1, 2 * j, 2 * j + 1};
                double coef[4] = {-e[0], -e[1], e[0], e[1]};
                il_rows_append(&w.rows, w.p, 0.0, 0.0, 4, col, coef);
                w.lambda[w.p] = il_uniform(rng, 0.0, 1.0); /* some nearly zero */
                slack[w.p++] = 0.0;
            }
        }
        CU_ASSERT(w.p > w.d); /* more contacts than unknowns */
        for (size_t k = 0; k < w.d; k++) {
            w.x[k] = 0.3; /* a common motion keeps every contact */
        }
        il_kkt_plant(&w, 1.0, slack);
        (void)il_kkt_check(&w, il_answer_type("active_set"));
        (void)il_kkt_check(&w, il_answer_type("auto"));
        (void)il_kkt_check(&w, il_answer_type("uzawa"));
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

/* A body held between two opposite walls, in contact with both and at rest: x and the target are
 * far smaller than the multipliers that cancel, and the second wall depends on the first. A third
 * row pushes sideways. Nothing here is infeasible. */
static void opposite_walls_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 3000; trial++) {
        il_kkt w;
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = 3;
        w.metric = il_kkt_metric(rng, w.d, trial % 2 == 1, trial % 3 == 0 ? 1e4 : 1.0);
        double n[3][3];
        const size_t col[3] = {0, 1, 2};
        for (size_t k = 0; k < 3; k++) {
            n[0][k] = il_uniform(rng, -1.0, 1.0);
            n[1][k] = -n[0][k];
            n[2][k] = il_uniform(rng, -1.0, 1.0);
        }
        const double slack[3] = {0.0, 0.0, 0.0};
        for (size_t i = 0; i < 3; i++) {
            il_rows_append(&w.rows, i, 0.0, 0.0, 3, col, n[i]);
            w.lambda[i] = i == 1 ? 0.0 : il_uniform(rng, 0.1, 2.0);
        }
        w.p = 3; /* x = 0: in contact with everything */
        il_kkt_plant(&w, 1.0, slack);
        (void)il_kkt_check(&w, il_answer_type("active_set"));
        (void)il_kkt_check(&w, il_answer_type("auto"));
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

/* A wrong answer does not pass: the certificate of a shifted point, of a negative multiplier and of
 * a missing force. */
static void the_certificate_can_fail(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_kkt w;
    double work[2 * IL_KKT_D_MAX];
    il_kkt_random(&w, rng, 6, 6, false, 0, 10.0);
    w.lambda[0] = 0.0;
    il_certificate good = il_certify(&w.qp, w.x, w.lambda, work);
    w.x[0] += 1e-3;
    il_certificate shifted = il_certify(&w.qp, w.x, w.lambda, work);
    CU_ASSERT(shifted.stationarity >= 1e-4);
    w.x[0] -= 1e-3;
    w.lambda[0] = -1e-3;
    il_certificate negative = il_certify(&w.qp, w.x, w.lambda, work);
    CU_ASSERT(negative.dual <= -1e-3 && good.dual >= 0.0);
    w.lambda[0] = NAN;
    il_certificate lost = il_certify(&w.qp, w.x, w.lambda, work);
    CU_ASSERT(isnan(lost.dual) && isnan(lost.stationarity));
    il_kkt_free(&w);
    gsl_rng_free(rng);
}

/* Exact is a matter of relative size: an answer is one in any units, and its displacement by 1e-9
 * of its size is none, nor are a NaN and a size that is infinite. The units of mass, length and
 * time go by powers of two, so that nothing is rounded. */
static void exact_is_relative(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double work[2 * IL_KKT_D_MAX];
    for (int units = -90; units <= 90; units += 10) {
        il_kkt w;
        double x[IL_KKT_D_MAX];
        double target[IL_KKT_D_MAX];
        double a[IL_KKT_P_MAX];
        il_kkt_random(&w, rng, 6, 6, false, 0, 1e6);
        il_qp qp = w.qp;
        qp.target = target;
        qp.a = a;
        for (size_t k = 0; k < qp.d; k++) {
            x[k] = ldexp(w.x[k], units);
            target[k] = ldexp(w.qp.target[k], units);
        }
        for (size_t i = 0; i < qp.rows->p; i++) {
            a[i] = ldexp(w.qp.a[i], units);
            w.lambda[i] = ldexp(w.lambda[i], units);
        }
        il_certificate c = il_certify(&qp, x, w.lambda, work);
        CU_ASSERT(il_certificate_holds(&c, true, 0.0));
        size_t pushing = 0;
        while (pushing + 1 < qp.rows->p && !(w.lambda[pushing] > 0.0)) {
            pushing++;
        }
        a[pushing] -= 1e-9 * c.size; /* as if the row had been missed by so much */
        c = il_certify(&qp, x, w.lambda, work);
        CU_ASSERT_FALSE(il_certificate_holds(&c, true, 0.0));
        CU_ASSERT(il_certificate_holds(&c, true, 2e-9 * c.size)); /* which was asked for */
        w.lambda[pushing] = NAN;
        c = il_certify(&qp, x, w.lambda, work);
        CU_ASSERT_FALSE(il_certificate_holds(&c, true, 0.0));
        c = (il_certificate){.residual = 1.0, .size = INFINITY};
        CU_ASSERT_FALSE(il_certificate_holds(&c, true, 0.0));
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

/* One row of coefficient 3, a mass of 2 and s = 2: W = 4 9/2 = 18. Gaps of either sign and
 * multipliers of either sign, all of them dyadic: the residual is |min(18 lambda, g)| to the bit,
 * and 0 for those pairs alone that solve. */
static void the_residual_is_that_of_complementarity(void) {
    static const double gaps[] = {-2.0, -0.5, 0.0, 0.5, 2.0};
    static const double lambdas[] = {-1.0, -0.015625, 0.0, 0.0625, 1.0};
    const double mass = 2.0;
    const double coef = 3.0;
    const size_t col = 0;
    const double x = 1.0;
    const double target = 0.25;
    double work[2];
    il_metric *metric = NULL;
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&metric, 1, &mass, NULL), IL_OK);
    il_rows_append(&rows, 0, 0.0, 0.0, 1, &col, &coef);
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        for (size_t j = 0; j < sizeof lambdas / sizeof lambdas[0]; j++) {
            const double a = gaps[i] - 6.0;
            const il_qp qp = {
                .d = 1, .mass = metric, .target = &target, .rows = &rows, .a = &a, .scale = 2.0};
            il_certificate c = il_certify(&qp, &x, &lambdas[j], work);
            bool solves = lambdas[j] >= 0.0 && gaps[i] >= 0.0 && lambdas[j] * gaps[i] == 0.0;
            CU_ASSERT_EQUAL(c.residual, fabs(fmin(18.0 * lambdas[j], gaps[i])));
            CU_ASSERT_EQUAL(c.residual == 0.0, solves);
        }
    }
    il_metric_destroy(metric);
    il_rows_free(&rows);
}

/* A body of mass 1 pressed by 1e15 from both sides, between bodies of 1e20: what a rounding of
 * these pushes could move it by does not excuse an overlap of 1e-3, and one of 1e-12 needs no
 * excuse. */
static void pushes_that_cancel_hide_no_overlap(void) {
    const double target[] = {1e-5, 0.0, -1e-5};
    const double x[] = {0.0, 0.0, 0.0};
    const double m[] = {1e20, 1.0, 1e20};
    const double lambda[] = {1e15, 1e15};
    double work[6];
    il_rows rows;
    il_kkt_line(&rows, 3);
    il_metric *mass = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&mass, 3, m, NULL), IL_OK);
    for (int seen = 0; seen < 2; seen++) {
        const double a[] = {0.0, seen ? -1e-3 : -1e-12};
        const il_qp qp = {
            .d = 3, .mass = mass, .target = target, .rows = &rows, .a = a, .scale = 1.0};
        il_certificate c = il_certify(&qp, x, lambda, work);
        CU_ASSERT_EQUAL(il_certificate_holds(&c, true, 0.0), !seen);
    }
    il_metric_destroy(mass);
    il_rows_free(&rows);
}

/* One row in a metric that is not diagonal, M = (2 1; 1 2): from (0,0) onto x_1 >= 1 the way is
 * M^{-1} (1,0) = (2,-1)/3 times 3/2. The second time nothing is allocated. */
static void one_row_in_a_dense_metric(void) {
    static const double matrix[4] = {2.0, 1.0, 1.0, 2.0};
    static const double target[2] = {0.0, 0.0};
    static const double a = -1.0;
    static const size_t col = 0;
    static const double coef = 1.0;
    const il_projector_type *type = NULL;
    il_metric *metric = NULL;
    il_rows rows;
    void *self = NULL;
    il_projector_options options = {0};
    il_rows_init(&rows);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("one_row", &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_metric_dense(&metric, 2, matrix, NULL), IL_OK);
    il_rows_append(&rows, 0, 0.0, 0.0, 1, &col, &coef);
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    il_qp qp = {.d = 2, .mass = metric, .target = target, .rows = &rows, .a = &a, .scale = 1.0};
    size_t calls[2];
    for (int k = 0; k < 2; k++) {
        double x[2];
        double lambda = 0.0;
        il_projection_info info;
        size_t before = allocation_count();
        CU_ASSERT_EQUAL(type->solve(self, &qp, x, &lambda, &info), IL_OK);
        calls[k] = allocation_count() - before;
        CU_ASSERT(fabs(x[0] - 1.0) <= 1e-15 && fabs(x[1] + 0.5) <= 1e-15);
        CU_ASSERT(fabs(lambda - 1.5) <= 1e-15);
    }
    CU_ASSERT(!allocation_counted() || (calls[0] > 0 && calls[1] == 0));
    type->destroy(self);
    il_rows_free(&rows);
    il_metric_destroy(metric);
}

/* x_1 >= 1 + 1e-11 from (1, 0), and two rows (1, 0), (1, 1e-6) that meet in (1, 1) and push with 1
 * each: little is missing and little tells the rows apart, but both are far above rounding. x_2 is
 * known to a rounding over 1e-6. */
static void active_set_sees_what_is_small(void) {
    static const double masses[2] = {1.0, 1.0};
    static const size_t col[2] = {0, 1};
    const double tilt = 1e-6;
    const double coef[2][2] = {{1.0, 0.0}, {1.0, tilt}};
    const double a[2][2] = {{-(1.0 + 1e-11), 0.0}, {-1.0, -(1.0 + tilt)}};
    const double target[2][2] = {{1.0, 0.0}, {-1.0, 1.0 - tilt}};
    const double wanted[2][2] = {{1.0 + 1e-11, 0.0}, {1.0, 1.0}};
    const il_projector_type *type = il_answer_type("active_set");
    for (size_t k = 0; k < 2; k++) {
        il_projector_options options = {0};
        il_projection_info info;
        il_metric *metric = NULL;
        il_rows rows;
        void *self = NULL;
        double x[2] = {NAN, NAN};
        double lambda[2] = {NAN, NAN};
        il_rows_init(&rows);
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&metric, 2, masses, NULL), IL_OK);
        for (size_t i = 0; i <= k; i++) {
            il_rows_append(&rows, i, 0.0, 0.0, 2, col, coef[i]);
        }
        CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
        const il_qp qp = {
            .d = 2, .mass = metric, .target = target[k], .rows = &rows, .a = a[k], .scale = 1.0};
        CU_ASSERT_EQUAL(type->solve(self, &qp, x, lambda, &info), IL_OK);
        CU_ASSERT(fabs(x[0] - wanted[k][0]) <= 1e-15);
        CU_ASSERT(fabs(x[1] - wanted[k][1]) <= 4.0 * DBL_EPSILON / tilt);
        type->destroy(self);
        il_rows_free(&rows);
        il_metric_destroy(metric);
    }
}

/* With n = (0.6, 0.8) and m across it, <n, x> >= 0 and <tilt m - n, x> >= 1 from 0: x = m/tilt, by
 * multipliers of 1/tilt^2. The sum that makes x of these cancels but for a rounding of 1/tilt^2,
 * some 100; rows that hold leave less than 1e-9 of the numbers they are made of, 1/tilt. */
static void multipliers_that_cancel_move_no_row(void) {
    static const double masses[2] = {1.0, 1.0};
    static const double target[2] = {0.0, 0.0};
    static const double a[2] = {0.0, -1.0};
    static const size_t col[2] = {0, 1};
    const il_projector_type *type = il_answer_type("active_set");
    for (int n = 1; n <= 8; n++) {
        double tilt = n * 1e-9;
        const double coef[2][2] = {{0.6, 0.8}, {-0.8 * tilt - 0.6, 0.6 * tilt - 0.8}};
        il_projector_options options = {0};
        il_projection_info info;
        il_metric *metric = NULL;
        il_rows rows;
        void *self = NULL;
        double x[2] = {NAN, NAN};
        double lambda[2] = {0.0, 0.0};
        il_rows_init(&rows);
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&metric, 2, masses, NULL), IL_OK);
        for (size_t i = 0; i < 2; i++) {
            il_rows_append(&rows, i, 0.0, 0.0, 2, col, coef[i]);
        }
        CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
        const il_qp qp = {
            .d = 2, .mass = metric, .target = target, .rows = &rows, .a = a, .scale = 1.0};
        CU_ASSERT_EQUAL(type->solve(self, &qp, x, lambda, &info), IL_OK);
        for (size_t i = 0; i < 2; i++) {
            double g = a[i] + coef[i][0] * x[0] + coef[i][1] * x[1];
            CU_ASSERT(fabs(g) <= 1e-9 / tilt);
        }
        type->destroy(self);
        il_rows_free(&rows);
        il_metric_destroy(metric);
    }
}

static const il_test tests[] = {
    {"active_set sees what is small", active_set_sees_what_is_small},
    {"multipliers that cancel move no row", multipliers_that_cancel_move_no_row},
    {"one row in a dense metric", one_row_in_a_dense_metric},
    {"random problems are solved by every projector", random_problems_are_solved},
    {"larger problems are solved", larger_problems_are_solved},
    {"masses in the ratio 1e6 are solved", unequal_masses_are_solved},
    {"crystals with more contacts than unknowns are solved", crystals_are_solved},
    {"opposite walls are solved", opposite_walls_are_solved},
    {"the certificate can fail", the_certificate_can_fail},
    {"the residual is that of complementarity", the_residual_is_that_of_complementarity},
    {"exact is relative to the numbers of the problem", exact_is_relative},
    {"pushes that cancel hide no overlap", pushes_that_cancel_hide_no_overlap},
    {NULL, NULL}};

const il_suite il_suite_projection = {"projection", tests};
