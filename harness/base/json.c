/*
 * json.c - JSON values by jansson.
 */
#include "harness/base/json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

json_t *il_json_number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

static void *take(size_t bytes) {
    return il_alloc(bytes, 1);
}

void il_json_init(void) {
    json_set_alloc_funcs(take, free);
}

/* jansson refuses NULL: a value that a host's allocator had no memory for, or text that is not
 * UTF-8, which il_json_text_new would have mended. */
static void expect(bool done) {
    if (!done) {
        il_memory_end_for("JSON takes no text that is not UTF-8, and nothing without memory");
    }
}

void il_json_set(json_t *object, const char *key, json_t *value) {
    expect(json_object_set_new(object, key, value) == 0);
}

void il_json_append(json_t *array, json_t *value) {
    expect(json_array_append_new(array, value) == 0);
}

void il_json_merge(json_t *object, const json_t *other) {
    expect(json_object_update(object, (json_t *)(uintptr_t)other) == 0);
}

void il_json_put(json_t *object, const char *key, double x) {
    il_json_set(object, key, il_json_number(x));
}

void il_json_put_count(json_t *object, const char *key, size_t n) {
    il_json_set(object, key, json_integer((json_int_t)n));
}

json_t *il_json_text_new(const char *text) {
    if (text == NULL || il_text_is_utf8(text)) {
        return json_string(text != NULL ? text : "");
    }
    char *plain = il_alloc_text(text);
    for (char *c = plain; c != NULL && *c != '\0'; c++) {
        if ((unsigned char)*c >= 0x80) {
            *c = '?';
        }
    }
    json_t *value = json_string(plain);
    free(plain);
    return value;
}

void il_json_put_text(json_t *object, const char *key, const char *text) {
    il_json_set(object, key, text != NULL ? il_json_text_new(text) : json_null());
}

json_t *il_json_numbers(const double *x, size_t n) {
    json_t *array = json_array();
    for (size_t k = 0; k < n; k++) {
        il_json_append(array, il_json_number(x[k]));
    }
    return array;
}

const char *il_json_get_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

json_t *il_json_copy(const json_t *value) {
    json_t *copy = json_deep_copy(value);
    expect(value == NULL || json_equal(copy, value)); /* what has no memory is left out */
    return copy;
}

/* ---- text ----------------------------------------------------------------------------------- */

il_status il_json_parse(const char *text, json_t **value, il_error *err) {
    json_error_t where = {.text = ""};
    *value = json_loads(text, 0, &where);
    return *value != NULL ? IL_OK : il_fail(err, IL_EINVAL, "%s", where.text);
}

/* A text that grows: of the C library, whatever made jansson's. */
typedef struct {
    char *letters;
    size_t n, room;
} growing;

static int put_letters(const char *letters, size_t n, void *to) {
    growing *w = to;
    if (w->n + n + 1 > w->room) {
        w->room = 2 * (w->n + n + 1);
        il_memory_grow(&w->letters, w->room, 1);
    }
    memcpy(w->letters + w->n, letters, n);
    w->n += n;
    w->letters[w->n] = '\0';
    return 0;
}

char *il_json_text_as(const json_t *value, size_t flags) {
    growing w = {.letters = NULL};
    expect(json_dump_callback(value, put_letters, &w, flags) == 0);
    return w.letters;
}

char *il_json_text(const json_t *value) {
    return il_json_text_as(value, JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
}

void il_json_print(const json_t *value, size_t flags, FILE *out) {
    char *text = il_json_text_as(value, flags);
    (void)fputs(text, out); /* what does not arrive is seen where the file is closed */
    (void)fputc('\n', out);
    free(text);
}
