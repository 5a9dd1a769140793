/*
 * test_gradient.c - accelerated projected gradients on the dual: from no guess to the answer that
 * was planted, by one thread and by teams, to the same bits.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/projection/newton/gradient.h"
#include "tests/support/planted.h"
#include "tests/support/suite.h"

/* Rows and coordinates are several parts of a thousand. */
enum { SIDE = 40, PASSES = 20000 };

/* The residual that is asked for; the gaps at x are summed in another order than theirs, of lengths
 * near 1, which costs some roundings. */
static const double ASKED = 1e-9;
static const double ROUNDING = 1e-12;

typedef struct {
    il_planted of;
    il_dual dual;
    double *lambda, *x;
} trial;

/* Few contacts touch, so that chains of them are short and gradients fast. */
static void begin_with(trial *t, il_team *team, double closed) {
    il_recipe r = {
        .side = SIDE, .jitter = 0.1, .closed = closed, .push = 0.9, .ratio = 2.0, .far = 0.5};
    il_plant_alone(&t->of, r);
    CU_ASSERT_FATAL(il_dual_init(&t->dual));
    il_dual_share(&t->dual, team);
    t->lambda = calloc(t->of.p, sizeof *t->lambda);
    t->x = calloc(t->of.d, sizeof *t->x);
    CU_ASSERT_FATAL(t->lambda != NULL && t->x != NULL);
    CU_ASSERT_EQUAL_FATAL(il_dual_begin(&t->dual, &t->of.qp), IL_OK);
}

static void begin(trial *t, il_team *team) {
    begin_with(t, team, 0.3);
}

static void end(trial *t) {
    il_dual_free(&t->dual);
    il_planted_free(&t->of);
    free(t->lambda);
    free(t->x);
}

/* x = t + s M^{-1} B' lambda, row by row. */
static void displace(trial *t) {
    const il_qp *qp = &t->of.qp;
    memcpy(t->x, qp->target, qp->d * sizeof *t->x);
    for (size_t i = 0; i < qp->rows->p; i++) {
        for (size_t e = qp->rows->start[i]; e < qp->rows->start[i + 1]; e++) {
            size_t k = (size_t)qp->rows->col[e];
            t->x[k] += qp->scale * t->lambda[i] * qp->rows->coef[e] / t->of.mass[k];
        }
    }
}

static void gradients_find_what_was_planted(void) {
    trial t;
    begin(&t, NULL);
    CU_ASSERT_EQUAL(il_gradient_run(&t.dual, &t.of.qp, ASKED, PASSES, t.lambda), IL_OK);
    displace(&t);
    CU_ASSERT(il_answer_residual(&t.of.qp, t.x, t.lambda) <= ASKED + ROUNDING);
    for (size_t i = 0; i < t.of.p; i++) {
        CU_ASSERT(t.lambda[i] >= 0.0);
    }
    end(&t);
}

static void teams_have_the_bits_of_one_thread(void) {
    static const size_t sizes[] = {2, 3};
    trial one;
    begin(&one, NULL);
    CU_ASSERT_FATAL(one.of.p > 2048 && one.of.d > 2048); /* parts to share */
    CU_ASSERT_EQUAL(il_gradient_run(&one.dual, &one.of.qp, ASKED, PASSES, one.lambda), IL_OK);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        il_team *team = NULL;
        trial t;
        CU_ASSERT_EQUAL_FATAL(il_team_create(&team, sizes[k], NULL), IL_OK);
        begin(&t, team);
        CU_ASSERT_EQUAL(il_gradient_run(&t.dual, &t.of.qp, ASKED, PASSES, t.lambda), IL_OK);
        CU_ASSERT(memcmp(t.lambda, one.lambda, t.of.p * sizeof *t.lambda) == 0);
        end(&t);
        il_team_destroy(team);
    }
    end(&one);
}

/* From where it ended one pass is enough; from nowhere it is not. */
static void passes_are_counted(void) {
    trial t;
    begin(&t, NULL);
    CU_ASSERT_EQUAL(il_gradient_run(&t.dual, &t.of.qp, ASKED, 3, t.lambda), IL_ESTALLED);
    CU_ASSERT_EQUAL(il_gradient_run(&t.dual, &t.of.qp, ASKED, PASSES, t.lambda), IL_OK);
    CU_ASSERT_EQUAL(il_gradient_run(&t.dual, &t.of.qp, 2.0 * ASKED, 2, t.lambda), IL_OK);
    end(&t);
}

/* No row pushes: the step is 0, and so is what it bends. */
static void where_all_is_open_one_step_says_so(void) {
    trial t;
    begin_with(&t, NULL, 0.0);
    CU_ASSERT_EQUAL(il_gradient_run(&t.dual, &t.of.qp, ASKED, 2, t.lambda), IL_OK);
    for (size_t i = 0; i < t.of.p; i++) {
        CU_ASSERT_EQUAL(t.lambda[i], 0.0);
    }
    end(&t);
}

/* One coordinate that n rows press alike: of W, which is 1 everywhere, the norm is n. The first
 * step bends as much as any can and is refused; that tells the norm at once, not by and by, and the
 * next step, of 1/n of the gap, is the solution. With the gaps at the start these are three passes;
 * in powers of two they are exact. */
static void expect_three_passes(size_t n) {
    static const double one = 1.0;
    static const size_t col = 0;
    double target = 0.0;
    double *lambda = calloc(n, sizeof *lambda);
    il_metric *mass = NULL;
    il_rows rows;
    il_dual dual;
    CU_ASSERT_PTR_NOT_NULL_FATAL(lambda);
    il_rows_init(&rows);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL_FATAL(il_rows_append(&rows, i, -1.0, 0.0, 1, &col, &one), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&mass, 1, &one, NULL), IL_OK);
    il_qp qp = {
        .d = 1, .mass = mass, .target = &target, .rows = &rows, .a = rows.value, .scale = 1.0};
    CU_ASSERT_FATAL(il_dual_init(&dual));
    CU_ASSERT_EQUAL_FATAL(il_dual_begin(&dual, &qp), IL_OK);
    CU_ASSERT_EQUAL(il_gradient_run(&dual, &qp, 0.0, 3, lambda), IL_OK);
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        wrong += !(lambda[i] == 1.0 / (double)n);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    il_dual_free(&dual);
    il_metric_destroy(mass);
    il_rows_free(&rows);
    free(lambda);
}

/* The rows of one part, and of as many parts as there can be. */
static void a_step_tells_how_much_it_bends(void) {
    expect_three_passes(1024);
    expect_three_passes((size_t)IL_TEAM_LOOP * 2048);
}

static void a_gap_that_is_not_finite_is_told(void) {
    trial t;
    begin(&t, NULL);
    for (size_t i = 0; i < t.of.p; i++) {
        t.lambda[i] = 1e308;
    }
    CU_ASSERT_EQUAL(il_gradient_run(&t.dual, &t.of.qp, ASKED, PASSES, t.lambda), IL_ENUMERIC);
    end(&t);
}

static const il_test tests[] = {
    {"gradients find what was planted", gradients_find_what_was_planted},
    {"gradients by teams have the bits of one thread", teams_have_the_bits_of_one_thread},
    {"passes of gradients are counted", passes_are_counted},
    {"where all is open one step says so", where_all_is_open_one_step_says_so},
    {"a step tells how much it bends", a_step_tells_how_much_it_bends},
    {"a gap that is not finite is told", a_gap_that_is_not_finite_is_told},
    {NULL, NULL}};

const il_suite il_suite_gradient = {"gradient", tests};
