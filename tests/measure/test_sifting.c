/*
 * test_sifting.c - graphs of one coordinate are compared by boxes of many steps: with the bits that
 * points and segments one by one give, and with few looks.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "harness/measure/graph.h"
#include "tests/support/jump.h"
#include "tests/support/suite.h"

enum { CASES = 200 };

/* The scalar graph in the plane, with a second coordinate that is 0: the boxes of one coordinate do
 * not apply, and all else is the same. */
static il_graph in_the_plane(const il_graph *g) {
    il_graph wide = {.d = 2, .n = g->n, .room = g->n, .p = calloc(3 * g->n, sizeof(double))};
    CU_ASSERT_PTR_NOT_NULL_FATAL(wide.p);
    for (size_t k = 0; k < g->n; k++) {
        wide.p[3 * k] = g->p[2 * k];
        wide.p[3 * k + 1] = g->p[2 * k + 1];
    }
    return wide;
}

/* A run of n steps that follows a motion with jumps, late and off by noise, both of a size between
 * 1e-6 and 1. */
static il_graph follower(gsl_rng *rng, size_t n, size_t kind) {
    il_trajectory t = {0};
    il_graph g = {0};
    double q = 0.0;
    double late = pow(10.0, -6.0 * gsl_rng_uniform(rng));
    double noise = pow(10.0, -6.0 * gsl_rng_uniform(rng));
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&t, 1, n + 1, NULL), IL_OK);
    for (size_t k = 0; k <= n; k++) {
        double at = (double)k / (double)n;
        double s = 7.0 * fmax(0.0, at - late);
        double u = kind == 0   ? s - floor(s)
                   : kind == 1 ? sin(s) + floor(0.5 * s)
                               : floor(s); /* sawteeth, a wave on stairs, stairs */
        u += noise * (gsl_rng_uniform(rng) - 0.5);
        CU_ASSERT_EQUAL(il_trajectory_add(&t, at, &q, &u), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_graph_of_run(&g, &t, NULL), IL_OK);
    il_trajectory_free(&t);
    return g;
}

static void sifting_changes_no_bit(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t fewer = 0;
    size_t many = 0;
    for (size_t trial = 0; trial < CASES; trial++) {
        size_t n = 2 + gsl_rng_uniform_int(rng, trial % 4 == 0 ? 3000 : 60);
        il_graph a = follower(rng, n, trial % 3);
        il_graph b = follower(rng, trial % 2 == 0 ? n : 2 + n / 20, trial % 3);
        il_graph wide_a = in_the_plane(&a);
        il_graph wide_b = in_the_plane(&b);
        double tau = 0.25 + gsl_rng_uniform(rng);
        double V = 0.25 + 3.0 * gsl_rng_uniform(rng);
        double sifted = NAN;
        double plain = NAN;
        size_t looks = 0;
        size_t all = 0;
        CU_ASSERT_EQUAL(il_graph_distance(&a, &b, tau, V, &sifted, &looks, NULL), IL_OK);
        CU_ASSERT_EQUAL(il_graph_distance(&wide_a, &wide_b, tau, V, &plain, &all, NULL), IL_OK);
        CU_ASSERT(sifted == plain && sifted > 0.0);
        fewer += n > 500 && 2 * looks < all;
        many += n > 500;
        il_graph_free(&a);
        il_graph_free(&b);
        il_graph_free(&wide_a);
        il_graph_free(&wide_b);
    }
    CU_ASSERT(many > 20 && 2 * fewer > many);
    gsl_rng_free(rng);
}

/* A run beside its reference: half a look a step and less. */
static void a_run_beside_its_reference_is_cheap(void) {
    enum { LONG = 20000 };
    il_graph run = il_jump_graph(LONG, 0.5);
    il_graph late = il_jump_graph(LONG / 7, 0.5002);
    double value = NAN;
    size_t looks = 0;
    CU_ASSERT_EQUAL(il_graph_distance(&run, &late, 1.0, 1.0, &value, &looks, NULL), IL_OK);
    CU_ASSERT(value <= 1e-3 && looks <= LONG / 2);
    il_graph_free(&run);
    il_graph_free(&late);
}

static const il_test tests[] = {
    {"sifting by boxes of one coordinate changes no bit", sifting_changes_no_bit},
    {"a run beside its reference is compared many steps at once",
     a_run_beside_its_reference_is_cheap},
    {NULL, NULL}};

const il_suite il_suite_sifting = {"sifting", tests};
