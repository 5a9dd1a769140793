/*
 * results.c - `impactlab results`: queries on stored cases; `impactlab status`: the progress of the
 * scripts of a results folder.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "harness/io/store/store.h"
#include "harness/lua/results.h"
#include "harness/results/results.h"
#include "harness/run/references.h"

enum { NAMES_MAX = 64 };

typedef struct {
    il_lua_results_request ask;
    int norm;                       /* q_Linf 0, u_L1 1; -1: both */
    const char *named;              /* --columns as it was given */
    const char *columns[NAMES_MAX]; /* [ask.ncolumns] */
    bool references, quiet;
} request;

static const il_option known[] = {
    IL_CLI_OPTION(FOLDER, ask.results, "results", "DIR", "the folder of results (default results)"),
    IL_CLI_OPTION(TEXT, ask.where, "where", "EXPR",
                  "of list, export: cases that meet it, as in\n"
                  "'alpha > 1.7 and scheme = maury'",
                  .of = "list export"),
    IL_CLI_OPTION(TEXT, named, "columns", "COLUMN,...", "of list, export: these columns",
                  .of = "list export"),
    IL_CLI_OPTION(FLAG, ask.names, "names", NULL,
                  "of list: what EXPR and COLUMN can be, with their ranges", .of = "list"),
    IL_CLI_OPTION(FLAG, references, "references", NULL,
                  "of list: the references that are kept, instead of cases", .of = "list"),
    IL_CLI_OPTION(FLAG, ask.json, "json", NULL, "of list, show, compare: one JSON object",
                  .of = "list show compare"),
    IL_CLI_OPTION(TEXT, ask.figure, "figure", "FOLDER/NAME",
                  "of compare: draw the errors of both against h", .of = "compare"),
    IL_CLI_OPTION(CHOICE, norm, "norm", "q_Linf|u_L1",
                  "of compare: verdicts in this norm alone decide the status", .of = "compare"),
    IL_CLI_OPTION(FLAG, quiet, "quiet", NULL, "no progress")};

/* An action needs so many words behind it. */
typedef struct {
    const char *name;
    size_t words;
    const char *needs;
} action;

static const action actions[] = {{"list", 0, NULL},
                                 {"show", 1, "KEY, the first letters of one"},
                                 {"export", 1, "FILE.csv, .tex, .sqlite or .h5"},
                                 {"compare", 2, "two folders of results"}};

enum { ACTIONS = sizeof actions / sizeof actions[0] };
#define ALLOWED "allowed: list, show, export, compare"

/* ---- reading -------------------------------------------------------------------------------- */

/* NULL after a complaint. */
static const action *find_action(const il_cli_words *words) {
    const char *names[ACTIONS];
    if (words->n == 0) {
        (void)il_cli_usage("results", "what to do is missing; " ALLOWED);
        return NULL;
    }
    for (size_t k = 0; k < ACTIONS; k++) {
        names[k] = actions[k].name;
        if (strcmp(words->word[0], names[k]) == 0) {
            return &actions[k];
        }
    }
    (void)il_cli_usage("results", "'%s' is unknown%s; " ALLOWED, words->word[0],
                       il_cli_nearest(words->word[0], names, ACTIONS, "").text);
    return NULL;
}

/* The names in q->named, which is cut into them. */
static int take_columns(request *q) {
    char *rest = NULL;
    for (const char *name = strtok_r((char *)(uintptr_t)q->named, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        for (size_t k = 0; k < q->ask.ncolumns; k++) {
            if (strcmp(q->columns[k], name) == 0) {
                return il_cli_usage("results", "--columns names '%s' twice; allowed: once", name);
            }
        }
        if (q->ask.ncolumns == NAMES_MAX) {
            return il_cli_usage("results", "--columns names more than %d", NAMES_MAX);
        }
        q->columns[q->ask.ncolumns++] = name;
    }
    return q->ask.ncolumns > 0 ? IL_EXIT_OK
                               : il_cli_usage("results", "--columns is empty; allowed: NAME,...");
}

static int take_words(request *q, const action *what, const il_cli_words *words) {
    if (words->n > 1 + what->words) {
        return il_cli_usage("results", "'%s' is not allowed here; allowed behind %s: %s",
                            words->word[1 + what->words], what->name,
                            what->words > 0 ? what->needs : "options alone");
    }
    if (words->n < 1 + what->words) {
        return il_cli_usage("results", "%s needs %s", what->name, what->needs);
    }
    if (q->references && (q->ask.names || q->ask.where != NULL || q->named != NULL)) {
        return il_cli_usage("results", "--references has no meaning beside --names, --where or "
                                       "--columns");
    }
    q->ask.action = what->name;
    q->ask.word = what->words > 0 ? words->word[1] : NULL;
    q->ask.second = what->words > 1 ? words->word[2] : NULL;
    q->ask.norm = q->norm < 0 ? NULL : q->norm == 0 ? "q_Linf" : "u_L1";
    return q->named != NULL ? take_columns(q) : IL_EXIT_OK;
}

/* Open the index, with progress and what is to be said of it, act, and close it. */
static int with_index(const request *q,
                      il_status (*act)(const request *, const il_index *, il_error *),
                      il_error *err) {
    il_progress progress;
    il_index index;
    il_interrupt_watch();
    il_progress_begin(&progress, q->quiet ? NULL : stderr, "index");
    il_status status = il_index_open(&index, q->ask.results, &progress, err);
    il_progress_clear(&progress);
    if (status == IL_OK && index.note[0] != '\0') {
        il_cli_say(stderr, "impactlab: %s", index.note);
    }
    status = status == IL_OK ? act(q, &index, err) : status;
    il_index_close(&index);
    return il_cli_ended(status);
}

/* ---- show ----------------------------------------------------------------------------------- */

/* A line for each member, objects under their path. */
static void print_members(const char *path, const json_t *value) {
    const char *key = NULL;
    json_t *item = NULL;
    if (json_is_object(value)) {
        json_object_foreach((json_t *)(uintptr_t)value, key, item) {
            char longer[256];
            (void)snprintf(longer, sizeof longer, "%s%s%s", path, path[0] != '\0' ? "." : "", key);
            print_members(longer, item);
        }
        return;
    }
    char *text = json_is_string(value) ? il_alloc_text(json_string_value(value))
                                       : il_json_text_as(value, JSON_ENCODE_ANY);
    il_cli_say(stdout, "%-32s %s", path, text);
    free(text);
}

/* The record, and the key as the object that it is. */
static il_status print_case(const request *q, const char *path, const char *name,
                            const json_t *object, il_error *err) {
    json_t *key = NULL;
    json_t *record = json_object_get(object, "record");
    if (!q->ask.json) {
        il_cli_say(stdout, "%-32s %s", "key", name);
        il_cli_say(stdout, "%-32s %s", "file", path);
        print_members("", record);
        return IL_OK;
    }
    il_status status = il_json_parse(il_json_get_text(object, "key"), &key, err);
    if (status == IL_OK) {
        json_t *out = json_pack("{s:s, s:o, s:o, s:O}", "key", name, "file", il_json_text_new(path),
                                "specification", key, "record", record);
        il_json_print(out, 0, stdout);
        json_decref(out);
    }
    return status;
}

static il_status show(const request *q, const char *name, il_error *err) {
    char path[IL_STORE_PATH];
    json_t *object = NULL;
    il_error why = {IL_OK, "it is gone"};
    il_store_path(q->ask.results, name, path);
    il_status status = il_store_load(q->ask.results, name, &object, &why);
    if (status == IL_EINVAL || (status == IL_OK && object == NULL)) {
        status = il_fail(err, IL_EINVAL,
                         "the stored case '%s' is damaged (%s); its script runs it again", path,
                         why.message);
    } else if (status != IL_OK) {
        (void)il_fail(err, status, "%s", why.message);
    } else {
        status = print_case(q, path, name, object, err);
    }
    json_decref(object);
    return status;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static il_status list_references(const request *q, const il_index *index, il_error *err) {
    char folder[IL_STORE_PATH];
    (void)snprintf(folder, sizeof folder, "%s/references", index->results);
    json_t *object = json_pack("{s:o, s:o}", "results", il_json_text_new(index->results),
                               "references", il_references_list(folder, true));
    il_status status = il_cli_report_print(object, "references", q->ask.json, err);
    json_decref(object);
    return status;
}

/* The answer from one index or two: *failed where a comparison found something worse. */
static il_status answer(const request *q, const il_index *index, const il_index *other,
                        bool *failed, il_error *err) {
    json_t *said = NULL;
    const il_index *const both[2] = {index, other};
    il_lua_results_request ask = q->ask;
    ask.columns = q->columns;
    il_status status = il_lua_results(&ask, both, stdout, &said, err);
    json_t *report = json_object_get(said, "report");
    const char *form = il_json_get_text(said, "form");
    if (status == IL_OK && strcmp(form, "show") == 0) {
        status = show(q, il_json_get_text(report, "key"), err);
    } else if (status == IL_OK && form[0] != '\0') {
        status = il_cli_report_print(report, form, q->ask.json, err);
    }
    *failed = il_cli_count_of(said, "failed") != 0;
    json_decref(said);
    return status;
}

static il_status act(const request *q, const il_index *index, il_error *err) {
    bool failed = false;
    return q->references ? list_references(q, index, err) : answer(q, index, NULL, &failed, err);
}

static int compare(const request *q, il_error *err) {
    il_index a = {.db = NULL};
    il_index b = {.db = NULL};
    bool failed = false;
    il_interrupt_watch();
    il_status status = il_index_open(&a, q->ask.word, NULL, err);
    status = status == IL_OK ? il_index_open(&b, q->ask.second, NULL, err) : status;
    status = status == IL_OK ? answer(q, &a, &b, &failed, err) : status;
    il_index_close(&a);
    il_index_close(&b);
    return status == IL_OK && failed ? IL_EXIT_FAILED : il_cli_ended(status);
}

static int results(void *self, const il_cli_words *words, il_error *err) {
    request *q = self;
    const action *what = find_action(words);
    int code = what != NULL ? take_words(q, what, words) : IL_EXIT_USAGE;
    return what == NULL || code != IL_EXIT_OK ? code
           : what->words == 2                 ? compare(q, err)
                                              : with_index(q, act, err);
}

const il_cli_verb il_cli_results_verb = {
    .name = "results",
    .text = "stored cases: find, show, export, compare",
    .run = results,
    IL_CLI_REQUEST(.ask = {.results = "results"}, .norm = -1),
    .usage =
        IL_CLI_LINES("list [--where EXPR] [--columns COLUMN,...] [--names | --references] [--json]",
                     "show KEY [--json]",
                     "export FILE.{csv,tex,sqlite,h5} [--where EXPR] [--columns COLUMN,...]",
                     "compare DIR DIR [--norm NORM] [--figure FOLDER/NAME] [--json]"),
    IL_CLI_OPTIONS(known),
    .word = "word",
    .notes =
        "list says which cases are stored, show all of one. export writes a file whose columns "
        "are\n"
        "parameters and measures.\n"
        "compare matches the cases of two folders, whatever program made them, and gives ratios\n"
        "of errors and both orders: what a change of a scheme changed. Verdicts that got worse,\n"
        "fitted and stored, are listed.\n"
        "EXPR compares names with values: = != < <= > >=, joined by and, or, not, ( ); a case\n"
        "that lacks a name does not meet the comparison. More: impactlab help finding.\n",
    .examples = IL_CLI_LINES("list --where 'status = ok and steps > 20' --results out",
                             "export cases.csv --results out", "compare out out"),
    .ends = {"all well", "of compare: a verdict got worse, or nothing is in common",
             "bad input, or a case that is damaged was asked for", "interrupted",
             "out of memory, or an error of the program"}};

/* ---- status --------------------------------------------------------------------------------- */

static const il_option of_status[] = {
    IL_CLI_OPTION(FOLDER, ask.results, "results", "DIR", "the folder of results (default results)"),
    IL_CLI_OPTION(FLAG, ask.json, "json", NULL, "one JSON object"),
    IL_CLI_OPTION(FLAG, quiet, "quiet", NULL, "no progress")};

/* The scripts that were asked for, all or one by its path or name. */
static il_status choose(const request *q, json_t *state, il_error *err) {
    json_t *scripts = json_object_get(state, "scripts");
    for (size_t k = json_array_size(scripts); q->ask.word != NULL && k-- > 0;) {
        const char *script = il_json_get_text(json_array_get(scripts, k), "script");
        const char *slash = strrchr(script, '/');
        if (strcmp(script, q->ask.word) != 0 &&
            (slash == NULL || strcmp(slash + 1, q->ask.word) != 0)) {
            (void)json_array_remove(scripts, k);
        }
    }
    return q->ask.word == NULL || json_array_size(scripts) > 0
               ? IL_OK
               : il_fail(err, IL_EINVAL,
                         "no script '%s' has stored anything in '%s'; `impactlab status` without "
                         "one names those that have",
                         q->ask.word, q->ask.results);
}

static il_status tell(const request *q, const il_index *index, il_error *err) {
    json_t *state = NULL;
    il_status done = il_results_state(index, &state, err);
    done = done == IL_OK ? choose(q, state, err) : done;
    done = done == IL_OK ? il_cli_report_print(state, "status", q->ask.json, err) : done;
    json_decref(state);
    return done;
}

static int status(void *self, const il_cli_words *words, il_error *err) {
    request *q = self;
    q->ask.word = words->n > 0 ? words->word[0] : NULL;
    return with_index(q, tell, err);
}

const il_cli_verb il_cli_status = {
    .name = "status",
    .text = "how far the sweeps in a folder have come",
    .run = status,
    IL_CLI_REQUEST(.ask = {.results = "results"}),
    .usage = IL_CLI_LINES("[SCRIPT.lua] [--results DIR] [--json]"),
    IL_CLI_OPTIONS(of_status),
    .word = "script",
    .most_words = 1,
    .notes = "Of each script that stores cases in the folder: is it at work, and of the cases of\n"
             "the sweeps that it has begun, how many are done, have failed, are at work, are\n"
             "missing; and when it is expected to end. Nothing is run or changed. What is told is\n"
             "no failure: the status is 0 also where cases have failed or are missing.\n",
    .examples = IL_CLI_LINES("--results out", "first.lua --results out --json"),
    .ends = {"told", NULL, "bad input", "interrupted",
             "out of memory, or an error of the program"}};
