/*
 * index.h - what stored cases are, in an SQLite database that is made of their files at any time.
 *
 * RESULTS/index/HOST.sqlite belongs to one machine and is written by one program at a time; on a
 * folder that machines share, each has its own. It holds nothing that the files do not: every time
 * it is opened the files' sizes, times and numbers are compared with those that it was made of, and
 * what differs is read again; one that SQLite calls damaged is made anew. Where none can be written
 * (no room, no permission, another program writes) it is made in memory.
 *
 *     cases(id, name, size, mtime, ctime, ino, damaged, key, problem, scheme, projector, status,
 *           message, steps, h, horizon, seed, reference, script, script_sha256, date, seconds,
 *           host, version, build, revision)
 *     names(pid, path)            "parameters.alpha", "error.u_L1", ...
 *     vals(pid, id, num, text)    a number, or a text (a vector is "0.3,-0.2")
 *
 * of the record's members; arrays other than parameters are left out. A file that is damaged has a
 * row with the reason in `damaged` and nothing else.
 */
#ifndef IL_INDEX_H
#define IL_INDEX_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/progress.h"
#include "harness/base/status.h"
#include "harness/results/where.h"

typedef struct {
    sqlite3 *db;
    char *results;
    size_t files, read, gone;  /* case files there are; of these read now; rows that went */
    size_t damaged;            /* of files */
    size_t aside;              /* files that were set aside as damaged, which are no cases */
    char note[IL_MESSAGE_MAX]; /* what the user should know of the index itself, or "" */
} il_index;

/* Open the index of a results folder and bring it up to date. IL_EINVAL: there is no such folder;
 * IL_EUNSUPPORTED: a case of a newer format, with what to do; IL_EIO: files cannot be looked at;
 * IL_EINTERRUPTED; IL_ENOMEM. progress may be NULL. il_index_close in all cases. */
il_status il_index_open(il_index *index, const char *results, il_progress *progress, il_error *err);
void il_index_close(il_index *index);

/* The names of where.h: columns of a case, numbers and texts of its record, parameters without
 * "parameters." and errors without "error.". */
il_where_names il_index_names(il_index *index);

/* What SQLite came to, as a status and a message. */
il_status il_index_fail(const il_index *index, int code, il_error *err);

/* A statement, the caller's to finalise: head, the condition (NULL: every case), tail, which have
 * no question marks of their own. */
il_status il_index_select(const il_index *index, const char *head, const il_where *where,
                          const char *tail, sqlite3_stmt **out, il_error *err);

#endif
