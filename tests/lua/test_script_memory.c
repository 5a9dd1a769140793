/*
 * test_script_memory.c - allocations of a script fail in turn: it ends as it does with memory, or
 * with IL_ENOMEM; no check and no case fails for want of memory. Workers of a sweep inherit the
 * count, so that cases lose their memory there too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua/reading.h"
#include "tests/support/allocation.h"
#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

/* Some 6000 times; small enough a stride to meet what is lent to Lua for a few calls. */
enum { CALLS_MAX = 200000, STRIDE = 5 };

static const char SCRIPT[] =
    "local lab = require 'impactlab'\n"
    "local r = lab.sweep{problem = {'sticky', N = 3}, scheme = 'maury', steps = {4, 8},\n"
    "  reference = 'exact'}:run()\n"
    "lab.check(r.cases == 2, 'two cases')\n"
    "r:order{norm = {name = 'late', of = function(run, ref) return ref:at(0.5)[1] end}}\n"
    "local run = lab.run{problem = 'two_spheres', scheme = 'maury', steps = 3}\n"
    "lab.check(run.status == 'ok', 'a run')\n"
    "lab.table{name = 'numbers', heads = {'E'}, rows = {{run.energy.final}}, formats = {'csv'}}\n";

/* Its reference is made by a worker, before its case. */
static const char SELF[] =
    "local lab = require 'impactlab'\n"
    "local r = lab.sweep{problem = {'sticky', N = 3}, scheme = 'maury', steps = {4},\n"
    "  reference = {'self', steps = 16}}:run()\n"
    "lab.table{name = 'numbers', heads = {'e'}, rows = {{r:records()[1].error.u_L1}},\n"
    "  formats = {'csv'}}\n";

static void expect_whole(const char *script, size_t stride) {
    if (!allocation_counted()) {
        return;
    }
    bool happened = true;
    size_t refused = 0;
    size_t wrong = 0;
    char *whole = NULL;
    for (size_t k = 0; happened && k < CALLS_MAX; k += stride) {
        il_stage s;
        il_stage_new(&s);
        il_stage_write(s.script, script);
        s.options.messages = NULL;
        s.err = (il_error){IL_OK, ""};
        allocation_fail(k);
        il_status status = il_lua_run_script(&s.options, &s.outcome, &s.err);
        happened = k == 0 || allocation_failed();
        allocation_fail(0);
        bool well = status == IL_OK && s.outcome.failed == 0;
        char *text = well ? il_stage_read(s.results, "tables/numbers.csv") : NULL;
        whole = k == 0 ? strdup(text != NULL ? text : "") : whole;
        bool right = well ? strcmp(text, whole) == 0 && s.outcome.checks_failed == 0
                          : k > 0 && status == IL_ENOMEM;
        if (!right && wrong++ < 60) {
            (void)printf("\nallocation %zu of a script: %s, %zu failed, %zu checks: %s", k,
                         il_status_name(status), s.outcome.failed, s.outcome.checks_failed,
                         s.err.message);
        }
        CU_ASSERT(right);
        refused += !well;
        free(text);
        il_stage_free(&s);
    }
    CU_ASSERT_FALSE(happened);
    CU_ASSERT(refused > 10);
    free(whole);
}

static void a_script_is_whole_or_memory_ran_out(void) {
    expect_whole(SCRIPT, STRIDE);
}

static void a_reference_is_whole_or_memory_ran_out(void) {
    enum { STRIDE_OF_REFERENCES = 13 };
    expect_whole(SELF, STRIDE_OF_REFERENCES);
}

/* Theorems stand beside what is checked, and are not compared here. */
static json_t *take_checks(json_t *report) {
    json_t *problem = json_array_get(json_object_get(report, "problems"), 0);
    (void)json_object_del(problem, "theorems");
    return report;
}

/* Of what is checked nothing is left out, and no check fails, for want of memory. */
static void a_check_is_whole_or_memory_ran_out(void) {
    enum { STRIDE_OF_CHECKS = 41 }; /* some 40000 times: seconds */
    static const char script[] =
        "require('impactlab').problem{name = 'ball', horizon = 1, q0 = {1},\n"
        "  force = function() return {-9.81} end,\n"
        "  constraints = function(t, q) return {{g = q[1], grad = {1}, dt = 0}} end}\n";
    if (!allocation_counted()) {
        return;
    }
    bool happened = true;
    size_t refused = 0;
    json_t *whole = NULL;
    il_stage s;
    il_stage_new(&s);
    il_stage_write(s.script, script);
    for (size_t k = 0; happened && k < CALLS_MAX; k += STRIDE_OF_CHECKS) {
        json_t *report = NULL;
        il_error err = {IL_OK, ""};
        allocation_fail(k);
        il_status status = il_lua_check_script(&s.options, &report, &err);
        happened = k == 0 || allocation_failed();
        allocation_fail(0);
        report = take_checks(report);
        whole = k == 0 ? json_incref(report) : whole;
        bool right =
            status == IL_OK ? json_equal(report, whole) == 1 : k > 0 && status == IL_ENOMEM;
        if (!right) {
            char *text = json_dumps(report, JSON_INDENT(1));
            (void)printf("\nallocation %zu of a check: %s: %s\n%s", k, il_status_name(status),
                         err.message, text != NULL ? text : "");
            free(text);
        }
        CU_ASSERT(right);
        refused += status != IL_OK;
        json_decref(report);
    }
    CU_ASSERT_FALSE(happened);
    CU_ASSERT(refused > 10);
    json_decref(whole);
    il_stage_free(&s);
}

static const il_test tests[] = {
    {"a script is whole, or memory ran out", a_script_is_whole_or_memory_ran_out},
    {"a sweep's own reference is whole, or memory ran out", a_reference_is_whole_or_memory_ran_out},
    {"a check is whole, or memory ran out", a_check_is_whole_or_memory_ran_out},
    {.name = NULL}};

extern const il_suite il_suite_script_memory;
const il_suite il_suite_script_memory = {"script_memory", tests};
