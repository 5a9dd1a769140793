/*
 * test_making.c - what holds of every problem when it is made: bodies have whole positions, seeds
 * are all that a generator takes, and starts are looked at.
 */
#include <string.h>

#include "tests/support/contract.h"
#include "tests/support/suite.h"

static void bodies_have_whole_positions(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    for (size_t k = 0; k < n; k++) {
        il_params *params = il_contract_params(&list[k]);
        il_problem *problem = NULL;
        CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, list[k].type, params, 0.0, NULL), IL_OK);
        CU_ASSERT(problem->space <= 3 && (problem->space == 0 || problem->d % problem->space == 0));
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
}

/* GSL's generators take 32 bits. */
static void seeds_are_all_that_a_generator_takes(void) {
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        for (const il_param_spec *p = il_problem_type_at(k)->params; p->key != NULL; p++) {
            if (strcmp(p->key, "seed") == 0) {
                CU_ASSERT(p->min == 0.0 && p->max == 4294967295.0);
            }
        }
    }
}

/* Spheres that overlap by 0.8; the parameter T becomes the horizon that was asked for. */
static void starts_are_looked_at(void) {
    const il_problem_type *type = NULL;
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("two_spheres", &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "q0", "0,0,0,0.1,0,0", NULL), IL_OK);
    CU_ASSERT_EQUAL(il_problem_create(&problem, type, params, 0.0, &err), IL_EINVAL);
    CU_ASSERT_PTR_NULL(problem);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "feasible"));
    CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "q0", "0,0,0,2,0,0", NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, type, params, 0.625, &err), IL_OK);
    CU_ASSERT(problem->horizon == 0.625 && il_params_number(params, "T") == 0.625);
    il_problem_destroy(problem);
    il_params_destroy(params);
}

/* Spheres that touch, far out, overlap by what their places are rounded by: 1e-9 is that at 10^6,
 * and an overlap at the origin. */
static void starts_are_judged_by_their_size(void) {
    static const char *const places[] = {"0,0,0,0.999999999,0,0", "1e6,0,0,1000000.999999999,0,0",
                                         "0,0,-1e6,0.999999999,0,-1e6", "1e6,0,0,1000000.99,0,0"};
    const il_problem_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("two_spheres", &type, NULL), IL_OK);
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        il_params *params = NULL;
        il_problem *problem = NULL;
        bool far = k == 1 || k == 2;
        CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "radii", "0.5,0.5", NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "q0", places[k], NULL), IL_OK);
        CU_ASSERT_EQUAL(il_problem_create(&problem, type, params, 0.0, NULL),
                        far ? IL_OK : IL_EINVAL);
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
}

static const il_test tests[] = {
    {"bodies have whole positions", bodies_have_whole_positions},
    {"seeds are all that a generator takes", seeds_are_all_that_a_generator_takes},
    {"starts are looked at", starts_are_looked_at},
    {"starts are judged by their size", starts_are_judged_by_their_size},
    {NULL, NULL}};

const il_suite il_suite_making = {"making", tests};
