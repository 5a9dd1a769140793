/*
 * results_from.c - `impactlab results from`: the cases behind a figure or a table.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/cli/results.h"
#include "harness/draw/table.h"
#include "harness/results/results.h"

/* {NAME: true, ...} of an array of names. */
static json_t *set_of(const json_t *names) {
    il_json w = {false};
    size_t k = 0;
    const json_t *one = NULL;
    json_t *set = json_object();
    json_array_foreach(names, k, one) {
        if (json_is_string(one)) {
            il_json_set(&w, set, json_string_value(one), json_true());
        }
    }
    return il_json_done(&w, set);
}

static il_status print_words(const json_t *manifest, const il_columns *rows, const json_t *missing,
                             il_error *err) {
    const json_t *origin = json_object_get(manifest, "origin");
    bool own = strcmp(il_json_get_text(origin, "of"), "result") == 0;
    long long runs = json_integer_value(json_object_get(origin, "runs"));
    size_t named = json_array_size(json_object_get(origin, "cases"));
    il_cli_say(stdout, "%s %s, of %s (RESULTS/scripts/%.12s...lua)",
               il_json_get_text(manifest, "kind"), il_json_get_text(manifest, "name"),
               il_json_get_text(origin, "script"), il_json_get_text(origin, "script_sha256"));
    (void)printf("%s%zu case%s%s", own ? "made from " : "made from some of ", named,
                 named == 1 ? "" : "s", own ? "" : ", those that its script had asked for");
    if (runs > 0) {
        (void)printf(", and %lld run%s of lab.run, which %s not stored", runs, runs == 1 ? "" : "s",
                     runs == 1 ? "is" : "are");
    }
    (void)printf("\n\n");
    il_status status =
        rows->rows > 0 ? il_columns_print(rows, stdout, IL_TABLE_TXT, "", 12, err) : IL_OK;
    const char *name = NULL;
    json_t *nothing = NULL;
    json_object_foreach((json_t *)(uintptr_t)missing, name, nothing) {
        (void)printf("%.12s  is not stored any more\n", name);
    }
    return status;
}

static il_status print_json(const json_t *manifest, const il_columns *rows, const json_t *missing,
                            il_error *err) {
    il_json w = {false};
    json_t *gone = json_array();
    json_t *object = json_object();
    const json_t *origin = json_object_get(manifest, "origin");
    const char *name = NULL;
    json_t *nothing = NULL;
    json_object_foreach((json_t *)(uintptr_t)missing, name, nothing) {
        il_json_append(&w, gone, json_string(name));
    }
    il_json_put_text(&w, object, "name", il_json_get_text(manifest, "name"));
    il_json_put_text(&w, object, "kind", il_json_get_text(manifest, "kind"));
    il_json_put_text(&w, object, "manifest", il_json_get_text(manifest, "manifest"));
    il_json_put_text(&w, object, "of", il_json_get_text(origin, "of"));
    il_json_put_text(&w, object, "script", il_json_get_text(origin, "script"));
    il_json_put_text(&w, object, "script_sha256", il_json_get_text(origin, "script_sha256"));
    il_json_put_count(&w, object, "runs",
                      (size_t)json_integer_value(json_object_get(origin, "runs")));
    il_json_set(&w, object, "cases", il_columns_json(rows));
    il_json_set(&w, object, "missing", gone);
    object = il_json_done(&w, object);
    il_status status = il_json_print(object, 0, stdout, err);
    json_decref(object);
    return status;
}

static il_status print_from(const il_cli_results *q, const il_index *index, const json_t *manifest,
                            il_error *err) {
    static const char *const usual[] = {"key", "problem", "scheme", "steps",
                                        "h",   "status",  "date",   "build"};
    il_columns rows = {.rows = 0};
    json_t *missing = set_of(json_object_get(json_object_get(manifest, "origin"), "cases"));
    il_status status =
        missing != NULL
            ? il_results_select(index, NULL, false, usual,
                                q->json ? 0 : sizeof usual / sizeof usual[0], &rows, err)
            : il_fail(err, IL_ENOMEM, "no memory for names of cases");
    if (status == IL_OK) {
        il_columns_keep(&rows, missing);
        status = q->json ? print_json(manifest, &rows, missing, err)
                         : print_words(manifest, &rows, missing, err);
    }
    json_decref(missing);
    il_columns_free(&rows);
    return status;
}

il_status il_cli_results_from(const il_cli_results *q, il_index *index, il_error *err) {
    json_t *manifest = NULL;
    il_status status = il_results_manifest(q->results, q->word, &manifest, err);
    status = status == IL_OK ? print_from(q, index, manifest, err) : status;
    json_decref(manifest);
    return status;
}
