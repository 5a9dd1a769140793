/*
 * test_json.c - JSON is read and searched, and what is wrong with it is told.
 */
#include <string.h>

#include "harness/base/json.h"
#include "tests/support/suite.h"

static void errors_are_told(void) {
    json_t *value = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_json_parse("[1, 2", &value, &err), IL_EINVAL);
    CU_ASSERT_PTR_NULL(value);
    CU_ASSERT(strstr(err.message, "end of file") != NULL);
    CU_ASSERT_EQUAL(il_json_parse("[1, 2]", &value, &err), IL_OK);
    CU_ASSERT_EQUAL(json_array_size(value), 2);
    json_decref(value);
}

static const il_test tests[] = {{"errors are told", errors_are_told}, {.name = NULL}};

extern const il_suite il_suite_json;
const il_suite il_suite_json = {"json", tests};
