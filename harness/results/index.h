/*
 * index.h - an index of stored cases: an SQLite database made from their files.
 *
 * RESULTS/index/HOST.sqlite belongs to one machine and is written by one program at a time;
 * machines that share a folder each have their own. It holds nothing that the files do not: every
 * time it is opened the files' sizes, times and inode numbers are compared with the recorded ones,
 * and files that differ are read again. An index that is damaged, or made by another version of the
 * program, is rebuilt. Where none can be written (no room, no permission, another program writes)
 * it is made in memory.
 *
 *     cases(id, size, mtime, ctime, ino, damaged, key, problem, ..., revision, p1, p2, ...)
 *     names(pid, path)              column pN holds the record's member at this path
 *     specifications(key, text)     the text that a key is the hash of
 *
 * A path is "parameters.alpha", "error.u_L1", ...; values are numbers or texts (a vector is
 * "0.3,-0.2"), arrays other than parameters are left out. A damaged file has a row with the reason
 * in `damaged` and nothing else.
 */
#ifndef IL_INDEX_H
#define IL_INDEX_H

#include <jansson.h>
#include <sqlite3.h>
#include <stddef.h>

#include "harness/base/progress.h"
#include "harness/base/status.h"

typedef struct {
    sqlite3 *db;
    char *results;
    json_t *paths;             /* path: column, those of every case first, then parameters */
    size_t files, read;        /* case files there are; of these read now */
    size_t damaged;            /* of files */
    size_t aside;              /* files that were set aside as damaged, which are no cases */
    char note[IL_MESSAGE_MAX]; /* what the user should know of the index itself, or "" */
} il_index;

/* Open the index of a results folder and bring it up to date. IL_EINVAL: there is no such folder;
 * IL_EUNSUPPORTED: a case of a newer format, with what to do; IL_EIO: files cannot be looked at;
 * IL_EINTERRUPTED; IL_ENOMEM. progress may be NULL. il_index_close in all cases. */
il_status il_index_open(il_index *index, const char *results, il_progress *progress, il_error *err);
void il_index_close(il_index *index);

/* The result code of SQLite, as a status and a message. */
il_status il_index_fail(const il_index *index, int code, il_error *err);

/* Give every row that a statement yields to take, until that fails. text, which may be NULL, is the
 * statement's ?1. */
typedef il_status il_index_take(void *self, sqlite3_stmt *row, il_error *err);
il_status il_index_each(const il_index *index, const char *sql, const char *text,
                        il_index_take *take, void *self, il_error *err);

/* A text of a row, "" where it has none; borrowed until the next step. */
const char *il_index_text(sqlite3_stmt *row, int column);

#endif
