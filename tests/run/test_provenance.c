/*
 * test_provenance.c - nothing in a record depends on its provenance; cli/results.sh tests what a
 * record says of it.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/run/conduct.h"
#include "harness/run/options.h"
#include "tests/support/suite.h"

static void make_case(il_case *c, il_choice *problem, il_scheme_choice *scheme) {
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_case_init(c, NULL, &err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_choose("maury", scheme, &err), IL_OK);
    *problem = (il_choice){.label = "sticky"};
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        if (strcmp(il_problem_type_at(k)->name, "sticky") == 0) {
            problem->type = il_problem_type_at(k);
        }
    }
    c->problem = problem;
    c->scheme = scheme;
    c->steps = 5;
}

/* Whoever asks: the rest of the record is the same, seconds aside, and so is the key. */
static void nothing_depends_on_it(void) {
    il_case c;
    il_choice problem;
    il_scheme_choice scheme;
    json_t *record[2] = {NULL, NULL};
    char *keys[2] = {NULL, NULL};
    make_case(&c, &problem, &scheme);
    for (int k = 0; k < 2; k++) {
        c.script = k == 0 ? NULL : "other.lua";
        c.script_sum = k == 0 ? NULL : "def";
        CU_ASSERT_EQUAL_FATAL(il_case_run(&c, NULL, &record[k], NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_case_key(&c, &keys[k], NULL), IL_OK);
        CU_ASSERT_EQUAL(json_object_del(record[k], "provenance"), 0);
        CU_ASSERT_EQUAL(json_object_del(json_object_get(record[k], "work"), "seconds"), 0);
    }
    CU_ASSERT(json_equal(record[0], record[1]));
    CU_ASSERT_STRING_EQUAL(keys[0], keys[1]);
    for (int k = 0; k < 2; k++) {
        json_decref(record[k]);
        free(keys[k]);
    }
}

static const il_test tests[] = {
    {"nothing in a record depends on where it comes from", nothing_depends_on_it}, {NULL, NULL}};

const il_suite il_suite_provenance = {"provenance", tests};
