/*
 * status.c - `impactlab status`: the progress of the scripts of a results folder.
 */
#include <string.h>

#include "harness/base/json.h"
#include "harness/cli/results.h"
#include "harness/cli/verb.h"
#include "harness/results/results.h"

typedef il_cli_results request;

static const il_option known[] = {
    IL_CLI_OPTION(FOLDER, ask.results, "results", "DIR", "the folder of results (default results)"),
    IL_CLI_OPTION(FLAG, ask.json, "json", NULL, "one JSON object"),
    IL_CLI_OPTION(FLAG, quiet, "quiet", NULL, "no progress")};

/* The scripts that were asked for, all or one by its path or name. */
static il_status choose(const il_cli_results *q, json_t *state, il_error *err) {
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

static il_status tell(const il_cli_results *q, const il_index *index, il_error *err) {
    json_t *state = NULL;
    il_status done = il_results_state(index, &state, err);
    done = done == IL_OK ? choose(q, state, err) : done;
    done = done == IL_OK ? il_cli_report_print(state, "status", q->ask.json, err) : done;
    json_decref(state);
    return done;
}

static int status(void *self, const il_cli_words *words, il_error *err) {
    il_cli_results *q = self;
    q->ask.word = words->n > 0 ? words->word[0] : NULL;
    return il_cli_results_act(q, tell, err);
}

const il_cli_verb il_cli_status = {
    .name = "status",
    .text = "how far the sweeps in a folder have come",
    .run = status,
    IL_CLI_REQUEST(.ask = {.results = "results"}),
    .usage = IL_CLI_LINES("[SCRIPT.lua] [--results DIR] [--json]"),
    IL_CLI_OPTIONS(known),
    .word = "script",
    .most_words = 1,
    .notes = "Of each script that stores cases in the folder: is it at work, and of the cases of\n"
             "the sweeps that it has begun, how many are done, have failed, are at work, are\n"
             "missing; and when it is expected to end. Nothing is run or changed. What is told is\n"
             "no failure: the status is 0 also where cases have failed or are missing.\n",
    .examples = IL_CLI_LINES("--results out", "first.lua --results out --json"),
    .ends = {"told", NULL, "bad input", "interrupted",
             "out of memory, or an error of the program"}};
