/*
 * test_projection.c - every projector on random problems built from a chosen KKT point.
 *
 * Choose x, rows B, multipliers lambda >= 0 and slacks; set a = slack - s B x and
 * target = x - s M^{-1} B' lambda. Then x is the projection by construction, whatever the solver.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

enum { D_MAX = 60, P_MAX = 120 };

/* Conditioning of the random problems below (masses within 100, dense normals) loses at most about
 * five digits of sixteen; a wrong active set shows at 1e-2. */
static const double EXACT = 1e-10;

/* Uzawa stops at gaps of 1e-12; the point then is within cond * 1e-12. */
static const double ITERATIVE = 1e-6;

static const double CERTIFIED = 1e-12; /* times the size of the numbers, which are below 100 */

typedef struct {
    size_t d, p;
    il_metric *metric;
    il_rows rows;
    double x[D_MAX], target[D_MAX], a[P_MAX], lambda[P_MAX];
    il_qp qp;
} planted;

static double uniform(gsl_rng *rng, double low, double high) {
    return low + (high - low) * gsl_rng_uniform(rng);
}

/* A dense symmetric positive definite matrix: diagonal plus rank one. */
static il_metric *random_metric(gsl_rng *rng, size_t d, bool dense, double ratio) {
    double mass[D_MAX];
    double matrix[D_MAX * D_MAX];
    il_metric *metric = NULL;
    for (size_t k = 0; k < d; k++) {
        mass[k] = exp(uniform(rng, 0.0, log(ratio)));
    }
    if (!dense) {
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&metric, d, mass, NULL), IL_OK);
        return metric;
    }
    double v[D_MAX];
    for (size_t k = 0; k < d; k++) {
        v[k] = uniform(rng, -1.0, 1.0);
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) {
            matrix[i * d + j] = v[i] * v[j] + (i == j ? mass[i] : 0.0);
        }
    }
    CU_ASSERT_EQUAL_FATAL(il_metric_dense(&metric, d, matrix, NULL), IL_OK);
    return metric;
}

/* Close the construction once rows, x and lambda stand. slack[i] > 0 for rows that do not push. */
static void plant(planted *w, double scale, const double *slack) {
    double force[D_MAX] = {0.0};
    for (size_t i = 0; i < w->p; i++) {
        w->a[i] = slack[i] - scale * il_rows_dot(&w->rows, i, w->x);
        il_rows_axpy(&w->rows, i, scale * w->lambda[i], force);
    }
    il_metric_solve(w->metric, force, force);
    for (size_t k = 0; k < w->d; k++) {
        w->target[k] = w->x[k] - force[k];
    }
    w->qp = (il_qp){.d = w->d,
                    .mass = w->metric,
                    .target = w->target,
                    .rows = &w->rows,
                    .a = w->a,
                    .scale = scale};
}

/* Sparse random rows. copies: how many rows repeat an earlier one (degenerate). */
static void plant_random(planted *w, gsl_rng *rng, size_t d, size_t p, bool dense, size_t copies,
                         double ratio) {
    memset(w, 0, sizeof *w);
    il_rows_init(&w->rows);
    w->d = d;
    w->p = p;
    w->metric = random_metric(rng, d, dense, ratio);
    double slack[P_MAX];
    for (size_t k = 0; k < d; k++) {
        w->x[k] = uniform(rng, -1.0, 1.0);
    }
    size_t active = 0;
    for (size_t i = 0; i < p; i++) {
        size_t col[D_MAX];
        double coef[D_MAX];
        size_t n = 0;
        size_t twin = i > 0 && i <= copies ? i - 1 : P_MAX;
        for (size_t k = 0; k < d; k++) {
            if (gsl_rng_uniform(rng) < 0.5 || (n == 0 && k + 1 == d)) {
                col[n] = k;
                coef[n++] = uniform(rng, -1.0, 1.0);
            }
        }
        if (twin != P_MAX) {
            n = w->rows.start[twin + 1] - w->rows.start[twin];
            memcpy(col, w->rows.col + w->rows.start[twin], n * sizeof *col);
            memcpy(coef, w->rows.coef + w->rows.start[twin], n * sizeof *coef);
        }
        CU_ASSERT_EQUAL_FATAL(il_rows_append(&w->rows, i, 0.0, 0.0, n, col, coef), IL_OK);
        bool pushes = twin != P_MAX || (active < d / 2 && gsl_rng_uniform(rng) < 0.5);
        active += pushes;
        w->lambda[i] = pushes && gsl_rng_uniform(rng) < 0.9 ? uniform(rng, 0.1, 2.0) : 0.0;
        slack[i] = pushes ? 0.0 : uniform(rng, 0.01, 1.0);
    }
    plant(w, uniform(rng, 0.1, 2.0), slack);
}

static void planted_free(planted *w) {
    il_rows_free(&w->rows);
    il_metric_destroy(w->metric);
}

static double distance(const double *x, const double *y, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        double d = fabs(x[k] - y[k]);
        most = d <= most ? most : d;
    }
    return most;
}

static const il_projector_type *type_of(const char *name) {
    const il_projector_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(name, &type, NULL), IL_OK);
    return type;
}

/* Solve w with one projector and check the answer against the planted point. An iterative projector
 * may say that it did not get there: true is returned then, and its iterate must still satisfy all
 * that holds on the way. */
static bool check(const planted *w, const il_projector_type *type) {
    void *self = NULL;
    il_projector_options options = {.tolerance = 0.0};
    il_projection_info info = {0};
    double x[D_MAX] = {0.0};
    double lambda[P_MAX] = {0.0};
    double work[2 * D_MAX];
    bool stalled = false;
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    if (type->refuses(self, &w->qp) == NULL) {
        il_status status = type->solve(self, &w->qp, x, lambda, &info);
        il_certificate c = il_certify(&w->qp, x, lambda, work);
        stalled = status == IL_ESTALLED && !type->exact;
        CU_ASSERT(status == IL_OK || stalled);
        if (!stalled) {
            CU_ASSERT(distance(x, w->x, w->d) <= (type->exact ? EXACT : ITERATIVE));
            CU_ASSERT(c.primal >= (type->exact ? -CERTIFIED : -2.0 * IL_PROJECTOR_TOLERANCE));
        }
        CU_ASSERT(c.dual >= 0.0);
        CU_ASSERT(c.relative <= CERTIFIED);
    } else {
        CU_ASSERT_EQUAL(type->solve(self, &w->qp, x, lambda, &info), IL_EUNSUPPORTED);
    }
    type->destroy(self);
    return stalled;
}

static size_t check_all(const planted *w) {
    size_t stalled = 0;
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        stalled += check(w, il_projector_type_at(k));
    }
    return stalled;
}

static void random_problems_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t stalled = 0;
    for (int trial = 0; trial < 200; trial++) {
        planted w;
        size_t d = 1 + gsl_rng_uniform_int(rng, 12);
        size_t p = gsl_rng_uniform_int(rng, 2 * d + 1);
        plant_random(&w, rng, d, p, trial % 3 == 0, 0, 100.0);
        stalled += check_all(&w);
        planted_free(&w);
    }
    CU_ASSERT(stalled <= 4); /* nearly parallel rows: a million iterations are not enough */
    gsl_rng_free(rng);
}

static void repeated_rows_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 100; trial++) {
        planted w;
        size_t d = 2 + gsl_rng_uniform_int(rng, 10);
        plant_random(&w, rng, d, d + 3, trial % 2 == 0, 3, 10.0);
        (void)check_all(&w);
        planted_free(&w);
    }
    gsl_rng_free(rng);
}

static void larger_problems_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 10; trial++) {
        planted w;
        plant_random(&w, rng, D_MAX, P_MAX, trial % 2 == 0, 0, 10.0);
        (void)check(&w, type_of("active_set"));
        planted_free(&w);
    }
    gsl_rng_free(rng);
}

/* Masses in the ratio 1e6: the exact solvers still certify. */
static void unequal_masses_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 50; trial++) {
        planted w;
        plant_random(&w, rng, 8, 10, false, trial % 2 ? 2 : 0, 1e6);
        (void)check(&w, type_of("active_set"));
        (void)check(&w, type_of("auto"));
        planted_free(&w);
    }
    gsl_rng_free(rng);
}

/* Bodies in a row: the rows that pool-adjacent-violators knows. Gaps a of any sign. */
static void chains_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 200; trial++) {
        planted w;
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = 2 + gsl_rng_uniform_int(rng, 12);
        w.metric = random_metric(rng, w.d, false, 100.0);
        double slack[P_MAX];
        double at = 0.0;
        for (size_t k = 0; k < w.d; k++) {
            w.x[k] = at;
            at += uniform(rng, -0.5, 1.0);
        }
        for (size_t k = 0; k + 1 < w.d; k++) {
            if (gsl_rng_uniform(rng) < 0.2) {
                continue; /* a chain in several parts */
            }
            double c = uniform(rng, 0.5, 2.0);
            size_t col[2] = {k, k + 1};
            double coef[2] = {-c, c};
            CU_ASSERT_EQUAL_FATAL(il_rows_append(&w.rows, k, 0.0, 0.0, 2, col, coef), IL_OK);
            bool pushes = gsl_rng_uniform(rng) < 0.6;
            w.lambda[w.p] = pushes ? uniform(rng, 0.1, 2.0) : 0.0;
            slack[w.p++] = pushes ? 0.0 : uniform(rng, 0.01, 1.0);
        }
        plant(&w, uniform(rng, 0.1, 2.0), slack);
        void *chain = NULL;
        il_projector_options options = {.tolerance = 0.0};
        CU_ASSERT_EQUAL_FATAL(type_of("chain")->create(&chain, &options, NULL), IL_OK);
        CU_ASSERT_PTR_NULL(type_of("chain")->refuses(chain, &w.qp));
        type_of("chain")->destroy(chain);
        (void)check_all(&w);
        planted_free(&w);
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
        planted w;
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = 2 * BODIES;
        w.metric = random_metric(rng, w.d, false, 1.0 + trial);
        double slack[P_MAX];
        for (size_t i = 0; i < BODIES; i++) {
            for (size_t j = i + 1; j < BODIES; j++) {
                double e[2] = {place[j][0] - place[i][0], place[j][1] - place[i][1]};
                if (hypot(e[0], e[1]) > 1.0 + 1e-9) {
                    continue;
                }
                size_t col[4] = {2 * i, 2 * i + 1, 2 * j, 2 * j + 1};
                double coef[4] = {-e[0], -e[1], e[0], e[1]};
                CU_ASSERT_EQUAL_FATAL(il_rows_append(&w.rows, w.p, 0.0, 0.0, 4, col, coef), IL_OK);
                w.lambda[w.p] = uniform(rng, 0.0, 1.0); /* some nearly zero */
                slack[w.p++] = 0.0;
            }
        }
        CU_ASSERT(w.p > w.d); /* more contacts than unknowns */
        for (size_t k = 0; k < w.d; k++) {
            w.x[k] = 0.3; /* a common motion keeps every contact */
        }
        plant(&w, 1.0, slack);
        (void)check(&w, type_of("active_set"));
        (void)check(&w, type_of("auto"));
        (void)check(&w, type_of("uzawa"));
        planted_free(&w);
    }
    gsl_rng_free(rng);
}

/* A body held between two opposite walls, in contact with both and at rest: x and the target are
 * far smaller than the multipliers that cancel, and the second wall depends on the first. A third
 * row pushes sideways. Nothing here is infeasible. */
static void opposite_walls_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 3000; trial++) {
        planted w;
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = 3;
        w.metric = random_metric(rng, w.d, trial % 2 == 1, trial % 3 == 0 ? 1e4 : 1.0);
        double n[3][3];
        const size_t col[3] = {0, 1, 2};
        for (size_t k = 0; k < 3; k++) {
            n[0][k] = uniform(rng, -1.0, 1.0);
            n[1][k] = -n[0][k];
            n[2][k] = uniform(rng, -1.0, 1.0);
        }
        const double slack[3] = {0.0, 0.0, 0.0};
        for (size_t i = 0; i < 3; i++) {
            CU_ASSERT_EQUAL_FATAL(il_rows_append(&w.rows, i, 0.0, 0.0, 3, col, n[i]), IL_OK);
            w.lambda[i] = i == 1 ? 0.0 : uniform(rng, 0.1, 2.0);
        }
        w.p = 3; /* x = 0: in contact with everything */
        plant(&w, 1.0, slack);
        (void)check(&w, type_of("active_set"));
        (void)check(&w, type_of("auto"));
        planted_free(&w);
    }
    gsl_rng_free(rng);
}

/* Forty balls on a floor, one of them light: forty rows that do not see each other. The top of the
 * spectrum belongs to the light ball alone, which a power iteration can miss. */
static void uzawa_sees_a_lone_light_body(void) {
    for (size_t light = 0; light < 40; light++) {
        planted w;
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = w.p = 40;
        double mass[D_MAX];
        double slack[P_MAX] = {0.0};
        const double one = 1.0;
        for (size_t k = 0; k < w.d; k++) {
            mass[k] = k == light ? 0.2 : 1.0;
            w.lambda[k] = 1.0;
            CU_ASSERT_EQUAL_FATAL(il_rows_append(&w.rows, k, 0.0, 0.0, 1, &k, &one), IL_OK);
        }
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w.metric, w.d, mass, NULL), IL_OK);
        plant(&w, 1.0, slack);
        CU_ASSERT_EQUAL(check(&w, type_of("uzawa")), false);
        planted_free(&w);
    }
}

static void without_rows_the_target_is_the_answer(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    planted w;
    plant_random(&w, rng, 4, 0, false, 0, 10.0);
    CU_ASSERT(distance(w.target, w.x, 4) <= 0.0);
    (void)check_all(&w);
    planted_free(&w);
    gsl_rng_free(rng);
}

/* x >= 1 and -x >= 0. */
static void contradictory_rows_are_told(void) {
    double mass = 1.0;
    double target = 0.3;
    double a[2] = {-1.0, 0.0};
    size_t col = 0;
    double up = 1.0;
    double down = -1.0;
    il_metric *metric = NULL;
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&metric, 1, &mass, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_rows_append(&rows, 0, 0.0, 0.0, 1, &col, &up), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_rows_append(&rows, 1, 0.0, 0.0, 1, &col, &down), IL_OK);
    il_qp qp = {1, metric, &target, &rows, a, 1.0};
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        const il_projector_type *type = il_projector_type_at(k);
        il_projector_options options = {.tolerance = 1e-10, .max_iterations = 2000};
        il_projection_info info = {0};
        double x = 0.0;
        double lambda[2] = {0.0, 0.0};
        void *self = NULL;
        CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
        il_status status = type->solve(self, &qp, &x, lambda, &info);
        CU_ASSERT(status == IL_EINFEASIBLE || status == IL_ESTALLED || status == IL_EUNSUPPORTED);
        CU_ASSERT(!type->exact || status != IL_ESTALLED);
        type->destroy(self);
    }
    il_rows_free(&rows);
    il_metric_destroy(metric);
}

static void a_nan_is_told(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    planted w;
    plant_random(&w, rng, 3, 1, false, 0, 10.0);
    w.a[0] = NAN;
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        const il_projector_type *type = il_projector_type_at(k);
        il_projector_options options = {.tolerance = 0.0};
        il_projection_info info = {0};
        double x[D_MAX];
        double lambda[P_MAX] = {0.0};
        void *self = NULL;
        CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
        CU_ASSERT_NOT_EQUAL(type->solve(self, &w.qp, x, lambda, &info), IL_OK);
        type->destroy(self);
    }
    planted_free(&w);
    gsl_rng_free(rng);
}

/* A wrong answer does not pass: the certificate of a shifted point, of a negative multiplier and of
 * a missing force. */
static void the_certificate_can_fail(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    planted w;
    double work[2 * D_MAX];
    plant_random(&w, rng, 6, 6, false, 0, 10.0);
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
    planted_free(&w);
    gsl_rng_free(rng);
}

/* Solve with Uzawa at a given rho; returns the status. */
static il_status uzawa_at(const il_qp *qp, double rho, il_rho_rule rule, size_t limit,
                          double *used) {
    const il_projector_type *type = type_of("uzawa");
    il_projector_options options = {
        .tolerance = 1e-10, .max_iterations = limit, .rho_rule = rule, .rho = rho};
    il_projection_info info = {0};
    double x[D_MAX];
    double lambda[P_MAX] = {0.0};
    void *self = NULL;
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    il_status status = type->solve(self, qp, x, lambda, &info);
    *used = info.rho;
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
    planted w;
    memset(&w, 0, sizeof w);
    il_rows_init(&w.rows);
    w.d = 3 * N;
    double mass[3 * N];
    double slack[P_MAX] = {0.0};
    for (size_t k = 0; k < w.d; k++) {
        mass[k] = m;
        w.x[k] = 0.5;
    }
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w.metric, w.d, mass, NULL), IL_OK);
    for (size_t i = 0; i + 1 < N; i++) {
        size_t col[2] = {3 * i, 3 * i + 3};
        double coef[2] = {-1.0, 1.0};
        CU_ASSERT_EQUAL_FATAL(il_rows_append(&w.rows, i, 0.0, 0.0, 2, col, coef), IL_OK);
        w.lambda[w.p++] = 1.0 + 0.1 * (double)i;
    }
    plant(&w, h, slack);
    double rho_max = 2.0 * m / (h * h * (2.0 + 2.0 * cos(M_PI / N)));
    double maury = m / (2.0 * 12.0 * h * h * sqrt(3.0)); /* Remark 8, d = 3, kappa = 12 */
    double used = 0.0;
    CU_ASSERT_EQUAL(uzawa_at(&w.qp, 0.999 * rho_max, IL_RHO_GIVEN, 200000, &used), IL_OK);
    /* cycling (not converged) or overflow: never a solution */
    CU_ASSERT_NOT_EQUAL(uzawa_at(&w.qp, 1.05 * rho_max, IL_RHO_GIVEN, 200000, &used), IL_OK);
    CU_ASSERT_EQUAL(uzawa_at(&w.qp, 0.0, IL_RHO_MEASURED, 200000, &used), IL_OK);
    /* 0.9 rho_max from a power iteration stopped at 1e-4, which approaches from below slowly */
    CU_ASSERT(used >= 0.9 * rho_max && used <= 0.98 * rho_max);
    CU_ASSERT_EQUAL(uzawa_at(&w.qp, 0.0, IL_RHO_EXPLICIT, 200000, &used), IL_OK);
    CU_ASSERT(used >= maury && used < rho_max);
    planted_free(&w);
}

static const il_test tests[] = {
    {"random problems are solved by every projector", random_problems_are_solved},
    {"repeated rows are solved", repeated_rows_are_solved},
    {"larger problems are solved", larger_problems_are_solved},
    {"masses in the ratio 1e6 are solved", unequal_masses_are_solved},
    {"chains are solved", chains_are_solved},
    {"crystals with more contacts than unknowns are solved", crystals_are_solved},
    {"opposite walls are solved", opposite_walls_are_solved},
    {"uzawa sees a lone light body", uzawa_sees_a_lone_light_body},
    {"without rows the target is the answer", without_rows_the_target_is_the_answer},
    {"contradictory rows are told", contradictory_rows_are_told},
    {"a NaN is told", a_nan_is_told},
    {"the certificate can fail", the_certificate_can_fail},
    {"uzawa converges below rho_max and not above", uzawa_converges_below_rho_max_and_not_above},
    {NULL, NULL}};

const il_suite il_suite_projection = {"projection", tests};
