/*
 * query.c - the rows of an SQL query, stored as columns.
 */
#include "harness/results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

static const char PARAMETERS[] = "parameters.";
enum { PREFIX = sizeof PARAMETERS - 1 };

static void free_column(il_column *c, size_t rows) {
    for (size_t i = 0; c->text != NULL && i < rows; i++) {
        free(c->text[i]);
    }
    free(c->text);
    free(c->x);
    free(c->name);
}

void il_columns_free(il_columns *columns) {
    for (size_t k = 0; k < columns->n; k++) {
        free_column(&columns->list[k], columns->rows);
    }
    free(columns->list);
    *columns = (il_columns){.rows = 0};
}

/* Row `from` takes the place of row `to`, which goes to its. */
static void swap_rows(il_columns *columns, size_t to, size_t from) {
    for (size_t k = 0; k < columns->n; k++) {
        il_column *c = &columns->list[k];
        char *text = c->number ? NULL : c->text[to];
        if (c->number) {
            c->x[to] = c->x[from];
        } else {
            c->text[to] = c->text[from];
            c->text[from] = text;
        }
    }
}

/* Rows behind the first n go. */
static void cut_rows(il_columns *columns, size_t n) {
    for (size_t k = 0; k < columns->n; k++) {
        for (size_t row = n; columns->list[k].text != NULL && row < columns->rows; row++) {
            free(columns->list[k].text[row]);
        }
    }
    columns->rows = n;
}

void il_columns_keep(il_columns *columns, json_t *names) {
    size_t n = 0;
    size_t key = 0;
    while (key < columns->n && strcmp(columns->list[key].name, "key") != 0) {
        key++;
    }
    for (size_t row = 0; key < columns->n && row < columns->rows; row++) {
        const char *name = columns->list[key].text[row];
        if (json_object_get(names, name) != NULL) {
            (void)json_object_del(names, name);
            swap_rows(columns, n++, row);
        }
    }
    cut_rows(columns, n);
}

/* ---- columns -------------------------------------------------------------------------------- */

/* A parameter without its prefix, unless that is another column's name. */
static const char *name_of(const il_index *index, const char *path) {
    bool bare = strncmp(path, PARAMETERS, PREFIX) == 0 &&
                json_object_get(index->paths, path + PREFIX) == NULL;
    return bare ? path + PREFIX : path;
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

/* An empty column of the rows, of the index's `column`. */
static bool add_column(il_columns *out, const char *name, const char *column) {
    if (!il_memory_append(&out->list, out->n, sizeof *out->list)) {
        return false;
    }
    il_column *c = &out->list[out->n++];
    *c = (il_column){
        .name = strdup(name), .number = true, .x = malloc((out->rows + 1) * sizeof *c->x)};
    for (size_t k = 0; c->x != NULL && k < out->rows; k++) {
        c->x[k] = NAN;
    }
    const il_index_fixed *fixed = il_index_fixed_find(column);
    bool text = fixed != NULL && fixed->kind != IL_INDEX_NUMBER;
    return c->name != NULL && c->x != NULL && (!text || make_texts(c, out->rows));
}

/* The names that were asked for, or all, as columns; sql grows by them. */
static il_status add_named(const il_index *index, const char *const *names, size_t n,
                           il_columns *out, sqlite3_str *sql, il_error *err) {
    for (size_t k = 0; k < n; k++) {
        const char *near = NULL;
        const char *column = il_index_find(index, names[k], &near);
        if (column == NULL) {
            return il_fail(err, IL_EINVAL,
                           "--columns: no case has '%.100s'%s%.60s%s; `impactlab results list "
                           "--names` says what there is",
                           names[k], near != NULL ? "; did you mean '" : "",
                           near != NULL ? near : "", near != NULL ? "'" : "");
        }
        sqlite3_str_appendf(sql, "%s%s", k > 0 ? ", " : "", column);
        if (!add_column(out, names[k], column)) {
            return il_fail(err, IL_ENOMEM, "no memory for the cases");
        }
    }
    return IL_OK;
}

static il_status add_all(const il_index *index, bool measures, il_columns *out, sqlite3_str *sql,
                         il_error *err) {
    const char *path = NULL;
    json_t *column = NULL;
    json_object_foreach(index->paths, path, column) {
        bool wanted = measures || strncmp(path, PARAMETERS, PREFIX) == 0 ||
                      strcmp(path, json_string_value(column)) == 0;
        if (wanted) {
            sqlite3_str_appendf(sql, "%s%s", out->n > 0 ? ", " : "", json_string_value(column));
        }
        if (wanted && !add_column(out, name_of(index, path), json_string_value(column))) {
            return il_fail(err, IL_ENOMEM, "no memory for the cases");
        }
    }
    return IL_OK;
}

/* Measures and parameters that no case of these has go; columns of every case stay. */
static void drop_empty(il_columns *out) {
    size_t n = 0;
    for (size_t k = 0; k < out->n; k++) {
        il_column *c = &out->list[k];
        bool any = il_index_fixed_at(k) != NULL; /* they come first */
        for (size_t i = 0; !any && i < out->rows; i++) {
            any = c->number ? !isnan(c->x[i]) : c->text[i] != NULL;
        }
        if (any) {
            out->list[n++] = *c;
        } else {
            free_column(c, out->rows);
        }
    }
    out->n = n;
}

/* ---- rows ----------------------------------------------------------------------------------- */

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
    if (type != SQLITE_TEXT) { /* as make_texts spells it */
        double x = sqlite3_column_double(s, at);
        return asprintf(&c->text[row], "%.17g", x) >= 0;
    }
    c->text[row] = strdup(il_index_text(s, at));
    return c->text[row] != NULL;
}

/* "HEAD FROM cases WHERE CONDITION TAIL" with the numbers of the condition. */
static il_status prepare(const il_index *index, const char *head, const il_where *where,
                         const char *tail, sqlite3_stmt **s, il_error *err) {
    char *sql = sqlite3_mprintf("%s FROM cases WHERE damaged ISNULL AND (%s)%s", head,
                                where != NULL && where->sql != NULL ? where->sql : "1", tail);
    int code = sql != NULL ? sqlite3_prepare_v2(index->db, sql, -1, s, NULL) : SQLITE_NOMEM;
    for (size_t k = 0; where != NULL && k < where->n && code == SQLITE_OK; k++) {
        code = sqlite3_bind_double(*s, (int)k + 1, where->numbers[k]);
    }
    sqlite3_free(sql);
    return il_index_fail(index, code, err);
}

static il_status count_rows(const il_index *index, const il_where *where, size_t *n,
                            il_error *err) {
    sqlite3_stmt *s = NULL;
    il_status status = prepare(index, "SELECT count(*)", where, "", &s, err);
    int code = status == IL_OK ? sqlite3_step(s) : SQLITE_ROW;
    *n = status == IL_OK && code == SQLITE_ROW ? (size_t)sqlite3_column_int64(s, 0) : 0;
    (void)sqlite3_finalize(s);
    return code == SQLITE_ROW ? status : il_index_fail(index, code, err);
}

/* At most so many as there were when they were counted. */
static il_status fill(const il_index *index, const il_where *where, const char *head,
                      il_columns *out, il_error *err) {
    sqlite3_stmt *s = NULL;
    size_t row = 0;
    int code = SQLITE_DONE;
    bool good = true;
    il_status status = prepare(index, head, where, " ORDER BY date, key", &s, err);
    while (status == IL_OK && good && row < out->rows && (code = sqlite3_step(s)) == SQLITE_ROW) {
        for (size_t k = 0; good && k < out->n; k++) {
            good = take(&out->list[k], out->rows, row, s, (int)k);
        }
        row++;
        code = SQLITE_DONE;
    }
    (void)sqlite3_finalize(s);
    if (!good) {
        return il_fail(err, IL_ENOMEM, "no memory for the cases");
    }
    cut_rows(out, row);
    return status == IL_OK && code != SQLITE_DONE ? il_index_fail(index, code, err) : status;
}

il_status il_results_select(const il_index *index, const il_where *where, bool measures,
                            const char *const *names, size_t n, il_columns *out, il_error *err) {
    *out = (il_columns){.rows = 0};
    il_status status = count_rows(index, where, &out->rows, err);
    sqlite3_str *sql = sqlite3_str_new(index->db);
    sqlite3_str_appendall(sql, "SELECT ");
    if (status == IL_OK) {
        status = n > 0 ? add_named(index, names, n, out, sql, err)
                       : add_all(index, measures, out, sql, err);
    }
    char *head = sqlite3_str_finish(sql);
    if (status == IL_OK) {
        status = head != NULL ? fill(index, where, head, out, err)
                              : il_fail(err, IL_ENOMEM, "no memory for the cases");
    }
    if (status == IL_OK && n == 0) {
        drop_empty(out);
    }
    sqlite3_free(head);
    return status;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Result columns of one statement are bounded; three to a name. */
enum { AT_ONCE = 500 };

typedef struct {
    const char *path, *column;
} named;

typedef struct {
    const il_index *index;
    const named *list; /* [n] */
    size_t n;
    json_t *all;
} listing;

/* Of each name how many cases have it, and the least and most of its numbers. */
static il_status take_ranges(void *self, sqlite3_stmt *s, il_error *err) {
    const listing *l = self;
    il_json w = {false};
    for (size_t k = 0; k < l->n; k++) {
        int at = 3 * (int)k;
        bool number = sqlite3_column_type(s, at + 1) != SQLITE_NULL;
        size_t cases = (size_t)sqlite3_column_int64(s, at);
        if (cases == 0 && strcmp(l->list[k].path, l->list[k].column) != 0) {
            continue; /* those of every case are there in any case */
        }
        json_t *one = json_object();
        il_json_put_text(&w, one, "name", name_of(l->index, l->list[k].path));
        il_json_put_text(&w, one, "kind", number ? "number" : "text");
        il_json_put_count(&w, one, "cases", cases);
        if (number) {
            il_json_put(&w, one, "least", sqlite3_column_double(s, at + 1));
            il_json_put(&w, one, "most", sqlite3_column_double(s, at + 2));
        }
        il_json_append(&w, l->all, one);
    }
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for names") : IL_OK;
}

static il_status add_ranges(listing *l, il_error *err) {
    sqlite3_str *sql = sqlite3_str_new(l->index->db);
    sqlite3_str_appendall(sql, "SELECT ");
    for (size_t k = 0; k < l->n; k++) {
        const char *c = l->list[k].column;
        static const char number[] = "CASE WHEN typeof(%s) <> 'text' THEN %s END";
        sqlite3_str_appendf(sql, "%scount(%s), min(", k > 0 ? ", " : "", c);
        sqlite3_str_appendf(sql, number, c, c);
        sqlite3_str_appendall(sql, "), max(");
        sqlite3_str_appendf(sql, number, c, c);
        sqlite3_str_appendall(sql, ")");
    }
    sqlite3_str_appendall(sql, " FROM cases");
    char *text = sqlite3_str_finish(sql);
    il_status status = text != NULL ? il_index_each(l->index, text, NULL, take_ranges, l, err)
                                    : il_fail(err, IL_ENOMEM, "no memory for names");
    sqlite3_free(text);
    l->n = 0;
    return status;
}

il_status il_results_names(const il_index *index, json_t **out, il_error *err) {
    named list[AT_ONCE];
    listing l = {index, list, 0, json_array()};
    const char *path = NULL;
    json_t *column = NULL;
    il_status status = l.all != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for names");
    json_object_foreach(index->paths, path, column) {
        list[l.n++] = (named){path, json_string_value(column)};
        if (l.n == AT_ONCE) {
            status = status == IL_OK ? add_ranges(&l, err) : status;
            l.n = 0;
        }
    }
    status = status == IL_OK && l.n > 0 ? add_ranges(&l, err) : status;
    if (status != IL_OK) {
        json_decref(l.all);
        l.all = NULL;
    }
    *out = l.all;
    return status;
}

static il_status take_damaged(void *self, sqlite3_stmt *row, il_error *err) {
    il_json w = {false};
    json_t *one = json_object();
    il_json_put_text(&w, one, "key", il_index_text(row, 0));
    il_json_put_text(&w, one, "reason", il_index_text(row, 1));
    il_json_append(&w, self, one);
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for the damaged") : IL_OK;
}

il_status il_results_damaged(const il_index *index, json_t **out, il_error *err) {
    *out = json_array();
    return *out == NULL
               ? il_fail(err, IL_ENOMEM, "no memory for the damaged")
               : il_index_each(index,
                               "SELECT key, damaged FROM cases WHERE damaged NOTNULL ORDER BY key",
                               NULL, take_damaged, *out, err);
}

typedef struct {
    size_t n;
    char name[IL_STORE_NAME], several[256];
} found;

static il_status take_found(void *self, sqlite3_stmt *row, il_error *err) {
    found *f = self;
    (void)err;
    (void)snprintf(f->name, sizeof f->name, "%s", il_index_text(row, 0));
    if (f->n++ < 4) {
        il_text_append(f->several, sizeof f->several, "%s%.16s", f->n > 1 ? ", " : "", f->name);
    }
    return IL_OK;
}

il_status il_results_find(const il_index *index, const char *prefix, char name[IL_STORE_NAME],
                          il_error *err) {
    found f = {.n = 0};
    size_t letters = strlen(prefix);
    if (letters == 0 || letters >= IL_STORE_NAME || strspn(prefix, "0123456789abcdef") != letters) {
        return il_fail(err, IL_EINVAL,
                       "'%.100s' is no key; allowed: the first letters of one, of 0 to 9 and a to "
                       "f, as `impactlab results list` prints them",
                       prefix);
    }
    il_status status = il_index_each(
        index, "SELECT key FROM cases WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key", prefix,
        take_found, &f, err);
    memcpy(name, f.name, sizeof f.name);
    if (status != IL_OK || f.n == 1) {
        return status;
    }
    return f.n == 0 ? il_fail(err, IL_EINVAL,
                              "no case in '%s' has a key that begins with '%s'; `impactlab results "
                              "list` prints them",
                              index->results, prefix)
                    : il_fail(err, IL_EINVAL,
                              "%zu cases have keys that begin with '%s'; give more letters: %s%s",
                              f.n, prefix, f.several, f.n > 4 ? ", ..." : "");
}
