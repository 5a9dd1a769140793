/*
 * test_working_set.c - which rows a step begins with, and which come: points in a row, whose rows
 * are their distances, g_i = q_{i+1} - q_i, linear in q, so that all is worked out by hand.
 */
#include "schemes/stepping/working_set.h"

#include <math.h>
#include <string.h>

#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* Four points with distances 1, 2 and 4. */
enum { N = 4 };

typedef struct {
    il_test_problem made;
    il_working_set set;
    il_linearisation at;
} row_of_points;

static void points_init(row_of_points *w) {
    static const char *const sets[] = {"N=4", "q0=0,1,3,7", "u0=0,0,0,0", NULL};
    w->made = il_test_problem_new("sticky", 0.0, sets);
    const il_problem *problem = w->made.problem;
    CU_ASSERT_EQUAL_FATAL(il_working_set_init(&w->set, problem, NULL), IL_OK);
    w->at = (il_linearisation){.y = problem->q0, .q = problem->q0, .scale = 1.0};
}

static void points_free(row_of_points *w) {
    il_working_set_free(&w->set);
    il_test_problem_free(&w->made);
}

/* The numbers of the rows at hand, as bits. */
static unsigned at_hand(const row_of_points *w) {
    unsigned bits = 0;
    for (size_t i = 0; i < w->set.rows.p; i++) {
        CU_ASSERT_EQUAL(bits >> w->set.rows.id[i] & 1u, 0); /* once */
        bits |= 1u << w->set.rows.id[i];
    }
    return bits;
}

/* All points go 8 to the right: rows open by at most 8 part are nearly closed. */
static void what_is_nearly_closed_is_narrowed_until_it_is_few(void) {
    static const struct {
        il_touch touch;
        unsigned rows;
    } cases[] = {
        {{0.5, 0.01, 9}, 7},   /* up to 4: all three */
        {{0.5, 0.01, 3}, 7},   /* which are not more than three */
        {{0.5, 0.01, 2}, 3},   /* up to 2 */
        {{0.5, 0.01, 1}, 1},   /* up to 1 */
        {{0.5, 0.01, 0}, 0},   /* up to 0.08 */
        {{0.5, 0.25, 0}, 3},   /* no fewer than those up to 2 */
        {{0.499, 0.01, 9}, 3}, /* up to 3.992 */
        {{0.3, 0.125, 1}, 1},  /* up to 2.4, 1.2 */
    };
    static const double way[N] = {8.0, 8.0, 8.0, 8.0};
    row_of_points w;
    points_init(&w);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        CU_ASSERT_EQUAL(il_working_set_touching(&w.set, &w.at, way, &cases[k].touch, NULL), IL_OK);
        CU_ASSERT_EQUAL(at_hand(&w), cases[k].rows);
    }
    points_free(&w);
}

/* Rows at hand are not violations, whatever the point does to them, wherever they stand; among
 * others the deepest is told, and those that are near come along. */
static void only_rows_that_are_not_there_count(void) {
    static const il_touch none = {0.01, 0.01, 0};
    static const il_violation all = {.rounding = 1e-15, .nearby = 1e-9};
    static const double far[N] = {5.0, 0.0, -3.0, 0.0}; /* distances -4, -1, 7 */
    static const double near[N] = {0.0, 0.0, 0.0, 0.0};
    row_of_points w;
    double deepest = -1.0;
    points_init(&w);
    CU_ASSERT_EQUAL(il_working_set_touching(&w.set, &w.at, near, &none, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_working_set_violated(&w.set, &w.at, near, &all, &deepest, NULL), IL_OK);
    CU_ASSERT_EQUAL(deepest, 0.0);
    CU_ASSERT_EQUAL(at_hand(&w), 0);
    CU_ASSERT_EQUAL(il_working_set_violated(&w.set, &w.at, far, &all, &deepest, NULL), IL_OK);
    CU_ASSERT_EQUAL(deepest, 4.0);
    CU_ASSERT_EQUAL(at_hand(&w), 3);
    CU_ASSERT_EQUAL(il_working_set_violated(&w.set, &w.at, far, &all, &deepest, NULL), IL_OK);
    CU_ASSERT_EQUAL(deepest, 0.0);
    il_working_set_cut(&w.set, 1); /* the second row goes, and comes again */
    CU_ASSERT_EQUAL(il_working_set_violated(&w.set, &w.at, far, &all, &deepest, NULL), IL_OK);
    CU_ASSERT_EQUAL(deepest, 1.0);
    CU_ASSERT_EQUAL(at_hand(&w), 3);
    points_free(&w);
}

/* The size of a point and its way from the one before, both in the maximum norm, small and large,
 * of either sign. */
static void a_point_tells_its_size_and_its_way(void) {
    static const double to[][N] = {{0.0, 0.0, 0.0, 0.0},
                                   {0.0, 0.25, 0.0, -0.125},
                                   {-64.0, 0.25, 0.0, 1.0},
                                   {-64.0, 0.25, 0.0, 1.0},
                                   {1.0, 0.25, -16.0, 1.0}};
    row_of_points w;
    double before[N] = {0.0};
    points_init(&w);
    w.at.scale = 0.5;
    for (size_t k = 0; k < sizeof to / sizeof to[0]; k++) {
        double size = 0.0;
        double way = 0.0;
        double moved = -1.0;
        for (size_t i = 0; i < N; i++) {
            double point = w.at.q[i] + 0.5 * to[k][i];
            size = fmax(size, fabs(point));
            way = fmax(way, fabs(point - before[i]));
            before[i] = point;
        }
        CU_ASSERT_EQUAL(il_working_set_move(&w.set, &w.at, to[k], &moved), size);
        CU_ASSERT(k == 0 || moved == way);
        CU_ASSERT(memcmp(w.set.point, before, sizeof before) == 0);
    }
    points_free(&w);
}

static const il_test tests[] = {
    {"what is nearly closed is narrowed until it is few",
     what_is_nearly_closed_is_narrowed_until_it_is_few},
    {"only rows that are not there count", only_rows_that_are_not_there_count},
    {"a point tells its size and its way", a_point_tells_its_size_and_its_way},
    {NULL, NULL}};

const il_suite il_suite_working_set = {"working set", tests};
