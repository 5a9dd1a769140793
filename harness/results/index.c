/*
 * index.c - an SQLite database that is kept up to date with the case files.
 */
#include "harness/results/index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/io/file.h"

/* LAYOUT is that of the tables below. */
enum { LAYOUT = 7, WAIT_MS = 2000 };

static const char SCHEMA[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS cases(id INTEGER PRIMARY KEY, key TEXT UNIQUE, file_size, "
    "file_mtime, file_ctime, file_ino, damaged, problem, scheme, projector, steps, h, horizon, "
    "seed, "
    "reference, status, message, date, seconds, script, script_sha256, host, version, build, "
    "revision);"
    "CREATE TABLE IF NOT EXISTS records(id INTEGER PRIMARY KEY, record, specification);"
    "CREATE TRIGGER IF NOT EXISTS gone AFTER DELETE ON cases "
    "BEGIN DELETE FROM records WHERE id = old.id; END;"
    "CREATE TABLE IF NOT EXISTS names(path TEXT PRIMARY KEY, texts);"
    "PRAGMA user_version=%d; COMMIT";

/* ---- SQLite --------------------------------------------------------------------------------- */

static int stops(void *data) {
    (void)data;
    return il_interrupted();
}

static il_status run(const il_index *index, const char *sql, il_error *err) {
    return il_index_fail(index, sqlite3_exec(index->db, sql, NULL, NULL, NULL), err);
}

/* The number that a statement yields. */
static int number_of(sqlite3 *db, const char *sql, size_t *value) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    code = code == SQLITE_OK ? sqlite3_step(s) : code;
    *value = code == SQLITE_ROW ? (size_t)sqlite3_column_int64(s, 0) : 0;
    (void)sqlite3_finalize(s);
    return code == SQLITE_ROW ? SQLITE_OK : code;
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Make the tables of a new database. SQLITE_NOTADB for another layout than ours. */
static int make_tables(sqlite3 *db) {
    size_t layout = 0;
    size_t tables = 0;
    int code = number_of(db, "PRAGMA user_version", &layout);
    code = code == SQLITE_OK ? number_of(db, "SELECT count(*) FROM sqlite_master", &tables) : code;
    if (code != SQLITE_OK || layout == LAYOUT) {
        return code;
    }
    if (tables > 0) {
        return SQLITE_NOTADB;
    }
    char *sql = sqlite3_mprintf(SCHEMA, LAYOUT);
    code = sql != NULL ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return code;
}

static int open_database(il_index *index, const char *path) {
    static const char own[] = "PRAGMA temp_store=MEMORY; CREATE TEMP TABLE there(key TEXT PRIMARY "
                              "KEY, size, mtime, ctime, ino)";
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW |
                SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE;
    il_index_close(index);
    int code = sqlite3_open_v2(path, &index->db, flags, NULL);
    if (code == SQLITE_OK) {
        (void)sqlite3_busy_timeout(index->db, WAIT_MS);
        sqlite3_progress_handler(index->db, 100000, stops, NULL);
        code = make_tables(index->db);
    }
    return code == SQLITE_OK ? sqlite3_exec(index->db, own, NULL, NULL, NULL) : code;
}

/* "RESULTS/index/HOST.sqlite" behind no link, its folder made. */
static bool find_place(const char *results, char path[IL_STORE_PATH]) {
    char host[128] = "";
    char *whole = realpath(results, NULL); /* SQLITE_OPEN_NOFOLLOW looks at every part */
    bool there = whole != NULL && il_folder_make_inside(whole, "index", NULL) == IL_OK;
    (void)gethostname(host, sizeof host - 1);
    if (host[0] == '\0') {
        (void)snprintf(host, sizeof host, "here");
    }
    il_text_make_file_name(host);
    (void)snprintf(path, IL_STORE_PATH, "%s/index/%s.sqlite", there ? whole : "", host);
    free(whole);
    return there;
}

static il_status open_in_memory(il_index *index, const char *why, il_error *err) {
    if (why != NULL) {
        (void)snprintf(index->note, sizeof index->note,
                       "the index is made in memory, for this once: %.400s", why);
    }
    return il_index_fail(index, open_database(index, ":memory:"), err);
}

static bool is_whole(sqlite3 *db) {
    sqlite3_stmt *s = NULL;
    bool whole = sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &s, NULL) == SQLITE_OK &&
                 sqlite3_step(s) == SQLITE_ROW &&
                 strcmp((const char *)sqlite3_column_text(s, 0), "ok") == 0;
    (void)sqlite3_finalize(s);
    return whole;
}

/* In a folder without cases, which may be no results folder, nothing is made. Once more: one that
 * is damaged is made anew. */
static il_status open_index(il_index *index, bool anew, il_error *err) {
    char path[IL_STORE_PATH];
    char journal[IL_STORE_PATH + 16];
    (void)snprintf(path, sizeof path, "%s/cases", index->results);
    if (access(path, F_OK) != 0) {
        return open_in_memory(index, NULL, err);
    }
    if (!find_place(index->results, path)) {
        return open_in_memory(index, "no folder can be made for it", err);
    }
    int code = open_database(index, path);
    if (code == SQLITE_OK && anew && !is_whole(index->db)) {
        code = SQLITE_CORRUPT;
    }
    if (code == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT) {
        (void)snprintf(journal, sizeof journal, "%s-journal", path);
        (void)unlink(path);
        (void)unlink(journal);
        code = open_database(index, path);
    }
    return code == SQLITE_OK || (code & 0xff) == SQLITE_NOMEM
               ? il_index_fail(index, code, err)
               : open_in_memory(index, sqlite3_errstr(code), err);
}

/* ---- the files -------------------------------------------------------------------- */

static const char HEX[] = "0123456789abcdef";
enum { LETTERS = IL_STORE_NAME - 1 };

static long long nanoseconds(struct timespec t) {
    return (long long)t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Put the cases of one folder. A file that is still being written has another name. */
static il_status note_folder(il_index *index, sqlite3_stmt *put, DIR *dir, const char *folder,
                             il_error *err) {
    int code = SQLITE_OK;
    const struct dirent *item = NULL;
    while (code == SQLITE_OK && (item = readdir(dir)) != NULL) {
        struct stat info;
        const char *name = item->d_name;
        const char *end = name + strspn(name, HEX);
        if (end != name + LETTERS || strncmp(end, ".json", 5) != 0 ||
            fstatat(dirfd(dir), name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
            continue; /* no case, or gone since */
        }
        if (end[5] == '\0' && strncmp(name, folder, 2) == 0) {
            (void)sqlite3_bind_text(put, 1, name, LETTERS, SQLITE_STATIC);
            (void)sqlite3_bind_int64(put, 2, (long long)info.st_size);
            (void)sqlite3_bind_int64(put, 3, nanoseconds(info.st_mtim));
            (void)sqlite3_bind_int64(put, 4, nanoseconds(info.st_ctim));
            (void)sqlite3_bind_int64(put, 5, (long long)info.st_ino);
            code = il_index_step(put);
        }
        index->aside += strncmp(end, ".json.damaged", 13) == 0;
    }
    return il_index_fail(index, code, err);
}

/* The folder `name` of the folder `at`, not through a link; NULL, and errno, where it is not. */
static DIR *open_folder(int at, const char *name) {
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL && fd >= 0) {
        (void)close(fd);
    }
    return dir;
}

static il_status note_folders(il_index *index, sqlite3_stmt *put, int cases, il_error *err) {
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < 256; k++) {
        const char name[3] = {HEX[k / 16], HEX[k % 16], '\0'};
        DIR *dir = open_folder(cases, name);
        if (dir != NULL) {
            status = note_folder(index, put, dir, name, err);
            (void)closedir(dir);
        } else if (errno != ENOENT) {
            status = il_fail(err, il_status_of_errno(errno), "cannot read '%s/cases/%s': %s",
                             index->results, name, strerror(errno));
        }
        if (status == IL_OK && il_interrupted()) {
            status = il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
        }
    }
    return status;
}

/* Put each case's file into table `there`, and count those that were set aside as damaged. None
 * where there is no folder RESULTS/cases; links are not followed. */
static il_status note_files(il_index *index, il_error *err) {
    char path[IL_STORE_PATH];
    sqlite3_stmt *put = NULL;
    index->aside = 0;
    (void)snprintf(path, sizeof path, "%s/cases", index->results);
    DIR *cases = open_folder(AT_FDCWD, path);
    if (cases == NULL) {
        return errno == ENOENT ? IL_OK
                               : il_fail(err, il_status_of_errno(errno), "cannot read '%s': %s",
                                         path, strerror(errno));
    }
    int code = sqlite3_prepare_v2(index->db, "INSERT INTO there VALUES(?,?,?,?,?)", -1, &put, NULL);
    il_status status = code == SQLITE_OK ? note_folders(index, put, dirfd(cases), err)
                                         : il_index_fail(index, code, err);
    (void)sqlite3_finalize(put);
    (void)closedir(cases);
    return status;
}

/* ---- following them ------------------------------------------------------------------------ */

/* The rows of the file of a case; one that went away meanwhile has none. */
static il_status read_one(il_index *index, const char *name, il_error *err) {
    il_error why = {IL_OK, ""};
    json_t *object = NULL;
    il_status status = il_store_load(index->results, name, &object, &why);
    bool damaged = status == IL_EINVAL;
    if (damaged || object != NULL) {
        index->read++;
        status = il_index_put(index, name, object, damaged ? why.message : NULL, &why);
    }
    json_decref(object);
    if (status == IL_OK && il_interrupted()) {
        status = il_fail(&why, IL_EINTERRUPTED, "%s", il_interrupt_reason());
    }
    return status == IL_OK ? IL_OK : il_fail(err, status, "%s", why.message);
}

static void show_files(il_progress *progress, size_t done, size_t reads) {
    char what[64];
    (void)snprintf(what, sizeof what, "%zu of %zu files", done, reads);
    il_progress_show(progress, (double)done / (double)reads, what, NULL);
}

/* In one transaction, which is ended in all cases. */
static il_status read_files(il_index *index, const il_frame *files, il_progress *progress,
                            il_error *err) {
    il_status status = run(
        index, "BEGIN IMMEDIATE; DELETE FROM cases WHERE key NOT IN (SELECT key FROM there)", err);
    for (size_t k = 0; status == IL_OK && k < files->rows; k++) {
        status = read_one(index, files->cells[k].text, err);
        if (status == IL_OK && il_progress_due(progress)) {
            show_files(progress, k + 1, files->rows);
        }
    }
    status = status == IL_OK ? run(index, "COMMIT", err) : status;
    if (status != IL_OK) {
        (void)sqlite3_exec(index->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

static il_status follow(il_index *index, il_progress *progress, il_error *err) {
    il_frame files = {.rows = 0};
    size_t gone = 0;
    index->read = 0;
    il_status status = note_files(index, err);
    if (status == IL_OK) {
        status = il_index_ask(
            index,
            "SELECT key FROM there t WHERE NOT EXISTS (SELECT 1 FROM cases c WHERE c.key = t.key "
            "AND c.file_size = t.size AND c.file_mtime = t.mtime AND "
            "c.file_ctime = t.ctime AND c.file_ino = t.ino) ORDER BY key",
            NULL, &files, err);
    }
    if (status == IL_OK) {
        int code =
            number_of(index->db,
                      "SELECT count(*) FROM cases WHERE key NOT IN (SELECT key FROM there)", &gone);
        status = il_index_fail(index, code, err);
    }
    if (status == IL_OK && (gone > 0 || files.rows > 0)) {
        status = read_files(index, &files, progress, err);
    }
    il_frame_free(&files);
    return status;
}

/* Is there such a folder? */
static il_status expect_folder(const char *results, il_error *err) {
    struct stat info;
    if (stat(results, &info) != 0) {
        return il_fail(err, errno == ENOMEM ? IL_ENOMEM : IL_EINVAL,
                       "there is no results folder '%s' (%s); `impactlab sweep SCRIPT.lua "
                       "--results DIR` makes one, --results DIR names another",
                       results, strerror(errno));
    }
    return S_ISDIR(info.st_mode)
               ? IL_OK
               : il_fail(err, IL_EINVAL, "'%s' is no folder; --results DIR names another", results);
}

il_status il_index_open(il_index *index, const char *results, il_progress *progress,
                        il_error *err) {
    il_error why = {IL_OK, ""};
    il_progress none = {.out = NULL};
    progress = progress != NULL ? progress : &none;
    *index = (il_index){.results = results};
    il_status status = expect_folder(results, &why);
    for (int k = 0; k < 2 && (k == 0 || status == IL_EIO); k++) {
        status = k > 0 || status == IL_OK ? open_index(index, k > 0, &why) : status;
        status = status == IL_OK ? follow(index, progress, &why) : status;
    }
    if (status == IL_EIO) { /* a full disk; another program writes */
        status = open_in_memory(index, why.message, &why);
        status = status == IL_OK ? follow(index, progress, &why) : status;
    }
    if (status == IL_OK) {
        int code = number_of(index->db, "SELECT count(*) FROM there", &index->files);
        code = code == SQLITE_OK
                   ? number_of(index->db, "SELECT count(*) FROM cases WHERE damaged NOTNULL",
                               &index->damaged)
                   : code;
        status = il_index_fail(index, code, &why);
    }
    return status == IL_OK ? IL_OK : il_fail(err, status, "%s", why.message);
}

void il_index_close(il_index *index) {
    for (size_t k = 0; k < IL_INDEX_PUTS; k++) {
        (void)sqlite3_finalize(index->put[k]);
        index->put[k] = NULL;
    }
    (void)sqlite3_close(index->db);
    json_decref(index->seen);
    index->db = NULL; /* what was counted stays */
    index->seen = NULL;
}
