/*
 * test_interior.c - interior-point phases on the dual: where they begin, and what they tell at
 * their end.
 */
#include <math.h>
#include <stdlib.h>

#include "schemes/projection/newton/interior.h"
#include "tests/support/planted.h"
#include "tests/support/suite.h"

typedef struct {
    il_planted of;
    il_dual dual;
    double *lambda, *x;
} trial;

/* Discs on a lattice of which half of the contacts push: about as many as coordinates. */
static void begin(trial *t) {
    il_recipe r = {.side = 24, .jitter = 0.1, .closed = 0.6, .push = 1.0, .ratio = 2.0, .far = 1.0};
    il_plant_alone(&t->of, r);
    CU_ASSERT_FATAL(il_dual_init(&t->dual));
    t->lambda = calloc(t->of.p, sizeof *t->lambda);
    t->x = calloc(t->of.d, sizeof *t->x);
    CU_ASSERT_FATAL(t->lambda != NULL && t->x != NULL);
    CU_ASSERT_EQUAL_FATAL(il_dual_begin(&t->dual, &t->of.qp), IL_OK);
    t->dual.limit = 100;
    for (size_t i = 0; i < t->of.p; i++) {
        t->dual.given[i] = 0.0;
    }
}

static void end(trial *t) {
    il_dual_free(&t->dual);
    il_planted_free(&t->of);
    free(t->lambda);
    free(t->x);
}

/* mu, the mean of lambda_i z_i, falls to 1e-12 of off^2/W, off the residual at the start, here the
 * deepest violation; all is inside the boundary. */
static void a_phase_brings_products_down(void) {
    trial t;
    il_interior_goal goal = {.tolerance = 1e-12};
    double off = 0.0;
    double mu = 0.0;
    begin(&t);
    for (size_t i = 0; i < t.of.p; i++) {
        double g = t.of.a[i] + t.of.qp.scale * il_rows_dot(&t.of.rows, i, t.of.target);
        off = fmax(off, g < 0.0 ? g * g / t.dual.delassus[i] : 0.0);
    }
    CU_ASSERT_EQUAL(il_interior_run(&t.dual, &t.of.qp, &goal, t.lambda, t.x), IL_OK);
    for (size_t i = 0; i < t.of.p; i++) {
        CU_ASSERT(t.lambda[i] > 0.0 && t.dual.z[i] > 0.0);
        mu += t.lambda[i] * t.dual.z[i] / (double)t.of.p;
    }
    CU_ASSERT(mu <= 1e-12 * off);
    end(&t);
}

/* A phase that crosses ends once the active rows hardly change: they are told but for some; the
 * multipliers of the others are 0. */
static void a_phase_that_crosses_tells_the_rows_that_push(void) {
    trial t;
    il_interior_goal goal = {.crosses = true};
    size_t wrong = 0;
    begin(&t);
    CU_ASSERT_EQUAL(il_interior_run(&t.dual, &t.of.qp, &goal, t.lambda, t.x), IL_OK);
    for (size_t i = 0; i < t.of.p; i++) {
        wrong += (t.lambda[i] > 0.0) != (t.of.lambda[i] > 0.0);
    }
    CU_ASSERT(10 * wrong <= t.of.p);
    end(&t);
}

/* Where a phase that crosses begins, each multiplier is no less than it was given, though another
 * guess, none, is used; that of another phase does not know what was given. */
static void a_phase_that_crosses_keeps_sizes_that_were_given(void) {
    for (int crosses = 0; crosses < 2; crosses++) {
        trial t;
        trial none;
        il_interior_goal goal = {.tolerance = 1e-8, .crosses = crosses == 1};
        begin(&t);
        begin(&none);
        for (size_t i = 0; i < t.of.p; i++) {
            t.dual.given[i] = 1e3 * t.of.lambda[i];
        }
        CU_ASSERT_EQUAL(il_interior_run(&t.dual, &t.of.qp, &goal, t.lambda, t.x), IL_OK);
        CU_ASSERT_EQUAL(il_interior_run(&none.dual, &none.of.qp, &goal, none.lambda, none.x),
                        IL_OK);
        for (size_t i = 0; i < t.of.p; i++) {
            double least = crosses == 1 ? t.dual.given[i] : 0.0;
            CU_ASSERT(none.dual.base[i] > 0.0);
            CU_ASSERT_EQUAL(t.dual.base[i], fmax(least, none.dual.base[i]));
        }
        end(&t);
        end(&none);
    }
}

static const il_test tests[] = {
    {"a phase brings products down", a_phase_brings_products_down},
    {"a phase that crosses tells the active rows", a_phase_that_crosses_tells_the_rows_that_push},
    {"a phase that crosses keeps sizes that were given",
     a_phase_that_crosses_keeps_sizes_that_were_given},
    {NULL, NULL}};

const il_suite il_suite_interior = {"interior", tests};
