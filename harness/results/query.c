/*
 * query.c - chosen cases as columns; the names of all columns.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/results/results.h"

/* What a path of `names` n is called: a parameter as it is, unless another column is called so. */
#define LABEL                                                                                      \
    "CASE WHEN n.path LIKE 'parameters.%' AND NOT EXISTS(SELECT 1 FROM names b WHERE b.path = "    \
    "substr(n.path, 12)) AND substr(n.path, 12) NOT IN (SELECT name FROM "                         \
    "pragma_table_info('cases')) THEN substr(n.path, 12) ELSE n.path END"

/* Parameters first. */
#define IN_ORDER "ORDER BY n.path NOT LIKE 'parameters.%', n.path"

il_status il_results_column(const il_index *index, const char *where, const char *name,
                            char column[IL_INDEX_COLUMN], il_error *err) {
    const char *fixed[32];
    size_t n = 0;
    json_t *rows = NULL;
    for (; il_index_fixed_at(n) != NULL; n++) {
        fixed[n] = il_index_fixed_at(n)->name;
        if (strcmp(name, fixed[n]) == 0) {
            (void)snprintf(column, IL_INDEX_COLUMN, "%s", name);
            return IL_OK;
        }
    }
    il_status status = il_index_rows(index,
                                     "SELECT pid FROM names WHERE path IN (?1, 'parameters.' || "
                                     "?1, 'error.' || ?1) ORDER BY path <> ?1, path LIKE 'error.%'",
                                     name, &rows, err);
    const json_t *pid = json_object_get(json_array_get(rows, 0), "pid");
    if (status == IL_OK && pid == NULL) {
        const char *near = il_text_nearest(name, fixed, n);
        status = il_fail(err, IL_EINVAL,
                         "%s: no case has '%.100s'%s%.60s%s; `impactlab results list --names` says "
                         "what there is",
                         where, name, near != NULL ? "; did you mean '" : "",
                         near != NULL ? near : "", near != NULL ? "'" : "");
    }
    (void)snprintf(column, IL_INDEX_COLUMN,
                   "(SELECT value FROM members m WHERE m.id = cases.id AND m.pid = %lld)",
                   (long long)json_integer_value(pid));
    json_decref(rows);
    return status;
}

il_status il_results_choose_named(il_index *index, const json_t *names, json_t **missing,
                                  il_error *err) {
    char *text = il_json_text(names);
    *missing = NULL;
    if (text == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for names of cases");
    }
    il_status status = il_index_run(index, "DELETE FROM chosen", NULL, err);
    if (status == IL_OK) {
        status = il_index_run(index,
                              "INSERT INTO chosen(id) SELECT id FROM cases WHERE damaged ISNULL "
                              "AND key IN (SELECT value FROM json_each(?1)) ORDER BY date, key",
                              text, err);
        index->chosen = (size_t)sqlite3_changes(index->db);
    }
    if (status == IL_OK) {
        status = il_index_rows(index,
                               "SELECT value AS key FROM json_each(?1) WHERE value NOT IN (SELECT "
                               "key FROM cases WHERE damaged ISNULL)",
                               text, missing, err);
    }
    free(text);
    return status;
}

/* ---- columns -------------------------------------------------------------------------------- */

void il_columns_free(il_columns *columns) {
    for (size_t k = 0; k < columns->n; k++) {
        il_column *c = &columns->list[k];
        for (size_t i = 0; c->text != NULL && i < columns->rows; i++) {
            free(c->text[i]);
        }
        free(c->text);
        free(c->x);
        free(c->name);
    }
    free(columns->list);
    *columns = (il_columns){.rows = 0};
}

/* A column of numbers that meets a text becomes one of texts. */
static bool make_texts(il_column *c, size_t rows) {
    c->text = calloc(rows + 1, sizeof *c->text);
    bool good = c->text != NULL;
    for (size_t k = 0; good && k < rows; k++) {
        if (!isnan(c->x[k])) {
            good = asprintf(&c->text[k], "%.17g", c->x[k]) >= 0;
            c->text[k] = good ? c->text[k] : NULL;
        }
    }
    free(c->x);
    c->x = NULL;
    c->number = false;
    return good;
}

/* What a statement says of a row: a number, a text, or nothing. */
static bool take(il_column *c, size_t rows, size_t row, sqlite3_stmt *s) {
    int type = sqlite3_column_type(s, 0);
    if (type == SQLITE_TEXT && c->number && !make_texts(c, rows)) {
        return false;
    }
    if (type == SQLITE_NULL) {
        return true;
    }
    if (c->number) {
        c->x[row] = sqlite3_column_double(s, 0);
        return true;
    }
    if (type != SQLITE_TEXT) { /* as make_texts spells it */
        return asprintf(&c->text[row], "%.17g", sqlite3_column_double(s, 0)) >= 0;
    }
    c->text[row] = strdup((const char *)sqlite3_column_text(s, 0));
    return c->text[row] != NULL;
}

/* The column of the chosen cases behind those that there are. */
static il_status add_column(const il_index *index, const char *name, const char *column,
                            il_columns *out, il_error *err) {
    sqlite3_stmt *s = NULL;
    char sql[IL_INDEX_COLUMN + 128];
    const il_index_fixed *fixed = il_index_fixed_find(column);
    if (!il_memory_append(&out->list, out->n, sizeof *out->list)) {
        return il_index_fail(index, SQLITE_NOMEM, err);
    }
    il_column *c = &out->list[out->n++];
    *c = (il_column){
        .name = strdup(name), .number = true, .x = malloc((out->rows + 1) * sizeof *c->x)};
    for (size_t k = 0; c->x != NULL && k < out->rows; k++) {
        c->x[k] = NAN;
    }
    bool text = fixed != NULL && fixed->kind != IL_INDEX_NUMBER;
    bool good = c->name != NULL && c->x != NULL && (!text || make_texts(c, out->rows));
    (void)snprintf(sql, sizeof sql, "SELECT %s FROM chosen JOIN cases USING(id) ORDER BY place",
                   column);
    int code = good ? sqlite3_prepare_v2(index->db, sql, -1, &s, NULL) : SQLITE_NOMEM;
    for (size_t row = 0; code == SQLITE_OK && row < out->rows; row++) {
        code = sqlite3_step(s);
        code = code != SQLITE_ROW ? code : take(c, out->rows, row, s) ? SQLITE_OK : SQLITE_NOMEM;
    }
    (void)sqlite3_finalize(s);
    return il_index_fail(index, code, err);
}

/* What the chosen cases have: the columns of every case, parameters, and measures. */
static il_status add_all(const il_index *index, bool measures, il_columns *out, il_error *err) {
    json_t *rows = NULL;
    size_t k = 0;
    const json_t *row = NULL;
    il_status status = IL_OK;
    for (const il_index_fixed *f = NULL; status == IL_OK && (f = il_index_fixed_at(k)) != NULL;
         k++) {
        status = add_column(index, f->name, f->name, out, err);
    }
    if (status == IL_OK) {
        status = il_index_rows(
            index,
            "SELECT " LABEL " AS label, '(SELECT value FROM members m WHERE m.id = cases.id AND "
            "m.pid = ' || pid || ')' AS column, path LIKE 'parameters.%' AS parameter FROM names n "
            "WHERE pid IN (SELECT DISTINCT pid FROM members JOIN chosen USING(id)) " IN_ORDER,
            NULL, &rows, err);
    }
    json_array_foreach(rows, k, row) {
        bool wanted = measures || json_integer_value(json_object_get(row, "parameter")) != 0;
        if (status == IL_OK && wanted) {
            status = add_column(index, il_json_get_text(row, "label"),
                                il_json_get_text(row, "column"), out, err);
        }
    }
    json_decref(rows);
    return status;
}

il_status il_results_columns(const il_index *index, bool measures, const char *const *names,
                             size_t n, il_columns *out, il_error *err) {
    char column[IL_INDEX_COLUMN];
    il_status status = IL_OK;
    *out = (il_columns){.rows = index->chosen};
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = il_results_column(index, "--columns", names[k], column, err);
        status = status == IL_OK ? add_column(index, names[k], column, out, err) : status;
    }
    return n == 0 ? add_all(index, measures, out, err) : status;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Count, kind and range of the values of a column. */
#define RANGE(column)                                                                              \
    "iif(min(iif(typeof(" column ") <> 'text', " column ", NULL)) ISNULL, 'text', 'number') AS "   \
    "kind, count(" column ") AS cases, 1.0 * min(iif(typeof(" column ") <> 'text', " column        \
    ", NULL)) AS least, 1.0 * max(iif(typeof(" column ") <> 'text', " column ", NULL)) AS most"

/* Rows of a statement to the list. Texts have no range. */
static il_status add_names(const il_index *index, const char *sql, json_t *out, il_error *err) {
    json_t *rows = NULL;
    json_t *row = NULL;
    size_t k = 0;
    il_json w = {false};
    il_status status = il_index_rows(index, sql, NULL, &rows, err);
    json_array_foreach(rows, k, row) {
        if (json_is_null(json_object_get(row, "least"))) {
            (void)json_object_del(row, "least");
            (void)json_object_del(row, "most");
        }
        il_json_append(&w, out, json_incref(row));
    }
    json_decref(rows);
    return w.failed ? il_index_fail(index, SQLITE_NOMEM, err) : status;
}

il_status il_results_names(const il_index *index, json_t **out, il_error *err) {
    char sql[512];
    il_status status = IL_OK;
    *out = json_array();
    for (size_t k = 0; status == IL_OK && il_index_fixed_at(k) != NULL; k++) {
        const char *name = il_index_fixed_at(k)->name;
        (void)snprintf(sql, sizeof sql,
                       "SELECT '%s' AS name, " RANGE("value") " FROM (SELECT %s AS value FROM "
                                                              "cases)",
                       name, name);
        status = add_names(index, sql, *out, err);
    }
    return status == IL_OK
               ? add_names(index,
                           "SELECT " LABEL " AS name, " RANGE(
                               "value") " FROM members "
                                        "JOIN names n USING(pid) GROUP BY pid " IN_ORDER,
                           *out, err)
               : status;
}

il_status il_results_damaged(const il_index *index, json_t **out, il_error *err) {
    return il_index_rows(index,
                         "SELECT key, damaged AS reason FROM cases WHERE damaged NOTNULL ORDER BY "
                         "key",
                         NULL, out, err);
}

il_status il_results_find(const il_index *index, const char *prefix, char name[IL_STORE_NAME],
                          il_error *err) {
    char several[128] = "";
    json_t *rows = NULL;
    size_t letters = strlen(prefix);
    if (letters == 0 || letters >= IL_STORE_NAME || strspn(prefix, "0123456789abcdef") != letters) {
        return il_fail(err, IL_EINVAL,
                       "'%.100s' is no key; allowed: the first letters of one, of 0 to 9 and a to "
                       "f, as `impactlab results list` prints them",
                       prefix);
    }
    il_status status = il_index_rows(
        index, "SELECT key FROM cases WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key", prefix,
        &rows, err);
    size_t n = json_array_size(rows);
    (void)snprintf(name, IL_STORE_NAME, "%s", il_json_get_text(json_array_get(rows, 0), "key"));
    for (size_t k = 0; k < n && k < 4; k++) {
        il_text_append(several, sizeof several, "%s%.16s", k > 0 ? ", " : "",
                       il_json_get_text(json_array_get(rows, k), "key"));
    }
    json_decref(rows);
    if (status != IL_OK || n == 1) {
        return status;
    }
    return n == 0 ? il_fail(err, IL_EINVAL,
                            "no case in '%s' has a key that begins with '%s'; `impactlab results "
                            "list` prints them",
                            index->results, prefix)
                  : il_fail(err, IL_EINVAL,
                            "%zu cases have keys that begin with '%s'; give more letters: %s%s", n,
                            prefix, several, n > 4 ? ", ..." : "");
}
