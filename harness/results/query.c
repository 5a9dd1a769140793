/*
 * query.c - first the rows, then each column by itself: values of one name lie together.
 */
#include "harness/results/query.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/results/names.h"

typedef struct {
    il_index *index;
    const il_where *where;
    il_columns *out;
    long long *ids; /* [out->rows] in ascending order */
    size_t *place;  /* [out->rows] the row of each */
    il_error *err;
} query;

static const char PARAMETERS[] = "parameters.";

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

void il_columns_keep(il_columns *columns, json_t *names) {
    const il_column *key = NULL;
    size_t n = 0;
    for (size_t k = 0; k < columns->n; k++) {
        key = strcmp(columns->list[k].name, "key") == 0 ? &columns->list[k] : key;
    }
    for (size_t row = 0; key != NULL && row < columns->rows; row++) {
        if (json_object_get(names, key->text[row]) == NULL) {
            continue;
        }
        (void)json_object_del(names, key->text[row]);
        for (size_t k = 0; k < columns->n; k++) { /* what is dropped stays behind the last */
            il_column *c = &columns->list[k];
            char *text = c->number ? NULL : c->text[n];
            if (c->number) {
                c->x[n] = c->x[row];
            } else {
                c->text[n] = c->text[row];
                c->text[row] = text;
            }
        }
        n++;
    }
    for (size_t row = n; row < columns->rows; row++) {
        for (size_t k = 0; k < columns->n; k++) {
            if (!columns->list[k].number) {
                free(columns->list[k].text[row]);
                columns->list[k].text[row] = NULL;
            }
        }
    }
    columns->rows = n;
}

static il_status starve(const query *q) {
    return il_fail(q->err, IL_ENOMEM, "no memory for the cases");
}

/* ---- rows ----------------------------------------------------------------------------------- */

typedef struct {
    long long id;
    size_t row;
} placed;

static int by_id(const void *a, const void *b) {
    long long x = ((const placed *)a)->id;
    long long y = ((const placed *)b)->id;
    return (x > y) - (x < y);
}

static il_status sort_rows(query *q, placed *rows, size_t n) {
    q->ids = calloc(n + 1, sizeof *q->ids);
    q->place = calloc(n + 1, sizeof *q->place);
    if (q->ids == NULL || q->place == NULL) {
        return starve(q);
    }
    if (n > 0) {
        qsort(rows, n, sizeof *rows, by_id);
    }
    for (size_t k = 0; k < n; k++) {
        q->ids[k] = rows[k].id;
        q->place[k] = rows[k].row;
    }
    q->out->rows = n;
    return IL_OK;
}

static il_status find_rows(query *q) {
    sqlite3_stmt *s = NULL;
    placed *rows = NULL;
    size_t n = 0;
    int code = SQLITE_DONE;
    il_status status =
        il_index_select(q->index, "SELECT c.id FROM cases c WHERE c.damaged ISNULL AND ", q->where,
                        " ORDER BY c.date, c.name", &s, q->err);
    while (status == IL_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        if (!il_memory_append(&rows, n, sizeof *rows)) {
            status = starve(q);
        } else {
            rows[n] = (placed){.id = sqlite3_column_int64(s, 0), .row = n};
            n++;
        }
    }
    (void)sqlite3_finalize(s);
    if (status == IL_OK) {
        status =
            code == SQLITE_DONE ? sort_rows(q, rows, n) : il_index_fail(q->index, code, q->err);
    }
    free(rows);
    return status;
}

/* The row of a case, SIZE_MAX if it is none of ours. */
static size_t row_of(const query *q, long long id) {
    size_t low = 0;
    size_t high = q->ids != NULL && q->place != NULL ? q->out->rows : 0;
    if (high == 0) {
        return SIZE_MAX;
    }
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (q->ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < q->out->rows && q->ids[low] == id ? q->place[low] : SIZE_MAX;
}

/* ---- columns -------------------------------------------------------------------------------- */

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
static bool take(il_column *c, size_t rows, size_t row, sqlite3_stmt *s, int at) {
    int type = sqlite3_column_type(s, at);
    if (type == SQLITE_TEXT && c->number && !make_texts(c, rows)) {
        return false;
    }
    if (type == SQLITE_NULL) {
        return true;
    }
    if (c->number) {
        c->x[row] = sqlite3_column_double(s, at);
        return true;
    }
    const char *text = (const char *)sqlite3_column_text(s, at);
    free(c->text[row]);
    c->text[row] = text != NULL ? strdup(text) : NULL;
    return c->text[row] != NULL;
}

static il_column *add_column(query *q, const char *name) {
    il_columns *out = q->out;
    if (!il_memory_append(&out->list, out->n, sizeof *out->list)) {
        return NULL;
    }
    il_column *c = &out->list[out->n++];
    *c = (il_column){
        .name = strdup(name), .number = true, .x = malloc((out->rows + 1) * sizeof *c->x)};
    for (size_t k = 0; c->x != NULL && k < out->rows; k++) {
        c->x[k] = NAN;
    }
    return c->name != NULL && c->x != NULL ? c : NULL;
}

/* s yields ids, and what follows each: of columns 1 and 2 the one that is there. */
static il_status fill(query *q, const char *name, sqlite3_stmt *s, bool text) {
    int code = SQLITE_DONE;
    il_column *c = add_column(q, name);
    bool good = c != NULL && (!text || make_texts(c, q->out->rows));
    while (good && (code = sqlite3_step(s)) == SQLITE_ROW) {
        size_t row = row_of(q, sqlite3_column_int64(s, 0));
        int at = sqlite3_column_type(s, 1) != SQLITE_NULL ? 1 : 2;
        if (row != SIZE_MAX) {
            good = take(c, q->out->rows, row, s, at);
        }
    }
    if (!good) {
        return starve(q);
    }
    return code == SQLITE_DONE ? IL_OK : il_index_fail(q->index, code, q->err);
}

static il_status add_fixed(query *q, const char *name, const char *column, bool text) {
    char sql[96];
    sqlite3_stmt *s = NULL;
    (void)snprintf(sql, sizeof sql, "SELECT id, %s, NULL FROM cases", column); /* our own words */
    il_status status =
        il_index_fail(q->index, sqlite3_prepare_v2(q->index->db, sql, -1, &s, NULL), q->err);
    status = status == IL_OK ? fill(q, name, s, text) : status;
    (void)sqlite3_finalize(s);
    return status;
}

static il_status add_values(query *q, const char *name, long long pid) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(q->index->db, "SELECT id, num, text FROM vals WHERE pid = ?", -1,
                                  &s, NULL);
    code = code == SQLITE_OK ? sqlite3_bind_int64(s, 1, pid) : code;
    il_status status = il_index_fail(q->index, code, q->err);
    status = status == IL_OK ? fill(q, name, s, false) : status;
    (void)sqlite3_finalize(s);
    return status;
}

static il_status add_named(query *q, const char *name) {
    il_where_names names = il_index_names(q->index);
    il_where_column column = {.number = 0};
    const char *near = NULL;
    il_status status = names.find(names.self, name, &column, &near, q->err);
    if (status == IL_EINVAL) {
        return il_fail(q->err, IL_EINVAL,
                       "--columns: no case has '%.100s'%s%.60s%s; `impactlab results list --names` "
                       "says what there is",
                       name, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'" : "");
    }
    if (status != IL_OK) {
        return status;
    }
    return column.column != NULL ? add_fixed(q, name, column.column, column.kind != IL_WHERE_NUMBER)
                                 : add_values(q, name, column.number);
}

/* Does a column of ours, or another number of records, have that name? A parameter then keeps its
 * prefix. */
static bool is_taken(const il_index *index, const char *name) {
    sqlite3_stmt *s = NULL;
    for (size_t k = 0; il_results_column_at(k) != NULL; k++) {
        if (strcmp(il_results_column_at(k)->name, name) == 0) {
            return true;
        }
    }
    bool taken = sqlite3_prepare_v2(index->db, "SELECT 1 FROM names WHERE path = ?", -1, &s,
                                    NULL) == SQLITE_OK &&
                 sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_step(s) == SQLITE_ROW;
    (void)sqlite3_finalize(s);
    return taken;
}

/* Has a case of ours a value in the last column? If not the column goes. */
static void drop_if_empty(il_columns *out) {
    il_column *c = &out->list[out->n - 1];
    for (size_t k = 0; k < out->rows; k++) {
        if (c->number ? !isnan(c->x[k]) : c->text[k] != NULL) {
            return;
        }
    }
    for (size_t k = 0; c->text != NULL && k < out->rows; k++) {
        free(c->text[k]);
    }
    free(c->text);
    free(c->x);
    free(c->name);
    out->n--;
}

static il_status add_parts(query *q, unsigned parts) {
    sqlite3_stmt *s = NULL;
    int code = SQLITE_DONE;
    il_status status = IL_OK;
    for (size_t k = 0;
         status == IL_OK && (parts & IL_RESULTS_COLUMNS) != 0 && il_results_column_at(k) != NULL;
         k++) {
        const il_results_column *c = il_results_column_at(k);
        status = add_fixed(q, c->name, c->column, c->kind != IL_WHERE_NUMBER);
    }
    if (status == IL_OK) {
        code = sqlite3_prepare_v2(q->index->db,
                                  "SELECT pid, path FROM names ORDER BY path NOT LIKE "
                                  "'parameters.%', path",
                                  -1, &s, NULL);
        status = il_index_fail(q->index, code, q->err);
    }
    while (status == IL_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(s, 1);
        bool parameter = path != NULL && strncmp(path, PARAMETERS, sizeof PARAMETERS - 1) == 0;
        if (path == NULL ||
            (parts & (parameter ? IL_RESULTS_PARAMETERS : IL_RESULTS_MEASURES)) == 0) {
            continue;
        }
        bool bare = parameter && !is_taken(q->index, path + sizeof PARAMETERS - 1);
        status =
            add_values(q, bare ? path + sizeof PARAMETERS - 1 : path, sqlite3_column_int64(s, 0));
        if (status == IL_OK) {
            drop_if_empty(q->out);
        }
    }
    (void)sqlite3_finalize(s);
    return status == IL_OK && code != SQLITE_DONE ? il_index_fail(q->index, code, q->err) : status;
}

il_status il_results_select(il_index *index, const il_where *where, unsigned parts,
                            const char *const *names, size_t n, il_columns *out, il_error *err) {
    query q = {.index = index, .where = where, .out = out, .err = err};
    *out = (il_columns){.rows = 0};
    il_status status = find_rows(&q);
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = add_named(&q, names[k]);
    }
    if (status == IL_OK && n == 0) {
        status = add_parts(&q, parts);
    }
    free(q.ids);
    free(q.place);
    return status;
}

/* ---- names ---------------------------------------------------------------------------------- */

static json_t *name_json(il_json *w, const char *name, sqlite3_stmt *s) {
    json_t *one = json_object();
    bool number = sqlite3_column_type(s, 1) != SQLITE_NULL;
    il_json_put_text(w, one, "name", name);
    il_json_put_text(w, one, "kind", number ? "number" : "text");
    il_json_put_count(w, one, "cases", (size_t)sqlite3_column_int64(s, 0));
    if (number) {
        il_json_put(w, one, "least", sqlite3_column_double(s, 1));
        il_json_put(w, one, "most", sqlite3_column_double(s, 2));
    }
    return one;
}

static int add_fixed_names(const il_index *index, il_json *w, json_t *all) {
    int code = SQLITE_OK;
    for (size_t k = 0; code == SQLITE_OK && il_results_column_at(k) != NULL; k++) {
        const il_results_column *c = il_results_column_at(k);
        sqlite3_stmt *s = NULL;
        char sql[160];
        bool number = c->kind == IL_WHERE_NUMBER;
        (void)snprintf(sql, sizeof sql, "SELECT count(%s), %s%s%s, %s%s%s FROM cases", c->column,
                       number ? "min(" : "NULL", number ? c->column : "", number ? ")" : "",
                       number ? "max(" : "NULL", number ? c->column : "", number ? ")" : "");
        code = sqlite3_prepare_v2(index->db, sql, -1, &s, NULL);
        if (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
            il_json_append(w, all, name_json(w, c->name, s));
            code = SQLITE_OK;
        }
        (void)sqlite3_finalize(s);
    }
    return code;
}

il_status il_results_names(const il_index *index, json_t **out, il_error *err) {
    il_json w = {false};
    sqlite3_stmt *s = NULL;
    json_t *all = json_array();
    *out = NULL;
    int code = add_fixed_names(index, &w, all);
    code = code == SQLITE_OK
               ? sqlite3_prepare_v2(index->db,
                                    "SELECT count(*), min(v.num), max(v.num), n.path FROM names n "
                                    "JOIN vals v ON v.pid = n.pid GROUP BY n.pid ORDER BY n.path "
                                    "NOT LIKE 'parameters.%', n.path",
                                    -1, &s, NULL)
               : code;
    while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(s, 3);
        bool bare = path != NULL && strncmp(path, PARAMETERS, sizeof PARAMETERS - 1) == 0 &&
                    !is_taken(index, path + sizeof PARAMETERS - 1);
        il_json_append(&w, all, name_json(&w, bare ? path + sizeof PARAMETERS - 1 : path, s));
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(s);
    *out = il_json_done(&w, all);
    if (code != SQLITE_OK && code != SQLITE_DONE) {
        json_decref(*out);
        *out = NULL;
        return il_index_fail(index, code, err);
    }
    return *out != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for names");
}

il_status il_results_damaged(const il_index *index, json_t **out, il_error *err) {
    il_json w = {false};
    sqlite3_stmt *s = NULL;
    json_t *all = json_array();
    int code = sqlite3_prepare_v2(
        index->db, "SELECT name, damaged FROM cases WHERE damaged NOTNULL ORDER BY name", -1, &s,
        NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        json_t *one = json_object();
        il_json_put_text(&w, one, "key", (const char *)sqlite3_column_text(s, 0));
        il_json_put_text(&w, one, "reason", (const char *)sqlite3_column_text(s, 1));
        il_json_append(&w, all, one);
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(s);
    *out = il_json_done(&w, all);
    if (*out == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the damaged");
    }
    return code == SQLITE_DONE ? IL_OK : il_index_fail(index, code, err);
}

il_status il_results_find(const il_index *index, const char *prefix, char name[IL_STORE_NAME],
                          il_error *err) {
    sqlite3_stmt *s = NULL;
    char several[256] = "";
    size_t n = 0;
    size_t letters = strlen(prefix);
    if (letters == 0 || letters >= IL_STORE_NAME || strspn(prefix, "0123456789abcdef") != letters) {
        return il_fail(err, IL_EINVAL,
                       "'%.100s' is no key; allowed: the first letters of one, of 0 to 9 and a to "
                       "f, as `impactlab results list` prints them",
                       prefix);
    }
    int code = sqlite3_prepare_v2(
        index->db, "SELECT name FROM cases WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name",
        -1, &s, NULL);
    code = code == SQLITE_OK ? sqlite3_bind_text(s, 1, prefix, -1, SQLITE_STATIC) : code;
    while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *one = (const char *)sqlite3_column_text(s, 0);
        (void)snprintf(name, IL_STORE_NAME, "%s", one != NULL ? one : "");
        if (n++ < 4) {
            il_text_append(several, sizeof several, "%s%.16s", n > 1 ? ", " : "", name);
        }
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(s);
    if (code != SQLITE_DONE && code != SQLITE_OK) {
        return il_index_fail(index, code, err);
    }
    if (n == 1) {
        return IL_OK;
    }
    return n == 0 ? il_fail(err, IL_EINVAL,
                            "no case in '%s' has a key that begins with '%s'; `impactlab results "
                            "list` prints them",
                            index->results, prefix)
                  : il_fail(err, IL_EINVAL,
                            "%zu cases have keys that begin with '%s'; give more letters: %s%s", n,
                            prefix, several, n > 4 ? ", ..." : "");
}
