/*
 * test_work.c - a projector ends: what a call may take is bounded, whatever the rows. Iterations
 * are counted, not seconds.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "tests/support/kkt.h"
#include "tests/support/planted.h"
#include "tests/support/suite.h"

/* The numbers of harness/run/README.md: what a call may take without any limit of the caller's. */
static size_t stated(const il_projector_type *type, const il_qp *qp) {
    static const struct {
        const char *name;
        size_t most;
    } limits[] = {{"uzawa", 1000000}, {"apgd", 200000}, {"newton", 600}, {"gauss_seidel", 100000}};
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        if (strcmp(type->name, limits[k].name) == 0) {
            return limits[k].most;
        }
    }
    CU_ASSERT(type->finite); /* one that iterates is to state its number */
    return 100 + 20 * (qp->rows->p + qp->d);
}

/* Rows nearly parallel, masses within 1e8, some of them contradicting each other, coefficients of
 * all sizes: seeded, so that what is counted is the same everywhere. */
static void hard(il_kkt *w, gsl_rng *rng) {
    double slack[IL_KKT_P_MAX] = {0.0};
    memset(w, 0, sizeof *w);
    il_rows_init(&w->rows);
    w->d = 4 + gsl_rng_uniform_int(rng, 8);
    w->metric = il_kkt_metric(rng, w->d, false, 1e8);
    for (size_t k = 0; k < w->d; k++) {
        w->x[k] = il_uniform(rng, -1.0, 1.0);
    }
    size_t p = 2 * w->d;
    const size_t pairs = w->d > 1 ? w->d - 1 : 1;
    for (size_t i = 0; i < p; i++) {
        size_t first = i % pairs;
        size_t col[2] = {first, first + 1};
        double size = pow(10.0, il_uniform(rng, -3.0, 3.0));
        double coef[2] = {size, -size * (1.0 + 1e-9 * il_uniform(rng, -1.0, 1.0))};
        il_rows_append(&w->rows, i, 0.0, 0.0, 2, col, coef);
        w->lambda[w->p++] = il_uniform(rng, 0.0, 1.0) / size;
    }
    il_kkt_plant(w, 1.0, slack);
    for (size_t i = 0; i < p; i += 5) {
        w->a[i] -= il_uniform(rng, 0.0, 1.0);
    }
}

static void the_work_of_a_call_is_bounded(void) {
    enum { HARD = 3 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 14);
    for (size_t trial = 0; trial < HARD; trial++) {
        il_kkt w;
        hard(&w, rng);
        for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
            const il_projector_type *type = il_projector_type_at(k);
            il_answer s;
            il_answer_solve(&w.qp, type->name, 0.0, &s);
            CU_ASSERT(s.info.iterations <= stated(type, &w.qp));
            il_answer_free(&s);
        }
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

static const il_test tests[] = {{"the work of a call is bounded", the_work_of_a_call_is_bounded},
                                {NULL, NULL}};

extern const il_suite il_suite_work;
const il_suite il_suite_work = {"work", tests};
