/*
 * json.h - JSON values by jansson. Numbers keep all digits (%.17g); NaN and infinities, which JSON
 * lacks, become null. Lack of memory ends the program (memory.h).
 */
#ifndef IL_JSON_H
#define IL_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"

/* x, or null if it is not finite. */
json_t *il_json_number(double x);

/* The array of x[n], as il_json_number has each. */
json_t *il_json_numbers(const double *x, size_t n);

/* jansson takes memory as il_alloc does. A program calls it first; a library leaves jansson, which
 * its host may use too, as it is. */
void il_json_init(void);

/* Add value to object under key, or append it to array; both take the reference. No other file
 * calls jansson's own functions for this (scripts/check_json.sh). */
void il_json_set(json_t *object, const char *key, json_t *value);
void il_json_append(json_t *array, json_t *value);

/* Text from outside; "" for NULL. Where it is not UTF-8, as a path in another encoding, its bytes
 * beyond ASCII become '?'. */
json_t *il_json_text_new(const char *text);

/* Members that are a number, a count, a text (NULL: null). */
void il_json_put(json_t *object, const char *key, double x);
void il_json_put_count(json_t *object, const char *key, size_t n);
void il_json_put_text(json_t *object, const char *key, const char *text);

/* The members of other, which stays the caller's, into object in place of those of the same key. */
void il_json_merge(json_t *object, const json_t *other);

/* A deep copy of value; NULL for NULL. */
json_t *il_json_copy(const json_t *value);

/* The text under key, borrowed; "" where object, which may be NULL, has none. */
const char *il_json_get_text(const json_t *object, const char *key);

/* The value in a text, the caller's; NULL after a failure. IL_EINVAL when it is no JSON. */
il_status il_json_parse(const char *text, json_t **value, il_error *err);

/* One line of JSON text for a value. The caller frees it. */
char *il_json_text(const json_t *value);

/* The same with jansson's flags. */
char *il_json_text_as(const json_t *value, size_t flags);

/* Write that text and a newline to out; write errors are seen when out is closed. */
void il_json_print(const json_t *value, size_t flags, FILE *out);

#endif
