/*
 * index_row.c - members of a record that are numbers or texts, each under its path.
 */
#include "harness/results/index_row.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"

enum { PATH = 200, DEEP = 6 };

/* ---- statements ----------------------------------------------------------------------------- */

int il_index_writer_open(il_index_writer *w, sqlite3 *db) {
    *w = (il_index_writer){.db = db, .names = json_object()};
    if (w->names == NULL) {
        return SQLITE_NOMEM;
    }
    int code = sqlite3_prepare_v2(
        db,
        "INSERT INTO cases(name, size, mtime, ctime, ino, damaged, key, problem, scheme, projector,"
        " status, message, steps, h, horizon, seed, reference, script, script_sha256, date,"
        " seconds, host, version, build, revision)"
        " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        -1, &w->put_case, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_prepare_v2(db,
                                  "INSERT OR REPLACE INTO vals(pid, id, num, text) VALUES(?,?,?,?)",
                                  -1, &w->put_value, NULL);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO names(path) VALUES(?)", -1,
                                  &w->put_name, NULL);
    }
    if (code == SQLITE_OK) {
        code =
            sqlite3_prepare_v2(db, "SELECT pid FROM names WHERE path = ?", -1, &w->find_name, NULL);
    }
    return code;
}

void il_index_writer_free(il_index_writer *w) {
    (void)sqlite3_finalize(w->put_case);
    (void)sqlite3_finalize(w->put_value);
    (void)sqlite3_finalize(w->put_name);
    (void)sqlite3_finalize(w->find_name);
    json_decref(w->names);
    *w = (il_index_writer){.db = NULL};
}

/* Run a statement that returns no row. */
static int run(sqlite3_stmt *s) {
    int code = sqlite3_step(s);
    int reset = sqlite3_reset(s);
    return code == SQLITE_DONE ? reset : reset != SQLITE_OK ? reset : code;
}

/* The number of a path. */
static int find_path(il_index_writer *w, const char *path, sqlite3_int64 *pid) {
    const json_t *known = json_object_get(w->names, path);
    *pid = json_integer_value(known);
    if (known != NULL) {
        return SQLITE_OK;
    }
    int code = sqlite3_bind_text(w->put_name, 1, path, -1, SQLITE_STATIC);
    code = code == SQLITE_OK ? run(w->put_name) : code;
    code = code == SQLITE_OK ? sqlite3_bind_text(w->find_name, 1, path, -1, SQLITE_STATIC) : code;
    if (code != SQLITE_OK) {
        return code;
    }
    code = sqlite3_step(w->find_name);
    *pid = code == SQLITE_ROW ? sqlite3_column_int64(w->find_name, 0) : 0;
    (void)sqlite3_reset(w->find_name);
    if (code != SQLITE_ROW) {
        return code == SQLITE_DONE ? SQLITE_CORRUPT : code;
    }
    il_json made = {false};
    il_json_set(&made, w->names, path, json_integer(*pid));
    return made.failed ? SQLITE_NOMEM : SQLITE_OK;
}

/* ---- values --------------------------------------------------------------------------------- */

/* A number or a text at path. */
static int put_value(il_index_writer *w, sqlite3_int64 id, const char *path, const json_t *value,
                     const char *text) {
    sqlite3_int64 pid = 0;
    int code = find_path(w, path, &pid);
    if (code != SQLITE_OK) {
        return code;
    }
    (void)sqlite3_bind_int64(w->put_value, 1, pid);
    (void)sqlite3_bind_int64(w->put_value, 2, id);
    (void)sqlite3_bind_null(w->put_value, 3);
    (void)sqlite3_bind_null(w->put_value, 4);
    code = json_is_number(value) ? sqlite3_bind_double(w->put_value, 3, json_number_value(value))
                                 : sqlite3_bind_text(w->put_value, 4, text, -1, SQLITE_TRANSIENT);
    return code == SQLITE_OK ? run(w->put_value) : code;
}

/* A vector as it is written for --set. */
static int put_vector(il_index_writer *w, sqlite3_int64 id, const char *path, const json_t *value) {
    size_t k = 0;
    const json_t *item = NULL;
    size_t room = 32 * json_array_size(value) + 1;
    char *text = calloc(room, 1);
    size_t n = 0;
    if (text == NULL) {
        return SQLITE_NOMEM;
    }
    json_array_foreach(value, k, item) {
        n += (size_t)snprintf(text + n, room - n, "%s%.17g", k > 0 ? "," : "",
                              json_number_value(item));
    }
    int code = put_value(w, id, path, NULL, text);
    free(text);
    return code;
}

static int put_members(il_index_writer *w, sqlite3_int64 id, const char *prefix,
                       const json_t *object, int depth);

static int put_member(il_index_writer *w, sqlite3_int64 id, const char *path, const json_t *value,
                      int depth) {
    if (json_is_number(value)) {
        return put_value(w, id, path, value, NULL);
    }
    if (json_is_string(value)) {
        return put_value(w, id, path, NULL, json_string_value(value));
    }
    if (json_is_array(value) && strncmp(path, "parameters.", 11) == 0) {
        return put_vector(w, id, path, value);
    }
    return json_is_object(value) && depth < DEEP ? put_members(w, id, path, value, depth + 1)
                                                 : SQLITE_OK;
}

/* Those that columns have, and what would be too much. */
static bool is_left_out(const char *key, int depth) {
    static const char *const top[] = {"problem", "scheme",  "projector", "status",     "message",
                                      "steps",   "h",       "horizon",   "seed",       "version",
                                      "build",   "samples", "final",     "provenance", "series"};
    for (size_t k = 0; depth == 0 && k < sizeof top / sizeof top[0]; k++) {
        if (strcmp(key, top[k]) == 0) {
            return true;
        }
    }
    return depth == 1 && strcmp(key, "distances") == 0;
}

static int put_members(il_index_writer *w, sqlite3_int64 id, const char *prefix,
                       const json_t *object, int depth) {
    const char *key = NULL;
    json_t *value = NULL;
    int code = SQLITE_OK;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        char path[PATH];
        int n = snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", key);
        if (code == SQLITE_OK && n < PATH && !is_left_out(key, depth)) {
            code = put_member(w, id, path, value, depth);
        }
    }
    return code;
}

/* ---- the case ------------------------------------------------------------------------------- */

static int bind_text(sqlite3_stmt *s, int at, const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT)
                        : sqlite3_bind_null(s, at);
}

static int bind_number(sqlite3_stmt *s, int at, const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (json_is_integer(value)) {
        return sqlite3_bind_int64(s, at, json_integer_value(value));
    }
    return json_is_real(value) ? sqlite3_bind_double(s, at, json_real_value(value))
                               : sqlite3_bind_null(s, at);
}

/* Columns 7 to 25 of put_case. */
static int bind_case(sqlite3_stmt *s, const json_t *object, const json_t *key) {
    const json_t *record = json_object_get(object, "record");
    const json_t *provenance = json_object_get(record, "provenance");
    const struct {
        const json_t *from;
        const char *key;
        bool text;
    } columns[] = {{object, "key", true},
                   {record, "problem", true},
                   {record, "scheme", true},
                   {record, "projector", true},
                   {record, "status", true},
                   {record, "message", true},
                   {record, "steps", false},
                   {record, "h", false},
                   {record, "horizon", false},
                   {record, "seed", false},
                   {key, "reference", true},
                   {provenance, "script", true},
                   {provenance, "script_sha256", true},
                   {provenance, "date", true},
                   {provenance, "seconds", false},
                   {provenance, "host", true},
                   {provenance, "version", true},
                   {key, "build", true},
                   {provenance, "revision", true}};
    int code = SQLITE_OK;
    for (size_t k = 0; k < sizeof columns / sizeof columns[0] && code == SQLITE_OK; k++) {
        code = (columns[k].text ? bind_text : bind_number)(s, 7 + (int)k, columns[k].from,
                                                           columns[k].key);
    }
    return code;
}

int il_index_put(il_index_writer *w, const il_index_file *file, const json_t *object,
                 const char *damaged) {
    sqlite3_stmt *s = w->put_case;
    il_error why = {IL_OK, ""};
    json_t *key = NULL;
    const char *text = json_string_value(json_object_get(object, "key"));
    if (text != NULL && il_json_parse(text, &key, &why) == IL_ENOMEM) {
        return SQLITE_NOMEM;
    }
    (void)sqlite3_clear_bindings(s);
    (void)sqlite3_bind_text(s, 1, file->name, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(s, 2, file->size);
    (void)sqlite3_bind_int64(s, 3, file->mtime);
    (void)sqlite3_bind_int64(s, 4, file->ctime);
    (void)sqlite3_bind_int64(s, 5, file->ino);
    int code = damaged != NULL ? sqlite3_bind_text(s, 6, damaged, -1, SQLITE_TRANSIENT)
                               : bind_case(s, object, key);
    code = code == SQLITE_OK ? run(s) : code;
    sqlite3_int64 id = sqlite3_last_insert_rowid(w->db);
    const json_t *record = json_object_get(object, "record");
    if (code == SQLITE_OK && damaged == NULL) {
        code = put_members(w, id, "", record, 0);
    }
    if (code == SQLITE_OK && damaged == NULL && json_object_get(record, "parameters") == NULL) {
        code = put_members(w, id, "parameters", json_object_get(key, "parameters"), 1);
    }
    json_decref(key);
    return code;
}
