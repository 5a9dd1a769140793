/*
 * query.h - cases of the index as columns.
 */
#ifndef IL_RESULTS_QUERY_H
#define IL_RESULTS_QUERY_H

#include <jansson.h>

#include "harness/io/formats/columns.h"
#include "harness/io/store/store.h"
#include "harness/results/index.h"

typedef enum {
    IL_RESULTS_COLUMNS = 1,    /* what every case has: key, problem, ..., revision */
    IL_RESULTS_PARAMETERS = 2, /* parameters that a case of these has */
    IL_RESULTS_MEASURES = 4    /* other numbers and texts of records */
} il_results_parts;

/* The cases that meet where, in the order of their dates and keys, damaged ones left out. names[n]
 * are the columns, as --where has them; with n = 0 those of parts. A parameter is called as it is
 * ("alpha") unless another column is. IL_EINVAL for a name that there is not; IL_ENOMEM;
 * IL_EINTERRUPTED. Free it in all cases. */
il_status il_results_select(il_index *index, const il_where *where, unsigned parts,
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
