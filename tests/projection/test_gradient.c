/*
 * test_gradient.c - accelerated projected gradients on the dual: from no guess to the answer that
 * was planted, by one thread and by teams, to the same bits.
 */
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

static const il_test tests[] = {
    {"gradients find what was planted", gradients_find_what_was_planted},
    {"gradients by teams have the bits of one thread", teams_have_the_bits_of_one_thread},
    {NULL, NULL}};

const il_suite il_suite_gradient = {"gradient", tests};
