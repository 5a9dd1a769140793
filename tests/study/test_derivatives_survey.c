/*
 * test_derivatives_survey.c - where a survey looks for wrong derivatives, and what it says of their
 * causes: rows made for one mistake each.
 */
#include <math.h>
#include <string.h>

#include "harness/study/hypotheses/derivatives.h"
#include "tests/support/suite.h"

/* Two rows over two coordinates, of which the first is told wrongly: g_0 = 1000 q_0. */
typedef struct {
    double told[2], other[2];
} pair_of_rows;

static bool two_values(const il_problem *problem, double t, const double *q, double *g) {
    const pair_of_rows *w = problem->data;
    (void)t;
    g[0] = 1000.0 * q[0];
    g[1] = w->other[0] * q[0] + w->other[1] * q[1];
    return true;
}

static bool two_rows(const il_problem *problem, double t, const double *q, il_rows *rows) {
    static const size_t col[2] = {0, 1};
    const pair_of_rows *w = problem->data;
    double g[2];
    return two_values(problem, t, q, g) &&
           il_rows_append(rows, 0, g[0], 0.0, 2, col, w->told) == IL_OK &&
           il_rows_append(rows, 1, g[1], 0.0, 2, col, w->other) == IL_OK;
}

/* A gradient is that of another constraint, or a multiple, by its own size: beside the thousand
 * that it should be all small ones would be alike. */
static void a_cause_is_judged_by_what_is_given(void) {
    static const double one[2] = {1.0, 1.0};
    static const double zero[2] = {0.0, 0.0};
    static const il_problem_type type = {.name = "two rows"};
    static const struct {
        pair_of_rows rows;
        const char *cause;
    } cases[] = {{{{0.1, 0.5}, {0.1, 0.5}}, "this is the gradient of constraint 2"},
                 {{{0.4, 0.3}, {0.1, 0.5}}, "this entry is wrong by the factor 0.0004"},
                 {{{0.4, 0.0}, {0.1, 0.5}}, "the gradient is wrong by the factor 0.0004"},
                 {{{0.0, 1000.0}, {0.1, 0.5}},
                  "the entries 1 and 2 stand at each other's place: a wrong index"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        pair_of_rows rows = cases[k].rows;
        il_problem problem = {.type = &type,
                              .order = 1,
                              .d = 2,
                              .p = 2,
                              .horizon = 1.0,
                              .q0 = one,
                              .u0 = zero,
                              .data = &rows};
        il_derivatives_query query = {.problem = &problem, .values = two_values, .rows = two_rows};
        il_derivatives_work *work = NULL;
        il_derivatives found = {.points = 0};
        CU_ASSERT_EQUAL_FATAL(il_derivatives_create(&work, &query, NULL), IL_OK);
        CU_ASSERT_EQUAL(il_derivatives_compare(work, 0.0, one, NULL, &found, NULL), IL_OK);
        CU_ASSERT(found.mismatch && found.id == 0 && found.component == 0);
        CU_ASSERT_STRING_EQUAL(found.cause, cases[k].cause);
        il_derivatives_destroy(work);
    }
}

/* g_0 = q_0 + 100, whose boundary is farther than anything can be computed; g_1 = q_1. */
static bool walled_values(const il_problem *problem, double t, const double *q, double *g) {
    (void)problem;
    (void)t;
    g[0] = q[0] + 100.0;
    g[1] = q[1];
    return fabs(q[0]) <= 10.0;
}

/* The slope of g_1 is told wrongly near its boundary and nowhere else. */
static bool walled_rows(const il_problem *problem, double t, const double *q, il_rows *rows) {
    static const size_t col[2] = {0, 1};
    const double slope[2] = {1.0, fabs(q[1]) <= 1e-3 ? 1.5 : 1.0};
    double g[2];
    return walled_values(problem, t, q, g) &&
           il_rows_append(rows, 0, g[0], 0.0, 1, &col[0], &slope[0]) == IL_OK &&
           il_rows_append(rows, 1, g[1], 0.0, 1, &col[1], &slope[1]) == IL_OK;
}

/* On the way to the boundary of one row stay all coordinates that it does not know, whatever
 * another row's way was. */
static void a_way_to_a_boundary_is_its_own_rows(void) {
    static const double one[2] = {1.0, 1.0};
    static const double zero[2] = {0.0, 0.0};
    static const il_problem_type type = {.name = "walled"};
    il_problem problem = {
        .type = &type, .order = 1, .d = 2, .p = 2, .horizon = 1.0, .q0 = one, .u0 = zero};
    il_derivatives_query query = {
        .problem = &problem, .values = walled_values, .rows = walled_rows};
    il_derivatives_work *work = NULL;
    il_derivatives found = {.points = 0};
    CU_ASSERT_EQUAL_FATAL(il_derivatives_create(&work, &query, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_derivatives_survey(work, &found, NULL), IL_OK);
    CU_ASSERT(found.mismatch && found.id == 1 && found.component == 1);
    CU_ASSERT(found.given == 1.5 && fabs(found.difference - 1.0) <= found.error);
    il_derivatives_destroy(work);
}

/* g = unit (q - 1/4), which can be computed near 0 only; its slope is told wrongly near its
 * boundary and nowhere else. */
static bool unit_values(const il_problem *problem, double t, const double *q, double *g) {
    const double *unit = problem->data;
    (void)t;
    g[0] = *unit * (q[0] - 0.25);
    return fabs(q[0]) <= 10.0;
}

static bool unit_rows(const il_problem *problem, double t, const double *q, il_rows *rows) {
    static const size_t col = 0;
    const double *unit = problem->data;
    double slope = *unit * (fabs(q[0] - 0.25) <= 1e-3 ? 1.5 : 1.0);
    double g = 0.0;
    return unit_values(problem, t, q, &g) &&
           il_rows_append(rows, 0, g, 0.0, 1, &col, &slope) == IL_OK;
}

static void a_boundary_is_found_in_any_unit(void) {
    static const double units[] = {1e-6, 1.0, 1e6};
    static const double one = 1.0;
    static const double zero = 0.0;
    static const il_problem_type type = {.name = "unit"};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        double unit = units[k];
        il_problem problem = {.type = &type,
                              .order = 1,
                              .d = 1,
                              .p = 1,
                              .horizon = 1.0,
                              .q0 = &one,
                              .u0 = &zero,
                              .data = &unit};
        il_derivatives_query query = {
            .problem = &problem, .values = unit_values, .rows = unit_rows};
        il_derivatives_work *work = NULL;
        il_derivatives found = {.points = 0};
        CU_ASSERT_EQUAL_FATAL(il_derivatives_create(&work, &query, NULL), IL_OK);
        CU_ASSERT_EQUAL(il_derivatives_survey(work, &found, NULL), IL_OK);
        CU_ASSERT(found.mismatch && found.given == 1.5 * unit);
        CU_ASSERT(fabs(found.difference - unit) <= found.error);
        il_derivatives_destroy(work);
    }
}

static bool one_moves(const il_problem *problem, double t, const double *q, double *g) {
    for (size_t i = 0; i < problem->p; i++) {
        g[i] = q[0] + (i == 1 ? t : 0.0);
    }
    return true;
}

static void rows_that_move_are_told(void) {
    static const double zero = 0.0;
    static const il_problem_type type = {.name = "moving"};
    il_problem problem = {
        .type = &type, .order = 1, .d = 1, .p = 3, .horizon = 1.0, .q0 = &zero, .u0 = &zero};
    il_derivatives_query query = {.problem = &problem, .values = one_moves};
    il_derivatives_work *work = NULL;
    bool moves[4] = {true, true, true, false};
    CU_ASSERT_EQUAL_FATAL(il_derivatives_create(&work, &query, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_derivatives_find_moving(work, moves, NULL), IL_OK);
    CU_ASSERT(!moves[0] && moves[1] && !moves[2] && !moves[3]);
    il_derivatives_destroy(work);
}

static const il_test tests[] = {
    {"a cause is judged by what is given", a_cause_is_judged_by_what_is_given},
    {"a way to a boundary is its own row's", a_way_to_a_boundary_is_its_own_rows},
    {"a boundary is found in any unit", a_boundary_is_found_in_any_unit},
    {"rows that move are told", rows_that_move_are_told},
    {NULL, NULL}};

extern const il_suite il_suite_derivatives_survey;
const il_suite il_suite_derivatives_survey = {"derivatives survey", tests};
