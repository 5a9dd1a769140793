/*
 * kkt.c - a = slack - s B x, target = x - s M^{-1} B' lambda.
 */
#include "tests/support/kkt.h"

#include <math.h>
#include <string.h>

#include "tests/support/planted.h"
#include "tests/support/suite.h"

/* Conditioning of the random problems below (masses within 100, dense normals) loses at most about
 * five digits of sixteen; a wrong active set shows at 1e-2. */
static const double EXACT = 1e-10;

/* Uzawa stops at gaps of 1e-12; the point then is within cond * 1e-12. */
static const double ITERATIVE = 1e-6;

static const double CERTIFIED = 1e-12; /* times the size of the numbers, which are below 100 */

il_metric *il_kkt_metric(gsl_rng *rng, size_t d, bool dense, double ratio) {
    double mass[IL_KKT_D_MAX];
    double matrix[IL_KKT_D_MAX * IL_KKT_D_MAX];
    il_metric *metric = NULL;
    for (size_t k = 0; k < d; k++) {
        mass[k] = exp(il_uniform(rng, 0.0, log(ratio)));
    }
    if (!dense) {
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&metric, d, mass, NULL), IL_OK);
        return metric;
    }
    double v[IL_KKT_D_MAX];
    for (size_t k = 0; k < d; k++) {
        v[k] = il_uniform(rng, -1.0, 1.0);
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) {
            matrix[i * d + j] = v[i] * v[j] + (i == j ? mass[i] : 0.0);
        }
    }
    CU_ASSERT_EQUAL_FATAL(il_metric_dense(&metric, d, matrix, NULL), IL_OK);
    return metric;
}

void il_kkt_plant(il_kkt *w, double scale, const double *slack) {
    double force[IL_KKT_D_MAX] = {0.0};
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

void il_kkt_random(il_kkt *w, gsl_rng *rng, size_t d, size_t p, bool dense, size_t copies,
                   double ratio) {
    memset(w, 0, sizeof *w);
    il_rows_init(&w->rows);
    w->d = d;
    w->p = p;
    w->metric = il_kkt_metric(rng, d, dense, ratio);
    double slack[IL_KKT_P_MAX];
    for (size_t k = 0; k < d; k++) {
        w->x[k] = il_uniform(rng, -1.0, 1.0);
    }
    size_t active = 0;
    for (size_t i = 0; i < p; i++) {
        size_t col[IL_KKT_D_MAX];
        double coef[IL_KKT_D_MAX];
        size_t n = 0;
        size_t twin = i > 0 && i <= copies ? i - 1 : IL_KKT_P_MAX;
        for (size_t k = 0; k < d; k++) {
            if (gsl_rng_uniform(rng) < 0.5 || (n == 0 && k + 1 == d)) {
                col[n] = k;
                coef[n++] = il_uniform(rng, -1.0, 1.0);
            }
        }
        if (twin != IL_KKT_P_MAX) {
            n = w->rows.start[twin + 1] - w->rows.start[twin];
            memcpy(col, w->rows.col + w->rows.start[twin], n * sizeof *col);
            memcpy(coef, w->rows.coef + w->rows.start[twin], n * sizeof *coef);
        }
        il_rows_append(&w->rows, i, 0.0, 0.0, n, col, coef);
        bool pushes = twin != IL_KKT_P_MAX || (active < d / 2 && gsl_rng_uniform(rng) < 0.5);
        active += pushes;
        w->lambda[i] = pushes && gsl_rng_uniform(rng) < 0.9 ? il_uniform(rng, 0.1, 2.0) : 0.0;
        slack[i] = pushes ? 0.0 : il_uniform(rng, 0.01, 1.0);
    }
    il_kkt_plant(w, il_uniform(rng, 0.1, 2.0), slack);
}

void il_kkt_free(il_kkt *w) {
    il_rows_free(&w->rows);
    il_metric_destroy(w->metric);
}

bool il_kkt_check(const il_kkt *w, const il_projector_type *type) {
    void *self = NULL;
    il_projector_options options = {.tolerance = 0.0};
    il_projection_info info = {0};
    double x[IL_KKT_D_MAX] = {0.0};
    double lambda[IL_KKT_P_MAX] = {0.0};
    double work[2 * IL_KKT_D_MAX];
    bool stalled = false;
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    if (type->refuses(self, &w->qp) == NULL) {
        il_status status = type->solve(self, &w->qp, x, lambda, &info);
        il_certificate c = il_certify(&w->qp, x, lambda, work);
        stalled = status == IL_ESTALLED && !type->finite;
        CU_ASSERT(status == IL_OK || stalled);
        if (!stalled) {
            CU_ASSERT(il_answer_distance(x, w->x, w->d) <= (type->finite ? EXACT : ITERATIVE));
            CU_ASSERT(c.primal >= (type->finite ? -CERTIFIED : -2.0 * IL_PROJECTOR_TOLERANCE));
        }
        CU_ASSERT(c.dual >= 0.0);
        CU_ASSERT(c.relative <= CERTIFIED);
    } else {
        CU_ASSERT_EQUAL(type->solve(self, &w->qp, x, lambda, &info), IL_EUNSUPPORTED);
    }
    type->destroy(self);
    return stalled;
}

void il_kkt_line(il_rows *rows, size_t d) {
    il_rows_init(rows);
    for (size_t i = 0; i + 1 < d; i++) {
        il_rows_append(rows, i, 0.0, 0.0, 2, (const size_t[]){i, i + 1},
                       (const double[]){-1.0, 1.0});
    }
}
