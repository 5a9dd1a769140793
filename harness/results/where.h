/*
 * where.h - conditions on cases: "alpha > 1.7 and (scheme = maury or not status = ok)".
 *
 *     condition = comparisons NAME OPERATOR VALUE, joined by and, or, not, ( ) as in SQL
 *     operator  = "=" "==" "!=" "<>" "~=" "<" "<=" ">" ">="
 *     value     = number, fraction, word, 'text' or "text"
 *
 * Names become columns of the index and values SQL literals or bound numbers, so no part of the
 * text is passed to SQL. A case that lacks a name does not meet the comparison, whatever the
 * operator.
 */
#ifndef IL_WHERE_H
#define IL_WHERE_H

#include <jansson.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/results/index.h"
#include "harness/results/index_row.h"

/* The column of a name: of a column, of a path, of a parameter without "parameters.", of an error
 * without "error."; NULL where there is none, and then *near, which may be NULL, what may have been
 * meant, or NULL. */
const char *il_index_find(const il_index *index, const char *name, const char **near);

enum { IL_WHERE_NUMBERS = 600 };

typedef struct {
    char *sql; /* on columns of cases; NULL: every case */
    size_t n;
    double numbers[IL_WHERE_NUMBERS]; /* [n] for its question marks */
    json_t *names;                    /* {NAME: true, ...} that were named, in order */
} il_where;

/* Parse text; NULL and "" are every case. IL_EINVAL says what is wrong, at which column (from 1),
 * and what is allowed; IL_ENOMEM. il_where_free in all cases. */
il_status il_where_parse(const il_index *index, const char *text, il_where *where, il_error *err);
void il_where_free(il_where *where);

#endif
