/*
 * export.c - columns as text, JSON and files; missing and infinite values become empty cells. Files
 * are written through a scratch file beside the target.
 */
#include "harness/results/results.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/draw/table.h"
#include "harness/io/file.h"
#include "harness/io/formats/hdf5_file.h"

/* As few digits as reading it back takes, at most `digits`. */
static char *number_text(double x, int digits) {
    char text[40];
    if (x == floor(x) && fabs(x) < 1e15) {
        (void)snprintf(text, sizeof text, "%.0f", x);
        return strdup(text);
    }
    for (int k = 1; k <= digits; k++) {
        (void)snprintf(text, sizeof text, "%.*g", k, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
    return strdup(text);
}

static char *cell(const il_column *c, size_t row, int digits, int key) {
    if (c->number) {
        return isnan(c->x[row]) ? strdup("") : number_text(c->x[row], digits);
    }
    const char *text = c->text[row] != NULL ? c->text[row] : "";
    char *copy = key > 0 && strcmp(c->name, "key") == 0 ? strndup(text, (size_t)key) : strdup(text);
    if (copy != NULL) {
        il_text_make_printable(copy, false);
    }
    return copy;
}

il_status il_columns_print(const il_columns *columns, FILE *out, unsigned format,
                           const char *caption, int key, il_error *err) {
    size_t n = columns->rows * columns->n;
    char **cells = calloc(n + 1, sizeof *cells);
    const char **heads = calloc(columns->n + 1, sizeof *heads);
    int digits = format == IL_TABLE_CSV ? 17 : 6;
    bool good = cells != NULL && heads != NULL;
    for (size_t j = 0; good && j < columns->n; j++) {
        heads[j] = columns->list[j].name;
        for (size_t i = 0; good && i < columns->rows; i++) {
            cells[i * columns->n + j] = cell(&columns->list[j], i, digits, key);
            good = cells[i * columns->n + j] != NULL;
        }
    }
    il_table table = {.name = "cases",
                      .caption = caption,
                      .columns = columns->n,
                      .rows = columns->rows,
                      .heads = heads,
                      .cells = (const char *const *)cells};
    il_status status = good ? il_table_print(&table, out, format, err)
                            : il_fail(err, IL_ENOMEM, "no memory for a table of cases");
    for (size_t k = 0; cells != NULL && k < n; k++) {
        free(cells[k]);
    }
    free(cells);
    free(heads);
    return status;
}

json_t *il_columns_json(const il_columns *columns) {
    il_json w = {false};
    json_t *all = json_array();
    for (size_t i = 0; i < columns->rows; i++) {
        json_t *row = json_object();
        for (size_t j = 0; j < columns->n; j++) {
            const il_column *c = &columns->list[j];
            if (c->number && c->x[i] == floor(c->x[i]) && fabs(c->x[i]) < 1e15) {
                il_json_set(&w, row, c->name, json_integer((json_int_t)c->x[i]));
            } else if (c->number) {
                il_json_put(&w, row, c->name, c->x[i]);
            } else {
                il_json_put_text(&w, row, c->name, c->text[i]);
            }
        }
        il_json_append(&w, all, row);
    }
    return il_json_done(&w, all);
}

static const char TABLE[] = "cases";

il_status il_export_choose(const char *path, il_export_format *format, il_error *err) {
    static const struct {
        const char *extension;
        il_export_format format;
    } known[] = {{".csv", IL_EXPORT_CSV},   {".tex", IL_EXPORT_TEX}, {".sqlite", IL_EXPORT_SQLITE},
                 {".db", IL_EXPORT_SQLITE}, {".h5", IL_EXPORT_HDF5}, {".hdf5", IL_EXPORT_HDF5}};
    const char *extension = il_file_extension(path);
    il_status status = il_file_check_name(path, err);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(extension, known[k].extension) == 0) {
            *format = known[k].format;
            return status;
        }
    }
    return status != IL_OK ? status
                           : il_fail(err, IL_EINVAL,
                                     "the file is '%s'; allowed: NAME.csv, NAME.tex, NAME.sqlite, "
                                     "NAME.h5",
                                     path);
}

/* ---- SQLite --------------------------------------------------------------------------------- */

/* CREATE TABLE or INSERT; NULL without memory. Names that differ in case alone are one to SQL: the
 * later has its place behind it. */
static char *statement(sqlite3 *db, const il_columns *columns, bool create) {
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendf(sql, create ? "CREATE TABLE %s(" : "INSERT INTO %s VALUES(", TABLE);
    for (size_t k = 0; k < columns->n; k++) {
        const il_column *c = &columns->list[k];
        char place[24] = "";
        for (size_t i = 0; i < k; i++) {
            if (sqlite3_stricmp(columns->list[i].name, c->name) == 0) {
                (void)snprintf(place, sizeof place, "_%zu", k);
            }
        }
        sqlite3_str_appendall(sql, k > 0 ? ", " : "");
        if (create) {
            sqlite3_str_appendf(sql, "\"%w%s\" %s", c->name, place, c->number ? "REAL" : "TEXT");
        } else {
            sqlite3_str_appendall(sql, "?");
        }
    }
    sqlite3_str_appendall(sql, ")");
    return sqlite3_str_finish(sql);
}

static int bind_cell(sqlite3_stmt *s, int at, const il_column *c, size_t row) {
    if (c->number) {
        return isnan(c->x[row]) ? sqlite3_bind_null(s, at) : sqlite3_bind_double(s, at, c->x[row]);
    }
    return c->text[row] != NULL ? sqlite3_bind_text(s, at, c->text[row], -1, SQLITE_STATIC)
                                : sqlite3_bind_null(s, at);
}

static int put_rows(sqlite3 *db, const il_columns *columns, const char *sql) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    for (size_t row = 0; code == SQLITE_OK && row < columns->rows; row++) {
        for (size_t k = 0; code == SQLITE_OK && k < columns->n; k++) {
            code = bind_cell(s, (int)k + 1, &columns->list[k], row);
        }
        if (code == SQLITE_OK) {
            (void)sqlite3_step(s);
            code = sqlite3_reset(s); /* says what step did */
        }
    }
    (void)sqlite3_finalize(s);
    return code;
}

/* Into a private file: an incomplete one is discarded. */
static int fill(sqlite3 *db, const il_columns *columns) {
    static const char begin[] = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN";
    char *create = statement(db, columns, true);
    char *insert = statement(db, columns, false);
    int code =
        create != NULL && insert != NULL ? sqlite3_exec(db, begin, NULL, NULL, NULL) : SQLITE_NOMEM;
    code = code == SQLITE_OK ? sqlite3_exec(db, create, NULL, NULL, NULL) : code;
    code = code == SQLITE_OK ? put_rows(db, columns, insert) : code;
    code = code == SQLITE_OK ? sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) : code;
    sqlite3_free(create);
    sqlite3_free(insert);
    return code;
}

static il_status write_sqlite(const il_columns *columns, const il_file *file, il_error *err) {
    sqlite3 *db = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(file->scratch, &db, flags, NULL);
    code = code == SQLITE_OK ? fill(db, columns) : code;
    int closed = sqlite3_close(db);
    code = code == SQLITE_OK ? closed : code;
    if (code == SQLITE_OK) {
        return IL_OK;
    }
    bool memory = (code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM;
    return memory ? il_fail(err, IL_ENOMEM, "no memory to write '%s'", file->path)
                  : il_fail(err, IL_EIO, "cannot write '%s': %s", file->path,
                            (code & 0xff) == SQLITE_FULL ? "No space left on device"
                                                         : sqlite3_errstr(code));
}

/* ---- all of them ---------------------------------------------------------------------------- */

il_status il_export_write(const il_columns *columns, il_export_format format, const char *path,
                          il_error *err) {
    il_file file;
    if (format == IL_EXPORT_HDF5) {
        return il_hdf5_file_write("il_hdf5_write_columns", columns, path, TABLE, err);
    }
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    if (format == IL_EXPORT_SQLITE) {
        status = write_sqlite(columns, &file, err);
    } else {
        status = il_columns_print(columns, file.stream,
                                  format == IL_EXPORT_CSV ? IL_TABLE_CSV : IL_TABLE_TEX,
                                  "Stored cases.", format == IL_EXPORT_TEX ? 12 : 0, err);
    }
    if (status == IL_OK) {
        status = il_file_commit(&file, err);
    }
    il_file_abandon(&file);
    return status;
}
