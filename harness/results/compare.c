/*
 * compare.c - matches cases of two programs by their keys, without the members that differ.
 */
#include "harness/results/results.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/results/files.h"

const char *il_compared_norm(size_t k) {
    static const char *const names[IL_COMPARED_NORMS] = {"q_Linf", "u_L1"};
    return names[k];
}

static il_status starved(il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory to compare cases");
}

/* The key as a text without some of its members. */
static char *without(const json_t *key, const char *const *left_out) {
    json_t *copy = il_json_copy(key);
    for (size_t k = 0; copy != NULL && left_out[k] != NULL; k++) {
        (void)json_object_del(copy, left_out[k]);
    }
    char *text = copy != NULL ? il_json_text_as(copy, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    json_decref(copy);
    return text;
}

typedef struct {
    il_comparison *out;
    json_t *first; /* {KEY: place in the list} of the first folder's cases */
    il_json made;
} matching;

static void take_errors(double *x, const json_t *record) {
    const json_t *error = json_object_get(record, "error");
    for (size_t k = 0; k < IL_COMPARED_NORMS; k++) {
        const json_t *value = json_object_get(error, il_compared_norm(k));
        x[k] = json_is_number(value) ? json_number_value(value) : NAN;
    }
}

/* A case of the first folder, behind the list. */
static bool add_first(matching *m, const json_t *key, const char *text, const json_t *record) {
    static const char *const step[] = {"build", "format", "functions", "steps", "h", NULL};
    il_comparison *c = m->out;
    if (!il_memory_append(&c->list, c->n, sizeof *c->list)) {
        return false;
    }
    il_json_set(&m->made, m->first, text, json_integer((json_int_t)c->n));
    il_compared *one = &c->list[c->n++];
    *one = (il_compared){.study = without(key, step),
                         .h = json_number_value(json_object_get(record, "h")),
                         .steps = json_number_value(json_object_get(record, "steps"))};
    (void)snprintf(one->problem, sizeof one->problem, "%s", il_json_get_text(record, "problem"));
    (void)snprintf(one->scheme, sizeof one->scheme, "%s", il_json_get_text(record, "scheme"));
    take_errors(one->error[0], record);
    return one->study != NULL && !m->made.failed;
}

static il_status add_case(matching *m, const json_t *object, bool second, il_error *err) {
    static const char *const build[] = {"build", "format", "functions", NULL};
    const json_t *record = json_object_get(object, "record");
    json_t *key = NULL;
    if (!json_is_number(json_object_get(record, "h")) || /* of limits: no run */
        il_json_parse(il_json_get_text(object, "key"), &key, NULL) != IL_OK) {
        return IL_OK;
    }
    char *text = without(key, build);
    const json_t *place = second && text != NULL ? json_object_get(m->first, text) : NULL;
    bool good = text != NULL && (second || add_first(m, key, text, record));
    if (place != NULL) {
        size_t k = (size_t)json_integer_value(place);
        take_errors(m->out->list[k].error[1], record);
        m->out->list[k].both = true;
    } else if (second) {
        m->out->alone[1]++;
    }
    free(text);
    json_decref(key);
    return good ? IL_OK : starved(err);
}

static il_status read_folder(matching *m, const char *path, bool second, il_error *err) {
    il_results_files files = {.list = NULL};
    il_status status = il_results_expect(path, err);
    status = status == IL_OK ? il_results_files_list(path, &files, err) : status;
    for (size_t k = 0; status == IL_OK && k < files.n; k++) {
        json_t *object = NULL;
        il_error why = {IL_OK, ""};
        status = il_results_case_load(path, files.list[k].name, &object, &why);
        if (status == IL_EINVAL || object == NULL) { /* damaged, or gone: no case */
            status = status == IL_EINVAL ? IL_OK : status;
            continue;
        }
        status = status == IL_OK ? add_case(m, object, second, err)
                                 : il_fail(err, status, "%s", why.message);
        json_decref(object);
    }
    il_results_files_free(&files);
    return status;
}

static int by_study(const void *a, const void *b) {
    const il_compared *x = a;
    const il_compared *y = b;
    int order = strcmp(x->study, y->study);
    return order != 0 ? order : (x->h < y->h) - (x->h > y->h);
}

il_status il_results_compare(const char *first, const char *second, il_comparison *out,
                             il_error *err) {
    *out = (il_comparison){.n = 0};
    matching m = {.out = out, .first = json_object()};
    il_status status = m.first != NULL ? read_folder(&m, first, false, err) : starved(err);
    status = status == IL_OK ? read_folder(&m, second, true, err) : status;
    size_t n = 0;
    for (size_t k = 0; k < out->n; k++) {
        if (out->list[k].both) {
            out->list[n++] = out->list[k];
        } else {
            free(out->list[k].study);
            out->alone[0]++;
        }
    }
    out->n = n;
    if (n > 0) {
        qsort(out->list, n, sizeof *out->list, by_study);
    }
    json_decref(m.first);
    return status;
}

void il_comparison_free(il_comparison *c) {
    for (size_t k = 0; k < c->n; k++) {
        free(c->list[k].study);
    }
    free(c->list);
}
