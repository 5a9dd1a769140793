/*
 * field.h - the numbers and texts of a struct, each said once, in a table that ends with a path
 * that is NULL: what writes them, and what asks what one of them measures, reads the table.
 *
 *     const il_field il_certificate_fields[] = {
 *         {"primal", IL_REAL(il_certificate, primal), IL_LENGTH, true}, ..., {.path = NULL}};
 */
#ifndef IL_FIELD_H
#define IL_FIELD_H

#include "harness/base/json.h"

typedef enum {
    IL_FIELD_NONE,  /* others write it; here it has a name alone */
    IL_FIELD_REAL,  /* double */
    IL_FIELD_WHOLE, /* double that counts: an integer unless it is NaN */
    IL_FIELD_COUNT, /* size_t */
    IL_FIELD_TEXT,  /* const char *, null for NULL */
    IL_FIELD_NOTE,  /* the same, left out where it is NULL */
    IL_FIELD_ADDED  /* what `add` puts into the object */
} il_field_kind;

/* What a number measures. */
typedef enum {
    IL_NO_RESULT, /* nothing: an option, a cost, or what another number of the struct says too */
    IL_OWN,       /* what no other quantity is compared with */
    IL_ONE,
    IL_RATIO, /* of lengths or speeds to their size in the run */
    IL_LENGTH,
    IL_SPEED,
    IL_TIME,
    IL_IMPULSE,
    IL_FORCE,
    IL_WORK,
    IL_POWER
} il_quantity;

typedef struct il_field {
    const char *path; /* in JSON: "balance.final" stands in an object `balance` */
    il_field_kind kind;
    size_t at; /* where it begins in the struct */
    il_quantity quantity;
    bool quality; /* it says how accurate a computation was, and is no result */
    void (*add)(json_t *object, const char *key, const void *at);
} il_field;

/* Where a member begins; a member of another type does not compile. */
#define IL_AT(struct_, member, type)                                                               \
    (offsetof(struct_, member) + 0 * sizeof(&((struct_ *)0)->member == (type *)0))

/* The members kind and at. */
#define IL_REAL(struct_, member) .kind = IL_FIELD_REAL, .at = IL_AT(struct_, member, double)
#define IL_COUNT(struct_, member) .kind = IL_FIELD_COUNT, .at = IL_AT(struct_, member, size_t)
#define IL_TEXT(struct_, member) .kind = IL_FIELD_TEXT, .at = IL_AT(struct_, member, const char *)
#define IL_NOTE(struct_, member) .kind = IL_FIELD_NOTE, .at = IL_AT(struct_, member, const char *)

/* The fields of *from into object, in the order of the table. */
void il_field_put(json_t *object, const il_field *fields, const void *from);

/* The same as an object of their own. */
json_t *il_field_json(const il_field *fields, const void *from);

/* The field of this path; NULL: there is none. */
const il_field *il_field_find(const il_field *fields, const char *path);

#endif
