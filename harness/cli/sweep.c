/*
 * sweep.c - `impactlab sweep`: a script and what it declares.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "harness/lua/base/guard.h"
#include "harness/lua/script.h"
#include "harness/run/checkpoint.h"
#include "harness/run/run.h"

static int parse_shard(il_lua_options *o, const char *text) {
    char word[64];
    const char *slash = strchr(text, '/');
    size_t n = slash != NULL ? (size_t)(slash - text) : 0;
    bool good = slash != NULL && n < sizeof word;
    if (good) {
        (void)snprintf(word, sizeof word, "%.*s", (int)n, text);
        good = il_text_count(word, &o->shard) && il_text_count(slash + 1, &o->shards) &&
               o->shard >= 1 && o->shard <= o->shards;
    }
    return good ? IL_EXIT_OK
                : il_cli_usage("sweep", "--shard is '%s'; allowed: i/n with i from 1 to n", text);
}

static int parse_workers(il_lua_options *o, const char *text) {
    enum { WORKERS_MAX = 4096 };
    if (!il_text_count(text, &o->workers) || o->workers == 0 || o->workers > WORKERS_MAX) {
        return il_cli_usage("sweep", "-j is '%s'; allowed: an integer from 1 to %d", text,
                            WORKERS_MAX);
    }
    return IL_EXIT_OK;
}

/* N, with k, M or G behind it, in bytes. */
static bool parse_bytes(const char *text, size_t *bytes) {
    static const struct {
        char letter;
        double unit;
    } units[] = {{'k', 1024.0}, {'M', 1048576.0}, {'G', 1073741824.0}};
    char word[32];
    size_t n = strlen(text);
    double value = 0.0;
    for (size_t k = 0; k < sizeof units / sizeof units[0] && n > 1 && n < sizeof word; k++) {
        if (text[n - 1] == units[k].letter) {
            (void)snprintf(word, sizeof word, "%.*s", (int)n - 1, text);
            bool good = il_text_number(word, &value) && value > 0.0 && value * units[k].unit < 1e15;
            *bytes = good ? (size_t)(value * units[k].unit) : 0;
        }
    }
    return *bytes > 0;
}

static int parse_limit(il_case_limits *limits, bool is_time, const char *text) {
    if (is_time) {
        bool good = il_text_number(text, &limits->seconds) && limits->seconds > 0.0 &&
                    isfinite(limits->seconds);
        return good ? IL_EXIT_OK
                    : il_cli_usage("sweep", "--case-time is '%s'; allowed: seconds > 0", text);
    }
    return parse_bytes(text, &limits->bytes)
               ? IL_EXIT_OK
               : il_cli_usage("sweep",
                              "--case-memory is '%s'; allowed: a number > 0 with k, M or G behind "
                              "it, such as 512M or 2G",
                              text);
}

static int parse_checkpoint(il_lua_options *o, const char *text) {
    bool good = il_text_number(text, &o->checkpoint_every) && o->checkpoint_every >= 0.0 &&
                isfinite(o->checkpoint_every);
    return good ? IL_EXIT_OK
                : il_cli_usage("sweep", "--checkpoint-every is '%s'; allowed: seconds >= 0", text);
}

enum {
    WORKERS,
    RESUME,
    FRESH,
    SHARD,
    RESULTS,
    MAX_TIME,
    LONG,
    CASE_TIME,
    CASE_MEMORY,
    CHECKPOINT,
    TRUST,
    QUIET
};

typedef struct {
    il_lua_options lua;
    double max_time; /* seconds; 0: not given */
    bool is_long;    /* a run may take longer than an hour */
} request;

static const il_cli_option known[] = {
    [WORKERS] = {.letter = 'j', .value = "N", .text = "N cases at a time (default 1)"},
    [RESUME] = {.name = "resume", .text = "say how many cases were found in the store"},
    [FRESH] = {.name = "fresh", .text = "run all cases again, stored or not"},
    [SHARD] = {.name = "shard",
               .value = "i/n",
               .text = "run every n-th case only, from the i-th (other machines run the\nothers)"},
    [RESULTS] = {.name = "results",
                 .value = "DIR",
                 .text = "where cases, figures and tables go (default results)"},
    [MAX_TIME] = {.name = "max-time",
                  .value = "SECONDS",
                  .text = "stop after so many seconds; what was stored stays (default: a\nday)"},
    [LONG] = {.name = "long",
              .text = "run what, as its first steps say, takes more than an hour (--max-time,\n"
                      "--case-time and --trust say so too)"},
    [CASE_TIME] = {.name = "case-time",
                   .value = "SECONDS",
                   .text = "end a case that takes longer: it failed, time_limit, and the sweep\n"
                           "goes on (default: none)"},
    [CASE_MEMORY] = {.name = "case-memory",
                     .value = "SIZE",
                     .text = "and one that needs more memory, such as 512M or 2G: memory_limit\n"
                             "(default: none)"},
    [CHECKPOINT] = {.name = "checkpoint-every",
                    .value = "SECONDS",
                    .text = "how often a long case leaves a state that it goes on from after a\n"
                            "kill (default 60; 0: never)"},
    [QUIET] = {.name = "quiet", .text = "no progress, and no word on what went well"},
    [TRUST] = {.name = "trust",
               .text = "the script is no guest: it may read and write files, start\nprograms, "
                       "load modules beside it, and take any time and memory"}};

/* The script; there is one. */
static int take_script(il_lua_options *o, const char *word) {
    if (o->script != NULL) {
        return il_cli_usage("sweep",
                            "one script at a time: '%s' and '%s'; its arguments stand "
                            "after --",
                            o->script, word);
    }
    o->script = word;
    return IL_EXIT_OK;
}

static int parse_one(request *r, int option, const char *value) {
    il_lua_options *o = &r->lua;
    switch (option) {
    case IL_CLI_WORD:
        return take_script(o, value);
    case WORKERS:
        return parse_workers(o, value);
    case SHARD:
        return parse_shard(o, value);
    case RESUME:
        o->resume = true;
        return IL_EXIT_OK;
    case FRESH:
        o->fresh = true;
        return IL_EXIT_OK;
    case RESULTS:
        o->results = value;
        return value[0] != '\0' ? IL_EXIT_OK
                                : il_cli_usage("sweep", "--results is empty; allowed: a folder");
    case MAX_TIME:
        return il_cli_max_time("sweep", value, &r->max_time);
    case LONG:
        r->is_long = true;
        return IL_EXIT_OK;
    case CASE_TIME:
    case CASE_MEMORY:
        return parse_limit(&o->limits, option == CASE_TIME, value);
    case CHECKPOINT:
        return parse_checkpoint(o, value);
    case QUIET:
        o->quiet = true;
        return IL_EXIT_OK;
    case TRUST:
        o->trusted = true;
        return IL_EXIT_OK;
    default:
        return IL_EXIT_USAGE;
    }
}

static int parse(request *r, int argc, char **argv) {
    il_lua_options *o = &r->lua;
    il_cli_arguments arguments;
    il_cli_arguments_start(&arguments, "sweep", argc, argv, known, sizeof known / sizeof known[0]);
    o->args = il_cli_take_rest(&arguments, &o->nargs);
    for (int option = il_cli_next(&arguments); option != IL_CLI_END;
         option = il_cli_next(&arguments)) {
        int status = parse_one(r, option, arguments.value);
        if (status != IL_EXIT_OK) {
            return status;
        }
    }
    if (o->script == NULL) {
        return il_cli_usage("sweep", "a script is needed");
    }
    if (o->resume && o->fresh) {
        return il_cli_usage("sweep", "--resume and --fresh exclude each other");
    }
    return IL_EXIT_OK;
}

/* A run may take an hour, unless more is asked for or a limit is set. */
static double patience_of(const request *r) {
    bool any = r->is_long || r->max_time > 0.0 || r->lua.limits.seconds > 0.0 || r->lua.trusted;
    return any ? 0.0 : IL_PATIENCE_HOUR;
}

/* One line that counts what failed; false if nothing did. */
static bool report_failures(const il_lua_outcome *o) {
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
    return line[0] != '\0';
}

static int sweep(int argc, char **argv) {
    char path[IL_PLACE_MAX];
    request r = {
        .lua = {.results = "results", .messages = stderr, .checkpoint_every = IL_CHECKPOINT_EVERY}};
    il_lua_outcome outcome = {0};
    il_error err = {IL_OK, ""};
    int status = parse(&r, argc, argv);
    if (status != IL_EXIT_OK) {
        return status;
    }
    r.lua.script = il_cli_script(r.lua.script, path);
    r.lua.patience = patience_of(&r);
    il_lua_guard_start(r.lua.trusted, r.max_time);
    if (il_lua_run_script(&r.lua, &outcome, &err) != IL_OK) {
        return il_cli_fail(&err);
    }
    if (report_failures(&outcome)) {
        return IL_EXIT_FAILED;
    }
    return outcome.missing > 0 ? IL_EXIT_INCOMPLETE : IL_EXIT_OK;
}

static const char *const usage[] = {"SCRIPT.lua [OPTIONS] [-- ARG...]", NULL};
static const char *const examples[] = {"first.lua -j 2 --results out",
                                       "first.lua --resume --results out", NULL};

const il_cli_verb il_cli_sweep = {
    .name = "sweep",
    .text = "a Lua script: sweeps, tables, figures",
    .run = sweep,
    .usage = usage,
    .options = known,
    .noptions = sizeof known / sizeof known[0],
    .words = "FILE.lua",
    .notes =
        "A script that is not found where it is named is sought among those that come with\n"
        "the program; it finds ARG... in arg[1], arg[2], ... A case that is stored under\n"
        "RESULTS/cases by the same build is not run again; what functions of the script made is\n"
        "stored under what they depend on, or not, which is said. What a script may call:\n"
        "impactlab help lua.\n",
    .examples = examples,
    .ends = {"all well", "a run, an order or a check failed, or a figure could not be drawn",
             "bad input, or an error of the script",
             "cases are missing, or the sweep was interrupted",
             "out of memory, or an error of the program"}};
