/*
 * export.c - columns as text and as files; missing values are empty cells. Files are written
 * through a scratch file beside the target.
 */
#include "harness/results/results.h"

#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The text of a cell; "" for nothing. NULL without memory. */
static char *cell(sqlite3_stmt *row, int k, int digits) {
    int type = sqlite3_column_type(row, k);
    return type == SQLITE_NULL   ? strdup("")
           : type == SQLITE_TEXT ? strdup((const char *)sqlite3_column_text(row, k))
                                 : number_text(sqlite3_column_double(row, k), digits);
}

/* All cells, [columns] and then [rows][columns], and their heads; the keys cut to `key` letters. */
static int read_cells(const il_index *index, sqlite3_stmt *s, char **cells, int digits,
                      size_t key) {
    int code = SQLITE_OK;
    int n = (int)index->columns;
    for (int k = 0; k < n; k++) {
        cells[k] = strdup(sqlite3_column_name(s, k));
        code = cells[k] != NULL ? code : SQLITE_NOMEM;
    }
    for (size_t i = 1; code == SQLITE_OK && i <= index->chosen; i++) {
        code = sqlite3_step(s) == SQLITE_ROW ? SQLITE_OK : sqlite3_reset(s);
        for (int k = 0; code == SQLITE_OK && k < n; k++) {
            char *text = cell(s, k, digits);
            code = text != NULL ? SQLITE_OK : SQLITE_NOMEM;
            if (text != NULL && key > 0 && strcmp(cells[k], "key") == 0 && strlen(text) > key) {
                text[key] = '\0';
            }
            if (text != NULL) {
                il_text_make_printable(text, false);
            }
            cells[i * index->columns + (size_t)k] = text;
        }
    }
    return code;
}

il_status il_columns_print(const il_index *index, FILE *out, unsigned format, const char *caption,
                           size_t key, il_error *err) {
    sqlite3_stmt *s = NULL;
    size_t n = (index->chosen + 1) * index->columns;
    char **cells = calloc(n + 1, sizeof *cells);
    int code =
        cells != NULL ? sqlite3_prepare_v2(index->db, index->select, -1, &s, NULL) : SQLITE_NOMEM;
    if (code == SQLITE_OK) {
        code = read_cells(index, s, cells, format == IL_TABLE_CSV ? 17 : 6, key);
    }
    (void)sqlite3_finalize(s);
    il_status status = il_index_fail(index, code, err);
    if (status == IL_OK) {
        il_table table = {.name = "cases",
                          .caption = caption,
                          .columns = index->columns,
                          .rows = index->chosen,
                          .heads = (const char **)cells,
                          .cells = (const char *const *)cells + index->columns};
        status = il_table_print(&table, out, format, err);
    }
    for (size_t k = 0; cells != NULL && k < n; k++) {
        free(cells[k]);
    }
    free(cells);
    return status;
}

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

/* ---- HDF5 ----------------------------------------------------------------------------------- */

/* A column with a text in it is one of texts. */
typedef struct {
    bool texts;
    double *x;    /* [rows] NaN where there is nothing */
    char **cells; /* [rows] */
    char *block;  /* the cells of a column of texts, of one length */
} column;

static bool make_column(column *c, size_t rows, const char *name) {
    const il_index_fixed *fixed = il_index_fixed_find(name);
    c->texts = fixed != NULL && fixed->kind != IL_INDEX_NUMBER;
    c->x = malloc((rows + 1) * sizeof *c->x);
    c->cells = calloc(rows + 1, sizeof *c->cells);
    return c->x != NULL && c->cells != NULL;
}

static bool put_cell(column *c, size_t row, sqlite3_stmt *s, int k) {
    int type = sqlite3_column_type(s, k);
    c->texts = c->texts || type == SQLITE_TEXT;
    c->x[row] = type != SQLITE_NULL ? sqlite3_column_double(s, k) : NAN;
    c->cells[row] = cell(s, k, 17);
    return c->cells[row] != NULL;
}

/* The column as an array in the group "cases"; a / in its name would be a group. */
static bool make_array(column *c, size_t rows, const char *name, il_hdf5_array *out) {
    char *path = NULL;
    size_t most = 1;
    for (size_t i = 0; c->texts && i < rows; i++) {
        most = strlen(c->cells[i]) > most ? strlen(c->cells[i]) : most;
    }
    c->block = c->texts ? calloc(rows * most + 1, 1) : NULL;
    for (size_t i = 0; c->block != NULL && i < rows; i++) {
        memcpy(c->block + i * most, c->cells[i], strlen(c->cells[i]));
    }
    if ((c->texts && c->block == NULL) || asprintf(&path, "cases/%s", name) < 0) {
        return false;
    }
    for (char *letter = path + strlen("cases/"); *letter != '\0'; letter++) {
        *letter = *letter == '/' ? '_' : *letter;
    }
    *out = c->texts ? (il_hdf5_array){path, IL_HDF5_TEXTS, 1, {rows, most}, c->block}
                    : (il_hdf5_array){path, IL_HDF5_DOUBLE, 1, {rows}, c->x};
    return true;
}

static void free_columns(column *columns, il_hdf5_array *list, const il_index *index) {
    for (size_t k = 0; k < index->columns; k++) {
        for (size_t i = 0; columns[k].cells != NULL && i < index->chosen; i++) {
            free(columns[k].cells[i]);
        }
        free(columns[k].cells);
        free(columns[k].block);
        free(columns[k].x);
        free((char *)(uintptr_t)list[k].name);
    }
}

static il_status write_hdf5(const il_index *index, const char *path, il_error *err) {
    sqlite3_stmt *s = NULL;
    size_t n = index->columns;
    size_t rows = index->chosen;
    column *columns = calloc(n + 1, sizeof *columns);
    il_hdf5_array *list = calloc(n + 1, sizeof *list);
    int code = sqlite3_prepare_v2(index->db, index->select, -1, &s, NULL);
    bool room = columns != NULL && list != NULL;
    for (size_t k = 0; code == SQLITE_OK && room && k < n; k++) {
        room = make_column(&columns[k], rows, sqlite3_column_name(s, (int)k));
    }
    for (size_t i = 0; code == SQLITE_OK && room && i < rows; i++) {
        code = sqlite3_step(s) == SQLITE_ROW ? SQLITE_OK : sqlite3_reset(s);
        for (size_t k = 0; code == SQLITE_OK && room && k < n; k++) {
            room = put_cell(&columns[k], i, s, (int)k);
        }
    }
    for (size_t k = 0; code == SQLITE_OK && room && k < n; k++) {
        room = make_array(&columns[k], rows, sqlite3_column_name(s, (int)k), &list[k]);
    }
    (void)sqlite3_finalize(s);
    il_status status = il_index_fail(index, room ? code : SQLITE_NOMEM, err);
    if (status == IL_OK) {
        status = il_hdf5_file_write(list, n, NULL, path, err);
    }
    if (columns != NULL && list != NULL) {
        free_columns(columns, list, index);
    }
    free(columns);
    free(list);
    return status;
}

/* ---- SQLite --------------------------------------------------------------------------------- */

/* As a table of a second database of the index's connection. */
static il_status write_sqlite(const il_index *index, const il_file *file, il_error *err) {
    char *path = realpath(file->scratch, NULL); /* the connection follows no links */
    char *sql = path == NULL ? NULL
                             : sqlite3_mprintf("ATTACH %Q AS file; PRAGMA file.journal_mode=OFF; "
                                               "PRAGMA file.synchronous=OFF; "
                                               "CREATE TABLE file.cases AS %s",
                                               path, index->select);
    int code = sql != NULL ? sqlite3_exec(index->db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    (void)sqlite3_exec(index->db, "DETACH file", NULL, NULL, NULL);
    sqlite3_free(sql);
    free(path);
    il_status status = il_index_fail(index, code, err);
    return status != IL_EIO ? status
                            : il_fail(err, IL_EIO, "cannot write '%s': %s", file->path,
                                      (code & 0xff) == SQLITE_FULL ? "No space left on device"
                                                                   : sqlite3_errstr(code));
}

/* ---- all of them ---------------------------------------------------------------------------- */

il_status il_export_write(const il_index *index, il_export_format format, const char *path,
                          il_error *err) {
    il_file file;
    if (format == IL_EXPORT_HDF5) {
        return write_hdf5(index, path, err);
    }
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    status = format == IL_EXPORT_SQLITE ? write_sqlite(index, &file, err)
             : format == IL_EXPORT_CSV
                 ? il_columns_print(index, file.stream, IL_TABLE_CSV, "", 0, err)
                 : il_columns_print(index, file.stream, IL_TABLE_TEX, "Stored cases.", 12, err);
    return il_file_end(&file, status, err);
}
