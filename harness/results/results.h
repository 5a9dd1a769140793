/*
 * results.h - queries on stored cases, for `impactlab results` and `status`.
 */
#ifndef IL_RESULTS_H
#define IL_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/io/store/store.h"
#include "harness/results/index.h"

/* ---- choosing cases: where.c, query.c ------------------------------------------------------- */

/* Choose the cases that meet a condition (NULL or "": all), in the order of their dates and keys,
 * damaged ones left out:
 *
 *     condition = comparisons NAME OPERATOR VALUE, joined by and, or, not, ( ) as in SQL
 *     operator  = "=" "==" "!=" "<>" "~=" "<" "<=" ">" ">="
 *     value     = number, fraction, word, 'text' or "text"
 *
 * A case that lacks a name does not meet the comparison, whatever the operator. The object names
 * (NULL: not wanted) receives the names in the condition as keys. IL_EINVAL says what is wrong, at
 * which column (from 1), and what is allowed; IL_EINTERRUPTED. */
il_status il_results_choose(il_index *index, const char *where, json_t *names, il_error *err);

/* The SQL of what is called name: a column, a path, a parameter without "parameters.", an error
 * without "error.". IL_EINVAL where there is none, with what may have been meant; `where` begins
 * the message. */
enum { IL_INDEX_COLUMN = 96 };
il_status il_results_column(const il_index *index, const char *where, const char *name,
                            char column[IL_INDEX_COLUMN], il_error *err);

/* SQL: what a build and the functions of a script do not change of a specification. */
#define IL_RESULTS_SAME(specification)                                                             \
    "json_remove(" specification ", '$.build', '$.format', '$.functions')"

/* Choose columns of the chosen cases, index->columns of them. names[n] are as conditions have them;
 * with n = 0 those of every case, parameters that a case of these has, and, where asked for,
 * measures: other numbers and texts of records. A parameter is called as it is ("alpha") unless
 * another column is. IL_EINVAL for a name that there is not; IL_EINTERRUPTED. The rows
 * are those of the statement index->select. */
il_status il_results_columns(il_index *index, bool measures, const char *const *names, size_t n,
                             il_error *err);

/* Names of all that can be asked for: an array of {"name":, "kind": "number" | "text", "cases":
 * COUNT, "least":, "most":}, null for texts. The caller's. */
il_status il_results_names(const il_index *index, json_t **out, il_error *err);

/* The damaged files: an array of {"key":, "reason":}. The caller's. */
il_status il_results_damaged(const il_index *index, json_t **out, il_error *err);

/* The one case whose name begins so. IL_EINVAL: none, or several, which are named. */
il_status il_results_find(const il_index *index, const char *prefix, char name[IL_STORE_NAME],
                          il_error *err);

/* ---- columns as text and as files: export.c ------------------------------------------------- */

/* The chosen columns to a stream as one of IL_TABLE_TXT, _CSV, _TEX of harness/draw/table.h:
 * numbers with all digits in csv, with six else; keys cut to `key` letters (0: whole).
 * IL_EINTERRUPTED. */
il_status il_columns_print(const il_index *index, FILE *out, unsigned format, const char *caption,
                           size_t key, il_error *err);

typedef enum {
    IL_EXPORT_CSV,    /* RFC 4180, numbers with all digits */
    IL_EXPORT_TEX,    /* a tabular, numbers with six */
    IL_EXPORT_SQLITE, /* a database with the table "cases" */
    IL_EXPORT_HDF5    /* a dataset for each column in the group "cases" */
} il_export_format;

/* The format that the end of a path asks for: .csv, .tex, .sqlite or .db, .h5 or .hdf5. IL_EINVAL
 * for others, and for a name that no file may have (il_file_check_name). */
il_status il_export_choose(const char *path, il_export_format *format, il_error *err);

/* Write the chosen columns, whole or not at all. IL_EIO, IL_EINTERRUPTED. */
il_status il_export_write(const il_index *index, il_export_format format, const char *path,
                          il_error *err);

/* ---- how far scripts have come: state.c ------------------------------------------------------ */

/* {"results", "stored", "damaged", "set_aside", "troubles": [TEXT], "scripts": [{"script",
 * "arguments", "shard", "state", "host", "pid", "workers", "began", "saved", "cases", "done",
 * "failed", "at_work", "missing", "seconds_left", "expected_end", "ending", "reason"}]}, the
 * caller's.
 *
 * Cases are those of the sweeps that the script has begun. `state` is "at work", "ended", "stopped"
 * (by an error, a signal, other shards), "killed" (it said neither), or "elsewhere" (at work on
 * another machine when it last said so, at `saved`). At work are cases that are claimed
 * (harness/io/store/lease.h). The time that is left is what the costs of missing cases are to those
 * of cases that were run since it began; null if unknown. `ending` and `reason` are those
 * of the script's journal. IL_EIO. */
il_status il_results_state(const il_index *index, json_t **out, il_error *err);

/* ---- two folders: compare.c ------------------------------------------------------------------ */

/* Match the cases of two folders as two programs made them: by their keys without the build and
 * without the functions of a script, which are what differs. *matched is an array of {"study",
 * "problem", "scheme", "steps", "h", "first_q_Linf", "second_q_Linf", "first_u_L1",
 * "second_u_L1"}, null where there is no error: cases that differ in their step alone are of one
 * study, and stand together, the longest step first. *counts is [{"first_alone", "second_alone",
 * "first_limits", "second_limits"}]: how many one folder has alone, and stored limits, which have
 * no step and are not compared. Both are the caller's. IL_EINVAL where one is no results folder;
 * else as il_index_open. */
il_status il_results_compare(const char *first, const char *second, json_t **matched,
                             json_t **counts, il_error *err);

#endif
