/*
 * test_derivatives.c - given derivatives against differences: right ones pass in every problem,
 * wrong ones are found in every problem, and hard ones are not refused.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/study/hypotheses/derivatives.h"
#include "tests/support/suite.h"
#include "tests/support/wrong_rows.h"

/* A problem of type with defaults, but few bodies: of 10 nearly all gradients are compared. */
static il_problem *make(const il_problem_type *type, il_params **params) {
    il_problem *problem = NULL;
    const double few = 4.0;
    CU_ASSERT_EQUAL_FATAL(il_params_create(params, type->params, NULL), IL_OK);
    if (strcmp(type->name, "crowd") == 0 || strcmp(type->name, "pile") == 0 ||
        strcmp(type->name, "impact") == 0) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_numbers(*params, "N", &few, 1, NULL), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, type, *params, 0.0, NULL), IL_OK);
    return problem;
}

static il_derivatives survey(const il_problem_type *type) {
    il_params *params = NULL;
    il_problem *problem = make(type, &params);
    il_derivatives_query query = {.problem = problem};
    il_derivatives found = {.points = 0};
    il_derivatives_work *work = il_derivatives_create(&query);
    il_derivatives_survey(work, &found);
    il_derivatives_destroy(work);
    il_problem_destroy(problem);
    il_params_destroy(params);
    return found;
}

static void built_in_derivatives_are_right(void) {
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        const il_problem_type *type = il_problem_type_at(k);
        char text[512];
        il_derivatives found = survey(type);
        if (found.mismatch) {
            CU_FAIL("a derivative of a built-in problem was refused");
            (void)fprintf(stderr, "%s: %s\n", type->name,
                          il_derivatives_tell(&found, text, sizeof text));
        }
        CU_ASSERT(found.compared > 0 && found.points > 0);
        /* the ladder knows nearly all of them: smooth functions and their zeros */
        CU_ASSERT(found.undecided * 20 <= found.compared);
        if (found.undecided * 20 > found.compared) {
            (void)fprintf(stderr, "%s: %zu undecided of %zu\n", type->name, found.undecided,
                          found.compared);
        }
    }
}

/* One entry off by a thousandth, whole gradients turned round. */
static void wrong_gradients_are_found_in_every_problem(void) {
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        il_wrong_rows wrong;
        il_wrong_rows_make(&wrong, il_problem_type_at(k), 1.001, 1.0, 1.0);
        il_derivatives found = survey(&wrong.type);
        CU_ASSERT(found.mismatch && found.component != IL_COMPONENT_RATE);
        CU_ASSERT(fabs(found.given - 1.001 * found.difference) <= 1e-5 * fabs(found.given));
        il_wrong_rows_make(&wrong, il_problem_type_at(k), 1.0, -1.0, 1.0);
        found = survey(&wrong.type);
        CU_ASSERT(found.mismatch && found.component != IL_COMPONENT_RATE);
        CU_ASSERT_STRING_EQUAL(found.cause, "the sign of the gradient is wrong");
    }
}

/* ---- functions with known derivatives ------------------------------------------------------- */

enum { SMOOTH = 8, VARIABLES = 3 };

/* They take few levels or many, at different ones for neighbours. */
static bool smooth(const il_problem *problem, double t, const double *q, double *g) {
    (void)problem;
    g[0] = exp(q[0]) - 2.0;
    g[1] = cos(40.0 * q[0]) * q[1];
    g[2] = q[0] * q[1] * q[2] - 1.0;
    g[3] = 1.0 / (2.0 + q[2]);
    g[4] = sin(15.0 * q[1]) + t * q[2];
    g[5] = sqrt(1.0 + q[2] * q[2]);
    g[6] = t * t * t - q[1];
    g[7] = atan(10.0 * q[0]) + q[1] * q[1];
    return true;
}

static void smooth_slopes(double t, const double *q, double D[SMOOTH][VARIABLES + 1]) {
    const double slopes[SMOOTH][VARIABLES + 1] = {
        {exp(q[0]), 0.0, 0.0, 0.0},
        {-40.0 * sin(40.0 * q[0]) * q[1], cos(40.0 * q[0]), 0.0, 0.0},
        {q[1] * q[2], q[0] * q[2], q[0] * q[1], 0.0},
        {0.0, 0.0, -1.0 / ((2.0 + q[2]) * (2.0 + q[2])), 0.0},
        {0.0, 15.0 * cos(15.0 * q[1]), t, q[2]},
        {0.0, 0.0, q[2] / sqrt(1.0 + q[2] * q[2]), 0.0},
        {0.0, -1.0, 0.0, 3.0 * t * t},
        {10.0 / (1.0 + 100.0 * q[0] * q[0]), 2.0 * q[1], 0.0, 0.0}};
    memcpy(D, slopes, sizeof slopes);
}

/* A problem of functions alone; nothing is asked of its start. */
static il_derivatives_work *
look_at(il_problem *problem, const il_problem_type *type,
        bool (*values)(const il_problem *, double, const double *, double *), size_t d, size_t p) {
    static const double rest[VARIABLES] = {0.0};
    *problem = (il_problem){
        .type = type, .order = 1, .d = d, .p = p, .horizon = 1.0, .q0 = rest, .u0 = rest};
    il_derivatives_query query = {.problem = problem, .values = values};
    il_derivatives_work *work = il_derivatives_create(&query);
    return work;
}

/* To the error that goes with them, which is small: four columns of a ladder leave 1e-9 of a sine
 * of 40 q where its steps are a thousandth, and roundings beyond are some 1e-16/1e-5. */
static void made_derivatives_are_closed_forms_to_the_error_that_they_state(void) {
    static const il_problem_type type = {.name = "smooth"};
    il_problem problem;
    il_derivatives_work *work = look_at(&problem, &type, smooth, VARIABLES, SMOOTH);
    unsigned state = 3;
    for (int trial = 0; trial < 50; trial++) {
        double q[VARIABLES];
        double slopes[SMOOTH][VARIABLES + 1];
        double t = 0.3;
        for (size_t k = 0; k < VARIABLES; k++) {
            state = state * 1664525u + 1013904223u;
            q[k] = 0.25 + (double)(state >> 8) * 0x1p-24;
        }
        smooth_slopes(t, q, slopes);
        for (size_t k = 0; k <= VARIABLES; k++) {
            double D[SMOOTH];
            double error[SMOOTH];
            il_derivatives_make(work, t, q, k < VARIABLES ? k : IL_COMPONENT_RATE, D, error);
            for (size_t i = 0; i < SMOOTH; i++) {
                CU_ASSERT(fabs(D[i] - slopes[i][k]) <= error[i] + 4.0 * DBL_EPSILON);
                CU_ASSERT(error[i] <= 1e-9 * (1.0 + fabs(D[i])));
            }
        }
    }
    il_derivatives_destroy(work);
}

/* ---- what a mistake looks like, and where it is looked for ----------------------------------- */

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
    (void)two_values(problem, t, q, g);
    il_rows_append(rows, 0, g[0], 0.0, 2, col, w->told);
    il_rows_append(rows, 1, g[1], 0.0, 2, col, w->other);
    return true;
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
        il_derivatives found = {.points = 0};
        il_derivatives_work *work = il_derivatives_create(&query);
        il_derivatives_compare(work, 0.0, one, NULL, &found);
        CU_ASSERT(found.mismatch && found.id == 0 && found.component == 0);
        CU_ASSERT_STRING_EQUAL(found.cause, cases[k].cause);
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
    bool moves[4] = {true, true, true, false};
    il_derivatives_work *work = il_derivatives_create(&query);
    il_derivatives_find_moving(work, moves);
    CU_ASSERT(!moves[0] && moves[1] && !moves[2] && !moves[3]);
    il_derivatives_destroy(work);
}

static const il_test tests[] = {
    {"built-in derivatives are right", built_in_derivatives_are_right},
    {"wrong gradients are found in every problem", wrong_gradients_are_found_in_every_problem},
    {"made derivatives are closed forms to the error that they state",
     made_derivatives_are_closed_forms_to_the_error_that_they_state},
    {"a cause is judged by what is given", a_cause_is_judged_by_what_is_given},
    {"rows that move are told", rows_that_move_are_told},
    {NULL, NULL}};
const il_suite il_suite_derivatives = {"derivatives", tests};
