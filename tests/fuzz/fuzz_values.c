/*
 * fuzz_values.c - texts as people type them: numbers, as doubles and as fractions, against each
 * other; parameters of every problem; names; UTF-8 against jansson's own judgement.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/rational.h"
#include "harness/base/text.h"
#include "harness/run/registry.h"
#include "tests/fuzz/fuzz.h"

/* Half the distance from |x| to the next double: how far a decimal may lie from its nearest double.
 */
static double half_gap(double x) {
    return 0.5 * (nextafter(fabs(x), INFINITY) - fabs(x));
}

static il_status judge_number(const char *text, il_rational **r, il_error *err) {
    double x = 0.0;
    bool number = il_text_number(text, &x);
    bool decimal = number && isfinite(x) && strpbrk(text, "xX/") == NULL;
    if (!il_rational_set_text(r[0], text)) {
        return IL_OK;
    }
    double most = decimal ? half_gap(x) : INFINITY;
    if (decimal && isfinite(most) && !(fabs(il_rational_error(x, r[0])) <= most)) {
        return il_fail(err, IL_EINTERNAL, "'%s' is %.17g, and %.17g as a fraction", text, x,
                       il_rational_double(r[0]));
    }
    char *again = il_rational_text(r[0]);
    bool same =
        again != NULL && il_rational_set_text(r[1], again) && il_rational_compare(r[0], r[1]) == 0;
    /* the text of a long exponent has more digits than may be typed */
    bool said = same || strlen(again) > 4096;
    free(again);
    return said ? IL_OK
                : il_fail(err, IL_EINTERNAL, "'%s' is not what its fraction reads as", text);
}

static il_status judge_shortest(il_bytes *bytes, il_rational **r, il_error *err) {
    double x = il_bytes_finite(bytes);
    il_rational_set_shortest(r[0], x);
    if (isfinite(half_gap(x)) && !(fabs(il_rational_error(x, r[0])) <= half_gap(x))) {
        return il_fail(err, IL_EINTERNAL, "%.17g is not next to its shortest decimal", x);
    }
    il_rational_set_double(r[0], x);
    return il_rational_double(r[0]) == x
               ? IL_OK
               : il_fail(err, IL_EINTERNAL, "%.17g is not exact as a fraction", x);
}

static il_status judge_name(const char *text, il_error *err) {
    size_t count = 0;
    double x = 0.0;
    char *name = strdup(text);
    json_t *string = json_string(text);
    bool letters = (string != NULL) == il_text_is_utf8(text);
    json_decref(string);
    if (name != NULL && name[0] != '\0') {
        il_text_make_file_name(name);
    }
    bool file = name == NULL || name[0] == '\0' || il_text_is_file_name(name);
    free(name);
    if (!letters || !file) {
        return il_fail(err, IL_EINTERNAL, "'%s': %s", text, letters ? "no file name" : "UTF-8?");
    }
    bool counts = il_text_count(text, &count);
    return !counts || (il_text_number(text, &x) && (double)count == x)
               ? IL_OK
               : il_fail(err, IL_EINTERNAL, "'%s' counts as %zu", text, count);
}

/* What text sets, numbers set too; what is refused leaves a message and the value as it was. */
static il_status set_both(il_params *params, const il_param_spec *spec, size_t k, const char *text,
                          il_error *err) {
    il_error said = {IL_OK, ""};
    size_t before = 0;
    size_t n = 0;
    (void)il_params_values(params, k, &before);
    il_status status = il_params_set_text(params, spec->key, text, &said);
    const double *x = il_params_values(params, k, &n);
    if (status != IL_OK) {
        return said.message[0] != '\0' && n == before
                   ? IL_OK
                   : il_fail(err, IL_EINTERNAL, "%s refused without a word", spec->key);
    }
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] >= spec->min && x[i] <= spec->max)) {
            return il_fail(err, IL_EINTERNAL, "%s is %g by '%s'", spec->key, x[i], text);
        }
    }
    double *copy = n > 0 ? malloc(n * sizeof *copy) : NULL;
    if (copy != NULL) {
        memcpy(copy, x, n * sizeof *copy);
        status = il_params_set_numbers(params, spec->key, copy, n, err);
    }
    free(copy);
    return status;
}

static il_status judge_params(il_bytes *bytes, il_error *err) {
    size_t specs = 0;
    const il_problem_type *type = il_bytes_problem(bytes);
    while (type->params != NULL && type->params[specs].key != NULL) {
        specs++;
    }
    il_params *params = NULL;
    if (specs == 0) {
        return IL_OK;
    }
    il_status status = il_params_create(&params, type->params, err);
    size_t k = il_bytes_take(bytes) % specs;
    char *text = il_bytes_text(bytes);
    if (status == IL_OK) {
        status = set_both(params, &type->params[k], k, text, err);
    }
    if (status == IL_OK) {
        (void)il_params_set_text(params, text, text, NULL); /* as a key */
    }
    free(text);
    il_params_destroy(params);
    return status;
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    il_bytes bytes = {data, n};
    il_rational **r = il_rational_array(2);
    if (r == NULL) {
        return IL_ENOMEM;
    }
    il_status status = IL_OK;
    uint8_t kind = il_bytes_take(&bytes);
    if (kind % 4 == 0) {
        status = judge_shortest(&bytes, r, err);
    } else if (kind % 4 == 1) {
        status = judge_params(&bytes, err);
    } else {
        char *text = il_bytes_text(&bytes);
        status = kind % 4 == 2 ? judge_number(text, r, err) : judge_name(text, err);
        free(text);
    }
    il_rational_free(r);
    return status;
}

const il_fuzz il_fuzz_values = {
    .name = "values",
    .text = "numbers, fractions, names and parameters as they are typed",
    .one = one,
};
