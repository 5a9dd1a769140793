/*
 * check.c - `impactlab check`: are the problems of a script those that their author meant?
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/cli/arguments.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "harness/lua/base/guard.h"
#include "harness/lua/reading.h"

enum { JSON, MAX_TIME, TRUST };

static const il_cli_option known[] = {
    [JSON] = {.name = "json", .text = "one JSON object"},
    [MAX_TIME] = {.name = "max-time",
                  .value = "SECONDS",
                  .text = "stop after so many seconds (default: a day)"},
    [TRUST] = {.name = "trust",
               .text = "the script is no guest: it may load modules beside it, and take any\n"
                       "memory"}};

typedef struct {
    il_lua_options lua;
    double max_time; /* seconds; 0: not given */
    bool json;
} request;

static int take(request *r, int option, const char *value) {
    switch (option) {
    case IL_CLI_WORD:
        if (r->lua.script != NULL) {
            return il_cli_usage("check",
                                "one script at a time: '%s' and '%s'; its arguments stand after --",
                                r->lua.script, value);
        }
        r->lua.script = value;
        return IL_EXIT_OK;
    case JSON:
        r->json = true;
        return IL_EXIT_OK;
    case MAX_TIME:
        return il_cli_max_time("check", value, &r->max_time);
    case TRUST:
        r->lua.trusted = true;
        return IL_EXIT_OK;
    default:
        return IL_EXIT_USAGE;
    }
}

static int parse(request *r, int argc, char **argv) {
    il_cli_arguments arguments;
    il_cli_arguments_start(&arguments, "check", argc, argv, known, sizeof known / sizeof known[0]);
    r->lua.args = il_cli_take_rest(&arguments, &r->lua.nargs);
    for (int option = il_cli_next(&arguments); option != IL_CLI_END;
         option = il_cli_next(&arguments)) {
        int status = take(r, option, arguments.value);
        if (status != IL_EXIT_OK) {
            return status;
        }
    }
    return r->lua.script != NULL ? IL_EXIT_OK : il_cli_usage("check", "a script is needed");
}

static void print_problem(const json_t *problem) {
    size_t k = 0;
    const json_t *one = NULL;
    (void)printf("%s\n", il_json_get_text(problem, "name"));
    json_array_foreach(json_object_get(problem, "checks"), k, one) {
        const char *outcome = il_json_get_text(one, "outcome");
        (void)printf("  %-4s  %-15s  %s\n", strcmp(outcome, "fail") == 0 ? "FAIL" : outcome,
                     il_json_get_text(one, "check"), il_json_get_text(one, "text"));
    }
    json_array_foreach(json_object_get(problem, "theorems"), k, one) {
        (void)printf("        %-15s  %s%s\n", il_json_get_text(one, "theorem"),
                     json_is_true(json_object_get(one, "applies")) ? "applies: " : "no: ",
                     il_json_get_text(one, "text"));
    }
}

static void print_report(const json_t *report) {
    size_t k = 0;
    const json_t *problem = NULL;
    const json_t *problems = json_object_get(report, "problems");
    long long failed = json_integer_value(json_object_get(report, "failed"));
    json_array_foreach(problems, k, problem) {
        print_problem(problem);
    }
    if (json_is_string(json_object_get(report, "unread"))) {
        (void)printf("not read on, as nothing was run: %s\n", il_json_get_text(report, "unread"));
    }
    (void)printf("%zu problem%s, %lld check%s failed\n", json_array_size(problems),
                 json_array_size(problems) == 1 ? "" : "s", failed, failed == 1 ? "" : "s");
}

static int check(int argc, char **argv) {
    request r = {.lua = {.messages = stderr}};
    il_error err = {IL_OK, ""};
    json_t *report = NULL;
    int status = parse(&r, argc, argv);
    if (status != IL_EXIT_OK) {
        return status;
    }
    char path[IL_PLACE_MAX];
    r.lua.script = il_cli_script(r.lua.script, path);
    il_lua_guard_start(r.lua.trusted, r.max_time);
    if (il_lua_check_script(&r.lua, &report, &err) != IL_OK) {
        return il_cli_fail(&err);
    }
    bool failed = json_integer_value(json_object_get(report, "failed")) > 0;
    if (!r.json) {
        print_report(report);
    } else if (il_json_print(report, JSON_INDENT(2), stdout, &err) != IL_OK) {
        json_decref(report);
        return il_cli_fail(&err);
    }
    json_decref(report);
    return failed ? IL_EXIT_FAILED : IL_EXIT_OK;
}

static const char *const usage[] = {"SCRIPT.lua [OPTIONS] [-- ARG...]", NULL};
static const char *const examples[] = {"problems/wedge.lua", "problems/wedge.lua --json", NULL};

const il_cli_verb il_cli_check = {
    .name = "check",
    .text = "the problems of a Lua script: derivatives, exact solution, force",
    .run = check,
    .usage = usage,
    .options = known,
    .noptions = sizeof known / sizeof known[0],
    .words = "FILE.lua",
    .notes =
        "Reads the problems that the script declares by lab.problem, and checks each: mass, "
        "start,\n"
        "derivatives of constraints against differences, force against its breaks and its mean,\n"
        "the exact solution against the inclusion and the impact law, a hundred steps on trial,\n"
        "and which theorems' hypotheses it meets by measure. What the script would run, draw or\n"
        "print is not. It finds ARG... in arg[1], arg[2], ...\n",
    .examples = examples,
    .ends = {"all well", "a check failed",
             "bad input, a script that does not come so far, or one that declares no problem",
             "interrupted", "out of memory, or an error of the program"}};
