/*
 * columns.h - a table column by column, for files that programs read.
 */
#ifndef IL_COLUMNS_H
#define IL_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers, NaN where there is none; or texts, NULL where there is none. */
typedef struct {
    char *name;
    bool number;
    double *x;   /* [rows] or NULL */
    char **text; /* [rows] or NULL */
} il_column;

typedef struct {
    size_t rows, n;
    il_column *list; /* [n] */
} il_columns;

#endif
