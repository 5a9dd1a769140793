/*
 * row.c - a case as a row of the index: the columns that every case has, and each other number or
 * text of its record under its path.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/results/index.h"

enum { PATH = 200, DEEP = 6 };

/* The index's statements, put[]. */
enum { GONE, CASE, RECORD, NAME };

/* In the order of the table `cases` (index.c). */
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
enum { COLUMNS = sizeof columns / sizeof columns[0] };

const il_index_fixed *il_index_fixed_at(size_t k) {
    return k < COLUMNS ? &columns[k] : NULL;
}

static bool is_fixed(const char *name) {
    size_t k = 0;
    while (k < COLUMNS && strcmp(columns[k].name, name) != 0) {
        k++;
    }
    return k < COLUMNS;
}

/* The members of a row, as they are read. */
typedef struct {
    il_index *index;
    json_t *record;
    int code;
} writer;

/* ---- members -------------------------------------------------------------------------------- */

/* The path among the names. */
static void note_name(writer *w, const char *path, bool text) {
    sqlite3_stmt *name = w->index->put[NAME];
    const json_t *known = json_object_get(w->index->seen, path);
    if (w->code == SQLITE_OK && (known == NULL || (text && !json_is_true(known)))) {
        (void)sqlite3_bind_text(name, 1, path, -1, SQLITE_STATIC);
        (void)sqlite3_bind_int(name, 2, text);
        w->code = il_index_step(name);
        il_json_set(w->index->seen, path, json_boolean(text));
    }
}

/* A vector as it is written for --set. */
static json_t *vector_text(const json_t *value) {
    size_t k = 0;
    const json_t *item = NULL;
    size_t room = 32 * json_array_size(value) + 1;
    char *text = il_alloc_zero(room, 1);
    size_t n = 0;
    json_array_foreach(value, k, item) {
        n += (size_t)snprintf(text + n, room - n, "%s%.17g", k > 0 ? "," : "",
                              json_number_value(item));
    }
    json_t *out = json_string(text);
    free(text);
    return out;
}

/* Columns that every case has, what would be too much, and what no path of SQLite's spells. */
static bool is_left_out(const char *key, int depth) {
    bool top = strcmp(key, "final") == 0 || strcmp(key, "provenance") == 0;
    return strpbrk(key, "\"\\") != NULL ||
           (depth == 0 ? top || is_fixed(key) : depth == 1 && strcmp(key, "distances") == 0);
}

static void put_members(writer *w, const char *prefix, const json_t *object, int depth) {
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        char path[PATH];
        int n = snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", key);
        bool vector = json_is_array(value) && strncmp(path, "parameters.", 11) == 0;
        if (n >= PATH || is_left_out(key, depth)) {
            continue;
        }
        if (json_is_number(value) || json_is_string(value) || vector) {
            note_name(w, path, !json_is_number(value));
            il_json_set(w->record, path, vector ? vector_text(value) : json_incref(value));
        } else if (json_is_object(value) && depth < DEEP) {
            put_members(w, path, value, depth + 1);
        }
    }
}

/* All of them as text. */
static char *make_record(writer *w, const json_t *key, const json_t *record) {
    w->record = json_object();
    put_members(w, "", record, 0);
    if (json_object_get(record, "parameters") == NULL) {
        put_members(w, "parameters", json_object_get(key, "parameters"), 1);
    }
    char *out = il_json_text(w->record);
    json_decref(w->record);
    return out;
}

/* ---- cases ---------------------------------------------------------------------------------- */

/* The clock of a file system has ticks of some milliseconds: a file that was written just now could
 * be written again with the same times. It is read again the next time. */
static long long young_since(void) {
    static const long long tick = 50000000;
    return il_date_now_ns() - tick;
}

/* The columns behind key; nothing for what is of another kind. */
static void bind_columns(sqlite3_stmt *s, int at, const json_t *key, const json_t *record) {
    const json_t *const from[] = {[IL_FROM_KEY] = key,
                                  [IL_FROM_RECORD] = record,
                                  [IL_FROM_PROVENANCE] = json_object_get(record, "provenance")};
    for (size_t k = 1; k < COLUMNS; k++, at++) {
        const json_t *value = json_object_get(from[columns[k].from], columns[k].name);
        bool number = columns[k].kind == IL_INDEX_NUMBER;
        if (json_is_integer(value) && number) {
            (void)sqlite3_bind_int64(s, at, json_integer_value(value));
        } else if (json_is_real(value) && number) {
            (void)sqlite3_bind_double(s, at, json_real_value(value));
        } else {
            (void)sqlite3_bind_text(s, at, number ? NULL : json_string_value(value), -1,
                                    SQLITE_TRANSIENT);
        }
    }
}

/* The statements are prepared with the first case, for all. */
static int prepare(il_index *index) {
    static const char *const sql[IL_INDEX_PUTS] = {
        [GONE] = "DELETE FROM cases WHERE key = ?",
        [CASE] = "INSERT INTO cases SELECT NULL, key, size, mtime, iif(ctime > ?2, 0, ctime), ino, "
                 "?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21 FROM "
                 "there WHERE key = ?1",
        [RECORD] = "INSERT INTO records VALUES(last_insert_rowid(), ?, ?)",
        [NAME] = "INSERT INTO names VALUES(?,?) ON CONFLICT(path) DO UPDATE SET texts = "
                 "max(texts, excluded.texts)"};
    int code = SQLITE_OK;
    index->seen = index->seen != NULL ? index->seen : json_object();
    for (size_t k = 0; k < IL_INDEX_PUTS && code == SQLITE_OK; k++) {
        code = index->put[k] == NULL
                   ? sqlite3_prepare_v2(index->db, sql[k], -1, &index->put[k], NULL)
                   : SQLITE_OK;
    }
    return code;
}

il_status il_index_put(il_index *index, const char *name, const json_t *object, const char *damaged,
                       il_error *err) {
    writer w = {.index = index, .code = prepare(index)};
    json_t *key = NULL;
    const json_t *record = json_object_get(object, "record");
    const char *text = json_string_value(json_object_get(object, "key"));
    if (text != NULL) {
        (void)il_json_parse(text, &key, NULL);
    }
    char *members = w.code == SQLITE_OK && object != NULL ? make_record(&w, key, record) : NULL;
    if (w.code == SQLITE_OK) {
        (void)sqlite3_bind_text(index->put[GONE], 1, name, -1, SQLITE_STATIC);
        w.code = il_index_step(index->put[GONE]);
    }
    if (w.code == SQLITE_OK) {
        sqlite3_stmt *s = index->put[CASE];
        (void)sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
        (void)sqlite3_bind_int64(s, 2, young_since());
        (void)sqlite3_bind_text(s, 3, damaged, -1, SQLITE_STATIC);
        bind_columns(s, 4, key, record);
        w.code = il_index_step(s);
    }
    if (w.code == SQLITE_OK) {
        (void)sqlite3_bind_text(index->put[RECORD], 1, members, -1, SQLITE_STATIC);
        (void)sqlite3_bind_text(index->put[RECORD], 2, text, -1, SQLITE_STATIC);
        w.code = il_index_step(index->put[RECORD]);
    }
    free(members);
    json_decref(key);
    return il_index_fail(index, w.code, err);
}
