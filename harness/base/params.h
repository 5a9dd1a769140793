/*
 * params.h - the parameters of a problem: their declarations and their values.
 *
 * A problem declares an array of il_param_spec, ended by an entry whose key is NULL. The values
 * come from the command line as text or from a script as numbers. A wrong key, type, length or
 * range is refused with a message that says what is allowed. A problem may write back values that
 * it derived (a drawn initial velocity, say), so the record holds every number of the run.
 */
#ifndef IL_BASE_PARAMS_H
#define IL_BASE_PARAMS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef enum { IL_PARAM_NUMBER, IL_PARAM_INTEGER, IL_PARAM_CHOICE, IL_PARAM_VECTOR } il_param_kind;

typedef struct {
    const char *key;
    il_param_kind kind;
    const char *fallback; /* default as typed on the command line; NULL: the problem derives it */
    double min, max;      /* range of each number, ends included; choices ignore it */
    bool above_min;       /* the lower end itself is excluded */
    const char *allowed;  /* choices: "a,b,c"; vectors: their length in words, such as "1 or N";
                             "one or N": one number is recorded as a number */
    const char *unit;     /* "1" for dimensionless; else a name such as "length" */
    const char *text;     /* what it is, one line */
} il_param_spec;

typedef struct il_params il_params;

/* All of specs (kept, not copied) at their defaults. The creator destroys. */
il_status il_params_create(il_params **out, const il_param_spec *specs, il_error *err);
void il_params_destroy(il_params *params);

/* Set from text, as `--set key=text` gives it: a number, a choice, numbers between commas. */
il_status il_params_set_text(il_params *params, const char *key, const char *text, il_error *err);

/* Set from n numbers. A choice cannot be set so. */
il_status il_params_set_numbers(il_params *params, const char *key, const double *x, size_t n,
                                il_error *err);

/* Read. The key must be one of the specs and of that kind (asserted). A vector that was not given
 * and has no default has *n = 0. Pointers stay valid until the parameter is set again. */
double il_params_number(const il_params *params, const char *key);
size_t il_params_integer(const il_params *params, const char *key);
const char *il_params_choice(const il_params *params, const char *key);
const double *il_params_vector(const il_params *params, const char *key, size_t *n);

/* True if the key has a value (given or by default). */
bool il_params_has(const il_params *params, const char *key);

/* True if the key was set explicitly. */
bool il_params_given(const il_params *params, const char *key);

/* The text that the value was set from, NULL if it came as numbers or was derived: 1.8 as text
 * means that decimal, as a double the number next to it. */
const char *il_params_text(const il_params *params, const char *key);

/* Copy the vector of key into x[n]; one number is spread over all n if scalar_spreads. IL_EINVAL
 * with both lengths for any other mismatch. The key must have a value. */
il_status il_params_expand(const il_params *params, const char *key, bool scalar_spreads, double *x,
                           size_t n, il_error *err);

/* The same for several keys in turn, up to one that is NULL. */
typedef struct {
    const char *key;
    double *x;
    size_t n;
    bool scalar_spreads;
} il_params_target;
il_status il_params_read(const il_params *params, const il_params_target *targets, il_error *err);

/* Write back a value that the problem derived; not checked against the range. */
void il_params_derive(il_params *params, const char *key, const double *x, size_t n);

/* Spec k, NULL past the end. */
const il_param_spec *il_params_spec(const il_params *params, size_t k);

/* All parameters as they were used: numbers, choices, vectors; null for those without a value. The
 * caller's. */
json_t *il_params_json(const il_params *params);

/* The range of a spec in words, such as "a number > 0" or "one of slide, corner, graze". */
void il_param_describe(const il_param_spec *spec, char *out, size_t capacity);

#endif
