/*
 * results_from.c - `impactlab results from`: the cases behind a figure or a table.
 */
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/cli/results.h"
#include "harness/draw/table.h"
#include "harness/results/results.h"

static il_status print_words(const json_t *manifest, const il_index *index, const json_t *missing,
                             il_error *err) {
    const json_t *origin = json_object_get(manifest, "origin");
    bool own = strcmp(il_json_get_text(origin, "of"), "result") == 0;
    long long runs = json_integer_value(json_object_get(origin, "runs"));
    size_t named = json_array_size(json_object_get(origin, "cases"));
    size_t k = 0;
    const json_t *one = NULL;
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
        index->chosen > 0 ? il_columns_print(index, stdout, IL_TABLE_TXT, "", 12, err) : IL_OK;
    json_array_foreach(missing, k, one) {
        (void)printf("%.12s  is not stored any more\n", il_json_get_text(one, "key"));
    }
    return status;
}

static il_status print_json(const json_t *manifest, const il_index *index, const json_t *missing,
                            il_error *err) {
    static const char *const of_manifest[] = {"name", "kind", "manifest"};
    static const char *const of_origin[] = {"of", "script", "script_sha256"};
    il_json w = {false};
    size_t k = 0;
    const json_t *one = NULL;
    json_t *gone = json_array();
    json_t *cases = NULL;
    il_status status = il_index_rows(index, index->select, NULL, &cases, err);
    json_t *object = json_object();
    const json_t *origin = json_object_get(manifest, "origin");
    json_array_foreach(missing, k, one) {
        il_json_append(&w, gone, json_incref(json_object_get(one, "key")));
    }
    for (k = 0; k < 3; k++) {
        il_json_put_text(&w, object, of_manifest[k], il_json_get_text(manifest, of_manifest[k]));
    }
    for (k = 0; k < 3; k++) {
        il_json_put_text(&w, object, of_origin[k], il_json_get_text(origin, of_origin[k]));
    }
    il_json_put_count(&w, object, "runs",
                      (size_t)json_integer_value(json_object_get(origin, "runs")));
    il_json_set(&w, object, "cases", cases);
    il_json_set(&w, object, "missing", gone);
    object = il_json_done(&w, object);
    status = status == IL_OK ? il_json_print(object, 0, stdout, err) : status;
    json_decref(object);
    return status;
}

il_status il_cli_results_from(const il_cli_results *q, il_index *index, il_error *err) {
    static const char *const usual[] = {"key", "problem", "scheme", "steps",
                                        "h",   "status",  "date",   "build"};
    json_t *manifest = NULL;
    json_t *missing = NULL;
    il_status status = il_results_manifest(q->results, q->word, &manifest, err);
    if (status == IL_OK) {
        const json_t *origin = json_object_get(manifest, "origin");
        status = il_results_choose_named(index, json_object_get(origin, "cases"), &missing, err);
    }
    if (status == IL_OK) {
        status = il_results_columns(index, false, usual,
                                    q->json ? 0 : sizeof usual / sizeof usual[0], err);
    }
    if (status == IL_OK) {
        status = q->json ? print_json(manifest, index, missing, err)
                         : print_words(manifest, index, missing, err);
    }
    json_decref(manifest);
    json_decref(missing);
    return status;
}
