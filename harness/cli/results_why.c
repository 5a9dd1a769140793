/*
 * results_why.c - `impactlab results why`: which cases of a script would run, and why.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/cli/results.h"
#include "harness/io/store/store.h"
#include "harness/lua/base/guard.h"
#include "harness/lua/reading.h"
#include "harness/results/results.h"

static const char *const reasons[] = {"stored", "new",     "changed parameter", "changed source",
                                      "failed", "damaged", "not kept"};
enum { REASONS = sizeof reasons / sizeof reasons[0] };

/* The record of a key in the folder; one that is damaged is none. */
static il_status find_record(void *self, const char *key, json_t **record, il_error *err) {
    const il_cli_results *q = self;
    char name[IL_STORE_NAME];
    json_t *object = NULL;
    il_error why = {IL_OK, ""};
    *record = NULL;
    il_store_key_name(key, name);
    il_status status = il_store_load(q->results, name, &object, &why);
    if (status == IL_ENOMEM) {
        return il_fail(err, status, "%s", why.message);
    }
    if (status == IL_OK) {
        *record = json_incref(json_object_get(object, "record"));
    }
    json_decref(object);
    return IL_OK;
}

static il_status gather(const il_cli_results *q, json_t **report, il_error *err) {
    char path[IL_PLACE_MAX];
    il_lua_options options = {.script = il_cli_script(q->word, path),
                              .args = q->args,
                              .nargs = q->nargs,
                              .trusted = q->trusted,
                              .quiet = true};
    il_lua_finder finder = {(void *)(uintptr_t)q, find_record};
    il_lua_guard_start(q->trusted, 0.0);
    return il_lua_why_script(&options, finder, report, err);
}

/* {REASON: how many cases}. */
static json_t *counts_of(const json_t *cases, size_t *runs) {
    il_json w = {false};
    size_t k = 0;
    const json_t *one = NULL;
    size_t n[REASONS] = {0};
    json_t *counts = json_object();
    *runs = 0;
    json_array_foreach(cases, k, one) {
        for (size_t i = 0; i < REASONS; i++) {
            n[i] += strcmp(il_json_get_text(one, "reason"), reasons[i]) == 0;
        }
        *runs += json_is_true(json_object_get(one, "runs"));
    }
    for (size_t i = 0; i < REASONS; i++) {
        il_json_put_count(&w, counts, reasons[i], n[i]);
    }
    return il_json_done(&w, counts);
}

/* "STATE SWEEP: WHAT: REASON: DETAIL" */
static void print_one(const json_t *one, const char *kept, const char *what) {
    const char *detail = il_json_get_text(one, "detail");
    il_cli_say(stdout, "%-9s %s: %s: %s%s%.400s",
               json_is_true(json_object_get(one, "runs")) ? "would run" : kept,
               il_json_get_text(one, "sweep"), what, il_json_get_text(one, "reason"),
               detail[0] != '\0' ? ": " : "", detail);
}

static void print_case(const json_t *one) {
    char what[300];
    const json_t *steps = json_object_get(one, "steps");
    int n = snprintf(what, sizeof what, "%.150s by %.100s, ", il_json_get_text(one, "problem"),
                     il_json_get_text(one, "scheme"));
    (void)snprintf(what + n, sizeof what - (size_t)n, steps != NULL ? "%.0f steps" : "h = %.6g",
                   json_number_value(steps != NULL ? steps : json_object_get(one, "h")));
    print_one(one, "is kept", what);
}

static void print_reference(const json_t *one) {
    char what[300];
    bool run = il_json_get_text(one, "scheme")[0] != '\0';
    int n = snprintf(what, sizeof what, "reference for %.150s%s", il_json_get_text(one, "problem"),
                     run ? "" : " (event-driven)");
    if (run) {
        (void)snprintf(what + n, sizeof what - (size_t)n, " by %.50s, %lld steps",
                       il_json_get_text(one, "scheme"),
                       (long long)json_integer_value(json_object_get(one, "steps")));
    }
    print_one(one, strcmp(il_json_get_text(one, "reason"), "stored") == 0 ? "is kept" : "is absent",
              what);
}

static void print_words(const json_t *report, const json_t *counts, size_t runs) {
    const json_t *cases = json_object_get(report, "cases");
    long long limits = json_integer_value(json_object_get(report, "limits"));
    size_t k = 0;
    const json_t *one = NULL;
    char line[256] = "";
    json_array_foreach(cases, k, one) {
        print_case(one);
    }
    json_array_foreach(json_object_get(report, "references"), k, one) {
        print_reference(one);
    }
    for (size_t i = 0; i < REASONS; i++) {
        long long n = json_integer_value(json_object_get(counts, reasons[i]));
        if (n > 0) {
            il_text_append(line, sizeof line, "%s%lld %s", line[0] != '\0' ? ", " : "", n,
                           reasons[i]);
        }
    }
    il_cli_say(stdout, "%zu case%s, of which %zu would run%s%s", json_array_size(cases),
               json_array_size(cases) == 1 ? "" : "s", runs, line[0] != '\0' ? ": " : "", line);
    if (limits > 0) {
        il_cli_say(stdout,
                   "%lld judgement%s of limits, whose runs are stored too, but are not looked for "
                   "here: each depends on what those before it came to",
                   limits, limits == 1 ? "" : "s");
    }
    if (json_is_string(json_object_get(report, "unread"))) {
        il_cli_say(stdout, "not read on, as nothing was run: %s",
                   il_json_get_text(report, "unread"));
    }
}

static il_status print_report(const il_cli_results *q, json_t *report, il_error *err) {
    size_t runs = 0;
    il_json w = {false};
    json_t *counts = counts_of(json_object_get(report, "cases"), &runs);
    if (!q->json) {
        print_words(report, counts, runs);
        json_decref(counts);
        return IL_OK;
    }
    il_json_set(&w, report, "counts", counts);
    il_json_put_count(&w, report, "runs", runs);
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for the reasons")
                    : il_json_print(report, 0, stdout, err);
}

il_status il_cli_results_why(const il_cli_results *q, il_index *index, il_error *err) {
    json_t *report = NULL;
    il_status status = gather(q, &report, err);
    json_t *cases = json_object_get(report, "cases");
    json_t *references = json_object_get(report, "references");
    status = status == IL_OK ? il_results_why(index, cases, err) : status;
    status = status == IL_OK ? il_results_why_references(index, references, err) : status;
    status = status == IL_OK ? print_report(q, report, err) : status;
    json_decref(report);
    return status;
}
