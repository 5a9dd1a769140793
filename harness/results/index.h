/*
 * index.h - an index of stored cases: an SQLite database made from their files.
 *
 * RESULTS/index/HOST.sqlite belongs to one machine and is written by one program at a time;
 * machines that share a folder each have their own. It holds nothing that the files do not: every
 * time it is opened the files' sizes, times and inode numbers are compared with the recorded ones,
 * and files that differ are read again. A file that is no index of this layout is replaced. Where
 * none can be written (no room, no permission, another program writes) it is made in memory.
 *
 *     cases(id, key, file_size, ..., damaged, problem, ..., revision)
 *     records(id, record, specification)
 *     names(path, texts)         what records have or had: "parameters.alpha", "error.u_L1", ...
 *
 * A specification is the text that a key is the hash of. What every case has is a column. All other
 * numbers and texts of a record are one JSON object without objects in it, {"error.u_L1": 0.1},
 * asked by record ->> '$."error.u_L1"'. A vector of parameters is the text "0.3,-0.2"; other arrays
 * are left out. A damaged file has a row with the reason in `damaged` and no record. A name has
 * texts where a case had one there, not a number.
 */
#ifndef IL_INDEX_H
#define IL_INDEX_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/frame.h"
#include "harness/base/progress.h"
#include "harness/base/status.h"
#include "harness/io/store/store.h"

enum { IL_INDEX_PUTS = 4 };

typedef struct {
    sqlite3 *db;
    sqlite3_stmt *put[IL_INDEX_PUTS]; /* what il_index_put runs, NULL before */
    json_t *seen;                     /* {path: has it texts?} of what it has put; NULL before */
    const char *results;              /* the caller's, which outlives the index */
    size_t files, read;               /* case files there are; of these read now */
    size_t damaged;                   /* of files */
    size_t aside;                     /* files that were set aside as damaged, which are no cases */
    char note[IL_MESSAGE_MAX];        /* what the user should know of the index itself, or "" */
} il_index;

/* Open the index of a results folder and bring it up to date. IL_EINVAL: there is no such folder;
 * IL_EUNSUPPORTED: a case of a newer format, with what to do; IL_EIO: files cannot be looked at;
 * IL_EINTERRUPTED. progress may be NULL. il_index_close in all cases. */
il_status il_index_open(il_index *index, const char *results, il_progress *progress, il_error *err);
void il_index_close(il_index *index);

/* The result code of SQLite, as a status and a message; lack of memory ends the program. */
il_status il_index_fail(const il_index *index, int code, il_error *err);

/* The text of sql, which is finished; to be freed by sqlite3_free. */
char *il_index_sql(sqlite3_str *sql);

/* Run a prepared statement that returns nothing: SQLite's result code. */
int il_index_step(sqlite3_stmt *statement);

/* All rows of a statement, to be freed after a success; text, which may be NULL, is its ?1.
 * IL_EINVAL: a condition in it is too long or too deep for SQLite. */
il_status il_index_ask(const il_index *index, const char *sql, const char *text, il_frame *out,
                       il_error *err);

/* ---- rows: row.c ---------------------------------------------------------------------------- */

/* How a column compares: as a number; as a text; or as a text of which only the given beginning is
 * compared ("date = 2026-11"). */
typedef enum { IL_INDEX_NUMBER, IL_INDEX_TEXT, IL_INDEX_BEGINNING } il_index_kind;

/* A column that every case has. */
typedef struct {
    const char *name;
    il_index_kind kind;
    enum { IL_FROM_FILE, IL_FROM_KEY, IL_FROM_RECORD, IL_FROM_PROVENANCE } from;
} il_index_fixed;

/* Column k, NULL past the end. */
const il_index_fixed *il_index_fixed_at(size_t k);

/* Put the case of this name, whose file stands in table `there`, in place of what was known of it:
 * what object, the whole file, holds, or, where it is NULL, that it is damaged and why. */
il_status il_index_put(il_index *index, const char *name, const json_t *object, const char *damaged,
                       il_error *err);

#endif
