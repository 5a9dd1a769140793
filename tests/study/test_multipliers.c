/*
 * test_multipliers.c - the set of multipliers, by hand where that can be done, and what is refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* Forces of order one to ten, linear programs to 1e-10 of the largest. */
static const double CLOSE = 1e-8;

/* ---- rows by hand ---------------------------------------------------------------------------- */

static void add_row(il_rows *rows, size_t n, const size_t *col, const double *coef) {
    CU_ASSERT_EQUAL_FATAL(il_rows_append(rows, rows->p, 0.0, 0.0, n, col, coef), IL_OK);
}

static void expect_range(const il_multipliers *m, size_t i, double min, double max) {
    CU_ASSERT(fabs(m->min[i] - min) <= CLOSE);
    CU_ASSERT(fabs(m->max[i] - max) <= CLOSE);
    CU_ASSERT(m->chosen[i] >= m->min[i] - CLOSE && m->chosen[i] <= m->max[i] + CLOSE);
}

/* Two discs on a floor, each against a wall, and a third between them, in directions (3,4)/5 and
 * (-3,4)/5: it weighs 1 and presses each by 5/8, of which 3/8 goes to a wall and 1/2 to the floor.
 */
static void a_pile_of_three_is_unique(void) {
    il_rows rows;
    il_multipliers m;
    il_rows_init(&rows);
    add_row(&rows, 4, (const size_t[]){0, 1, 4, 5}, (const double[]){-0.6, -0.8, 0.6, 0.8});
    add_row(&rows, 4, (const size_t[]){2, 3, 4, 5}, (const double[]){0.6, -0.8, -0.6, 0.8});
    add_row(&rows, 1, (const size_t[]){1}, (const double[]){1.0});
    add_row(&rows, 1, (const size_t[]){3}, (const double[]){1.0});
    add_row(&rows, 1, (const size_t[]){0}, (const double[]){1.0});
    add_row(&rows, 1, (const size_t[]){2}, (const double[]){-1.0});
    const double chosen[6] = {0.625, 0.625, 1.5, 1.5, 0.375, 0.375};
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 6, &rows, chosen, NULL), IL_OK);
    CU_ASSERT(m.contacts == 6 && m.unknowns == 6 && m.rank == 6 && m.dimension == 0);
    CU_ASSERT(m.extent <= CLOSE && m.residual <= CLOSE);
    for (size_t i = 0; i < 6; i++) {
        expect_range(&m, i, chosen[i], chosen[i]);
    }
    CU_ASSERT(fabs(m.total_min - 5.0) <= CLOSE && fabs(m.total_max - 5.0) <= CLOSE);
    CU_ASSERT(fabs(m.force - 3.0) <= CLOSE); /* three weights */
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

/* Four discs in a square: contacts that carry nothing, and one row written twice that shares 1. */
static void rows_written_twice_share(void) {
    il_rows rows;
    il_multipliers m;
    il_rows_init(&rows);
    for (size_t copy = 0; copy < 2; copy++) {
        add_row(&rows, 2, (const size_t[]){0, 2}, (const double[]){-1.0, 1.0});
    }
    add_row(&rows, 2, (const size_t[]){5, 7}, (const double[]){-1.0, 1.0});
    add_row(&rows, 2, (const size_t[]){1, 5}, (const double[]){-1.0, 1.0});
    add_row(&rows, 2, (const size_t[]){3, 7}, (const double[]){-1.0, 1.0});
    const double chosen[5] = {0.25, 0.75, 0.0, 2.0, 0.0};
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 8, &rows, chosen, NULL), IL_OK);
    CU_ASSERT(m.contacts == 5 && m.rank == 4 && m.dimension == 1);
    expect_range(&m, 0, 0.0, 1.0);
    expect_range(&m, 1, 0.0, 1.0);
    expect_range(&m, 2, 0.0, 0.0);
    expect_range(&m, 3, 2.0, 2.0);
    CU_ASSERT(fabs(m.extent - 1.0) <= CLOSE);
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

/* A body between two walls that just fit: they press against each other at will. Lemma 1, which is
 * about spheres alone, does not hold of walls. */
static void opposite_walls_have_no_bound(void) {
    il_rows rows;
    il_multipliers m;
    il_rows_init(&rows);
    add_row(&rows, 1, (const size_t[]){0}, (const double[]){1.0});
    add_row(&rows, 1, (const size_t[]){0}, (const double[]){-1.0});
    add_row(&rows, 1, (const size_t[]){1}, (const double[]){1.0});
    const double chosen[3] = {3.0, 1.0, 0.5};
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 2, &rows, chosen, NULL), IL_OK);
    CU_ASSERT(m.rank == 2 && m.dimension == 1);
    CU_ASSERT(m.max[0] == INFINITY && m.max[1] == INFINITY && m.extent == INFINITY);
    CU_ASSERT(m.constant == INFINITY && m.bound == INFINITY && m.total_max == INFINITY);
    CU_ASSERT(fabs(m.min[0] - 2.0) <= CLOSE && fabs(m.min[1]) <= CLOSE);
    CU_ASSERT(fabs(m.total_min - 2.5) <= CLOSE);
    expect_range(&m, 2, 0.5, 0.5);
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

/* Nothing to carry: {0} where the contacts cannot press on each other. C is that of a body in a
 * V, n = (+-0.8, 0.6): equal multipliers, 2 * 0.6 lambda = 1, sum 2/1.2. */
static void without_a_force_there_is_zero_alone(void) {
    il_rows rows;
    il_multipliers m;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 2, &rows, NULL, NULL), IL_OK);
    CU_ASSERT(m.contacts == 0 && m.dimension == 0 && m.extent == 0.0);
    il_multipliers_free(&m);
    add_row(&rows, 2, (const size_t[]){0, 1}, (const double[]){0.8, 0.6});
    add_row(&rows, 2, (const size_t[]){0, 1}, (const double[]){-0.8, 0.6});
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 2, &rows, (const double[]){0.0, 0.0}, NULL), IL_OK);
    CU_ASSERT(m.dimension == 0 && m.rank == 2 && m.extent <= CLOSE && m.bound == 0.0);
    CU_ASSERT(fabs(m.constant - 2.0 / 1.2) <= CLOSE);
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

static void bad_numbers_are_refused(void) {
    il_rows rows;
    il_multipliers m;
    il_error err = {IL_OK, ""};
    il_rows_init(&rows);
    add_row(&rows, 1, (const size_t[]){0}, (const double[]){1.0});
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 1, &rows, (const double[]){NAN}, &err), IL_ENUMERIC);
    il_multipliers_free(&m);
    while (rows.p <= IL_MULTIPLIERS_MAX) {
        add_row(&rows, 1, (const size_t[]){0}, (const double[]){1.0});
    }
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 1, &rows, NULL, &err), IL_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "3001 contacts"));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "at most 3000"));
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

static const il_test tests[] = {
    {"a pile of three is unique", a_pile_of_three_is_unique},
    {"rows written twice share", rows_written_twice_share},
    {"opposite walls have no bound", opposite_walls_have_no_bound},
    {"without a force there is zero alone", without_a_force_there_is_zero_alone},
    {"bad numbers are refused", bad_numbers_are_refused},
    {NULL, NULL}};

const il_suite il_suite_multipliers = {"multipliers", tests};
