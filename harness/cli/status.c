/*
 * status.c - `impactlab status`: the progress of the scripts of a results folder.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/progress.h"
#include "harness/base/text.h"
#include "harness/cli/results.h"
#include "harness/cli/verb.h"
#include "harness/results/results.h"

typedef il_cli_results request;

static const il_cli_option known[] = {
    IL_CLI_OPTION(FOLDER, results, "results", "DIR", "the folder of results (default results)"),
    IL_CLI_OPTION(FLAG, json, "json", NULL, "one JSON object"),
    IL_CLI_OPTION(FLAG, quiet, "quiet", NULL, "no progress")};

static long long count_of(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

/* The script with its words, and what became of it. */
static void print_head(const json_t *s) {
    char line[1024] = "";
    size_t k = 0;
    const json_t *word = NULL;
    const char *state = il_json_get_text(s, "state");
    il_text_append(line, sizeof line, "%s", il_json_get_text(s, "script"));
    json_array_foreach(json_object_get(s, "arguments"), k, word) {
        il_text_append(line, sizeof line, "%s %s", k == 0 ? " --" : "", json_string_value(word));
    }
    if (json_is_string(json_object_get(s, "shard"))) {
        il_text_append(line, sizeof line, ", shard %s", il_json_get_text(s, "shard"));
    }
    il_text_append(line, sizeof line, ": %s", state);
    if (strcmp(state, "at work") == 0 || strcmp(state, "killed") == 0) {
        il_text_append(line, sizeof line, " (process %lld on %s, since %s)", count_of(s, "pid"),
                       il_json_get_text(s, "host"), il_json_get_text(s, "began"));
    } else if (strcmp(state, "elsewhere") == 0) {
        il_text_append(line, sizeof line, " (at work on %s at %s)", il_json_get_text(s, "host"),
                       il_json_get_text(s, "saved"));
    } else {
        il_text_append(
            line, sizeof line, " at %s%s%s%s%.300s", il_json_get_text(s, "saved"),
            il_json_get_text(s, "ending")[0] != '\0' ? ", " : "", il_json_get_text(s, "ending"),
            il_json_get_text(s, "reason")[0] != '\0' ? ": " : "", il_json_get_text(s, "reason"));
    }
    il_cli_say(stdout, "%s", line);
}

/* A word as a shell reads it. */
static void append_word(char *line, size_t capacity, const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_./:=,+-%@";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        il_text_append(line, capacity, " %s", word);
        return;
    }
    il_text_append(line, capacity, " '");
    for (; *word != '\0'; word++) {
        il_text_append(line, capacity, *word == '\'' ? "'\\%c'" : "%c", *word);
    }
    il_text_append(line, capacity, "'");
}

/* The command that runs what is missing. */
static void print_command(const json_t *s, const char *results) {
    char line[4096] = "";
    size_t k = 0;
    const json_t *word = NULL;
    append_word(line, sizeof line, il_json_get_text(s, "script"));
    il_text_append(line, sizeof line, " --resume --results");
    append_word(line, sizeof line, results);
    if (json_is_string(json_object_get(s, "shard"))) {
        il_text_append(line, sizeof line, " --shard %s", il_json_get_text(s, "shard"));
    }
    json_array_foreach(json_object_get(s, "arguments"), k, word) {
        il_text_append(line, sizeof line, k == 0 ? " --" : "");
        append_word(line, sizeof line, json_string_value(word));
    }
    il_cli_say(stdout, "  to go on: impactlab sweep%s", line);
}

static void print_script(const json_t *s, const char *results) {
    char left[64] = "";
    const json_t *seconds = json_object_get(s, "seconds_left");
    long long open = count_of(s, "missing") + count_of(s, "at_work");
    print_head(s);
    if (json_is_number(seconds) && open > 0) {
        char words[32];
        il_progress_say_seconds(json_number_value(seconds), words, sizeof words);
        (void)snprintf(left, sizeof left, "; about %s left, until %s", words,
                       il_json_get_text(s, "expected_end"));
    }
    (void)printf("  %lld cases: %lld done, %lld failed, %lld at work, %lld missing%s\n",
                 count_of(s, "cases"), count_of(s, "done"), count_of(s, "failed"),
                 count_of(s, "at_work"), count_of(s, "missing"), left);
    if (open > 0 && strcmp(il_json_get_text(s, "state"), "at work") != 0) {
        print_command(s, results);
    }
}

/* The scripts that were asked for, all or one by its path or name. */
static il_status choose(const il_cli_results *q, json_t *state, il_error *err) {
    json_t *scripts = json_object_get(state, "scripts");
    for (size_t k = json_array_size(scripts); q->word != NULL && k-- > 0;) {
        const char *script = il_json_get_text(json_array_get(scripts, k), "script");
        const char *slash = strrchr(script, '/');
        if (strcmp(script, q->word) != 0 && (slash == NULL || strcmp(slash + 1, q->word) != 0)) {
            (void)json_array_remove(scripts, k);
        }
    }
    return q->word == NULL || json_array_size(scripts) > 0
               ? IL_OK
               : il_fail(err, IL_EINVAL,
                         "no script '%s' has stored anything in '%s'; `impactlab status` without "
                         "one names those that have",
                         q->word, q->results);
}

static void print_state(const json_t *state) {
    size_t k = 0;
    const json_t *one = NULL;
    json_array_foreach(json_object_get(state, "scripts"), k, one) {
        print_script(one, il_json_get_text(state, "results"));
    }
    json_array_foreach(json_object_get(state, "troubles"), k, one) {
        il_cli_say(stdout, "%s", json_string_value(one));
    }
    il_cli_say(stdout, "%s: %lld stored cases, %lld damaged, %lld set aside",
               il_json_get_text(state, "results"), count_of(state, "stored"),
               count_of(state, "damaged"), count_of(state, "set_aside"));
}

static il_status tell(const il_cli_results *q, il_index *index, il_error *err) {
    json_t *state = NULL;
    il_status done = il_results_state(index, &state, err);
    done = done == IL_OK ? choose(q, state, err) : done;
    if (done == IL_OK && q->json) {
        done = il_json_print(state, 0, stdout, err);
    } else if (done == IL_OK) {
        print_state(state);
    }
    json_decref(state);
    return done;
}

static int status(void *self, const il_cli_words *words, il_error *err) {
    il_cli_results *q = self;
    q->word = words->n > 0 ? words->word[0] : NULL;
    return il_cli_results_act(q, tell, err);
}

const il_cli_verb il_cli_status = {
    .name = "status",
    .text = "how far the sweeps in a folder have come",
    .run = status,
    IL_CLI_REQUEST(.results = "results"),
    .usage = IL_CLI_LINES("[SCRIPT.lua] [--results DIR] [--json]"),
    .options = known,
    .noptions = IL_CLI_COUNT_OF(known),
    .word = "script",
    .most_words = 1,
    .words = "FILE.lua",
    .notes = "Of each script that stores cases in the folder: is it at work, and of the cases of\n"
             "the sweeps that it has begun, how many are done, have failed, are at work, are\n"
             "missing; and when it is expected to end. Nothing is run or changed. What is told is\n"
             "no failure: the status is 0 also where cases have failed or are missing.\n",
    .examples = IL_CLI_LINES("--results out", "first.lua --results out --json"),
    .ends = {"told", NULL, "bad input", "interrupted",
             "out of memory, or an error of the program"}};
