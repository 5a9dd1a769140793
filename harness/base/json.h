/*
 * json.h - JSON values, complete or NULL. Numbers keep all digits (%.17g); NaN and infinities,
 * which JSON lacks, become null.
 *
 * A value is built by functions that remember the first failure, so a caller checks once, at the
 * end:
 *
 *     il_json w = {false};
 *     json_t *object = json_object();
 *     il_json_put(&w, object, "h", h);
 *     il_json_set(&w, object, "final", state(&w, ...));
 *     return il_json_done(&w, object);   // NULL when memory ran out anywhere
 */
#ifndef IL_JSON_H
#define IL_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"

/* x, or null if it is not finite. NULL when memory ran out. */
json_t *il_json_number(double x);

/* The array of x[n], as il_json_number has each. */
json_t *il_json_numbers(const double *x, size_t n);

/* A value that is being built. */
typedef struct {
    bool failed; /* memory ran out */
} il_json;

/* Add value (NULL if it could not be made) to object under key, or append it to array. No other
 * file calls jansson's own functions for this (scripts/check_json.sh). */
void il_json_set(il_json *w, json_t *object, const char *key, json_t *value);
void il_json_append(il_json *w, json_t *array, json_t *value);

/* Text from outside; "" for NULL. Where it is not UTF-8, as a path in another encoding, its bytes
 * beyond ASCII become '?'. NULL when memory ran out. */
json_t *il_json_text_new(const char *text);

/* Members that are a number, a count, a text (NULL: null). */
void il_json_put(il_json *w, json_t *object, const char *key, double x);
void il_json_put_count(il_json *w, json_t *object, const char *key, size_t n);
void il_json_put_text(il_json *w, json_t *object, const char *key, const char *text);

/* The members of other, which stays the caller's, into object in place of those of the same key. */
void il_json_merge(il_json *w, json_t *object, const json_t *other);

/* A deep copy of value; NULL when memory ran out or value is NULL. Replaces jansson's own copies,
 * which silently leave out what does not fit into memory. */
json_t *il_json_copy(const json_t *value);

/* value, the caller's, or NULL when something failed: then value is gone too. */
json_t *il_json_done(const il_json *w, json_t *value);

/* The text under key, borrowed; "" where object, which may be NULL, has none. */
const char *il_json_get_text(const json_t *object, const char *key);

/* The value in a text, the caller's; NULL after a failure. IL_EINVAL when it is no JSON; IL_ENOMEM.
 */
il_status il_json_parse(const char *text, json_t **value, il_error *err);

/* One line of JSON text for a value. The caller frees it. */
char *il_json_text(const json_t *value);

/* The same with jansson's flags. NULL when memory ran out or value is NULL. */
char *il_json_text_as(const json_t *value, size_t flags);

/* Write that text and a newline to out. IL_ENOMEM; write errors are seen when out is closed. */
il_status il_json_print(const json_t *value, size_t flags, FILE *out, il_error *err);

#endif
