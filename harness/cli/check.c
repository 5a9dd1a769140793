/*
 * check.c - `impactlab check`: derivatives, force and exact solution of a script's problems.
 */
#include <jansson.h>
#include <stdio.h>

#include "harness/base/json.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "harness/lua/base/guard.h"
#include "harness/lua/reading.h"

typedef struct {
    double max_time; /* seconds; 0: not given */
    bool json, trusted;
} request;

static const il_option known[] = {
    IL_CLI_OPTION(FLAG, json, "json", NULL, "one JSON object"),
    IL_CLI_OPTION(POSITIVE, max_time, "max-time", "SECONDS", "stop after so many seconds"),
    IL_CLI_OPTION(FLAG, trusted, "trust", NULL,
                  "the script is trusted: it has all of Lua, and modules beside it")};

static int check(void *self, const il_cli_words *words, il_error *err) {
    const request *r = self;
    json_t *report = NULL;
    char path[IL_PLACE_MAX];
    const il_lua_options options = {.messages = stderr,
                                    .script = il_cli_script(words->word[0], path),
                                    .args = words->rest,
                                    .nargs = words->nrest,
                                    .trusted = r->trusted};
    il_lua_guard_start(r->max_time);
    il_status status = il_lua_check_script(&options, &report, err);
    bool failed = il_cli_count_of(report, "failed") > 0;
    if (status == IL_OK && r->json) {
        il_json_print(report, JSON_INDENT(2), stdout);
    } else if (status == IL_OK) {
        status = il_cli_report_print(report, "check", false, err);
    }
    json_decref(report);
    return status == IL_OK && failed ? IL_EXIT_FAILED : il_cli_ended(status);
}

const il_cli_verb il_cli_check = {
    .name = "check",
    .text = "the problems of a Lua script: derivatives, exact solution, force",
    .run = check,
    IL_CLI_REQUEST(.json = false),
    .usage = IL_CLI_LINES("SCRIPT.lua [OPTIONS] [-- ARG...]"),
    IL_CLI_OPTIONS(known),
    .word = "script",
    .least_words = 1,
    .most_words = 1,
    .script = true,
    .notes =
        "Reads the problems that the script declares by lab.problem, and checks each: mass, "
        "start,\n"
        "derivatives of constraints against differences, force against its breaks and its mean,\n"
        "the exact solution against the inclusion and the impact law, a hundred steps on trial,\n"
        "and which theorems' hypotheses it meets by measure. What the script would run, draw or\n"
        "print is not. It finds ARG... in arg[1], arg[2], ...\n",
    .examples = IL_CLI_LINES("problems/wedge.lua", "problems/wedge.lua --json"),
    .ends = {NULL, "a check failed",
             "bad input, a script that does not come so far, or one that declares no problem",
             "interrupted"}};
