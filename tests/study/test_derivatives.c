/*
 * test_derivatives.c - given derivatives against differences: right ones pass in every problem,
 * wrong ones are found in every problem, and hard ones are not refused.
 */
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
    il_derivatives_work *work = NULL;
    il_derivatives found = {.points = 0};
    CU_ASSERT_EQUAL_FATAL(il_derivatives_create(&work, &query, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_derivatives_survey(work, &found, NULL), IL_OK);
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

static void a_forgotten_rate_is_found(void) {
    static const char *const moving[] = {"growing_radii", "vibroimpact", NULL};
    for (size_t k = 0; moving[k] != NULL; k++) {
        const il_problem_type *type = NULL;
        il_wrong_rows wrong;
        CU_ASSERT_EQUAL_FATAL(il_problem_type_find(moving[k], &type, NULL), IL_OK);
        il_wrong_rows_make(&wrong, type, 1.0, 1.0, 0.0);
        il_derivatives found = survey(&wrong.type);
        CU_ASSERT(found.mismatch && found.component == IL_COMPONENT_RATE);
        CU_ASSERT(found.given == 0.0 && found.difference != 0.0);
        CU_ASSERT_STRING_EQUAL(found.cause, "dt is forgotten");
    }
}

/* At the start of every problem, within what the differences say of themselves and of rounding. */
static void made_derivatives_are_those_given(void) {
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        enum { MOST = 64 };
        double D[MOST];
        double error[MOST];
        il_params *params = NULL;
        il_problem *problem = make(il_problem_type_at(k), &params);
        il_derivatives_query query = {.problem = problem};
        il_derivatives_work *work = NULL;
        CU_ASSERT_EQUAL_FATAL(il_derivatives_create(&work, &query, NULL), IL_OK);
        for (size_t j = 0; problem->p <= MOST && j < problem->d; j++) {
            il_derivatives_make(work, 0.0, problem->q0, j, D, error);
            for (size_t i = 0; i < problem->p; i++) {
                il_rows rows;
                il_rows_init(&rows);
                CU_ASSERT_EQUAL(problem->type->row(problem, 0.0, problem->q0, i, &rows), IL_OK);
                double given = 0.0;
                for (size_t e = 0; e < rows.start[1]; e++) {
                    given = rows.col[e] == j ? rows.coef[e] : given;
                }
                CU_ASSERT(fabs(D[i] - given) <= 10.0 * error[i] + 1e-13);
                CU_ASSERT(error[i] <= 1e-8);
                il_rows_free(&rows);
            }
        }
        il_derivatives_destroy(work);
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
}

/* Only the rows that are wanted are judged. */
static void only_wanted_rows_are_compared(void) {
    const il_problem_type *type = NULL;
    il_params *params = NULL;
    il_wrong_rows wrong;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("cradle", &type, NULL), IL_OK);
    il_wrong_rows_make(&wrong, type, 2.0, 1.0, 1.0);
    il_problem *problem = make(&wrong.type, &params);
    il_derivatives_query query = {.problem = problem};
    il_derivatives_work *work = NULL;
    il_derivatives found = {.points = 0};
    bool wanted[] = {false, false, true, false};
    CU_ASSERT_EQUAL_FATAL(problem->p, sizeof wanted / sizeof wanted[0]);
    CU_ASSERT_EQUAL_FATAL(il_derivatives_create(&work, &query, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_derivatives_compare(work, 0.0, problem->q0, wanted, &found, NULL), IL_OK);
    CU_ASSERT(found.mismatch && found.id == 2 && found.compared == problem->d + 1);
    il_derivatives_destroy(work);
    il_problem_destroy(problem);
    il_params_destroy(params);
}

static const il_test tests[] = {
    {"built-in derivatives are right", built_in_derivatives_are_right},
    {"wrong gradients are found in every problem", wrong_gradients_are_found_in_every_problem},
    {"a forgotten rate is found", a_forgotten_rate_is_found},
    {"made derivatives are those given", made_derivatives_are_those_given},
    {"only wanted rows are compared", only_wanted_rows_are_compared},
    {NULL, NULL}};
const il_suite il_suite_derivatives = {"derivatives", tests};
