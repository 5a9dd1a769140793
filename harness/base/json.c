/*
 * json.c - numbers as JSON has them.
 */
#include "harness/base/json.h"

#include <math.h>

json_t *il_json_number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *il_json_numbers(const double *x, size_t n) {
    json_t *array = json_array();
    for (size_t k = 0; k < n; k++) {
        (void)json_array_append_new(array, il_json_number(x[k]));
    }
    return array;
}

char *il_json_text(const json_t *value) {
    return json_dumps(value, JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
}
