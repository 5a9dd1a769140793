/*
 * query.c - chosen cases as columns; the names of all columns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/results/results.h"

/* The name of a path of `names` n: a parameter as it is, unless another column is called so. */
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

/* ---- columns -------------------------------------------------------------------------------- */

static void add(il_index *index, sqlite3_str *select, const char *name, const char *column) {
    sqlite3_str_appendf(select, "%s %s AS \"%w\"", index->columns > 0 ? "," : "SELECT", column,
                        name);
    index->columns++;
}

/* All columns of the chosen cases: those of every case, parameters, and measures. */
static il_status add_all(il_index *index, bool measures, sqlite3_str *select, il_error *err) {
    json_t *rows = NULL;
    size_t k = 0;
    const json_t *row = NULL;
    for (const il_index_fixed *f = NULL; (f = il_index_fixed_at(k)) != NULL; k++) {
        add(index, select, f->name, f->name);
    }
    il_status status = il_index_rows(
        index,
        "SELECT " LABEL " AS label, '(SELECT value FROM members m WHERE m.id = cases.id AND "
        "m.pid = ' || pid || ')' AS column, path LIKE 'parameters.%' AS parameter FROM names n "
        "WHERE pid IN (SELECT DISTINCT pid FROM members JOIN chosen USING(id)) " IN_ORDER,
        NULL, &rows, err);
    json_array_foreach(rows, k, row) {
        if (measures || json_integer_value(json_object_get(row, "parameter")) != 0) {
            add(index, select, il_json_get_text(row, "label"), il_json_get_text(row, "column"));
        }
    }
    json_decref(rows);
    return status;
}

il_status il_results_columns(il_index *index, bool measures, const char *const *names, size_t n,
                             il_error *err) {
    char column[IL_INDEX_COLUMN];
    il_status status = IL_OK;
    sqlite3_str *select = sqlite3_str_new(index->db);
    index->columns = 0;
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = il_results_column(index, "--columns", names[k], column, err);
        add(index, select, names[k], column);
    }
    status = n == 0 ? add_all(index, measures, select, err) : status;
    sqlite3_str_appendall(select, " FROM chosen JOIN cases USING(id) ORDER BY chosen.place");
    sqlite3_free(index->select);
    index->select = il_index_sql(select);
    return status;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Count, kind and range of the values. Numbers come before texts, and texts have no range. */
#define RANGE                                                                                      \
    "count(value) AS cases, iif(typeof(min(value)) IN ('text', 'null'), 'text', 'number') AS "     \
    "kind, min(value) FILTER (WHERE typeof(value) <> 'text') AS least, "                           \
    "max(value) FILTER (WHERE typeof(value) <> 'text') AS most"

il_status il_results_names(const il_index *index, json_t **out, il_error *err) {
    sqlite3_str *sql = sqlite3_str_new(index->db);
    for (size_t k = 0; il_index_fixed_at(k) != NULL; k++) {
        const char *name = il_index_fixed_at(k)->name;
        sqlite3_str_appendf(
            sql, "SELECT '%s' AS name, " RANGE " FROM (SELECT %s AS value FROM cases) UNION ALL ",
            name, name);
    }
    sqlite3_str_appendall(sql, "SELECT * FROM (SELECT " LABEL " AS name, " RANGE
                               " FROM members JOIN names n USING(pid) GROUP BY pid " IN_ORDER ")");
    char *text = il_index_sql(sql);
    il_status status = il_index_rows(index, text, NULL, out, err);
    sqlite3_free(text);
    return status;
}

il_status il_results_damaged(const il_index *index, json_t **out, il_error *err) {
    return il_index_rows(index,
                         "SELECT key, damaged AS reason FROM cases WHERE damaged NOTNULL ORDER BY "
                         "key",
                         NULL, out, err);
}

il_status il_results_find(const il_index *index, const char *prefix, char name[IL_STORE_NAME],
                          il_error *err) {
    json_t *rows = NULL;
    size_t letters = strlen(prefix);
    if (letters == 0 || letters >= IL_STORE_NAME || strspn(prefix, "0123456789abcdef") != letters) {
        return il_fail(err, IL_EINVAL,
                       "'%.100s' is no key; allowed: the first letters of one, of 0 to 9 and a to "
                       "f, as `impactlab results list` prints them",
                       prefix);
    }
    il_status status = il_index_rows(
        index,
        "SELECT count(*) AS n, min(key) AS key, substr(group_concat(substr(key, 1, 16), ', '), 1, "
        "70) AS keys FROM (SELECT key FROM cases WHERE substr(key, 1, length(?1)) = ?1 ORDER BY "
        "key)",
        prefix, &rows, err);
    const json_t *row = json_array_get(rows, 0);
    long long n = json_integer_value(json_object_get(row, "n"));
    (void)snprintf(name, IL_STORE_NAME, "%s", il_json_get_text(row, "key"));
    if (status == IL_OK && n == 0) {
        status = il_fail(err, IL_EINVAL,
                         "no case in '%s' has a key that begins with '%s'; `impactlab results "
                         "list` prints them",
                         index->results, prefix);
    } else if (status == IL_OK && n > 1) {
        status = il_fail(err, IL_EINVAL,
                         "%lld cases have keys that begin with '%s'; give more letters: %s%s", n,
                         prefix, il_json_get_text(row, "keys"), n > 4 ? ", ..." : "");
    }
    json_decref(rows);
    return status;
}
