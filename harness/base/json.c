/*
 * json.c - JSON that is whole or is not there.
 */
#include "harness/base/json.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

json_t *il_json_number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

/* jansson takes value in any case, and refuses NULL for it and for what it is put into. */
void il_json_set(il_json *w, json_t *object, const char *key, json_t *value) {
    w->failed |= json_object_set_new(object, key, value) != 0;
}

void il_json_append(il_json *w, json_t *array, json_t *value) {
    w->failed |= json_array_append_new(array, value) != 0;
}

/* jansson takes back nothing of what it had updated, and what failed is never shown. */
void il_json_merge(il_json *w, json_t *object, const json_t *other) {
    w->failed |= json_object_update(object, (json_t *)(uintptr_t)other) != 0;
}

void il_json_put(il_json *w, json_t *object, const char *key, double x) {
    il_json_set(w, object, key, il_json_number(x));
}

void il_json_put_count(il_json *w, json_t *object, const char *key, size_t n) {
    il_json_set(w, object, key, json_integer((json_int_t)n));
}

void il_json_put_text(il_json *w, json_t *object, const char *key, const char *text) {
    il_json_set(w, object, key, text != NULL ? json_string(text) : json_null());
}

json_t *il_json_done(const il_json *w, json_t *value) {
    if (w->failed) {
        json_decref(value);
        return NULL;
    }
    return value;
}

json_t *il_json_numbers(const double *x, size_t n) {
    il_json w = {false};
    json_t *array = json_array();
    for (size_t k = 0; k < n; k++) {
        il_json_append(&w, array, il_json_number(x[k]));
    }
    return il_json_done(&w, array);
}

const char *il_json_get_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* ---- text ----------------------------------------------------------------------------------- */

/* jansson's reader drops letters for which it finds no memory, so that what it says of the text,
 * and even a value, means nothing then, and its writer drops keys; its hook has no argument, hence
 * a variable of this file. */
static bool starved;

static void *watched_malloc(size_t n) {
    void *block = malloc(n);
    starved |= block == NULL;
    return block;
}

typedef struct {
    json_malloc_t allocate;
    json_free_t release;
    json_error_t where;
} reader;

static void start(reader *r) {
    *r = (reader){.where = {.text = ""}};
    json_get_alloc_funcs(&r->allocate, &r->release);
    json_set_alloc_funcs(watched_malloc, free);
    starved = false;
    errno = 0;
}

static il_status finish(const reader *r, json_t **value, il_status otherwise, il_error *err) {
    bool no_memory = starved || (*value == NULL && errno == ENOMEM); /* errno: of opening */
    json_set_alloc_funcs(r->allocate, r->release);
    if (no_memory) {
        json_decref(*value);
        *value = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for JSON");
    }
    return *value != NULL ? IL_OK : il_fail(err, otherwise, "%s", r->where.text);
}

il_status il_json_load(const char *path, json_t **value, il_error *err) {
    reader r;
    start(&r);
    *value = json_load_file(path, 0, &r.where);
    return finish(&r, value, IL_EIO, err);
}

il_status il_json_parse(const char *text, json_t **value, il_error *err) {
    reader r;
    start(&r);
    *value = json_loads(text, 0, &r.where);
    return finish(&r, value, IL_EINVAL, err);
}

char *il_json_text_as(const json_t *value, size_t flags) {
    json_malloc_t allocate = NULL;
    json_free_t release = NULL;
    json_get_alloc_funcs(&allocate, &release);
    json_set_alloc_funcs(watched_malloc, free);
    starved = false;
    char *text = value != NULL ? json_dumps(value, flags) : NULL;
    json_set_alloc_funcs(allocate, release);
    if (starved) {
        free(text);
        return NULL;
    }
    return text;
}

char *il_json_text(const json_t *value) {
    return il_json_text_as(value, JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
}

il_status il_json_print(const json_t *value, size_t flags, FILE *out, il_error *err) {
    char *text = il_json_text_as(value, flags);
    if (text == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the text of JSON");
    }
    (void)fputs(text, out); /* what does not arrive is seen where the file is closed */
    (void)fputc('\n', out);
    free(text);
    return IL_OK;
}
