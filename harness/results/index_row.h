/*
 * index_row.h - a stored case as rows of the index. Not for use outside harness/results.
 */
#ifndef IL_INDEX_ROW_H
#define IL_INDEX_ROW_H

#include <jansson.h>
#include <sqlite3.h>

#include "harness/base/status.h"
#include "harness/io/store/store.h"

/* The file of a case, and what tells whether it is still that. */
typedef struct {
    char name[IL_STORE_NAME];          /* without ".json" */
    long long size, mtime, ctime, ino; /* times in nanoseconds */
} il_index_file;

/* What writes rows; of one transaction. */
typedef struct {
    sqlite3 *db;
    sqlite3_stmt *put_case, *put_value, *put_name, *find_name;
    json_t *names; /* path: pid */
} il_index_writer;

/* SQLITE_OK or an error of SQLite. Free it in all cases. */
int il_index_writer_open(il_index_writer *w, sqlite3 *db);
void il_index_writer_free(il_index_writer *w);

/* Put what stands in object, a whole case file's, or, where it is NULL, that it is damaged and why.
 */
int il_index_put(il_index_writer *w, const il_index_file *file, const json_t *object,
                 const char *damaged);

#endif
