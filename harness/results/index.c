/*
 * index.c - a database that follows the files.
 */
#include "harness/results/index.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/date.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/results/files.h"
#include "harness/results/index_row.h"

/* "impl" in ASCII, so that no other database is taken for ours; and the layout below. */
enum { APPLICATION = 0x696d706c, LAYOUT = 3, WAIT_MS = 2000 };

static const char SCHEMA[] =
    "CREATE TABLE cases(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER,"
    " mtime INTEGER, ctime INTEGER, ino INTEGER, damaged TEXT, key TEXT, problem TEXT, scheme TEXT,"
    " projector TEXT, status TEXT, message TEXT, steps INTEGER, h REAL, horizon REAL, seed INTEGER,"
    " reference TEXT, script TEXT, script_sha256 TEXT, date TEXT, seconds REAL, host TEXT,"
    " version TEXT, build TEXT, revision TEXT);"
    "CREATE TABLE names(pid INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);"
    "CREATE TABLE vals(pid INTEGER NOT NULL, id INTEGER NOT NULL, num REAL, text TEXT,"
    " PRIMARY KEY(pid, id)) WITHOUT ROWID;";

/* ---- SQLite --------------------------------------------------------------------------------- */

il_status il_index_fail(const il_index *index, int code, il_error *err) {
    switch (code & 0xff) {
    case SQLITE_OK:
        return IL_OK;
    case SQLITE_NOMEM:
        return il_fail(err, IL_ENOMEM, "no memory for the index");
    case SQLITE_INTERRUPT:
        return il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
    default:
        return il_fail(err, code == SQLITE_IOERR_NOMEM ? IL_ENOMEM : IL_EIO,
                       "the index of '%s': %s%s", index->results, sqlite3_errstr(code),
                       code == SQLITE_IOERR_NOMEM ? ", no memory" : "");
    }
}

static int stops(void *data) {
    (void)data;
    return il_interrupted();
}

static int pragma_number(sqlite3 *db, const char *sql, int *value) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(s);
        *value = code == SQLITE_ROW ? sqlite3_column_int(s, 0) : 0;
        code = code == SQLITE_ROW ? SQLITE_OK : code;
    }
    (void)sqlite3_finalize(s);
    return code;
}

static int make_tables(sqlite3 *db) {
    char pragmas[96];
    (void)snprintf(pragmas, sizeof pragmas, "PRAGMA application_id=%d; PRAGMA user_version=%d;",
                   APPLICATION, LAYOUT);
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    code = code == SQLITE_OK ? sqlite3_exec(db, SCHEMA, NULL, NULL, NULL) : code;
    code = code == SQLITE_OK ? sqlite3_exec(db, pragmas, NULL, NULL, NULL) : code;
    return code == SQLITE_OK ? sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) : code;
}

/* Ours and of this layout: SQLITE_OK; nothing in it: made; SQLITE_NOTADB else. */
static int judge(sqlite3 *db, bool *newer) {
    int application = 0;
    int layout = 0;
    int tables = 0;
    int code = pragma_number(db, "PRAGMA application_id", &application);
    code = code == SQLITE_OK ? pragma_number(db, "PRAGMA user_version", &layout) : code;
    code =
        code == SQLITE_OK ? pragma_number(db, "SELECT count(*) FROM sqlite_master", &tables) : code;
    if (code != SQLITE_OK) {
        return code;
    }
    *newer = application == APPLICATION && layout > LAYOUT;
    if (application == 0 && tables == 0) {
        return make_tables(db);
    }
    return application == APPLICATION && layout == LAYOUT ? SQLITE_OK : SQLITE_NOTADB;
}

static int open_database(const char *path, sqlite3 **db, bool *newer) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW |
                SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE;
    *newer = false;
    int code = sqlite3_open_v2(path, db, flags, NULL);
    if (code == SQLITE_OK) {
        (void)sqlite3_busy_timeout(*db, WAIT_MS);
        sqlite3_progress_handler(*db, 100000, stops, NULL);
        code = judge(*db, newer);
    }
    if (code != SQLITE_OK) {
        (void)sqlite3_close(*db);
        *db = NULL;
    }
    return code;
}

/* ---- where it lies -------------------------------------------------------------------------- */

/* "RESULTS/index/HOST.sqlite" behind no link, its folder made; NULL where that cannot be. */
static char *path_of(const char *results) {
    char host[128] = "";
    char *path = NULL;
    char *whole = realpath(results, NULL); /* SQLITE_OPEN_NOFOLLOW looks at every part */
    bool there = whole != NULL && il_folder_make_inside(whole, "index", NULL) == IL_OK;
    (void)gethostname(host, sizeof host - 1);
    if (host[0] == '\0') {
        (void)snprintf(host, sizeof host, "here");
    }
    il_text_make_file_name(host);
    if (!there || asprintf(&path, "%s/index/%s.sqlite", whole, host) < 0) {
        path = NULL;
    }
    free(whole);
    return path;
}

static bool has_folder(const char *results) {
    char *path = NULL;
    if (asprintf(&path, "%s/index", results) < 0) {
        return true;
    }
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

static il_status open_in_memory(il_index *index, const char *why, il_error *err) {
    bool newer = false;
    char reason[sizeof index->note]; /* why may be the note */
    (void)snprintf(reason, sizeof reason, "%s", why);
    if (reason[0] != '\0') {
        (void)snprintf(index->note, sizeof index->note,
                       "the index is made in memory, for this once: %.400s", reason);
    }
    return il_index_fail(index, open_database(":memory:", &index->db, &newer), err);
}

/* What stands there is no index of ours, or damaged: out of the way. */
static void set_aside(il_index *index, const char *path, const char *why) {
    char *aside = NULL;
    if (asprintf(&aside, "%s.damaged", path) >= 0 && rename(path, aside) == 0) {
        (void)snprintf(index->note, sizeof index->note,
                       "the index '%.200s' could not be used (%.100s), was renamed to *.damaged "
                       "and made anew",
                       path, why);
    }
    free(aside);
}

static bool is_broken(int code) {
    return code == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT;
}

static il_status open_index(il_index *index, bool in_memory, il_error *err) {
    bool newer = false;
    char *path = in_memory ? NULL : path_of(index->results);
    if (path == NULL) {
        return open_in_memory(index, in_memory ? index->note : "no folder can be made for it", err);
    }
    int code = open_database(path, &index->db, &newer);
    if (is_broken(code) && !newer) {
        set_aside(index, path, sqlite3_errstr(code));
        code = open_database(path, &index->db, &newer);
    }
    free(path);
    if (code == SQLITE_OK || (code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM) {
        return il_index_fail(index, code, err);
    }
    return open_in_memory(
        index, newer ? "the one that is there is of a newer program" : sqlite3_errstr(code), err);
}

/* ---- following the files -------------------------------------------------------------------- */

typedef struct {
    il_index *index;
    const il_results_files *files;
    bool *fresh; /* [files->n] to be read */
    il_index_writer writer;
    il_progress *progress;
} update;

static bool same_file(sqlite3_stmt *row, const il_index_file *file) {
    return sqlite3_column_int64(row, 1) == file->size &&
           sqlite3_column_int64(row, 2) == file->mtime &&
           sqlite3_column_int64(row, 3) == file->ctime && sqlite3_column_int64(row, 4) == file->ino;
}

/* Both in the order of their names: rows whose file is gone or another go, files without a row are
 * to be read. */
static int compare(update *u, size_t *reads, json_t *gone) {
    sqlite3_stmt *row = NULL;
    size_t k = 0;
    int code = sqlite3_prepare_v2(
        u->index->db, "SELECT name, size, mtime, ctime, ino, id FROM cases ORDER BY name", -1, &row,
        NULL);
    il_json w = {false};
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        int order = -1;
        while (k < u->files->n && name != NULL &&
               (order = strcmp(u->files->list[k].name, name)) < 0) {
            u->fresh[k++] = true;
        }
        bool here = k < u->files->n && name != NULL && order == 0;
        bool same = here && same_file(row, &u->files->list[k]);
        if (here) {
            u->fresh[k++] = !same;
        }
        if (!same) {
            il_json_append(&w, gone, json_integer(sqlite3_column_int64(row, 5)));
        }
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(row);
    for (; k < u->files->n; k++) {
        u->fresh[k] = true;
    }
    for (size_t i = 0; i < u->files->n; i++) {
        *reads += u->fresh[i];
    }
    return w.failed ? SQLITE_NOMEM : code == SQLITE_DONE || code == SQLITE_OK ? SQLITE_OK : code;
}

static int drop_rows(il_index *index, const json_t *gone) {
    static const char *const sql[] = {"DELETE FROM vals WHERE id = ?",
                                      "DELETE FROM cases WHERE id = ?"};
    int code = SQLITE_OK;
    if (json_array_size(gone) > 0) { /* vals are in the order of their names */
        code = sqlite3_exec(index->db, "CREATE INDEX IF NOT EXISTS vals_id ON vals(id)", NULL, NULL,
                            NULL);
    }
    for (size_t i = 0; i < 2 && code == SQLITE_OK && json_array_size(gone) > 0; i++) {
        sqlite3_stmt *s = NULL;
        size_t k = 0;
        const json_t *id = NULL;
        code = sqlite3_prepare_v2(index->db, sql[i], -1, &s, NULL);
        json_array_foreach(gone, k, id) {
            if (code == SQLITE_OK) {
                (void)sqlite3_bind_int64(s, 1, json_integer_value(id));
                code = sqlite3_step(s);
                (void)sqlite3_reset(s);
                code = code == SQLITE_DONE ? SQLITE_OK : code;
            }
        }
        (void)sqlite3_finalize(s);
    }
    return code;
}

/* The clock of a file system has ticks of some milliseconds: a file that was written just now could
 * be written again with the same times. It is read again the next time. */
static bool is_young(const il_index_file *file) {
    static const long long tick = 50000000;
    return file->ctime > il_date_now_ns() - tick;
}

/* A file's rows. A file that went away meanwhile has none. */
static il_status read_one(update *u, const il_index_file *there, il_error *err) {
    il_index_file own = *there;
    il_index_file *file = &own;
    own.ctime = is_young(there) ? 0 : own.ctime;
    il_error why = {IL_OK, ""};
    json_t *object = NULL;
    il_status status = il_results_case_load(u->index->results, file->name, &object, &why);
    if (status != IL_OK && status != IL_EINVAL) {
        return il_fail(err, status, "%s", why.message);
    }
    if (object != NULL || status == IL_EINVAL) {
        int code = il_index_put(&u->writer, file, object, status == IL_EINVAL ? why.message : NULL);
        status = il_index_fail(u->index, code, err);
        u->index->read++;
    }
    json_decref(object);
    return status;
}

/* By the time since the first file was read: names were listed before. */
static void show_files(const update *u, size_t done, size_t reads, double began) {
    char what[64];
    double left = (il_progress_passed(u->progress) - began) * (double)(reads - done) / (double)done;
    (void)snprintf(what, sizeof what, "%zu of %zu files", done, reads);
    il_progress_show(u->progress, (double)done / (double)reads, left, what, NULL);
}

static il_status read_all(update *u, size_t reads, il_error *err) {
    il_status status = IL_OK;
    size_t done = 0;
    double began = u->progress != NULL ? il_progress_passed(u->progress) : 0.0;
    for (size_t k = 0; status == IL_OK && k < u->files->n; k++) {
        if (!u->fresh[k]) {
            continue;
        }
        status = read_one(u, &u->files->list[k], err);
        done++;
        if (status == IL_OK && il_interrupted()) {
            status = il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
        }
        if (u->progress != NULL && il_progress_due(u->progress)) {
            show_files(u, done, reads, began);
        }
    }
    return status;
}

static il_status write_changes(update *u, size_t reads, const json_t *gone, il_error *err) {
    il_index *index = u->index;
    int code = sqlite3_exec(index->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    code = code == SQLITE_OK ? drop_rows(index, gone) : code;
    code = code == SQLITE_OK ? il_index_writer_open(&u->writer, index->db) : code;
    il_status status = il_index_fail(index, code, err);
    status = status == IL_OK ? read_all(u, reads, err) : status;
    il_index_writer_free(&u->writer);
    if (status == IL_OK) {
        status = il_index_fail(index, sqlite3_exec(index->db, "COMMIT", NULL, NULL, NULL), err);
    }
    if (status != IL_OK) {
        (void)sqlite3_exec(index->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

static il_status follow(il_index *index, const il_results_files *files, il_progress *progress,
                        il_error *err) {
    update u = {.index = index, .files = files, .progress = progress};
    size_t reads = 0;
    json_t *gone = json_array();
    u.fresh = calloc(files->n + 1, sizeof *u.fresh);
    if (u.fresh == NULL || gone == NULL) {
        free(u.fresh);
        json_decref(gone);
        return il_fail(err, IL_ENOMEM, "no memory for the index");
    }
    il_status status = il_index_fail(index, compare(&u, &reads, gone), err);
    index->gone = json_array_size(gone);
    index->read = 0;
    if (status == IL_OK && (reads > 0 || index->gone > 0)) {
        status = write_changes(&u, reads, gone, err);
    }
    json_decref(gone);
    free(u.fresh);
    return status;
}

il_status il_index_open(il_index *index, const char *results, il_progress *progress,
                        il_error *err) {
    il_results_files files = {.list = NULL};
    il_error why = {IL_OK, ""};
    *index = (il_index){.results = strdup(results)};
    il_status status = index->results != NULL ? il_results_expect(results, err)
                                              : il_fail(err, IL_ENOMEM, "no memory for the index");
    status = status == IL_OK ? il_results_files_list(results, &files, err) : status;
    bool bare = files.n == 0 && !has_folder(results); /* somebody else's, perhaps */
    status = status == IL_OK ? open_index(index, bare, err) : status;
    if (status == IL_OK) {
        status = follow(index, &files, progress, &why);
        if (status == IL_EIO && index->note[0] == '\0') { /* a full disk; another who writes */
            (void)sqlite3_close(index->db);
            (void)snprintf(index->note, sizeof index->note, "%.400s", why.message);
            status = open_index(index, true, &why);
            status = status == IL_OK ? follow(index, &files, progress, &why) : status;
        }
        (void)(status != IL_OK ? il_fail(err, status, "%s", why.message) : IL_OK);
    }
    index->files = files.n;
    index->aside = files.aside;
    if (status == IL_OK) {
        int damaged = 0;
        status = il_index_fail(
            index,
            pragma_number(index->db, "SELECT count(*) FROM cases WHERE damaged NOTNULL", &damaged),
            err);
        index->damaged = (size_t)damaged;
    }
    il_results_files_free(&files);
    return status;
}

void il_index_close(il_index *index) {
    (void)sqlite3_close(index->db);
    free(index->results);
    index->db = NULL; /* what was counted stays */
    index->results = NULL;
}
