/*
 * test_parametric.c - the parametric active-set method: from the answer's multipliers with rows
 * taken away and others added to the answer, by as many changes as those rows, few factorisations,
 * and to rounding; and that it gives up where it should.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/projection/newton/parametric.h"
#include "tests/support/planted.h"
#include "tests/support/suite.h"

/* The gaps of lengths near 1 to a thousand roundings, as in test_newton.c. */
static const double PRIMAL = 1e-12;

typedef struct {
    il_planted of;
    il_dual dual;
    il_parametric path;
    double *lambda, *x;
} trial;

/* Discs on a lattice of which half of the contacts push: about as many as coordinates. */
static void begin(trial *t, size_t side) {
    il_recipe r = {.side = side,
                   .jitter = 0.1,
                   .closed = 0.6,
                   .push = 1.0,
                   .ratio = 2.0,
                   .far = 1e3,
                   .walls = true};
    il_plant_alone(&t->of, r);
    CU_ASSERT_FATAL(il_dual_init(&t->dual));
    t->path = (il_parametric){.dual = &t->dual};
    t->lambda = calloc(t->of.p, sizeof *t->lambda);
    t->x = calloc(t->of.d, sizeof *t->x);
    CU_ASSERT_FATAL(t->lambda != NULL && t->x != NULL);
    CU_ASSERT_EQUAL_FATAL(il_dual_begin(&t->dual, &t->of.qp), IL_OK);
    t->dual.limit = 100;
    memcpy(t->lambda, t->of.lambda, t->of.p * sizeof *t->lambda);
}

static void end(trial *t) {
    il_parametric_free(&t->path);
    il_dual_free(&t->dual);
    il_planted_free(&t->of);
    free(t->lambda);
    free(t->x);
}

/* The guess lacks the active rows least, multipliers being spread over 0.01 to 2. Returns how
 * many. */
static const double WEAK = 0.02;

static size_t take_away(trial *t) {
    size_t taken = 0;
    for (size_t i = 0; i < t->of.p; i++) {
        if (t->lambda[i] > 0.0 && t->lambda[i] < WEAK) {
            t->lambda[i] = 0.0;
            taken++;
        }
    }
    return taken;
}

static void rows_that_are_missing_come_one_after_the_other(void) {
    trial t;
    begin(&t, 32);
    size_t missing = take_away(&t);
    CU_ASSERT_FATAL(missing >= 3);
    CU_ASSERT_EQUAL(il_parametric_run(&t.path, &t.of.qp, t.lambda, t.x), IL_OK);
    CU_ASSERT(il_answer_residual(&t.of.qp, t.x, t.lambda) <= PRIMAL);
    CU_ASSERT(il_answer_distance(t.x, t.of.x, t.of.d) <= 1e-8);
    CU_ASSERT_EQUAL(t.path.breakpoints, missing); /* each comes, and none goes */
    CU_ASSERT_EQUAL(il_sparse_factorisations(t.dual.factor), 1);
    end(&t);
}

static void the_answer_as_a_guess_changes_no_row(void) {
    trial t;
    begin(&t, 32);
    CU_ASSERT_EQUAL(il_parametric_run(&t.path, &t.of.qp, t.lambda, t.x), IL_OK);
    CU_ASSERT(il_answer_residual(&t.of.qp, t.x, t.lambda) <= PRIMAL);
    CU_ASSERT_EQUAL(t.path.breakpoints, 0);
    CU_ASSERT_EQUAL(il_sparse_factorisations(t.dual.factor), 1);
    end(&t);
}

/* Of a guess of which most rows are others the first direction tells, for one factorisation. */
static void a_guess_that_is_none_costs_one_factorisation(void) {
    trial t;
    begin(&t, 32);
    size_t pushing = 0;
    for (size_t i = 0; i < t.of.p; i++) {
        t.lambda[i] = t.lambda[i] > 0.0 && ++pushing % 2 == 0 ? 0.0 : t.lambda[i];
    }
    CU_ASSERT_EQUAL(il_parametric_run(&t.path, &t.of.qp, t.lambda, t.x), IL_ESTALLED);
    CU_ASSERT_EQUAL(t.path.breakpoints, 0);
    CU_ASSERT(!t.path.found);
    CU_ASSERT_EQUAL(il_sparse_factorisations(t.dual.factor), 1);
    end(&t);
}

static void a_guess_that_overflows_is_none(void) {
    trial t;
    begin(&t, 4);
    for (size_t i = 0; i < t.of.p; i++) {
        t.lambda[i] = 1e308;
    }
    CU_ASSERT_EQUAL(il_parametric_run(&t.path, &t.of.qp, t.lambda, t.x), IL_ESTALLED);
    end(&t);
}

static void a_second_run_has_the_bits_of_the_first(void) {
    trial t;
    trial again;
    begin(&t, 32);
    begin(&again, 32);
    (void)take_away(&t);
    CU_ASSERT_EQUAL(il_parametric_run(&again.path, &again.of.qp, again.lambda, again.x), IL_OK);
    CU_ASSERT_EQUAL(il_dual_begin(&again.dual, &again.of.qp), IL_OK);
    memcpy(again.lambda, t.lambda, t.of.p * sizeof *t.lambda);
    CU_ASSERT_EQUAL(il_parametric_run(&t.path, &t.of.qp, t.lambda, t.x), IL_OK);
    CU_ASSERT_EQUAL(il_parametric_run(&again.path, &again.of.qp, again.lambda, again.x), IL_OK);
    CU_ASSERT(memcmp(t.x, again.x, t.of.d * sizeof *t.x) == 0);
    CU_ASSERT(memcmp(t.lambda, again.lambda, t.of.p * sizeof *t.lambda) == 0);
    end(&t);
    end(&again);
}

static const il_test tests[] = {
    {"rows that are missing come one after the other",
     rows_that_are_missing_come_one_after_the_other},
    {"the answer as a guess changes no row", the_answer_as_a_guess_changes_no_row},
    {"a guess that is none costs one factorisation", a_guess_that_is_none_costs_one_factorisation},
    {"a guess that overflows is none", a_guess_that_overflows_is_none},
    {"a second run has the bits of the first", a_second_run_has_the_bits_of_the_first},
    {NULL, NULL}};

extern const il_suite il_suite_parametric;
const il_suite il_suite_parametric = {"parametric", tests};
