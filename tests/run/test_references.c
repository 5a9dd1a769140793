/*
 * test_references.c - which references share a key; cli/results.sh tests how they are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/run/options.h"
#include "harness/run/references.h"
#include "tests/support/suite.h"

static void other_solutions_have_other_keys(void) {
    il_choice problem = {.label = "pendulum"};
    il_setting setting = {.key = "gravity", .text = "9"};
    il_case c;
    char *key[4] = {NULL};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("pendulum", &problem.type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_case_init(&c, NULL, NULL), IL_OK);
    c.problem = &problem;
    c.event_driven = true;
    for (size_t k = 0; k < 4; k++) {
        c.steps = k == 1 ? 77 : 0; /* of the scheme, not of the solution */
        c.horizon = k == 2 ? 0.5 : 0.0;
        problem.settings = &setting;
        problem.nsettings = k == 3;
        CU_ASSERT_EQUAL_FATAL(il_reference_key(&c, &key[k], NULL), IL_OK);
        CU_ASSERT_EQUAL(strcmp(key[0], key[k]) == 0, k < 2);
    }
    for (size_t k = 0; k < 4; k++) {
        free(key[k]);
    }
}

static const il_test tests[] = {
    {"other solutions have other keys", other_solutions_have_other_keys}, {NULL, NULL}};

extern const il_suite il_suite_references;
const il_suite il_suite_references = {"references", tests};
