/*
 * columns.h - which columns of a table stand for what; the names and the mapping: track.h.
 */
#ifndef IL_OUTSIDE_COLUMNS_H
#define IL_OUTSIDE_COLUMNS_H

#include "harness/outside/table.h"

/* factor * column. */
typedef struct {
    size_t column;
    double factor;
} il_term;

/* Which columns stand for what. */
typedef struct {
    const il_number_table *table;
    const char *mapping; /* a file's name, or NULL */
    size_t d, p;
    bool dense;                      /* the motion between samples is asked for */
    bool has_t, has_q, has_u, skips; /* skips: all that nothing reads */
    bool has_step;                   /* and, where the motion is asked for and no mapping given, */
    size_t step, coefficients; /* columns of steps (dense.h), and of so many coefficients of */
    size_t *c;                 /* each coordinate, [coefficients][d] */
    bool *used;                /* [table->n] columns that are read, or skipped */
    il_term t;
    il_term *q, *u; /* [d] */
    size_t n;
    il_term *impulses; /* [n] */
    size_t *id;        /* [n] */
} il_columns;

/* Fill in t to id of *w, whose table, mapping, d, p, dense and rooms used, q and u the caller
 * made; c, impulses and id are the caller's to free. IL_EINVAL for a column that is missing or not
 * understood; IL_EIO. */
il_status il_columns_find(il_columns *w, il_error *err);

#endif
