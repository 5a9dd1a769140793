/*
 * index_row.h - a stored case as a row of the index. Used only in harness/results.
 */
#ifndef IL_INDEX_ROW_H
#define IL_INDEX_ROW_H

#include <jansson.h>
#include <sqlite3.h>

#include "harness/base/status.h"
#include "harness/io/store/store.h"

/* How a column compares: as a number; as a text; or as a text of which only the given beginning is
 * compared ("date = 2026-11"). */
typedef enum { IL_INDEX_NUMBER, IL_INDEX_TEXT, IL_INDEX_BEGINNING } il_index_kind;

/* A column that every case has. */
typedef struct {
    const char *name;
    il_index_kind kind;
    enum { IL_FROM_FILE, IL_FROM_KEY, IL_FROM_RECORD, IL_FROM_PROVENANCE } from;
} il_index_fixed;

/* Column k, NULL past the end; the one of this name, NULL where there is none. */
const il_index_fixed *il_index_fixed_at(size_t k);
const il_index_fixed *il_index_fixed_find(const char *name);

/* The file of a case, and what tells whether it is still that. */
typedef struct {
    char name[IL_STORE_NAME];          /* without ".json" */
    long long size, mtime, ctime, ino; /* times in nanoseconds */
} il_index_file;

/* What writes rows; of one transaction. */
typedef struct {
    sqlite3 *db;
    json_t *paths; /* path: column; new ones are added */
    sqlite3_stmt *put_case, *put_specification;
} il_index_writer;

void il_index_writer_free(il_index_writer *w);

/* Put what stands in object, a whole case file's, or, where it is NULL, that it is damaged and why,
 * in place of what was known of this file. SQLITE_OK or an error of SQLite. */
int il_index_put(il_index_writer *w, const il_index_file *file, const json_t *object,
                 const char *damaged);

#endif
