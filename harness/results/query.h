/*
 * query.h - cases of the index as columns.
 */
#ifndef IL_RESULTS_QUERY_H
#define IL_RESULTS_QUERY_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/io/formats/columns.h"
#include "harness/io/store/store.h"
#include "harness/results/where.h"

/* The cases that meet where (NULL: all), in the order of their dates and keys, damaged ones left
 * out. names[n] are the columns, as --where has them; with n = 0 those of every case, parameters
 * that a case of these has, and, where asked for, measures: other numbers and texts of records. A
 * parameter is called as it is ("alpha") unless another column is. IL_EINVAL for a name that there
 * is not; IL_ENOMEM; IL_EINTERRUPTED. Free it in all cases. */
il_status il_results_select(const il_index *index, const il_where *where, bool measures,
                            const char *const *names, size_t n, il_columns *out, il_error *err);

/* Keep the rows whose column "key" is a member of names, and take those members out of it: what is
 * left is not stored. */
void il_columns_keep(il_columns *columns, json_t *names);
void il_columns_free(il_columns *columns);

/* Names of all that can be asked for: an array of {"name":, "kind": "number" | "text", "cases":
 * COUNT, "least":, "most": (numbers)}. The caller's. */
il_status il_results_names(const il_index *index, json_t **out, il_error *err);

/* The damaged files: an array of {"key":, "reason":}. The caller's. */
il_status il_results_damaged(const il_index *index, json_t **out, il_error *err);

/* The one case whose name begins so. IL_EINVAL: none, or several, which are named. */
il_status il_results_find(const il_index *index, const char *prefix, char name[IL_STORE_NAME],
                          il_error *err);

#endif
