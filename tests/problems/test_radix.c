/*
 * test_radix.c - keys in order, equal ones as they stood: against a sort by insertion.
 */
#include <gsl/gsl_rng.h>
#include <string.h>

#include "problems/spheres/radix.h"
#include "tests/support/suite.h"

enum { MOST = 300, CASES = 200 };

/* Keys of so many bits from bit `low` on: many are equal where these are few. */
static void fill(il_radix *w, size_t n, unsigned bits, unsigned low, gsl_rng *rng) {
    for (size_t k = 0; k < n; k++) {
        uint64_t key = 0;
        for (unsigned b = 0; b < bits; b++) {
            key = key << 1 | gsl_rng_uniform_int(rng, 2);
        }
        w->key[k] = key << low;
        w->order[k] = (uint32_t)k;
    }
}

static void insert(uint64_t *key, uint32_t *order, size_t n) {
    for (size_t i = 1; i < n; i++) {
        uint64_t its = key[i];
        uint32_t number = order[i];
        size_t k = i;
        for (; k > 0 && key[k - 1] > its; k--) {
            key[k] = key[k - 1];
            order[k] = order[k - 1];
        }
        key[k] = its;
        order[k] = number;
    }
}

static void keys_come_in_order_and_equal_ones_as_they_stood(void) {
    static uint64_t key[MOST];
    static uint32_t order[MOST];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_radix w = {.room = 0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (unsigned k = 0; k < CASES; k++) {
        size_t n = k < 3 ? k : gsl_rng_uniform_int(rng, MOST + 1);
        unsigned bits = 1 + (unsigned)gsl_rng_uniform_int(rng, 64);
        unsigned low = (unsigned)gsl_rng_uniform_int(rng, 65 - bits);
        CU_ASSERT_FATAL(il_radix_reserve(&w, n > 0 ? n : 1));
        fill(&w, n, bits, low, rng);
        memcpy(key, w.key, n * sizeof *key);
        memcpy(order, w.order, n * sizeof *order);
        insert(key, order, n);
        il_radix_sort(&w, n);
        CU_ASSERT(memcmp(key, w.key, n * sizeof *key) == 0);
        CU_ASSERT(memcmp(order, w.order, n * sizeof *order) == 0);
    }
    il_radix_free(&w);
    gsl_rng_free(rng);
}

static const il_test tests[] = {{"keys come in order and equal ones as they stood",
                                 keys_come_in_order_and_equal_ones_as_they_stood},
                                {NULL, NULL}};

const il_suite il_suite_radix = {"radix", tests};
