/*
 * test_roots.c - sign changes of polynomials made of their zeros.
 */
#include "problems/spheres/roots.h"

#include <math.h>

#include "tests/support/suite.h"

/* Zeros of order one, some roundings of coefficients over slopes of order one. */
static const double ROUNDING = 1e-13;

/* c of lead (s - z_1) ... (s - z_degree). */
static void expand(double lead, const double *z, int degree, double *c) {
    c[0] = lead;
    for (int n = 0; n < degree; n++) {
        c[n + 1] = 0.0;
        for (int k = n + 1; k >= 0; k--) {
            c[k] = (k > 0 ? c[k - 1] : 0.0) - z[n] * c[k];
        }
    }
}

/* 2 (s - 1/4)(s - 1)(s - 3/2)(s - 5/2): all of them, those before 2, those that fall, and those of
 * its negative that do. */
static void zeros_are_found_in_order(void) {
    static const double zeros[4] = {0.25, 1.0, 1.5, 2.5};
    double c[5];
    double z[4];
    for (int degree = 1; degree <= 4; degree++) {
        expand(2.0, zeros, degree, c);
        CU_ASSERT_EQUAL_FATAL(il_sign_changes(c, degree, 3.0, false, z), degree);
        for (int k = 0; k < degree; k++) {
            CU_ASSERT(fabs(z[k] - zeros[k]) <= ROUNDING);
        }
        CU_ASSERT_EQUAL(il_sign_changes(c, degree, 2.0, false, z), degree < 4 ? degree : 3);
        CU_ASSERT_EQUAL(il_sign_changes(c, degree, 3.0, true, z), degree / 2);
        CU_ASSERT(degree < 2 || fabs(z[0] - zeros[degree % 2]) <= ROUNDING);
        expand(-2.0, zeros, degree, c);
        CU_ASSERT_EQUAL(il_sign_changes(c, degree, 3.0, true, z), (degree + 1) / 2);
    }
    CU_ASSERT_EQUAL(il_sign_changes(c, 0, 3.0, false, z), 0);
}

/* (s - 1)^2 vanishes and is positive on both sides: not positive at 1, it changes there and back;
 * s^2 + 1 never does. */
static void a_zero_that_is_touched_is_met(void) {
    const double touches[3] = {1.0, -2.0, 1.0};
    const double never[3] = {1.0, 0.0, 1.0};
    double z[2];
    CU_ASSERT_EQUAL_FATAL(il_sign_changes(touches, 2, 3.0, true, z), 1);
    CU_ASSERT(fabs(z[0] - 1.0) <= 1e-7); /* the square root of a rounding */
    CU_ASSERT_EQUAL(il_sign_changes(never, 2, 3.0, false, z), 0);
}

/* s - z and its negative are rounded to numbers of their own sign, so that the last place of their
 * zero is known: the first number that is no longer on the side of 0 is the next above z, or z. */
static void zeros_are_found_to_the_last_bit(void) {
    for (int k = 1; k < 97; k++) {
        const double at = 3.0 * k / 97.0;
        const double rising[2] = {-at, 1.0};
        const double falling[2] = {at, -1.0};
        double z = 0.0;
        CU_ASSERT_EQUAL(il_sign_changes(rising, 1, 3.0, false, &z), 1);
        CU_ASSERT_EQUAL(z, nextafter(at, INFINITY));
        CU_ASSERT_EQUAL(il_sign_changes(falling, 1, 3.0, true, &z), 1);
        CU_ASSERT_EQUAL(z, at);
    }
}

static const il_test tests[] = {
    {"zeros are found in order", zeros_are_found_in_order},
    {"a zero that is touched is met", a_zero_that_is_touched_is_met},
    {"zeros are found to the last bit", zeros_are_found_to_the_last_bit},
    {NULL, NULL}};

const il_suite il_suite_roots = {"roots", tests};
