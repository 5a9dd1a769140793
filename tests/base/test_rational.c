/*
 * test_rational.c - operations on long rational numbers while memory runs out inside them: the
 * reserve is enough, nothing crashes, and il_rational_starved tells.
 */
#include <stdlib.h>

#include "harness/base/rational.h"
#include "tests/support/allocation.h"
#include "tests/support/suite.h"

enum { NUMBERS = 4, OPERATIONS = 12, CALLS_MAX = 20000 };

/* Numbers of some 2^power bits with nothing in common: (3/7)^k and (5/11)^k + 1/13. */
static void fill(il_rational **x, int power) {
    il_rational_set_fraction(x[0], 3, 7);
    il_rational_set_fraction(x[1], 5, 11);
    for (int k = 0; k < power; k++) {
        il_rational_mul(x[0], x[0], x[0]);
        il_rational_mul(x[1], x[1], x[1]);
    }
    il_rational_set_fraction(x[2], 1, 13);
    il_rational_add(x[1], x[1], x[2]);
    il_rational_set_fraction(x[2], 0, 1);
}

/* Operation k on x[0] and x[1] with the result in x[2], or read. */
static void operate(int k, il_rational **x) {
    switch (k) {
    case 0:
        il_rational_add(x[2], x[0], x[1]);
        break;
    case 1:
        il_rational_sub(x[0], x[0], x[1]);
        break;
    case 2:
        il_rational_mul(x[2], x[0], x[1]);
        break;
    case 3:
        il_rational_div(x[1], x[0], x[1]);
        break;
    case 4:
        il_rational_set(x[2], x[0]);
        break;
    case 5:
        il_rational_scale(x[2], x[1], -2000);
        break;
    case 6:
        (void)il_rational_compare(x[0], x[1]);
        break;
    case 7:
        break;
    case 8:
        (void)il_rational_log2(x[0]);
        break;
    case 9:
        (void)il_rational_error(0.1, x[1]);
        break;
    case 10:
        free(il_rational_text(x[0]));
        break;
    default:
        (void)il_rational_set_text(x[2], "-12345678901234567890123.25e-4000");
    }
}

/* Each allocation of the operation, and all after it, fail. */
static void starve(int k, int power) {
    bool happened = true;
    for (size_t call = 1; happened && call < CALLS_MAX; call++) {
        il_rational **x = il_rational_array(NUMBERS);
        CU_ASSERT_PTR_NOT_NULL_FATAL(x);
        fill(x, power);
        allocation_fail_from(call);
        operate(k, x);
        happened = allocation_failed();
        allocation_fail(0);
        bool starved = il_rational_starved();
        CU_ASSERT(happened || !starved);
        il_rational_free(x);
    }
    CU_ASSERT_FALSE(happened);
    CU_ASSERT_FALSE(il_rational_starved()); /* asked once */
}

static void the_reserve_is_enough(void) {
    static const int powers[] = {2, 10, 15};
    if (!allocation_counted()) {
        return;
    }
    for (int k = 0; k < OPERATIONS; k++) {
        for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
            starve(k, powers[i]);
        }
    }
}

/* (1/2 + 1/3) while memory runs out is no number, and after it 5/6 again. */
static void what_came_after_means_nothing(void) {
    if (!allocation_counted()) {
        return;
    }
    il_rational **x = il_rational_array(NUMBERS);
    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    il_rational_set_fraction(x[0], 1, 2);
    il_rational_set_fraction(x[1], 1, 3);
    il_rational_set_fraction(x[3], 5, 6);
    allocation_fail_from(1);
    for (int k = 0; k < 64; k++) { /* until some operation asks */
        il_rational_mul(x[2], x[0], x[1]);
        il_rational_mul(x[0], x[0], x[0]);
    }
    allocation_fail(0);
    CU_ASSERT_EQUAL(il_rational_compare(x[0], x[1]), 0);
    CU_ASSERT(il_rational_starved());
    il_rational_set_fraction(x[0], 1, 2);
    il_rational_add(x[2], x[0], x[1]);
    CU_ASSERT_EQUAL(il_rational_compare(x[2], x[3]), 0);
    CU_ASSERT_FALSE(il_rational_starved());
    il_rational_free(x);
}

static const il_test tests[] = {
    {"an operation that runs out of memory ends in its reserve", the_reserve_is_enough},
    {"what follows means nothing until it is asked for", what_came_after_means_nothing},
    {.name = NULL}};

extern const il_suite il_suite_rational;
const il_suite il_suite_rational = {"rational", tests};
