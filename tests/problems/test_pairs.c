/*
 * test_pairs.c - pairs of spheres: their numbers, and the constraint |q_j - q_i| >= r_i + r_j against
 * differences.
 */
#include <math.h>

#include "problems/spheres/pairs.h"
#include "tests/support/suite.h"

enum { SPACE = 3 };

/* Values computed by hand, compared after about ten roundings. */
static const double HAND = 1e-14;

static void pairs_are_numbered_once(void) {
    size_t id = 0;
    for (size_t j = 1; j < 60; j++) {
        for (size_t i = 0; i < j; i++, id++) {
            size_t a = 0;
            size_t b = 0;
            CU_ASSERT_EQUAL(il_pair_id(i, j), id);
            il_pair_of(id, &a, &b);
            CU_ASSERT(a == i && b == j);
        }
    }
    CU_ASSERT_EQUAL(il_pair_count(60), id);
    CU_ASSERT_EQUAL(il_pair_count(0), 0);
    CU_ASSERT_EQUAL(il_pair_count(1), 0);
    for (size_t j = 1000; j < 50000000; j *= 3) { /* both ends of a row of the triangle */
        for (size_t i = 0; i < j; i += j - 1) {
            size_t a = 0;
            size_t b = 0;
            il_pair_of(il_pair_id(i, j), &a, &b);
            CU_ASSERT(a == i && b == j);
        }
    }
}

/* Central differences of step 1e-5 are good to 1e-10 + 1e-16/1e-5. */
static void pair_gradient_is_the_derivative(void) {
    static const double STEP = 1e-5;
    static const double DIFFERENCE = 1e-9;
    double q[9] = {0.3, -0.2, 0.9, 5.0, 5.0, 5.0, -1.1, 0.4, 0.2};
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_FATAL(il_pair_row(SPACE, q, 0, 2, 0.7, 0.3, 5, &rows) == IL_OK);
    CU_ASSERT(rows.p == 1 && rows.id[0] == 5 && rows.nnz == 6);
    CU_ASSERT(fabs(rows.value[0] - (sqrt(1.4 * 1.4 + 0.6 * 0.6 + 0.7 * 0.7) - 0.7)) <= HAND);
    CU_ASSERT(rows.rate[0] == -0.3);
    double square = 0.0;
    for (size_t k = 0; k < 6; k++) {
        size_t column = k < 3 ? k : k + 3;
        double keep = q[column];
        CU_ASSERT_EQUAL(rows.col[k], column);
        square += rows.coef[k] * rows.coef[k];
        q[column] = keep + STEP;
        CU_ASSERT(il_pair_row(SPACE, q, 0, 2, 0.7, 0.3, 6, &rows) == IL_OK);
        q[column] = keep - STEP;
        CU_ASSERT(il_pair_row(SPACE, q, 0, 2, 0.7, 0.3, 7, &rows) == IL_OK);
        q[column] = keep;
        double slope = (rows.value[1] - rows.value[2]) / (2.0 * STEP);
        CU_ASSERT(fabs(rows.coef[k] - slope) <= DIFFERENCE);
        il_rows_pop(&rows);
        il_rows_pop(&rows);
    }
    CU_ASSERT(fabs(square - 2.0) <= HAND);
    il_rows_free(&rows);
}

static void coincident_centres_have_no_gradient(void) {
    double q[4] = {0.25, -3.0, 0.25, -3.0};
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL(il_pair_row(2, q, 0, 1, 1.0, 0.0, 0, &rows), IL_ENUMERIC);
    q[2] = NAN;
    CU_ASSERT_EQUAL(il_pair_row(2, q, 0, 1, 1.0, 0.0, 0, &rows), IL_ENUMERIC);
    CU_ASSERT_EQUAL(rows.p, 0);
    q[2] = 0.25 + 1e-200; /* lost in 0.25 */
    CU_ASSERT_EQUAL(il_pair_row(2, q, 0, 1, 1.0, 0.0, 0, &rows), IL_ENUMERIC);
    q[0] = 0.0;
    q[2] = 1e-200; /* no underflow of the square */
    CU_ASSERT_EQUAL(il_pair_row(2, q, 0, 1, 1.0, 0.0, 0, &rows), IL_OK);
    CU_ASSERT(rows.p == 1 && rows.coef[2] == 1.0 && rows.coef[0] == -1.0);
    il_rows_free(&rows);
}

static const il_test tests[] = {
    {"every pair has one number", pairs_are_numbered_once},
    {"the gradient of a pair is its derivative", pair_gradient_is_the_derivative},
    {"coincident centres have no gradient", coincident_centres_have_no_gradient},
    {NULL, NULL}};

const il_suite il_suite_pairs = {"pairs", tests};
