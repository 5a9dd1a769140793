/*
 * params_json.c - parameters as JSON.
 */
#include "harness/base/params_json.h"

#include "harness/base/json.h"

json_t *il_params_json(const il_params *params) {
    il_json w = {false};
    json_t *object = json_object();
    for (size_t k = 0; il_params_spec(params, k) != NULL; k++) {
        const il_param_spec *spec = il_params_spec(params, k);
        size_t n = 0;
        const double *x = il_params_values(params, k, &n);
        json_t *value = NULL;
        if (!il_params_has(params, spec->key)) {
            value = json_null();
        } else if (spec->kind == IL_PARAM_CHOICE) {
            value = json_string(il_params_choice(params, spec->key));
        } else if (spec->kind == IL_PARAM_VECTOR) {
            value = il_json_numbers(x, n);
        } else if (spec->kind == IL_PARAM_INTEGER) {
            value = json_integer((json_int_t)x[0]);
        } else {
            value = il_json_number(x[0]);
        }
        il_json_set(&w, object, spec->key, value);
    }
    return il_json_done(&w, object);
}
