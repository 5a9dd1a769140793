/*
 * test_sweeps.c - projected Gauss-Seidel, sweep by sweep: d unit masses on a line that touch, the
 * first pushed to the right by one, or the last to the left. In closed form: row i halves what
 * reaches it, so that after one sweep the first d - 1 masses stand at 2^-1, 2^-2, ..., the last two
 * alike; against the order of the rows only the last two have moved; in the end all stand at 1/d,
 * with multipliers 1 - k/d.
 */
#include <math.h>
#include <string.h>

#include "tests/support/kkt.h"
#include "tests/support/suite.h"

extern const il_projector_type il_projector_gauss_seidel;

enum { D = 8 };

typedef struct {
    il_rows rows;
    il_qp qp;
    double target[D], a[D - 1], x[D], lambda[D - 1];
} line;

static il_metric *unit_masses(void) {
    const double ones[D] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    il_metric *unit = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&unit, D, ones, NULL), IL_OK);
    return unit;
}

static void push(line *w, size_t body, double by, const il_metric *unit) {
    memset(w, 0, sizeof *w);
    il_kkt_line(&w->rows, D);
    w->target[body] = by;
    w->qp = (il_qp){D, unit, w->target, &w->rows, w->a, 1.0};
}

/* Sweeps that it took. */
static size_t sweep(line *w, il_projector_options options, il_status expected) {
    const il_projector_type *type = &il_projector_gauss_seidel;
    void *self = NULL;
    il_projection_info info;
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    CU_ASSERT_EQUAL(type->solve(self, &w->qp, w->x, w->lambda, &info), expected);
    type->destroy(self);
    return info.iterations;
}

static void one_sweep_goes_along_the_rows(void) {
    il_metric *unit = unit_masses();
    line w;
    push(&w, 0, 1.0, unit);
    CU_ASSERT_EQUAL(sweep(&w, (il_projector_options){.max_iterations = 1}, IL_ESTALLED), 1);
    for (size_t k = 0; k < D; k++) {
        CU_ASSERT_EQUAL(w.x[k], ldexp(1.0, k + 1 < D ? -(int)k - 1 : -(int)k));
    }
    il_rows_free(&w.rows);
    push(&w, D - 1, -1.0, unit);
    CU_ASSERT_EQUAL(sweep(&w, (il_projector_options){.max_iterations = 1}, IL_ESTALLED), 1);
    for (size_t k = 0; k < D; k++) {
        CU_ASSERT_EQUAL(w.x[k], k + 2 < D ? 0.0 : -0.5);
    }
    il_rows_free(&w.rows);
    il_metric_destroy(unit);
}

static void every_order_ends_at_the_answer(void) {
    il_metric *unit = unit_masses();
    line w;
    line other;
    for (int k = 0; k < 4; k++) {
        il_projector_options options = {.warm = k % 2 == 1, .shuffled = k / 2 == 1};
        push(&w, 0, 1.0, unit);
        w.lambda[3] = NAN; /* a guess that is none */
        w.lambda[4] = -1.0;
        w.lambda[5] = 2.0;
        size_t sweeps = sweep(&w, options, IL_OK);
        CU_ASSERT(sweeps > 1);
        for (size_t i = 0; i < D; i++) {
            CU_ASSERT_DOUBLE_EQUAL(w.x[i], 1.0 / D, 1e-11);
            CU_ASSERT(i + 1 == D || fabs(w.lambda[i] - (1.0 - (double)(i + 1) / D)) < 1e-10);
        }
        size_t again = sweep(&w, options, IL_OK);
        CU_ASSERT_EQUAL(again, options.warm ? 0 : sweeps);
        il_rows_free(&w.rows);
    }
    push(&w, D - 1, -1.0, unit);
    push(&other, D - 1, -1.0, unit);
    il_projector_options shuffled = {.max_iterations = 4, .shuffled = true};
    (void)sweep(&w, (il_projector_options){.max_iterations = 4}, IL_ESTALLED);
    (void)sweep(&other, shuffled, IL_ESTALLED);
    CU_ASSERT(w.x[2] == 0.0 && other.x[2] < 0.0); /* as one order in four goes another way */
    il_rows_free(&w.rows);
    il_rows_free(&other.rows);
    il_metric_destroy(unit);
}

static const il_test tests[] = {{"one sweep goes along the rows", one_sweep_goes_along_the_rows},
                                {"every order ends at the answer", every_order_ends_at_the_answer},
                                {NULL, NULL}};

const il_suite il_suite_sweeps = {"sweeps", tests};
