/*
 * json.h - JSON that is whole or is not there. All digits of numbers are kept (%.17g); NaN and
 * infinities, which JSON lacks, become null.
 *
 * A value is built by functions that remember the first failure, so that none is looked at on the
 * way and none is lost:
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

/* Give value, which may be NULL where it could not be made, to object under key, or to array. No
 * other file calls jansson's own functions that do so (scripts/check_json.sh). */
void il_json_set(il_json *w, json_t *object, const char *key, json_t *value);
void il_json_append(il_json *w, json_t *array, json_t *value);

/* Text from outside, "" for NULL: where it is not UTF-8, such as a path of another encoding, with
 * '?' for its bytes beyond ASCII. NULL when memory ran out. */
json_t *il_json_text_new(const char *text);

/* Members that are a number, a count, a text (NULL: null). */
void il_json_put(il_json *w, json_t *object, const char *key, double x);
void il_json_put_count(il_json *w, json_t *object, const char *key, size_t n);
void il_json_put_text(il_json *w, json_t *object, const char *key, const char *text);

/* The members of other, which stays the caller's, into object in place of those of the same key. */
void il_json_merge(il_json *w, json_t *object, const json_t *other);

/* A copy of value and of all in it; NULL when memory ran out, and when value is NULL. Here alone:
 * jansson's own copies leave out what they find no memory for. */
json_t *il_json_copy(const json_t *value);

/* value, the caller's, or NULL when something failed: then value is gone too. */
json_t *il_json_done(const il_json *w, json_t *value);

/* The text under key, borrowed; "" where object, which may be NULL, has none. */
const char *il_json_get_text(const json_t *object, const char *key);

/* The value in a file, the caller's; NULL after a failure. IL_EIO when it cannot be read or is no
 * JSON; IL_ENOMEM. */
il_status il_json_load(const char *path, json_t **value, il_error *err);

/* The value in a text, in the same way; IL_EINVAL when it is no JSON. */
il_status il_json_parse(const char *text, json_t **value, il_error *err);

/* One line of JSON text for a value. The caller frees it. */
char *il_json_text(const json_t *value);

/* The same by jansson's flags. Both are NULL when memory ran out, and when value is NULL. */
char *il_json_text_as(const json_t *value, size_t flags);

/* That text and a line's end into out. IL_ENOMEM; that it arrived is for who closes out to see. */
il_status il_json_print(const json_t *value, size_t flags, FILE *out, il_error *err);

#endif
