/*
 * results_list.c - `impactlab results list` and `show`.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/cli/results.h"
#include "harness/draw/table.h"
#include "harness/results/files.h"
#include "harness/results/results.h"

enum { KEY_LETTERS = 12 };

/* ---- list ----------------------------------------------------------------------------------- */

static const char *plural(size_t n) {
    return n == 1 ? "" : "s";
}

/* The usual columns and what the condition names. */
static size_t choose(const il_cli_results *q, const il_where *where, const char **names,
                     size_t room) {
    static const char *const usual[] = {"key", "problem", "scheme", "steps",
                                        "h",   "status",  "date",   "script"};
    size_t n = 0;
    if (q->ncolumns > 0) {
        memcpy(names, q->columns, q->ncolumns * sizeof *names);
        return q->ncolumns;
    }
    for (; n < sizeof usual / sizeof usual[0]; n++) {
        names[n] = usual[n];
    }
    const char *name = NULL;
    json_t *nothing = NULL;
    json_object_foreach(where->names, name, nothing) {
        bool there = n == room;
        for (size_t i = 0; i < n; i++) {
            there = there || strcmp(names[i], name) == 0;
        }
        if (!there) {
            names[n++] = name;
        }
    }
    return n;
}

static il_status print_rows(const il_index *index, const il_columns *rows, il_error *err) {
    il_status status = IL_OK;
    json_t *damaged = NULL;
    if (rows->rows > 0) {
        status = il_columns_print(rows, stdout, IL_TABLE_TXT, "", KEY_LETTERS, err);
    }
    if (status == IL_OK) {
        (void)printf("%zu of %zu case%s\n", rows->rows, index->files - index->damaged,
                     plural(index->files - index->damaged));
        status = il_results_damaged(index, &damaged, err);
    }
    size_t k = 0;
    const json_t *one = NULL;
    json_array_foreach(damaged, k, one) {
        const char *key = json_string_value(json_object_get(one, "key"));
        il_cli_say(stdout, "damaged: %s/cases/%.2s/%s.json: %s; it is run again", index->results,
                   key, key, json_string_value(json_object_get(one, "reason")));
    }
    json_decref(damaged);
    return status;
}

static il_status print_json(const il_index *index, const il_columns *rows, il_error *err) {
    il_json w = {false};
    json_t *damaged = NULL;
    json_t *object = json_object();
    il_status status = il_results_damaged(index, &damaged, err);
    il_json_put_text(&w, object, "results", index->results);
    il_json_put_count(&w, object, "stored", index->files - index->damaged);
    il_json_set(&w, object, "cases", il_columns_json(rows));
    il_json_set(&w, object, "damaged", damaged);
    object = il_json_done(&w, object);
    status = status == IL_OK ? il_json_print(object, 0, stdout, err) : status;
    json_decref(object);
    return status;
}

static il_status print_names(const il_cli_results *q, const il_index *index, il_error *err) {
    il_json w = {false};
    json_t *names = NULL;
    json_t *object = json_object();
    il_status status = il_results_names(index, &names, err);
    il_json_set(&w, object, "names", names);
    object = il_json_done(&w, object);
    names = json_object_get(object, "names");
    if (status == IL_OK && (q->json || object == NULL)) {
        status = il_json_print(object, 0, stdout, err);
    }
    size_t k = 0;
    const json_t *one = NULL;
    json_array_foreach(q->json ? NULL : names, k, one) {
        char range[64] = "text";
        if (json_object_get(one, "least") != NULL) {
            (void)snprintf(range, sizeof range, "%.6g to %.6g",
                           json_number_value(json_object_get(one, "least")),
                           json_number_value(json_object_get(one, "most")));
        }
        long long cases = json_integer_value(json_object_get(one, "cases"));
        if (cases > 0) {
            il_cli_say(stdout, "%-36s %6lld  %s", json_string_value(json_object_get(one, "name")),
                       cases, range);
        }
    }
    json_decref(object);
    return status;
}

il_status il_cli_results_list(const il_cli_results *q, il_index *index, il_error *err) {
    if (q->names) {
        return print_names(q, index, err);
    }
    enum { MOST = IL_CLI_RESULTS_NAMES + 8 };
    const char *names[MOST];
    il_where where;
    il_columns rows = {.rows = 0};
    il_status status = il_where_parse(index, q->where, &where, err);
    if (status == IL_OK) {
        bool all = q->json && q->ncolumns == 0;
        size_t n = all ? 0 : choose(q, &where, names, MOST);
        status = il_results_select(index, &where, false, names, n, &rows, err);
    }
    if (status == IL_OK) {
        status = q->json ? print_json(index, &rows, err) : print_rows(index, &rows, err);
    }
    il_columns_free(&rows);
    il_where_free(&where);
    return status;
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
    char *text = json_is_string(value) ? strdup(json_string_value(value))
                                       : il_json_text_as(value, JSON_ENCODE_ANY);
    il_cli_say(stdout, "%-32s %s", path, text != NULL ? text : "");
    free(text);
}

/* The record, and the key as the object that it is. */
static il_status print_case(const il_cli_results *q, const char *path, const char *name,
                            const json_t *object, il_error *err) {
    json_t *key = NULL;
    il_json w = {false};
    il_status status = il_json_parse(json_string_value(json_object_get(object, "key")), &key, err);
    if (status != IL_OK) {
        return status;
    }
    if (!q->json) {
        il_cli_say(stdout, "%-32s %s", "key", name);
        il_cli_say(stdout, "%-32s %s", "file", path);
        print_members("", json_object_get(object, "record"));
        json_decref(key);
        return IL_OK;
    }
    json_t *out = json_object();
    il_json_put_text(&w, out, "key", name);
    il_json_put_text(&w, out, "file", path);
    il_json_set(&w, out, "specification", key);
    il_json_set(&w, out, "record", json_incref(json_object_get(object, "record")));
    out = il_json_done(&w, out);
    status = il_json_print(out, 0, stdout, err);
    json_decref(out);
    return status;
}

il_status il_cli_results_show(const il_cli_results *q, il_index *index, il_error *err) {
    char name[IL_STORE_NAME] = "";
    json_t *object = NULL;
    il_error why = {IL_OK, ""};
    il_status status = il_results_find(index, q->word, name, err);
    char *path = status == IL_OK ? il_results_case_path(q->results, name) : NULL;
    if (status == IL_OK && path == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    if (status != IL_OK) {
        return status;
    }
    status = il_results_case_load(q->results, name, &object, &why);
    if (status == IL_EINVAL || (status == IL_OK && object == NULL)) {
        status = il_fail(err, IL_EINVAL,
                         "the stored case '%s' is damaged (%s); its script runs it again", path,
                         status == IL_OK ? "it is gone" : why.message);
    } else if (status != IL_OK) {
        (void)il_fail(err, status, "%s", why.message);
    } else {
        status = print_case(q, path, name, object, err);
    }
    json_decref(object);
    free(path);
    return status;
}
