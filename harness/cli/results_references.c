/*
 * results_references.c - `impactlab results list --references`: the stored references.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/cli/results.h"
#include "harness/run/references.h"

enum { KEY_LETTERS = 12, MEGABYTE = 1000000 };

static void print_one(const json_t *one) {
    char what[160];
    long long bytes = json_integer_value(json_object_get(one, "bytes"));
    const char *damaged = il_json_get_text(one, "damaged");
    if (il_json_get_text(one, "kind")[0] == '\0') {
        il_cli_say(stdout, "%.*s  damaged: %s; it is made again", KEY_LETTERS,
                   il_json_get_text(one, "name"), damaged);
        return;
    }
    if (strcmp(il_json_get_text(one, "kind"), "run") == 0) {
        (void)snprintf(what, sizeof what, "run of %.60s by %.40s, %lld steps",
                       il_json_get_text(one, "problem"), il_json_get_text(one, "scheme"),
                       (long long)json_integer_value(json_object_get(one, "steps")));
    } else {
        (void)snprintf(what, sizeof what, "event-driven, %.60s", il_json_get_text(one, "problem"));
    }
    if (damaged[0] != '\0') {
        il_cli_say(stdout, "%.*s  %s: damaged: %s; it is made again", KEY_LETTERS,
                   il_json_get_text(one, "name"), what, damaged);
    } else {
        il_cli_say(stdout, "%.*s  %s: %.3g MB, made in %.3g s, %s", KEY_LETTERS,
                   il_json_get_text(one, "name"), what, (double)bytes / MEGABYTE,
                   json_number_value(json_object_get(one, "seconds")),
                   il_json_get_text(one, "date"));
    }
}

il_status il_cli_results_references(const il_cli_results *q, il_index *index, il_error *err) {
    il_json w = {false};
    char *folder = NULL;
    il_status status = IL_OK;
    size_t k = 0;
    const json_t *one = NULL;
    if (asprintf(&folder, "%s/references", index->results) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    json_t *object = json_object();
    json_t *all = il_references_list(folder, true);
    size_t n = json_array_size(all);
    il_json_put_text(&w, object, "results", index->results);
    il_json_set(&w, object, "references", all);
    object = il_json_done(&w, object);
    free(folder);
    if (q->json || object == NULL) {
        status = il_json_print(object, 0, stdout, err);
    } else {
        json_array_foreach(all, k, one) {
            print_one(one);
        }
        (void)printf("%zu reference%s\n", n, n == 1 ? "" : "s");
    }
    json_decref(object);
    return status;
}
