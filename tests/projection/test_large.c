/*
 * test_large.c - the projectors for many bodies, on discs in a plane.
 */
#include <string.h>

#include "tests/support/planted.h"
#include "tests/support/suite.h"

/* The accuracy that a projection is certified to, in the units of the gaps. Lengths are near 1 and
 * s B x adds six numbers below 10: a thousand roundings. */
static const double PRIMAL = 1e-12;

/* The stationarity residual over the terms that it is made of: sums of at most a dozen and a half
 * of them, each rounded twice. */
static const double STATIONARY = 1e-14;

/* One projector on one configuration, with a bound on its work: it refuses, or says that it
 * stopped early with a point that belongs to multipliers >= 0, or is right to its tolerance.
 * Returns the status. */
static il_status solve_and_check(const il_planted *w, const il_projector_type *type) {
    il_projector_options options = {.tolerance = 1e-8, .max_iterations = type->finite ? 0 : 2000};
    void *self = NULL;
    il_answer s;
    il_answer_init(&s, &w->qp);
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    bool refused = type->refuses(self, &w->qp) != NULL;
    il_status status = type->solve(self, &w->qp, s.x, s.lambda, &s.info);
    type->destroy(self);
    if (status == IL_OK || status == IL_ESTALLED) {
        s.certificate = il_certify(&w->qp, s.x, s.lambda, s.work);
        CU_ASSERT(!refused);
        CU_ASSERT(s.certificate.dual >= 0.0);
        CU_ASSERT(s.certificate.relative <= STATIONARY);
    } else {
        CU_ASSERT_EQUAL(status, IL_EUNSUPPORTED); /* never "infeasible": all have a solution */
    }
    if (status == IL_OK) {
        CU_ASSERT(il_answer_residual(&w->qp, s.x, s.lambda) <= options.tolerance + PRIMAL);
    }
    il_answer_free(&s);
    return status;
}

/* Which projectors may stop short of a solution, and how many of 200 they must solve all the same
 * for this to be a test of more than their excuses. */
static const struct {
    const char *name;
    size_t solved;
} least[] = {{"newton", 200}, {"auto", 200}, {"active_set", 200}, {"apgd", 100}, {"uzawa", 20}};

static void every_projector_is_right_or_says_that_it_is_not(void) {
    enum { TRIALS = 200, MOST = 32 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t solved[MOST] = {0};
    gsl_rng_set(rng, 2);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        il_planted w;
        il_recipe r = il_recipe_random(rng, 2 + gsl_rng_uniform_int(rng, 7));
        il_plant(&w, rng, &r);
        for (size_t k = 0; k < MOST && il_projector_type_at(k) != NULL; k++) {
            solved[k] += solve_and_check(&w, il_projector_type_at(k)) == IL_OK;
        }
        il_planted_free(&w);
    }
    for (size_t k = 0; k < MOST && il_projector_type_at(k) != NULL; k++) {
        for (size_t n = 0; n < sizeof least / sizeof least[0]; n++) {
            bool same = strcmp(least[n].name, il_projector_type_at(k)->name) == 0;
            CU_ASSERT(!same || solved[k] >= least[n].solved);
        }
    }
    gsl_rng_free(rng);
}

/* Forty rows of 4050 coordinates: a method that is dense in the rows would pay for all of these, so
 * a sparse one is picked, and says the same. Of 128 coordinates as few rows stay with the dense. */
static void few_rows_of_many_coordinates_are_sparse(void) {
    static const struct {
        size_t side;
        const char *method;
    } of[] = {{45, "newton"}, {8, "active_set"}};
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        il_recipe r = {.side = of[k].side, .closed = 0.9, .push = 0.9, .ratio = 2.0, .far = 0.1};
        il_planted w;
        il_answer picked;
        il_answer dense;
        il_plant_alone(&w, r);
        w.rows.p = 40; /* the first ones; others push no more, so the answer is another one */
        w.rows.nnz = w.rows.start[40];
        il_answer_solve(&w.qp, "auto", 0.0, &picked);
        il_answer_solve(&w.qp, "active_set", 0.0, &dense);
        CU_ASSERT_STRING_EQUAL(picked.info.method, of[k].method);
        CU_ASSERT_EQUAL(picked.status, IL_OK);
        CU_ASSERT_EQUAL(dense.status, IL_OK);
        CU_ASSERT(il_answer_distance(picked.x, dense.x, w.d) <= PRIMAL);
        CU_ASSERT(il_answer_distance(picked.x, w.target, w.d) > 1e-3); /* rows push */
        il_answer_free(&picked);
        il_answer_free(&dense);
        il_planted_free(&w);
    }
}

static const il_test tests[] = {
    {"every projector is right or says that it is not",
     every_projector_is_right_or_says_that_it_is_not},
    {"few rows of many coordinates are sparse", few_rows_of_many_coordinates_are_sparse},
    {NULL, NULL}};

const il_suite il_suite_large = {"large", tests};
