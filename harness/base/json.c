/*
 * json.c - JSON that is whole or is not there.
 */
#include "harness/base/json.h"

#include <math.h>

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

char *il_json_text(const json_t *value) {
    return json_dumps(value, JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
}
