/*
 * sweep.c - `impactlab sweep`: runs a script and its sweeps.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/demand.h"
#include "harness/cli/verb.h"
#include "harness/lua/base/guard.h"
#include "harness/lua/script.h"
#include "harness/run/run.h"

typedef struct {
    il_lua_options lua;
    il_cli_demand demand;
    double max_time; /* seconds; 0: not given */
    bool is_long;    /* a run may take longer than an hour */
} request;

static int take_shard(void *self, const il_option *option, const char *text) {
    il_lua_options *o = &((request *)self)->lua;
    char word[64];
    size_t n = strcspn(text, "/");
    (void)option;
    (void)snprintf(word, sizeof word, "%.*s", (int)n, text);
    bool good = n < sizeof word && text[n] == '/' && il_text_count(word, &o->shard) &&
                il_text_count(text + n + 1, &o->shards) && o->shard >= 1 && o->shard <= o->shards;
    return good ? IL_EXIT_OK
                : il_cli_usage("sweep", "--shard is '%s'; allowed: i/n with i from 1 to n", text);
}

/* N, with k, M or G behind it, in bytes. */
static int take_memory(void *self, const il_option *option, const char *text) {
    static const char units[] = "kMG";
    size_t *bytes = &((request *)self)->lua.limits.bytes;
    char word[32];
    size_t n = strlen(text);
    const char *unit = n > 1 && n < sizeof word ? strchr(units, text[n - 1]) : NULL;
    double value = 0.0;
    (void)option;
    (void)snprintf(word, sizeof word, "%.*s", n > 0 ? (int)n - 1 : 0, text);
    if (unit != NULL && il_text_number(word, &value) && value > 0.0) {
        value = ldexp(value, 10 * (int)(unit - units + 1));
        *bytes = value >= 1.0 && value < 1e15 ? (size_t)value : 0;
    }
    return *bytes > 0 ? IL_EXIT_OK
                      : il_cli_usage("sweep",
                                     "--case-memory is '%s'; allowed: a number > 0 with k, M or G "
                                     "behind it",
                                     text);
}

static const il_option known[] = {
    IL_CLI_OPTION(COUNT, lua.workers, NULL, "N", "N cases at a time (default 1)", .letter = 'j',
                  .least = 1, .most = 4096),
    IL_CLI_OPTION(FLAG, lua.resume, "resume", NULL, "say how many cases were found in the store"),
    IL_CLI_OPTION(FLAG, lua.fresh, "fresh", NULL, "run all cases again, stored or not"),
    {.name = "shard",
     .take = take_shard,
     .value = "i/n",
     .text = "run every n-th case only, from the i-th (other machines run the\nothers)"},
    IL_CLI_OPTION(FOLDER, lua.results, "results", "DIR",
                  "where cases, figures and tables go (default results)"),
    IL_CLI_OPTION(POSITIVE, max_time, "max-time", "SECONDS",
                  "stop after so many seconds; what was stored stays (default: a\nday)"),
    IL_CLI_OPTION(FLAG, is_long, "long", NULL,
                  "run what, as its first steps say, takes more than an hour (--max-time,\n"
                  "--case-time and --trust say so too)"),
    IL_CLI_OPTION(POSITIVE, lua.limits.seconds, "case-time", "SECONDS",
                  "end a case that takes longer: it failed, time_limit, and the sweep\n"
                  "goes on (default: none)"),
    {.name = "case-memory",
     .take = take_memory,
     .value = "SIZE",
     .text = "and one that needs more memory, such as 512M or 2G: memory_limit\n"
             "(default: none; none for references and limits made by functions of\n"
             "the script)"},
    IL_CLI_REQUIRE(.of = NULL),
    IL_CLI_FAIL_BELOW(.of = NULL),
    IL_CLI_OPTION(TEXT, demand.norm, "norm", "NORM",
                  "orders in this norm alone decide the status (default: all)"),
    IL_CLI_JUNIT,
    IL_CLI_OPTION(FLAG, lua.quiet, "quiet", NULL, "no progress, and no word on what went well"),
    IL_CLI_OPTION(FLAG, lua.trusted, "trust", NULL,
                  "the script is trusted: it may read and write files, start\nprograms, "
                  "load modules beside it, and take any time")};

/* A run may take an hour, unless more is asked for or a limit is set. */
static double patience_of(const request *r) {
    bool any = r->is_long || r->max_time > 0.0 || r->lua.limits.seconds > 0.0 || r->lua.trusted;
    return any ? 0.0 : IL_PATIENCE_HOUR;
}

/* One line that counts what failed; false if nothing did but orders that do not count. */
static bool report_failures(const il_lua_outcome *o, bool orders_count) {
    const struct {
        const char *what; /* of several */
        size_t failed, all;
    } kinds[] = {{"cases", o->failed, o->cases},
                 {"runs of lab.run", o->runs_failed, o->runs},
                 {"orders", o->orders_failed, o->orders},
                 {"checks", o->checks_failed, o->checks}};
    char line[256] = "";
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (kinds[k].failed > 0) {
            il_text_append(line, sizeof line, "%s%zu of %zu %s", line[0] != '\0' ? ", " : "",
                           kinds[k].failed, kinds[k].all, kinds[k].what);
        }
    }
    if (line[0] != '\0') {
        (void)fprintf(stderr, "impactlab: failed: %s\n", line);
    }
    return o->failed + o->runs_failed + o->checks_failed > 0 ||
           (orders_count && o->orders_failed > 0);
}

/* The verdicts of the script, against what is asked, as test cases: does an order or a limit
 * fail? */
static bool judge(const request *r, const json_t *judged, il_cli_cases *cases) {
    size_t k = 0;
    size_t failed = 0;
    size_t orders = 0;
    const json_t *one = NULL;
    json_array_foreach(judged, k, one) {
        const char *kind = il_json_get_text(one, "kind");
        const char *norm = il_json_get_text(one, "norm");
        const char *verdict = il_json_get_text(one, "verdict");
        const json_t *order = json_object_get(one, "order");
        char name[400];
        if (strcmp(kind, "finding") == 0) { /* says something, and judges nothing */
            continue;
        }
        bool is_order = strcmp(kind, "order") == 0;
        bool fails = (is_order || r->demand.require >= 0) &&
                     il_cli_demand_fails(&r->demand, is_order ? norm : NULL, verdict,
                                         json_is_number(order) ? json_number_value(order) : NAN);
        (void)snprintf(name, sizeof name, "%s %s on %s", il_json_get_text(one, "scheme"), norm,
                       il_json_get_text(one, "problem"));
        const char *text = il_json_get_text(one, "text");
        il_cli_cases_add(cases, kind, is_order ? name : text, fails, verdict, text);
        if (fails && strcmp(verdict, "FAIL") != 0) { /* a FAIL has been told */
            il_cli_say(stderr, "impactlab: not as is asked: %s", text);
        }
        orders += is_order && (r->demand.norm == NULL || strcmp(norm, r->demand.norm) == 0);
        failed += fails;
    }
    if (orders == 0 && il_cli_demands_orders(&r->demand)) {
        il_cli_say(stderr, "impactlab: the script judged no order%s%s",
                   r->demand.norm != NULL ? " in " : "",
                   r->demand.norm != NULL ? r->demand.norm : "");
    }
    return failed > 0 || (orders == 0 && il_cli_demands_orders(&r->demand));
}

static int sweep(void *self, const il_cli_words *words, il_error *err) {
    request *r = self;
    char path[IL_PLACE_MAX];
    il_lua_outcome outcome = {0};
    if (r->lua.resume && r->lua.fresh) {
        return il_cli_usage("sweep", "--resume and --fresh exclude each other");
    }
    r->lua.messages = stderr;
    r->lua.script = il_cli_script(words->word[0], path);
    r->lua.args = words->rest;
    r->lua.nargs = words->nrest;
    r->lua.patience = patience_of(r);
    json_t *judged = NULL;
    il_cli_cases cases = {.list = NULL};
    r->lua.judged = &judged;
    il_status status = il_cli_demand_check(&r->demand, err);
    if (status == IL_OK) {
        il_lua_guard_start(r->max_time);
        status = il_lua_run_script(&r->lua, &outcome, err);
    }
    bool failed = false;
    if (status == IL_OK) {
        failed = report_failures(&outcome, r->demand.norm == NULL);
        failed |= r->lua.shards == 0 && judge(r, judged, &cases);
        status = il_cli_cases_write(&cases, &r->demand, "sweep", err);
    }
    json_decref(judged);
    return status != IL_OK       ? IL_EXIT_ERROR
           : failed              ? IL_EXIT_FAILED
           : outcome.missing > 0 ? IL_EXIT_INCOMPLETE
                                 : IL_EXIT_OK;
}

const il_cli_verb il_cli_sweep = {
    .name = "sweep",
    .text = "a Lua script: sweeps, tables, figures",
    .run = sweep,
    IL_CLI_REQUEST(.lua = {.results = "results"}, .demand = IL_CLI_DEMAND_NONE),
    .usage = IL_CLI_LINES("SCRIPT.lua [OPTIONS] [-- ARG...]"),
    IL_CLI_OPTIONS(known),
    .word = "script",
    .least_words = 1,
    .most_words = 1,
    .script = true,
    .notes =
        "A script that is not found where it is named is sought among those that come with\n"
        "the program; it finds ARG... in arg[1], arg[2], ... A case that is stored under\n"
        "RESULTS/cases by the same build is not run again; what functions of the script made is\n"
        "stored under what they depend on, or not, which is said. What a script may call:\n"
        "impactlab help lua; statuses: impactlab help statuses.\n",
    .examples = IL_CLI_LINES("first.lua -j 2 --results out", "first.lua --resume --results out"),
    .ends = {NULL, "a run, an order or a check failed, or a figure could not be drawn",
             "bad input, or an error of the script",
             "cases are missing, or the sweep was interrupted"}};
