/*
 * index_row.c - a record as a row: each number or text in a column of its own.
 */
#include "harness/results/index_row.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"

/* SQLite has room for 2000 columns. */
enum { PATH = 200, DEEP = 6, COLUMNS_MAX = 1900 };

static const il_index_fixed columns[] = {{"key", IL_INDEX_BEGINNING, IL_FROM_FILE},
                                         {"problem", IL_INDEX_TEXT, IL_FROM_RECORD},
                                         {"scheme", IL_INDEX_TEXT, IL_FROM_RECORD},
                                         {"projector", IL_INDEX_TEXT, IL_FROM_RECORD},
                                         {"steps", IL_INDEX_NUMBER, IL_FROM_RECORD},
                                         {"h", IL_INDEX_NUMBER, IL_FROM_RECORD},
                                         {"horizon", IL_INDEX_NUMBER, IL_FROM_RECORD},
                                         {"seed", IL_INDEX_NUMBER, IL_FROM_RECORD},
                                         {"reference", IL_INDEX_TEXT, IL_FROM_KEY},
                                         {"status", IL_INDEX_TEXT, IL_FROM_RECORD},
                                         {"message", IL_INDEX_TEXT, IL_FROM_RECORD},
                                         {"date", IL_INDEX_BEGINNING, IL_FROM_PROVENANCE},
                                         {"seconds", IL_INDEX_NUMBER, IL_FROM_PROVENANCE},
                                         {"script", IL_INDEX_TEXT, IL_FROM_PROVENANCE},
                                         {"script_sha256", IL_INDEX_BEGINNING, IL_FROM_PROVENANCE},
                                         {"host", IL_INDEX_TEXT, IL_FROM_PROVENANCE},
                                         {"version", IL_INDEX_TEXT, IL_FROM_PROVENANCE},
                                         {"build", IL_INDEX_TEXT, IL_FROM_KEY},
                                         {"revision", IL_INDEX_BEGINNING, IL_FROM_PROVENANCE}};

const il_index_fixed *il_index_fixed_at(size_t k) {
    return k < sizeof columns / sizeof columns[0] ? &columns[k] : NULL;
}

const il_index_fixed *il_index_fixed_find(const char *name) {
    const il_index_fixed *c = NULL;
    for (size_t k = 0; (c = il_index_fixed_at(k)) != NULL && strcmp(c->name, name) != 0; k++) {
    }
    return c;
}

void il_index_writer_free(il_index_writer *w) {
    (void)sqlite3_finalize(w->put_case);
    (void)sqlite3_finalize(w->put_specification);
    *w = (il_index_writer){.db = NULL};
}

/* ---- a row as {COLUMN: VALUE, ...} ---------------------------------------------------------- */

typedef struct {
    il_index_writer *w;
    json_t *row;
    il_json made;
    int code;
} reading;

/* The column of a path, made where the table has none; NULL where there is no room. */
static const char *column_of(reading *r, const char *path) {
    char sql[64];
    char column[24];
    const char *known = json_string_value(json_object_get(r->w->paths, path));
    if (known != NULL || r->code != SQLITE_OK || json_object_size(r->w->paths) >= COLUMNS_MAX) {
        return known;
    }
    sqlite3_stmt *s = NULL;
    r->code = sqlite3_prepare_v2(r->w->db, "INSERT INTO names(path) VALUES(?)", -1, &s, NULL);
    if (r->code == SQLITE_OK) {
        (void)sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC);
        (void)sqlite3_step(s);
        r->code = sqlite3_finalize(s); /* says what step did */
    }
    if (r->code == SQLITE_OK) {
        (void)snprintf(column, sizeof column, "p%lld",
                       (long long)sqlite3_last_insert_rowid(r->w->db));
        (void)snprintf(sql, sizeof sql, "ALTER TABLE cases ADD COLUMN %s", column);
        r->code = sqlite3_exec(r->w->db, sql, NULL, NULL, NULL);
        il_json_put_text(&r->made, r->w->paths, path, column);
    }
    return json_string_value(json_object_get(r->w->paths, path));
}

static void put(reading *r, const char *path, json_t *value) {
    const char *column = column_of(r, path);
    if (column != NULL) {
        il_json_set(&r->made, r->row, column, value);
    } else {
        json_decref(value);
    }
}

/* A vector as it is written for --set. */
static void put_vector(reading *r, const char *path, const json_t *value) {
    size_t k = 0;
    const json_t *item = NULL;
    size_t room = 32 * json_array_size(value) + 1;
    char *text = calloc(room, 1);
    size_t n = 0;
    json_array_foreach(value, k, item) {
        n += text == NULL ? 0
                          : (size_t)snprintf(text + n, room - n, "%s%.17g", k > 0 ? "," : "",
                                             json_number_value(item));
    }
    put(r, path, text != NULL ? json_string(text) : NULL);
    free(text);
}

/* Those that every case has, and what would be too much. */
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

static void put_members(reading *r, const char *prefix, const json_t *object, int depth) {
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        char path[PATH];
        int n = snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", key);
        if (n >= PATH || is_left_out(key, depth)) {
            continue;
        }
        if (json_is_number(value) || json_is_string(value)) {
            put(r, path, json_incref(value));
        } else if (json_is_array(value) && strncmp(path, "parameters.", 11) == 0) {
            put_vector(r, path, value);
        } else if (json_is_object(value) && depth < DEEP) {
            put_members(r, path, value, depth + 1);
        }
    }
}

static void put_fixed(reading *r, const json_t *key, const json_t *record) {
    const json_t *const from[] = {[IL_FROM_KEY] = key,
                                  [IL_FROM_RECORD] = record,
                                  [IL_FROM_PROVENANCE] = json_object_get(record, "provenance")};
    for (size_t k = 0; il_index_fixed_at(k) != NULL; k++) {
        const il_index_fixed *c = il_index_fixed_at(k);
        json_t *value = c->from != IL_FROM_FILE ? json_object_get(from[c->from], c->name) : NULL;
        if (c->kind == IL_INDEX_NUMBER ? json_is_number(value) : json_is_string(value)) {
            il_json_set(&r->made, r->row, c->name, json_incref(value));
        }
    }
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Run a statement that returns no row. */
static int run(sqlite3_stmt *s) {
    (void)sqlite3_step(s);
    return sqlite3_reset(s); /* says what step did */
}

/* "INSERT ... INTO cases(COLUMN, ...) VALUES(?, ...)"; NULL without memory. */
static char *insert_text(sqlite3 *db, const json_t *row) {
    const char *column = NULL;
    json_t *value = NULL;
    int n = 0;
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendall(sql, "INSERT OR REPLACE INTO cases(");
    json_object_foreach((json_t *)(uintptr_t)row, column, value) {
        sqlite3_str_appendf(sql, "%s%s", n++ > 0 ? ", " : "", column);
    }
    sqlite3_str_appendall(sql, ") VALUES(?");
    for (; n > 1; n--) {
        sqlite3_str_appendall(sql, ", ?");
    }
    sqlite3_str_appendchar(sql, 1, ')');
    return sqlite3_str_finish(sql);
}

/* Cases of one kind have the same columns, and the statement of the last one. */
static int insert(il_index_writer *w, const json_t *row) {
    const char *column = NULL;
    json_t *value = NULL;
    int at = 0;
    int code = SQLITE_OK;
    char *sql = insert_text(w->db, row);
    if (sql == NULL) {
        return SQLITE_NOMEM;
    }
    if (w->put_case == NULL || strcmp(sqlite3_sql(w->put_case), sql) != 0) {
        (void)sqlite3_finalize(w->put_case);
        w->put_case = NULL;
        code = sqlite3_prepare_v2(w->db, sql, -1, &w->put_case, NULL);
    }
    sqlite3_free(sql);
    json_object_foreach((json_t *)(uintptr_t)row, column, value) {
        at++;
        if (code == SQLITE_OK) {
            code = json_is_integer(value)
                       ? sqlite3_bind_int64(w->put_case, at, json_integer_value(value))
                   : json_is_real(value)
                       ? sqlite3_bind_double(w->put_case, at, json_real_value(value))
                       : sqlite3_bind_text(w->put_case, at, json_string_value(value), -1,
                                           SQLITE_TRANSIENT);
        }
    }
    return code == SQLITE_OK ? run(w->put_case) : code;
}

static int put_specification(il_index_writer *w, const char *name, const char *text) {
    int code = SQLITE_OK;
    if (w->put_specification == NULL) {
        code = sqlite3_prepare_v2(w->db, "INSERT OR REPLACE INTO specifications VALUES(?, ?)", -1,
                                  &w->put_specification, NULL);
    }
    if (code == SQLITE_OK) {
        (void)sqlite3_bind_text(w->put_specification, 1, name, -1, SQLITE_TRANSIENT);
        (void)sqlite3_bind_text(w->put_specification, 2, text, -1, SQLITE_TRANSIENT);
        code = run(w->put_specification);
    }
    return code;
}

int il_index_put(il_index_writer *w, const il_index_file *file, const json_t *object,
                 const char *damaged) {
    reading r = {.w = w, .code = SQLITE_OK};
    il_error why = {IL_OK, ""};
    json_t *key = NULL;
    const char *text = json_string_value(json_object_get(object, "key"));
    const json_t *record = json_object_get(object, "record");
    if (text != NULL && il_json_parse(text, &key, &why) == IL_ENOMEM) {
        return SQLITE_NOMEM;
    }
    r.row = json_pack("{s:s, s:I, s:I, s:I, s:I}", "key", file->name, "size",
                      (json_int_t)file->size, "mtime", (json_int_t)file->mtime, "ctime",
                      (json_int_t)file->ctime, "ino", (json_int_t)file->ino);
    if (damaged != NULL) {
        il_json_put_text(&r.made, r.row, "damaged", damaged);
    } else {
        put_fixed(&r, key, record);
        put_members(&r, "", record, 0);
        if (json_object_get(record, "parameters") == NULL) {
            put_members(&r, "parameters", json_object_get(key, "parameters"), 1);
        }
    }
    int code = r.code != SQLITE_OK              ? r.code
               : r.row == NULL || r.made.failed ? SQLITE_NOMEM
                                                : insert(w, r.row);
    if (code == SQLITE_OK && text != NULL) {
        code = put_specification(w, file->name, text);
    }
    json_decref(r.row);
    json_decref(key);
    return code;
}
