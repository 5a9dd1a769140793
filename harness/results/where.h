/*
 * where.h - which cases: "alpha > 1.7 and (scheme = maury or not status = ok)".
 *
 *     expression = term {"or" term}
 *     term       = factor {"and" factor}
 *     factor     = "not" factor | "(" expression ")" | name operator value
 *     operator   = "=" "==" "!=" "<>" "~=" "<" "<=" ">" ">="
 *     value      = number, fraction, word, 'text' or "text"
 *
 * What comes out is SQL of our own words alone: values are bound to its parameters, and names stand
 * for columns that somebody found. A case that lacks what is named does not meet the comparison,
 * whatever its operator.
 */
#ifndef IL_WHERE_H
#define IL_WHERE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef enum { IL_WHERE_NUMBER, IL_WHERE_TEXT, IL_WHERE_BEGINNING, IL_WHERE_EITHER } il_where_kind;

/* What a name stands for. IL_WHERE_BEGINNING is a text of which as much is compared as is given
 * ("date = 2026-11"); IL_WHERE_EITHER is told by the value. */
typedef struct {
    const char *column; /* of a case, static; NULL: the value numbered below */
    long long number;
    il_where_kind kind;
} il_where_column;

/* Who knows the names. near, which may be left NULL, is what may have been meant. */
typedef struct {
    void *self;
    il_status (*find)(void *self, const char *name, il_where_column *column, const char **near,
                      il_error *err); /* IL_EINVAL: there is none of this name */
} il_where_names;

typedef struct {
    char *text; /* or NULL: number */
    double number;
} il_where_value;

/* A condition on a row c of cases and the rows of vals (index.c): sql with values[n] for its
 * question marks. */
typedef struct {
    char *sql;
    size_t n;
    il_where_value *values;
    char **names; /* [nnames] that were named, in order, each once */
    size_t nnames;
} il_where;

/* Parse text; NULL and "" are every case. IL_EINVAL says what is wrong, at which column (from 1),
 * and what is allowed; IL_ENOMEM. il_where_free in all cases. */
il_status il_where_parse(const char *text, const il_where_names *names, il_where *where,
                         il_error *err);
void il_where_free(il_where *where);

#endif
