/*
 * compare.c - keys without what differs between two programs, matched.
 */
#include "harness/results/compare.h"

#include <jansson.h>
#include <math.h>
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

/* A case of a folder behind the list. */
static il_status add_case(il_comparison *c, const json_t *object, size_t folder, il_error *err) {
    static const char *const build[] = {"build", "format", "functions", NULL};
    static const char *const step[] = {"build", "format", "functions", "steps", "h", NULL};
    const json_t *record = json_object_get(object, "record");
    const json_t *error = json_object_get(record, "error");
    json_t *key = NULL;
    if (il_json_parse(il_json_get_text(object, "key"), &key, NULL) != IL_OK) {
        return IL_OK;
    }
    if (!il_memory_append(&c->list, c->n, sizeof *c->list)) {
        json_decref(key);
        return starved(err);
    }
    il_compared *one = &c->list[c->n++];
    *one = (il_compared){.key = without(key, build),
                         .study = without(key, step),
                         .h = json_number_value(json_object_get(record, "h")),
                         .steps = json_number_value(json_object_get(record, "steps"))};
    (void)snprintf(one->problem, sizeof one->problem, "%s", il_json_get_text(record, "problem"));
    (void)snprintf(one->scheme, sizeof one->scheme, "%s", il_json_get_text(record, "scheme"));
    for (size_t k = 0; k < IL_COMPARED_NORMS; k++) {
        const json_t *x = json_object_get(error, il_compared_norm(k));
        one->error[folder][k] = json_is_number(x) ? json_number_value(x) : NAN;
        one->error[1 - folder][k] = NAN;
    }
    json_decref(key);
    return one->key != NULL && one->study != NULL ? IL_OK : starved(err);
}

static il_status read_folder(il_comparison *c, const char *path, size_t folder, il_error *err) {
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
        status = status == IL_OK ? add_case(c, object, folder, err)
                                 : il_fail(err, status, "%s", why.message);
        json_decref(object);
    }
    il_results_files_free(&files);
    return status;
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const il_compared *)a)->key, ((const il_compared *)b)->key);
}

static int by_study(const void *a, const void *b) {
    const il_compared *x = a;
    const il_compared *y = b;
    int order = strcmp(x->study, y->study);
    return order != 0 ? order : (x->h < y->h) - (x->h > y->h);
}

static void drop(il_compared *one) {
    free(one->key);
    free(one->study);
}

/* Of two with one key, one stays with the errors of both; who is alone goes. first: so many of the
 * list are the first folder's, which is sorted already. */
static void match(il_comparison *c, size_t first) {
    size_t n = 0;
    qsort(c->list, first, sizeof *c->list, by_key);
    if (c->n > first) {
        qsort(c->list + first, c->n - first, sizeof *c->list, by_key);
    }
    size_t i = 0;
    size_t k = first;
    il_compared *both = c->list;
    while (i < first && k < c->n) {
        int order = by_key(&c->list[i], &c->list[k]);
        if (order == 0) {
            memcpy(c->list[i].error[1], c->list[k].error[1], sizeof both->error[1]);
            drop(&c->list[k++]);
            both[n++] = c->list[i++];
        } else if (order < 0) {
            c->alone[0]++;
            drop(&c->list[i++]);
        } else {
            c->alone[1]++;
            drop(&c->list[k++]);
        }
    }
    for (; i < first; i++, c->alone[0]++) {
        drop(&c->list[i]);
    }
    for (; k < c->n; k++, c->alone[1]++) {
        drop(&c->list[k]);
    }
    c->n = n;
}

il_status il_results_compare(const char *first, const char *second, il_comparison *out,
                             il_error *err) {
    *out = (il_comparison){.n = 0};
    il_status status = read_folder(out, first, 0, err);
    size_t n = out->n;
    status = status == IL_OK ? read_folder(out, second, 1, err) : status;
    if (status == IL_OK && out->n > 0) {
        match(out, n);
        qsort(out->list, out->n, sizeof *out->list, by_study);
    }
    return status;
}

void il_comparison_free(il_comparison *c) {
    for (size_t k = 0; k < c->n; k++) {
        drop(&c->list[k]);
    }
    free(c->list);
}
