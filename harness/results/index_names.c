/*
 * index_names.c - what conditions may name, and statements that hold them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/results/index.h"
#include "harness/results/names.h"

static const il_results_column columns[] = {{"key", "name", IL_WHERE_BEGINNING},
                                            {"problem", "problem", IL_WHERE_TEXT},
                                            {"scheme", "scheme", IL_WHERE_TEXT},
                                            {"projector", "projector", IL_WHERE_TEXT},
                                            {"steps", "steps", IL_WHERE_NUMBER},
                                            {"h", "h", IL_WHERE_NUMBER},
                                            {"horizon", "horizon", IL_WHERE_NUMBER},
                                            {"seed", "seed", IL_WHERE_NUMBER},
                                            {"reference", "reference", IL_WHERE_TEXT},
                                            {"status", "status", IL_WHERE_TEXT},
                                            {"message", "message", IL_WHERE_TEXT},
                                            {"date", "date", IL_WHERE_BEGINNING},
                                            {"seconds", "seconds", IL_WHERE_NUMBER},
                                            {"script", "script", IL_WHERE_TEXT},
                                            {"script_sha256", "script_sha256", IL_WHERE_BEGINNING},
                                            {"host", "host", IL_WHERE_TEXT},
                                            {"version", "version", IL_WHERE_TEXT},
                                            {"build", "build", IL_WHERE_TEXT},
                                            {"revision", "revision", IL_WHERE_BEGINNING}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

const il_results_column *il_results_column_at(size_t k) {
    return k < COLUMNS ? &columns[k] : NULL;
}

/* The number of "PREFIXname", 0 if there is none. */
static int find_path(const il_index *index, const char *prefix, const char *name,
                     long long *number) {
    sqlite3_stmt *s = NULL;
    *number = 0;
    int code =
        sqlite3_prepare_v2(index->db, "SELECT pid FROM names WHERE path = ? || ?", -1, &s, NULL);
    code = code == SQLITE_OK ? sqlite3_bind_text(s, 1, prefix, -1, SQLITE_STATIC) : code;
    code = code == SQLITE_OK ? sqlite3_bind_text(s, 2, name, -1, SQLITE_STATIC) : code;
    if (code == SQLITE_OK) {
        code = sqlite3_step(s);
        *number = code == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
        code = code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
    }
    (void)sqlite3_finalize(s);
    return code;
}

/* Are all values of this number numbers? */
static int are_numbers(const il_index *index, long long number, bool *all) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(
        index->db, "SELECT 1 FROM vals WHERE pid = ? AND text NOTNULL LIMIT 1", -1, &s, NULL);
    code = code == SQLITE_OK ? sqlite3_bind_int64(s, 1, number) : code;
    if (code == SQLITE_OK) {
        code = sqlite3_step(s);
        *all = code == SQLITE_DONE;
        code = code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
    }
    (void)sqlite3_finalize(s);
    return code;
}

static const char *nearest_column(const char *name) {
    const char *list[COLUMNS];
    for (size_t k = 0; k < COLUMNS; k++) {
        list[k] = columns[k].name;
    }
    return il_text_nearest(name, list, COLUMNS);
}

static il_status find(void *self, const char *name, il_where_column *column, const char **near,
                      il_error *err) {
    static const char *const prefixes[] = {"", "parameters.", "error."};
    const il_index *index = self;
    for (size_t k = 0; k < COLUMNS; k++) {
        if (strcmp(columns[k].name, name) == 0) {
            *column = (il_where_column){.column = columns[k].column, .kind = columns[k].kind};
            return IL_OK;
        }
    }
    for (size_t k = 0; k < sizeof prefixes / sizeof prefixes[0]; k++) {
        long long number = 0;
        bool numbers = false;
        int code = find_path(index, prefixes[k], name, &number);
        if (code == SQLITE_OK && number > 0) {
            code = are_numbers(index, number, &numbers);
        }
        if (code != SQLITE_OK) {
            return il_index_fail(index, code, err);
        }
        if (number > 0) {
            *column = (il_where_column){.number = number,
                                        .kind = numbers ? IL_WHERE_NUMBER : IL_WHERE_EITHER};
            return IL_OK;
        }
    }
    *near = nearest_column(name);
    return IL_EINVAL;
}

il_where_names il_index_names(il_index *index) {
    return (il_where_names){.self = index, .find = find};
}

il_status il_index_select(const il_index *index, const char *head, const il_where *where,
                          const char *tail, sqlite3_stmt **out, il_error *err) {
    char *text = NULL;
    *out = NULL;
    if (asprintf(&text, "%s%s%s", head, where != NULL ? where->sql : "1", tail) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a question to the index");
    }
    int code = sqlite3_prepare_v2(index->db, text, -1, out, NULL);
    for (size_t k = 0; where != NULL && k < where->n && code == SQLITE_OK; k++) {
        const il_where_value *v = &where->values[k];
        code = v->text != NULL ? sqlite3_bind_text(*out, (int)k + 1, v->text, -1, SQLITE_TRANSIENT)
                               : sqlite3_bind_double(*out, (int)k + 1, v->number);
    }
    free(text);
    if (code != SQLITE_OK) {
        (void)sqlite3_finalize(*out);
        *out = NULL;
    }
    return il_index_fail(index, code, err);
}
