/*
 * names.h - what a case is called by: columns that every case has. Not for use outside
 * harness/results.
 */
#ifndef IL_RESULTS_NAMES_H
#define IL_RESULTS_NAMES_H

#include "harness/results/where.h"

typedef struct {
    const char *name;   /* in conditions, lists and exports */
    const char *column; /* in the index */
    il_where_kind kind;
} il_results_column;

/* Column k, NULL past the end. */
const il_results_column *il_results_column_at(size_t k);

#endif
