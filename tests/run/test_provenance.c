/*
 * test_provenance.c - a record says where it comes from, and nothing else of it depends on that.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/date.h"
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

static void records_say_where_they_come_from(void) {
    il_case c;
    il_choice problem;
    il_scheme_choice scheme;
    json_t *record = NULL;
    char host[256] = "";
    static const char *const filled[] = {"version",   "compiler",    "flags", "libraries",
                                         "processor", "mathematics", "host",  "date"};
    make_case(&c, &problem, &scheme);
    c.seed = 7;
    c.has_seed = true;
    c.script = "s.lua";
    c.script_sum = "abc";
    time_t before = time(NULL);
    CU_ASSERT_EQUAL_FATAL(il_case_run(&c, NULL, &record, NULL), IL_OK);
    const json_t *from = json_object_get(record, "provenance");
    for (size_t k = 0; k < sizeof filled / sizeof filled[0]; k++) {
        CU_ASSERT(strlen(il_json_get_text(from, filled[k])) > 0);
    }
    CU_ASSERT_EQUAL(gethostname(host, sizeof host - 1), 0);
    CU_ASSERT_STRING_EQUAL(il_json_get_text(from, "host"), host);
    CU_ASSERT_STRING_EQUAL(il_json_get_text(from, "script"), "s.lua");
    CU_ASSERT_STRING_EQUAL(il_json_get_text(from, "script_sha256"), "abc");
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(from, "seed")), 7);
    CU_ASSERT(json_is_boolean(json_object_get(from, "dirty")));
    time_t date = il_date_seconds(il_json_get_text(from, "date"));
    CU_ASSERT(date >= before && date <= time(NULL));
    double seconds = json_number_value(json_object_get(from, "seconds"));
    CU_ASSERT(seconds ==
              json_number_value(json_object_get(json_object_get(record, "work"), "seconds")));
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(json_object_get(record, "provenance"), key, value) {
        CU_ASSERT(!json_is_object(value) && !json_is_array(value)); /* one {...}, to be cut out */
    }
    json_decref(record);
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
    {"records say where they come from", records_say_where_they_come_from},
    {"nothing in a record depends on where it comes from", nothing_depends_on_it},
    {NULL, NULL}};

const il_suite il_suite_provenance = {"provenance", tests};
