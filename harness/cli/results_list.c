/*
 * results_list.c - `impactlab results list`, `show`, `export` and `prune`.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/cli/results.h"
#include "harness/draw/table.h"
#include "harness/results/results.h"
#include "harness/run/references.h"

enum { KEY_LETTERS = 12 };

static const char *plural(size_t n) {
    return n == 1 ? "" : "s";
}

/* ---- list ----------------------------------------------------------------------------------- */

/* The usual columns and what the condition names. */
static size_t choose_columns(const il_cli_results *q, const json_t *named, const char **names,
                             size_t room) {
    static const char *const usual[] = {"key", "problem", "scheme", "steps",
                                        "h",   "status",  "date",   "script"};
    enum { USUAL = sizeof usual / sizeof usual[0] };
    size_t n = q->ncolumns > 0 ? q->ncolumns : USUAL;
    memcpy(names, q->ncolumns > 0 ? q->columns : usual, n * sizeof *names);
    const char *name = NULL;
    json_t *nothing = NULL;
    json_object_foreach((json_t *)(uintptr_t)named, name, nothing) {
        bool there = n == room || q->ncolumns > 0;
        for (size_t i = 0; i < n; i++) {
            there = there || strcmp(names[i], name) == 0;
        }
        if (!there) {
            names[n++] = name;
        }
    }
    return n;
}

static il_status print_rows(const il_index *index, const json_t *damaged, il_error *err) {
    size_t stored = index->files - index->damaged;
    size_t k = 0;
    const json_t *one = NULL;
    il_status status = index->chosen > 0
                           ? il_columns_print(index, stdout, IL_TABLE_TXT, "", KEY_LETTERS, err)
                           : IL_OK;
    if (status == IL_OK) {
        (void)printf("%zu of %zu case%s\n", index->chosen, stored, plural(stored));
    }
    json_array_foreach(damaged, k, one) {
        const char *key = il_json_get_text(one, "key");
        il_cli_say(stdout, "damaged: %s/cases/%.2s/%s.json: %s; it is run again", index->results,
                   key, key, il_json_get_text(one, "reason"));
    }
    return status;
}

static il_status list_cases(const il_cli_results *q, il_index *index, il_error *err) {
    enum { MOST = IL_CLI_RESULTS_NAMES + 8 };
    const char *names[MOST];
    json_t *named = json_object();
    json_t *damaged = NULL;
    json_t *cases = NULL;
    il_status status = il_results_choose(index, q->where, named, err);
    if (status == IL_OK) {
        bool all = q->json && q->ncolumns == 0;
        size_t n = all ? 0 : choose_columns(q, named, names, MOST);
        status = il_results_columns(index, false, names, n, err);
    }
    status = status == IL_OK ? il_results_damaged(index, &damaged, err) : status;
    if (status == IL_OK && q->json) {
        status = il_index_rows(index, index->select, NULL, &cases, err);
    }
    if (status == IL_OK && q->json) {
        json_t *object = json_pack(
            "{s:o, s:I, s:O, s:O}", "results", il_json_text_new(index->results), "stored",
            (json_int_t)(index->files - index->damaged), "cases", cases, "damaged", damaged);
        il_json_print(object, 0, stdout);
        json_decref(object);
    } else if (status == IL_OK) {
        status = print_rows(index, damaged, err);
    }
    json_decref(named);
    json_decref(damaged);
    json_decref(cases);
    return status;
}

static il_status list_names(const il_cli_results *q, const il_index *index, il_error *err) {
    json_t *names = NULL;
    il_status status = il_results_names(index, &names, err);
    if (status == IL_OK) {
        json_t *object = json_pack("{s:O}", "names", names);
        status = il_cli_report_print(object, "names", q->json, err);
        json_decref(object);
    }
    json_decref(names);
    return status;
}

static il_status list_references(const il_cli_results *q, const il_index *index, il_error *err) {
    char folder[IL_STORE_PATH];
    (void)snprintf(folder, sizeof folder, "%s/references", index->results);
    json_t *object = json_pack("{s:o, s:o}", "results", il_json_text_new(index->results),
                               "references", il_references_list(folder, true));
    il_status status = il_cli_report_print(object, "references", q->json, err);
    json_decref(object);
    return status;
}

il_status il_cli_results_list(const il_cli_results *q, il_index *index, il_error *err) {
    return q->names        ? list_names(q, index, err)
           : q->references ? list_references(q, index, err)
                           : list_cases(q, index, err);
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
static il_status print_case(const il_cli_results *q, const char *path, const char *name,
                            const json_t *object, il_error *err) {
    json_t *key = NULL;
    json_t *record = json_object_get(object, "record");
    if (!q->json) {
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

il_status il_cli_results_show(const il_cli_results *q, il_index *index, il_error *err) {
    char name[IL_STORE_NAME] = "";
    char path[IL_STORE_PATH];
    json_t *object = NULL;
    il_error why = {IL_OK, "it is gone"};
    il_status status = il_results_find(index, q->word, name, err);
    if (status != IL_OK) {
        return status;
    }
    il_store_path(q->results, name, path);
    status = il_store_load(q->results, name, &object, &why);
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

/* ---- export --------------------------------------------------------------------------------- */

il_status il_cli_results_export(const il_cli_results *q, il_index *index, il_error *err) {
    /* The columns that a page has room for; of the errors, those that there are. */
    static const char *const narrow[] = {"key", "problem", "scheme",       "steps",
                                         "h",   "status",  "error.q_Linf", "error.u_L1"};
    const char *names[IL_CLI_RESULTS_NAMES];
    char column[IL_INDEX_COLUMN];
    il_export_format format = IL_EXPORT_CSV;
    size_t n = q->ncolumns;
    memcpy(names, q->columns, n * sizeof *names);
    il_status status = il_export_choose(q->word, &format, err);
    for (size_t k = 0; q->ncolumns == 0 && status == IL_OK && format == IL_EXPORT_TEX &&
                       k < sizeof narrow / sizeof narrow[0];
         k++) {
        if (il_results_column(index, "", narrow[k], column, NULL) == IL_OK) {
            names[n++] = narrow[k];
        }
    }
    status = status == IL_OK ? il_results_choose(index, q->where, NULL, err) : status;
    status = status == IL_OK ? il_results_columns(index, true, names, n, err) : status;
    status = status == IL_OK ? il_export_write(index, format, q->word, err) : status;
    if (status == IL_OK) {
        il_cli_say(stdout, "wrote %s: %zu case%s, %zu columns", q->word, index->chosen,
                   plural(index->chosen), index->columns);
    }
    return status;
}
