/*
 * results_why.c - `impactlab results why`: which cases of a script would run, and why.
 */
#include <stdint.h>
#include <string.h>

#include "harness/base/json.h"
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

/* {REASON: how many cases} and how many would run. */
static il_status add_counts(json_t *report, il_error *err) {
    il_json w = {false};
    size_t k = 0;
    size_t runs = 0;
    const json_t *one = NULL;
    json_t *counts = json_object();
    for (size_t i = 0; i < REASONS; i++) {
        size_t n = 0;
        json_array_foreach(json_object_get(report, "cases"), k, one) {
            n += strcmp(il_json_get_text(one, "reason"), reasons[i]) == 0;
        }
        il_json_put_count(&w, counts, reasons[i], n);
    }
    json_array_foreach(json_object_get(report, "cases"), k, one) {
        runs += json_is_true(json_object_get(one, "runs"));
    }
    il_json_set(&w, report, "counts", counts);
    il_json_put_count(&w, report, "runs", runs);
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for the reasons") : IL_OK;
}

il_status il_cli_results_why(const il_cli_results *q, il_index *index, il_error *err) {
    json_t *report = NULL;
    il_status status = gather(q, &report, err);
    json_t *cases = json_object_get(report, "cases");
    json_t *references = json_object_get(report, "references");
    status = status == IL_OK ? il_results_why(index, cases, err) : status;
    status = status == IL_OK ? il_results_why_references(index, references, err) : status;
    status = status == IL_OK ? add_counts(report, err) : status;
    status = status == IL_OK ? il_cli_report_print(report, "why", q->json, err) : status;
    json_decref(report);
    return status;
}
