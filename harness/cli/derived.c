/*
 * derived.c - parameters that a problem derives when they are not given.
 */
#include "harness/cli/list.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"

enum { SHOWN = 6, ROOM = 128 };

/* Of the parameters as they were used, those that a problem filled in. */
static json_t *filled_in(const il_problem_type *type, const il_params *params) {
    il_json w = {false};
    json_t *all = il_params_json(params);
    json_t *values = json_object();
    for (const il_param_spec *spec = type->params; spec->key != NULL && all != NULL; spec++) {
        json_t *value = json_object_get(all, spec->key);
        if (spec->fallback == NULL && !json_is_null(value) &&
            !(json_is_array(value) && json_array_size(value) == 0)) {
            il_json_set(&w, values, spec->key, json_incref(value));
        }
    }
    if (all == NULL) {
        json_decref(values);
        return NULL;
    }
    json_decref(all);
    return il_json_done(&w, values);
}

/* Append what the problem derives with key=choice; a problem that cannot be made so is left out. */
static il_status append(const il_problem_type *type, const char *key, const char *choice,
                        il_json *w, json_t *derived, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_status status = il_params_create(&params, type->params, err);
    if (status == IL_OK && key != NULL) {
        status = il_params_set_text(params, key, choice, err);
    }
    if (status == IL_OK) {
        status = il_problem_create(&problem, type, params, 0.0, err);
    }
    if (status == IL_OK) {
        char set[ROOM] = "";
        il_text_append(set, sizeof set, "%s=%s", key != NULL ? key : "", choice);
        json_t *one = json_object();
        json_t *values = filled_in(type, params);
        bool empty = values != NULL && json_object_size(values) == 0;
        il_json_put_text(w, one, "set", key != NULL ? set : NULL);
        il_json_set(w, one, "values", values);
        if (empty) {
            json_decref(one);
        } else {
            il_json_append(w, derived, one);
        }
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status == IL_ENOMEM ? status : IL_OK;
}

il_status il_cli_derived(const il_problem_type *type, json_t **derived, il_error *err) {
    const il_param_spec *spec = type->params;
    while (spec->key != NULL && spec->kind != IL_PARAM_CHOICE) {
        spec++;
    }
    il_json w = {false};
    json_t *array = json_array();
    const char *at = spec->key != NULL ? spec->allowed : "";
    il_status status = IL_OK;
    do {
        char choice[ROOM] = "";
        size_t length = strcspn(at, ",");
        il_text_append(choice, sizeof choice, "%.*s", (int)length, at);
        at += length + (at[length] == ',' ? 1 : 0);
        status = append(type, spec->key, choice, &w, array, err);
    } while (status == IL_OK && *at != '\0');
    array = il_json_done(&w, array);
    if (status == IL_OK && array == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for parameters");
    }
    if (status != IL_OK || json_array_size(array) == 0) {
        json_decref(array);
        array = NULL;
    }
    *derived = array;
    return status;
}

static void print_value(const json_t *value) {
    size_t n = json_array_size(value);
    if (json_is_number(value)) {
        (void)printf("%s", il_text_numeral(json_number_value(value)).text);
    }
    for (size_t k = 0; k < n && k < SHOWN; k++) {
        (void)printf("%s%s", k == 0 ? "" : ",",
                     il_text_numeral(json_number_value(json_array_get(value, k))).text);
    }
    if (n > SHOWN) {
        (void)printf(",... (%zu numbers)", n);
    }
}

void il_cli_derived_print(const json_t *derived) {
    size_t k = 0;
    const json_t *one = NULL;
    (void)puts("\nderived, where all else has its default");
    json_array_foreach(derived, k, one) {
        const char *set = json_string_value(json_object_get(one, "set"));
        const char *key = NULL;
        json_t *value = NULL;
        if (set != NULL) {
            (void)printf("  %s\n", set);
        }
        json_object_foreach(json_object_get(one, "values"), key, value) {
            (void)printf("%s%s=", set != NULL ? "    " : "  ", key);
            print_value(value);
            (void)putchar('\n');
        }
    }
}
