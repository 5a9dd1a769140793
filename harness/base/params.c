/*
 * params.c - declared parameters and their values.
 */
#include "harness/base/params.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

typedef struct {
    double *x; /* numbers; a choice is kept as its text instead */
    size_t n;
    char *choice;
    char *text; /* that x was read from, or NULL */
    bool given;
} value;

struct il_params {
    const il_param_spec *specs;
    size_t count;
    value *values;
};

void il_param_describe(const il_param_spec *spec, char *out, size_t capacity) {
    out[0] = '\0';
    if (spec->kind == IL_PARAM_CHOICE) {
        il_text_append(out, capacity, "one of %s", spec->allowed);
        return;
    }
    bool counted = spec->kind == IL_PARAM_VECTOR && spec->allowed != NULL;
    il_text_append(out, capacity, "%s%s", counted ? spec->allowed : "",
                   counted                          ? " numbers"
                   : spec->kind == IL_PARAM_INTEGER ? "an integer"
                   : spec->kind == IL_PARAM_VECTOR  ? "numbers"
                                                    : "a number");
    bool low = isfinite(spec->min);
    bool high = isfinite(spec->max);
    if (low && high) {
        il_text_append(out, capacity, " in %s%s, %s]", spec->above_min ? "(" : "[",
                       il_text_numeral(spec->min).text, il_text_numeral(spec->max).text);
    } else if (low) {
        il_text_append(out, capacity, " %s %s",
                       spec->above_min ? ">" : ">=", il_text_numeral(spec->min).text);
    } else if (high) {
        il_text_append(out, capacity, " <= %s", il_text_numeral(spec->max).text);
    } else {
        il_text_append(out, capacity, " (finite)");
    }
}

static bool in_range(const il_param_spec *spec, double x) {
    return isfinite(x) && (spec->above_min ? x > spec->min : x >= spec->min) && x <= spec->max;
}

static il_status check_numbers(const il_param_spec *spec, const double *x, size_t n,
                               il_error *err) {
    char allowed[256];
    il_param_describe(spec, allowed, sizeof allowed);
    if (spec->kind != IL_PARAM_VECTOR && n != 1) {
        return il_fail(err, IL_EINVAL, "parameter '%s' got %zu values; allowed: %s", spec->key, n,
                       allowed);
    }
    if (n == 0) {
        return il_fail(err, IL_EINVAL, "parameter '%s' got no value; allowed: %s", spec->key,
                       allowed);
    }
    for (size_t k = 0; k < n; k++) {
        bool whole = spec->kind != IL_PARAM_INTEGER || x[k] == floor(x[k]);
        if (whole && in_range(spec, x[k])) {
            continue;
        }
        if (n == 1) {
            return il_fail(err, IL_EINVAL, "parameter '%s' is %s; allowed: %s", spec->key,
                           il_text_numeral(x[k]).text, allowed);
        }
        return il_fail(err, IL_EINVAL, "parameter '%s': value %zu is %s; allowed: %s", spec->key,
                       k + 1, il_text_numeral(x[k]).text, allowed);
    }
    return IL_OK;
}

static il_status find(const il_params *params, const char *key, size_t *index, il_error *err) {
    char message[IL_MESSAGE_MAX];
    const char *names[64]; /* in the message; a script's problem may have more */
    size_t n = params->count < 64 ? params->count : 64;
    for (size_t k = 0; k < params->count; k++) {
        if (strcmp(params->specs[k].key, key) == 0) {
            *index = k;
            return IL_OK;
        }
    }
    for (size_t k = 0; k < n; k++) {
        names[k] = params->specs[k].key;
    }
    il_text_unknown("parameter", key, names, n, message, sizeof message);
    return il_fail(err, IL_EINVAL, "%s", message);
}

static void store(value *v, const double *x, size_t n) {
    double *copy = il_alloc_copy(x, n, sizeof *copy);
    free(v->x);
    free(v->text);
    v->x = copy;
    v->n = n;
    v->text = NULL;
}

static il_status set_choice(const il_param_spec *spec, value *v, const char *text, il_error *err) {
    if (il_text_place(spec->allowed, ',', text) < 0) {
        return il_fail(err, IL_EINVAL, "parameter '%s' is '%s'; allowed: one of %s", spec->key,
                       text, spec->allowed);
    }
    char *copy = il_alloc_text(text);
    free(v->choice);
    v->choice = copy;
    return IL_OK;
}

/* Numbers between commas. The caller frees *x. */
static il_status parse_numbers(const il_param_spec *spec, const char *text, double **x, size_t *n,
                               il_error *err) {
    char bad[IL_TEXT_BAD];
    char allowed[256];
    if (il_text_numbers(text, x, n, bad)) {
        return IL_OK;
    }
    il_param_describe(spec, allowed, sizeof allowed);
    return il_fail(err, IL_EINVAL, "parameter '%s': '%s' is not a number; allowed: %s", spec->key,
                   bad, allowed);
}

static il_status set_numbers(const il_param_spec *spec, value *v, const double *x, size_t n,
                             il_error *err) {
    il_status status = check_numbers(spec, x, n, err);
    if (status == IL_OK) {
        store(v, x, n);
    }
    return status;
}

/* From text, which is kept. */
static il_status set_numerals(const il_param_spec *spec, value *v, const char *text,
                              il_error *err) {
    double *x = NULL;
    size_t n = 0;
    il_status status = parse_numbers(spec, text, &x, &n, err);
    status = status == IL_OK ? set_numbers(spec, v, x, n, err) : status;
    if (status == IL_OK) {
        v->text = il_alloc_text(text);
    }
    free(x);
    return status;
}

il_status il_params_set_text(il_params *params, const char *key, const char *text, il_error *err) {
    size_t k = 0;
    il_status status = find(params, key, &k, err);
    if (status != IL_OK) {
        return status;
    }
    const il_param_spec *spec = &params->specs[k];
    value *v = &params->values[k];
    status = spec->kind == IL_PARAM_CHOICE ? set_choice(spec, v, text, err)
                                           : set_numerals(spec, v, text, err);
    v->given = v->given || status == IL_OK;
    return status;
}

il_status il_params_set_numbers(il_params *params, const char *key, const double *x, size_t n,
                                il_error *err) {
    size_t k = 0;
    il_status status = find(params, key, &k, err);
    if (status != IL_OK) {
        return status;
    }
    const il_param_spec *spec = &params->specs[k];
    value *v = &params->values[k];
    status = spec->kind == IL_PARAM_CHOICE
                 ? il_fail(err, IL_EINVAL, "parameter '%s' is a number; allowed: one of %s", key,
                           spec->allowed)
                 : set_numbers(spec, v, x, n, err);
    v->given = v->given || status == IL_OK;
    return status;
}

il_status il_params_create(il_params **out, const il_param_spec *specs, il_error *err) {
    *out = NULL;
    il_params *params = il_alloc_zero(1, sizeof *params);
    size_t count = 0;
    while (specs[count].key != NULL) {
        count++;
    }
    params->specs = specs;
    params->count = count;
    params->values = il_alloc_zero(count, sizeof *params->values);
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < count; k++) {
        if (specs[k].fallback != NULL) {
            status = il_params_set_text(params, specs[k].key, specs[k].fallback, err);
            params->values[k].given = false;
        }
    }
    if (status != IL_OK) {
        il_params_destroy(params);
        return status;
    }
    *out = params;
    return IL_OK;
}

void il_params_destroy(il_params *params) {
    if (params == NULL) {
        return;
    }
    for (size_t k = 0; k < params->count; k++) {
        free(params->values[k].x);
        free(params->values[k].choice);
        free(params->values[k].text);
    }
    free(params->values);
    free(params);
}

static const value *get(const il_params *params, const char *key) {
    size_t k = 0;
    il_status status = find(params, key, &k, NULL);
    assert(status == IL_OK);
    (void)status;
    return &params->values[k];
}

double il_params_number(const il_params *params, const char *key) {
    const value *v = get(params, key);
    assert(v->n == 1);
    return v->x[0];
}

size_t il_params_integer(const il_params *params, const char *key) {
    return (size_t)il_params_number(params, key);
}

const char *il_params_choice(const il_params *params, const char *key) {
    const value *v = get(params, key);
    assert(v->choice != NULL);
    return v->choice;
}

const double *il_params_vector(const il_params *params, const char *key, size_t *n) {
    const value *v = get(params, key);
    *n = v->n;
    return v->x;
}

bool il_params_has(const il_params *params, const char *key) {
    const value *v = get(params, key);
    return v->n > 0 || v->choice != NULL;
}

const char *il_params_text(const il_params *params, const char *key) {
    return get(params, key)->text;
}

bool il_params_given(const il_params *params, const char *key) {
    return get(params, key)->given;
}

il_status il_params_expand(const il_params *params, const char *key, bool scalar_spreads, double *x,
                           size_t n, il_error *err) {
    const value *v = get(params, key);
    if (v->n != n && !(scalar_spreads && v->n == 1)) {
        return il_fail(err, IL_EINVAL, "parameter '%s' has %zu values; allowed: %s%zu", key, v->n,
                       scalar_spreads ? "1 or " : "", n);
    }
    for (size_t k = 0; k < n; k++) {
        x[k] = v->n == n ? v->x[k] : v->x[0];
    }
    return IL_OK;
}

il_status il_params_read(const il_params *params, const il_params_target *targets, il_error *err) {
    il_status status = IL_OK;
    for (const il_params_target *to = targets; status == IL_OK && to->key != NULL; to++) {
        status = il_params_expand(params, to->key, to->scalar_spreads, to->x, to->n, err);
    }
    return status;
}

void il_params_derive(il_params *params, const char *key, const double *x, size_t n) {
    size_t k = 0;
    il_status status = find(params, key, &k, NULL);
    assert(status == IL_OK);
    (void)status;
    store(&params->values[k], x, n);
}

const il_param_spec *il_params_spec(const il_params *params, size_t k) {
    return k < params->count ? &params->specs[k] : NULL;
}

json_t *il_params_json(const il_params *params) {
    json_t *object = json_object();
    for (size_t k = 0; k < params->count; k++) {
        il_param_kind kind = params->specs[k].kind;
        const value *v = &params->values[k];
        const char *allowed = params->specs[k].allowed;
        bool for_all = v->n == 1 && allowed != NULL && strncmp(allowed, "one or ", 7) == 0;
        il_json_set(object, params->specs[k].key,
                    v->choice != NULL                     ? json_string(v->choice)
                    : v->n == 0                           ? json_null()
                    : kind == IL_PARAM_VECTOR && !for_all ? il_json_numbers(v->x, v->n)
                    : kind == IL_PARAM_INTEGER            ? json_integer((json_int_t)v->x[0])
                                                          : il_json_number(v->x[0]));
    }
    return object;
}
