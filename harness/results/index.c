/*
 * index.c - an SQLite database that is kept up to date with the case files.
 */
#include "harness/results/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/date.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/results/files.h"
#include "harness/results/index_row.h"

/* "impl" in ASCII, so that no other database is taken for ours; and the layout below. */
enum { APPLICATION = 0x696d706c, LAYOUT = 4, WAIT_MS = 2000 };

static const char SCHEMA[] =
    "CREATE TABLE IF NOT EXISTS names(pid INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);"
    "CREATE TABLE IF NOT EXISTS specifications(key TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS cases(id INTEGER PRIMARY KEY, size, mtime, ctime, ino, damaged";

/* ---- SQLite --------------------------------------------------------------------------------- */

static bool is_memory(int code) {
    return (code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM;
}

il_status il_index_fail(const il_index *index, int code, il_error *err) {
    return code == SQLITE_OK ? IL_OK
           : is_memory(code) ? il_fail(err, IL_ENOMEM, "no memory for the index")
           : (code & 0xff) == SQLITE_INTERRUPT
               ? il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason())
               : il_fail(err, IL_EIO, "the index of '%s': %s", index->results,
                         sqlite3_errstr(code));
}

static int stops(void *data) {
    (void)data;
    return il_interrupted();
}

const char *il_index_text(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text != NULL ? text : "";
}

il_status il_index_each(const il_index *index, const char *sql, const char *text,
                        il_index_take *take, void *self, il_error *err) {
    sqlite3_stmt *s = NULL;
    il_status status = IL_OK;
    int code = sqlite3_prepare_v2(index->db, sql, -1, &s, NULL);
    if (code == SQLITE_OK && text != NULL) {
        code = sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
    }
    while (code == SQLITE_OK && status == IL_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        status = take(self, s, err);
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(s);
    return status == IL_OK && code != SQLITE_DONE ? il_index_fail(index, code, err) : status;
}

static int number_of(sqlite3 *db, const char *sql, int *value) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    *value = 0;
    if (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        *value = sqlite3_column_int(s, 0);
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(s);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int make_tables(sqlite3 *db) {
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendall(sql, "BEGIN IMMEDIATE;");
    sqlite3_str_appendall(sql, SCHEMA);
    for (size_t k = 0; il_index_fixed_at(k) != NULL; k++) {
        sqlite3_str_appendf(sql, ", %s%s", il_index_fixed_at(k)->name, k == 0 ? " UNIQUE" : "");
    }
    sqlite3_str_appendf(sql, "); PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT",
                        APPLICATION, LAYOUT);
    char *text = sqlite3_str_finish(sql);
    int code = text != NULL ? sqlite3_exec(db, text, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(text);
    return code;
}

/* SQLITE_NOTADB for what is not ours, or of another layout, which is *ours. */
static int judge(sqlite3 *db, bool *ours) {
    int application = 0;
    int layout = 0;
    int tables = 0;
    int code = number_of(db, "PRAGMA application_id", &application);
    code = code == SQLITE_OK ? number_of(db, "PRAGMA user_version", &layout) : code;
    code = code == SQLITE_OK ? number_of(db, "SELECT count(*) FROM sqlite_master", &tables) : code;
    *ours = application == APPLICATION;
    if (code != SQLITE_OK) {
        return code;
    }
    return application == 0 && tables == 0 ? make_tables(db)
           : *ours && layout == LAYOUT     ? SQLITE_OK
                                           : SQLITE_NOTADB;
}

static int open_database(const char *path, sqlite3 **db, bool *ours) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW |
                SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE;
    *ours = false;
    int code = sqlite3_open_v2(path, db, flags, NULL);
    if (code == SQLITE_OK) {
        (void)sqlite3_busy_timeout(*db, WAIT_MS);
        sqlite3_progress_handler(*db, 100000, stops, NULL);
        code = judge(*db, ours);
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

/* Remove an unusable index, with SQLite's journal of it; a file that is not ours is left alone. */
static void remove_index(il_index *index, const char *path, bool ours) {
    char *beside = NULL;
    if (asprintf(&beside, "%s-journal", path) >= 0) {
        (void)unlink(beside);
        free(beside);
    }
    if (ours) {
        (void)unlink(path);
    } else if (asprintf(&beside, "%s.damaged", path) >= 0) {
        if (rename(path, beside) == 0) {
            (void)snprintf(index->note, sizeof index->note,
                           "the index '%.200s' could not be used, was renamed to *.damaged and "
                           "made anew",
                           path);
        }
        free(beside);
    }
}

static int open_in_memory(il_index *index, const char *why) {
    bool ours = false;
    (void)sqlite3_close(index->db);
    if (why != NULL) {
        (void)snprintf(index->note, sizeof index->note,
                       "the index is made in memory, for this once: %.400s", why);
    }
    return open_database(":memory:", &index->db, &ours);
}

static int open_index(il_index *index) {
    bool ours = false;
    char *path = path_of(index->results);
    if (path == NULL) {
        return open_in_memory(index, "no folder can be made for it");
    }
    int code = open_database(path, &index->db, &ours);
    if (code == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT) {
        remove_index(index, path, ours);
        code = open_database(path, &index->db, &ours);
    }
    free(path);
    return code == SQLITE_OK || is_memory(code) ? code
                                                : open_in_memory(index, sqlite3_errstr(code));
}

/* ---- following the files -------------------------------------------------------------------- */

typedef struct {
    il_index *index;
    const il_results_files *files;
    size_t at;    /* file that is compared next */
    bool *fresh;  /* [files->n] to be read */
    json_t *gone; /* keys */
    il_json made;
    il_index_writer writer;
    il_progress *progress;
} update;

static bool same_file(sqlite3_stmt *row, const il_index_file *file) {
    return sqlite3_column_int64(row, 1) == file->size &&
           sqlite3_column_int64(row, 2) == file->mtime &&
           sqlite3_column_int64(row, 3) == file->ctime && sqlite3_column_int64(row, 4) == file->ino;
}

/* Rows and files are both in the order of their names: rows without a file go, files without a row
 * or with another are read. */
static il_status compare_row(void *self, sqlite3_stmt *row, il_error *err) {
    update *u = self;
    const char *name = il_index_text(row, 0);
    int order = -1;
    (void)err;
    while (u->at < u->files->n && (order = strcmp(u->files->list[u->at].name, name)) < 0) {
        u->fresh[u->at++] = true;
    }
    if (u->at < u->files->n && order == 0) {
        u->fresh[u->at] = !same_file(row, &u->files->list[u->at]);
        u->at++;
    } else {
        il_json_append(&u->made, u->gone, json_string(name));
    }
    return IL_OK;
}

static int drop_rows(const il_index *index, const json_t *gone) {
    static const char *const sql[] = {"DELETE FROM specifications WHERE key = ?",
                                      "DELETE FROM cases WHERE key = ?"};
    int code = SQLITE_OK;
    for (size_t i = 0; i < 2 && code == SQLITE_OK && json_array_size(gone) > 0; i++) {
        sqlite3_stmt *s = NULL;
        code = sqlite3_prepare_v2(index->db, sql[i], -1, &s, NULL);
        for (size_t k = 0; code == SQLITE_OK && k < json_array_size(gone); k++) {
            const char *name = json_string_value(json_array_get(gone, k));
            (void)sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
            (void)sqlite3_step(s);
            code = sqlite3_reset(s);
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

/* A file's row. A file that went away meanwhile has none. */
static il_status read_one(update *u, il_index_file file, il_error *err) {
    il_error why = {IL_OK, ""};
    json_t *object = NULL;
    file.ctime = is_young(&file) ? 0 : file.ctime;
    il_status status = il_results_case_load(u->index->results, file.name, &object, &why);
    if (status != IL_OK && status != IL_EINVAL) {
        return il_fail(err, status, "%s", why.message);
    }
    if (object != NULL || status == IL_EINVAL) {
        int code =
            il_index_put(&u->writer, &file, object, status == IL_EINVAL ? why.message : NULL);
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
        status = read_one(u, u->files->list[k], err);
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

static il_status take_path(void *self, sqlite3_stmt *row, il_error *err) {
    il_json w = {false};
    char column[24];
    (void)snprintf(column, sizeof column, "p%lld", (long long)sqlite3_column_int64(row, 0));
    il_json_put_text(&w, self, il_index_text(row, 1), column);
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for the index") : IL_OK;
}

static il_status load_paths(il_index *index, il_error *err) {
    il_json w = {false};
    json_decref(index->paths);
    index->paths = json_object();
    for (size_t k = 0; il_index_fixed_at(k) != NULL; k++) {
        const char *name = il_index_fixed_at(k)->name;
        il_json_put_text(&w, index->paths, name, name);
    }
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for the index")
                    : il_index_each(index,
                                    "SELECT pid, path FROM names ORDER BY path NOT LIKE "
                                    "'parameters.%', path",
                                    NULL, take_path, index->paths, err);
}

static il_status write_changes(update *u, size_t reads, il_error *err) {
    il_index *index = u->index;
    int code = sqlite3_exec(index->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    code = code == SQLITE_OK ? drop_rows(index, u->gone) : code;
    il_status status = il_index_fail(index, code, err);
    status = status == IL_OK ? load_paths(index, err) : status;
    u->writer = (il_index_writer){.db = index->db, .paths = index->paths};
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
    update u = {.index = index, .files = files, .progress = progress, .gone = json_array()};
    size_t reads = 0;
    u.fresh = calloc(files->n + 1, sizeof *u.fresh);
    if (u.fresh == NULL || u.gone == NULL) {
        free(u.fresh);
        json_decref(u.gone);
        return il_fail(err, IL_ENOMEM, "no memory for the index");
    }
    il_status status =
        il_index_each(index, "SELECT key, size, mtime, ctime, ino FROM cases ORDER BY key", NULL,
                      compare_row, &u, err);
    for (size_t k = 0; status == IL_OK && k < files->n; k++) {
        u.fresh[k] = u.fresh[k] || k >= u.at;
        reads += u.fresh[k];
    }
    if (status == IL_OK && u.made.failed) {
        status = il_fail(err, IL_ENOMEM, "no memory for the index");
    }
    index->read = 0;
    if (status == IL_OK && (reads > 0 || json_array_size(u.gone) > 0)) {
        status = write_changes(&u, reads, err);
    }
    status = status == IL_OK ? load_paths(index, err) : status;
    json_decref(u.gone);
    free(u.fresh);
    return status;
}

il_status il_index_open(il_index *index, const char *results, il_progress *progress,
                        il_error *err) {
    il_results_files files = {.list = NULL};
    il_error why = {IL_OK, ""};
    int damaged = 0;
    *index = (il_index){.results = strdup(results)};
    il_status status = index->results != NULL ? il_results_expect(results, err)
                                              : il_fail(err, IL_ENOMEM, "no memory for the index");
    status = status == IL_OK ? il_results_files_list(results, &files, err) : status;
    if (status != IL_OK) {
        il_results_files_free(&files);
        return status;
    }
    /* a folder without cases may be no results folder, and nothing is made in it */
    int code = files.n > 0 ? open_index(index) : open_in_memory(index, NULL);
    status = il_index_fail(index, code, &why);
    status = status == IL_OK ? follow(index, &files, progress, &why) : status;
    if (status == IL_EIO) { /* a full disk; another program writes */
        code = open_in_memory(index, index->note[0] == '\0' ? why.message : NULL);
        status = il_index_fail(index, code, &why);
        status = status == IL_OK ? follow(index, &files, progress, &why) : status;
    }
    if (status == IL_OK) {
        code = number_of(index->db, "SELECT count(*) FROM cases WHERE damaged NOTNULL", &damaged);
        status = il_index_fail(index, code, &why);
    }
    index->files = files.n;
    index->aside = files.aside;
    index->damaged = (size_t)damaged;
    il_results_files_free(&files);
    return status == IL_OK ? IL_OK : il_fail(err, status, "%s", why.message);
}

void il_index_close(il_index *index) {
    (void)sqlite3_close(index->db);
    json_decref(index->paths);
    free(index->results);
    index->db = NULL; /* what was counted stays */
    index->paths = NULL;
    index->results = NULL;
}
