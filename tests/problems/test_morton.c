/*
 * test_morton.c - on a line Morton's order is that of the cells, and by number in a cell: against a
 * sort by insertion.
 */
#include <gsl/gsl_rng.h>
#include <math.h>

#include "problems/spheres/morton.h"
#include "tests/support/suite.h"

enum { MOST = 300, CASES = 200 };

/* Points at multiples of 2^-bits of the unit interval, both ends among them, so that cells of about
 * `cell` hold several where these are few: the key of x is the whole part of x (2^b - 1), 2^b the
 * power of two above 1/cell, or 2^52. */
static void points_on_a_line_come_by_cells_and_numbers(void) {
    static double q[MOST];
    static double key[MOST];
    static uint32_t order[MOST];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (unsigned k = 0; k < CASES; k++) {
        size_t n = 2 + gsl_rng_uniform_int(rng, MOST - 1);
        int bits = 1 + (int)gsl_rng_uniform_int(rng, 30);
        int b = k % 2 == 0 ? 52 : 1 + (int)gsl_rng_uniform_int(rng, 39);
        il_morton *w = il_morton_create(1, n);
        CU_ASSERT_PTR_NOT_NULL_FATAL(w);
        for (uint32_t i = 0; i < n; i++) {
            double at = ldexp(floor(ldexp(gsl_rng_uniform(rng), bits)), -bits);
            q[i] = i < 2 ? (double)i : at;
            key[i] = floor(q[i] * (ldexp(1.0, b) - 1.0));
            uint32_t j = i;
            for (; j > 0 && key[order[j - 1]] > key[i]; j--) {
                order[j] = order[j - 1];
            }
            order[j] = i;
        }
        const uint32_t *found = il_morton_order(w, q, k % 2 == 0 ? 0.0 : ldexp(1.5, -b));
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(found[i] == order[i]);
        }
        il_morton_destroy(w);
    }
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"points on a line come by cells and numbers", points_on_a_line_come_by_cells_and_numbers},
    {NULL, NULL}};

const il_suite il_suite_morton = {"morton", tests};
