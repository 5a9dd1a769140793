/*
 * test_lua.c - scripts as their authors meet them: what they can do, what is refused and where,
 * what is found again. Scripts that do more than one thing lie in tests/lua and judge by lab.check.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

/* ---- what scripts do ------------------------------------------------------------------------ */

static void example_works(void) {
    static const char *const files[] = {
        "tables/two_spheres-errors.txt", "tables/two_spheres-errors.csv",
        "tables/two_spheres-errors.tex", "figures/two_spheres-convergence-u_L1.png",
        "figures/two_spheres-convergence-u_L1.pdf"};
    il_stage s;
    il_stage_new(&s);
    s.options.workers = 2;
    il_stage_run_file(&s, "tests/lua/example.lua", 3);
    CU_ASSERT_EQUAL(s.outcome.cases, 144);
    CU_ASSERT_EQUAL(s.outcome.ran, 144);
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        CU_ASSERT(il_stage_has(s.results, files[k]));
    }
    il_stage_run_file(&s, "tests/lua/example.lua", 3);
    CU_ASSERT_EQUAL(s.outcome.found, 144);
    CU_ASSERT_EQUAL(s.outcome.ran, 0);
    il_stage_free(&s);
}

static void runs_tell_the_truth(void) {
    il_stage_try_file("tests/lua/run.lua", 33);
    il_stage_try_file("tests/lua/axes.lua", 32);
    il_stage_try_file("tests/lua/again.lua", 20);
    il_stage_try_file("tests/lua/walls.lua", 12);
    il_stage_try_file("tests/lua/energy.lua", 25);
    il_stage_try_file("tests/lua/columns.lua", 9);
    il_stage_try_file("tests/lua/steps.lua", 22);
    il_stage_try_file("tests/lua/drawn.lua", 11);
}

static void scripted_problems_run(void) {
    il_stage_try_file("tests/lua/problem.lua", 43);
}

static void failures_are_data(void) {
    il_stage_try_file("tests/lua/failing.lua", 14);
}

static void limits_are_found_and_not_invented(void) {
    il_stage_try_file("tests/lua/limits.lua", 32);
}

static void failed_checks_are_counted(void) {
    il_stage s;
    il_stage_new(&s);
    il_stage_write(s.script, "local lab = require 'impactlab'\n"
                             "lab.check(1 < 2, 'fine')\n"
                             "lab.check(nil, 'first')\n"
                             "lab.check(2 < 1, 'second')\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT_EQUAL(s.outcome.checks, 3);
    CU_ASSERT_EQUAL(s.outcome.checks_failed, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.messages, "script.lua:3: first"));
    CU_ASSERT_PTR_NOT_NULL(strstr(s.messages, "script.lua:4: second"));
    il_stage_free(&s);
}

static void arguments_arrive(void) {
    static const char *const args[] = {"one", "two"};
    il_stage s;
    il_stage_new(&s);
    s.options.args = args;
    s.options.nargs = 2;
    il_stage_write(s.script, "local lab = require 'impactlab'\n"
                             "lab.check(#arg == 2 and arg[1] == 'one' and arg[2] == 'two')\n"
                             "lab.check(select('#', ...) == 2 and select(2, ...) == 'two')\n"
                             "lab.check(arg[0]:match('script.lua$'))\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT_EQUAL(s.outcome.checks, 3);
    CU_ASSERT_EQUAL(s.outcome.checks_failed, 0);
    il_stage_free(&s);
}

static void levels_are_as_declared(void) {
    il_stage s;
    il_stage_new(&s);
    il_stage_write(
        s.script, "local lab = require 'impactlab'\n"
                  "local a = lab.levels{from = 64, ratio = 2, count = 6, jitter = 8, seed = 1}\n"
                  "lab.check(#a == 48, 'count')\n"
                  "for k, n in ipairs(a) do\n"
                  "  local N = 64 * 2^((k - 1) // 8)\n"
                  "  lab.check(math.type(n) == 'integer' and n >= N / 2^0.5 and n < N * 2^0.5, k)\n"
                  "  lab.check(k == 1 or n > a[k - 1], 'increasing')\n"
                  "end\n"
                  "local b = lab.levels{from = 64, ratio = 2, count = 6, jitter = 8, seed = 1}\n"
                  "local c = lab.levels{from = 64, ratio = 2, count = 6, jitter = 8, seed = 2}\n"
                  "lab.check(table.concat(a, ' ') == table.concat(b, ' '), 'repeatable')\n"
                  "lab.check(table.concat(a, ' ') ~= table.concat(c, ' '), 'another seed')\n"
                  "local d = lab.levels{from = 10, ratio = 1.5, count = 4}\n"
                  "lab.check(table.concat(d, ' ') == '10 15 23 34', 'without jitter')\n"
                  "lab.check(table.concat(lab.dyadic{from = 2, to = 5}, ' ') == '4 8 16 32')\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT_EQUAL(s.outcome.checks, 1 + 96 + 4);
    CU_ASSERT_EQUAL(s.outcome.checks_failed, 0);
    il_stage_free(&s);
}

/* ---- what is refused ------------------------------------------------------------------------ */

typedef struct {
    const char *text; /* of the script; its error stands in line 2 */
    il_status status;
    const char *says;
} refusal;

static const char HEAD[] = "local lab = require 'impactlab'\n";

static void check_refusals(const refusal *list, size_t n) {
    il_stage s;
    il_stage_new(&s);
    for (size_t k = 0; k < n; k++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "%s%s\n", HEAD, list[k].text);
        il_stage_write(s.script, text);
        il_status status = il_stage_run(&s);
        bool right = status == list[k].status && strstr(s.err.message, "script.lua:2:") != NULL &&
                     strstr(s.err.message, list[k].says) != NULL;
        if (!right) {
            (void)printf("\n%s\n  gave %s: %s\n", list[k].text, il_status_name(status),
                         s.err.message);
        }
        CU_ASSERT(right);
        bool runs = strstr(list[k].says, "unexpected symbol") == NULL; /* else it has no frames */
        CU_ASSERT_EQUAL(strstr(s.messages, "stack traceback") != NULL, runs);
    }
    il_stage_free(&s);
}

static void refused_values_say_what_is_allowed(void) {
    il_stage_try_file("tests/lua/refused.lua", 48);
}

static void errors_name_their_line(void) {
    static const refusal list[] = {
        {"local x; x.y = 1", IL_ESCRIPT, "attempt to index a nil value"},
        {"local x = = 3", IL_ESCRIPT, "unexpected symbol"},
        {"require 'os'", IL_ESCRIPT, "module 'os' is not available"},
        {"pcall(lab.run, {}) error('later')", IL_ESCRIPT, "later"},
        {"coroutine.wrap(function() lab.run{} end)()", IL_EINVAL, "problem is missing"},
    };
    check_refusals(list, sizeof list / sizeof list[0]);
}

/* ---- what is found again -------------------------------------------------------------------- */

static void workers_change_nothing(void) {
    il_stage s[2];
    char *digits[2];
    for (size_t k = 0; k < 2; k++) {
        il_stage_new(&s[k]);
        s[k].options.workers = k + 1;
        il_stage_run_file(&s[k], "tests/lua/sweep.lua", 2);
        digits[k] = il_stage_read(s[k].results, "tables/digits.csv");
    }
    CU_ASSERT_STRING_EQUAL(digits[0], digits[1]);
    for (size_t k = 0; k < 2; k++) {
        free(digits[k]);
        il_stage_free(&s[k]);
    }
}

static void shards_make_a_whole(void) {
    static const char script[] = "local lab = require 'impactlab'\n"
                                 "local r = lab.sweep{problem = 'bouncing_ball', scheme = 'maury',"
                                 " steps = {10, 20, 30, 40, 50}}:run()\n"
                                 "lab.check(#r:records() == r.cases - r.missing)\n"
                                 "r:order{}\n";
    il_stage s;
    il_stage_new(&s);
    il_stage_write(s.script, script);
    s.options.shards = 2;
    s.options.shard = 1;
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_EINTERRUPTED);
    CU_ASSERT(s.outcome.ran == 3 && s.outcome.missing == 2 && s.outcome.checks_failed == 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.err.message, "script.lua:4: r:order: 2 of 5 cases"));
    CU_ASSERT_PTR_NULL(strstr(s.messages, "traceback")); /* nothing is wrong with the script */
    s.options.shard = 2;
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT(s.outcome.found == 3 && s.outcome.ran == 2 && s.outcome.missing == 0);
    s.options.shards = 0;
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT(s.outcome.found == 5 && s.outcome.ran == 0);
    il_stage_free(&s);
}

static const il_test tests[] = {
    {"the manual's example works, and is found again", example_works},
    {"runs agree with free fall and the balance of momentum", runs_tell_the_truth},
    {"a problem written in Lua runs as the built-in one does", scripted_problems_run},
    {"failed runs are data and never an order", failures_are_data},
    {"limits are found and not invented", limits_are_found_and_not_invented},
    {"failed checks are counted and the script goes on", failed_checks_are_counted},
    {"arguments arrive", arguments_arrive},
    {"levels are distinct, within bounds and repeatable", levels_are_as_declared},
    {"refused values say where, what and what is allowed", refused_values_say_what_is_allowed},
    {"errors name the script and its line", errors_name_their_line},
    {"two workers give the records of one", workers_change_nothing},
    {"shards make a whole", shards_make_a_whole},
    {NULL, NULL}};

const il_suite il_suite_lua = {"lua", tests};
