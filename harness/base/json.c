/*
 * json.c - JSON values on jansson, with all failures of memory detected.
 */
#include "harness/base/json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/hosted.h"
#include "harness/base/spare.h"
#include "harness/base/text.h"

json_t *il_json_number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

/* jansson takes the reference even on failure, and refuses a NULL value or container. */
void il_json_set(il_json *w, json_t *object, const char *key, json_t *value) {
    w->failed |= json_object_set_new(object, key, value) != 0;
}

void il_json_append(il_json *w, json_t *array, json_t *value) {
    w->failed |= json_array_append_new(array, value) != 0;
}

/* jansson does not undo a partial update; a failed value is never returned. */
void il_json_merge(il_json *w, json_t *object, const json_t *other) {
    w->failed |= json_object_update(object, (json_t *)(uintptr_t)other) != 0;
}

void il_json_put(il_json *w, json_t *object, const char *key, double x) {
    il_json_set(w, object, key, il_json_number(x));
}

void il_json_put_count(il_json *w, json_t *object, const char *key, size_t n) {
    il_json_set(w, object, key, json_integer((json_int_t)n));
}

json_t *il_json_text_new(const char *text) {
    if (text == NULL || il_text_is_utf8(text)) {
        return json_string(text != NULL ? text : "");
    }
    char *plain = strdup(text);
    for (char *c = plain; c != NULL && *c != '\0'; c++) {
        if ((unsigned char)*c >= 0x80) {
            *c = '?';
        }
    }
    json_t *value = plain != NULL ? json_string(plain) : NULL;
    free(plain);
    return value;
}

void il_json_put_text(il_json *w, json_t *object, const char *key, const char *text) {
    il_json_set(w, object, key, text != NULL ? il_json_text_new(text) : json_null());
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

/* ---- memory of jansson ---------------------------------------------------------------------- */

/* jansson does not handle a lack of memory correctly: its reader drops letters and then aborts, its
 * writer and its copies drop keys. So its allocations go through spare.h, and what was made while
 * memory ran out is thrown away; not where a host's own allocator may be there (IL_HOSTED). */
typedef struct {
    json_malloc_t allocate;
    json_free_t release;
    size_t failures;
} hooks;

static hooks watch(void) {
    hooks old = {.failures = il_spare_failures()};
    json_get_alloc_funcs(&old.allocate, &old.release);
    if (!IL_HOSTED) {
        json_set_alloc_funcs(il_spare_malloc, il_spare_free);
    }
    return old;
}

/* Was there memory all the time? If not, *value goes. */
static bool unwatch(const hooks *old, json_t **value) {
    bool whole = il_spare_failures() == old->failures;
    if (!whole && value != NULL) {
        json_decref(*value);
        *value = NULL;
    }
    if (!IL_HOSTED) {
        json_set_alloc_funcs(old->allocate, old->release);
    }
    return whole;
}

json_t *il_json_copy(const json_t *value) {
    hooks old = watch();
    json_t *copy = json_deep_copy(value);
    if (IL_HOSTED && copy != NULL && !json_equal(copy, value)) {
        json_decref(copy);
        copy = NULL;
    }
    return unwatch(&old, &copy) ? copy : NULL;
}

/* ---- text ----------------------------------------------------------------------------------- */

/* How many letters jansson is given at once; what it makes of them takes 512 bytes each at most. */
enum { PORTION = 64 };

typedef struct {
    const char *text;
    size_t left;     /* letters */
    size_t failures; /* of memory, at the beginning */
} source;

/* jansson collects a token letter by letter in a buffer that doubles, and does not check this one
 * allocation. The arena serves one doubling; then the input ends, so that there is no second. */
static size_t next(void *to, size_t room, void *from) {
    source *s = from;
    size_t n = room < PORTION ? room : PORTION;
    n = il_spare_failures() > s->failures ? 0 : n < s->left ? n : s->left;
    memcpy(to, s->text, n);
    s->text += n;
    s->left -= n;
    return n;
}

il_status il_json_parse(const char *text, json_t **value, il_error *err) {
    json_error_t where = {.text = ""};
    hooks old = watch();
    source s = {.text = text, .left = strlen(text), .failures = old.failures};
    *value = json_load_callback(next, &s, 0, &where);
    if (!unwatch(&old, value)) {
        return il_fail(err, IL_ENOMEM, "no memory for JSON");
    }
    return *value != NULL ? IL_OK : il_fail(err, IL_EINVAL, "%s", where.text);
}

char *il_json_text_as(const json_t *value, size_t flags) {
    hooks old = watch();
    char *text = value != NULL ? json_dumps(value, flags) : NULL;
    bool whole = unwatch(&old, NULL);
    if (IL_HOSTED && text != NULL) { /* made by the host's allocator */
        char *theirs = text;
        text = strdup(theirs);
        old.release(theirs);
    }
    if (!whole) {
        il_spare_free(text);
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
