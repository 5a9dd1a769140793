/*
 * export.c - columns as text and as files; missing values are empty cells. Files are written
 * through a scratch file beside the target.
 */
#include "harness/results/results.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/draw/table.h"
#include "harness/io/file.h"
#include "harness/io/formats/columns.h"
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

static void free_columns(il_columns *columns) {
    for (size_t k = 0; columns->list != NULL && k < columns->n; k++) {
        il_column *c = &columns->list[k];
        for (size_t i = 0; c->text != NULL && i < columns->rows; i++) {
            free(c->text[i]);
        }
        free(c->text);
        free(c->x);
        free(c->name);
    }
    free(columns->list);
}

/* Column k, empty: of numbers, unless every case has a text there. */
static bool make_column(il_column *c, size_t rows, const char *name) {
    const il_index_fixed *fixed = il_index_fixed_find(name);
    *c = (il_column){.name = strdup(name),
                     .number = fixed == NULL || fixed->kind == IL_INDEX_NUMBER,
                     .x = malloc((rows + 1) * sizeof *c->x),
                     .text = calloc(rows + 1, sizeof *c->text)};
    for (size_t i = 0; c->x != NULL && i < rows; i++) {
        c->x[i] = NAN;
    }
    return c->name != NULL && c->x != NULL && c->text != NULL;
}

/* A column that has a text somewhere is one of texts. */
static bool put_cell(il_column *c, size_t row, sqlite3_stmt *s, int k) {
    int type = sqlite3_column_type(s, k);
    if (type == SQLITE_NULL) {
        return true;
    }
    c->number = c->number && type != SQLITE_TEXT;
    c->x[row] = sqlite3_column_double(s, k);
    c->text[row] = cell(s, k, 17);
    return c->text[row] != NULL;
}

static il_status write_hdf5(const il_index *index, const char *path, il_error *err) {
    sqlite3_stmt *s = NULL;
    il_columns all = {.rows = index->chosen,
                      .n = index->columns,
                      .list = calloc(index->columns + 1, sizeof *all.list)};
    int code = sqlite3_prepare_v2(index->db, index->select, -1, &s, NULL);
    bool room = all.list != NULL;
    for (size_t k = 0; code == SQLITE_OK && room && k < all.n; k++) {
        room = make_column(&all.list[k], all.rows, sqlite3_column_name(s, (int)k));
    }
    for (size_t i = 0; code == SQLITE_OK && room && i < all.rows; i++) {
        code = sqlite3_step(s) == SQLITE_ROW ? SQLITE_OK : sqlite3_reset(s);
        for (size_t k = 0; code == SQLITE_OK && room && k < all.n; k++) {
            room = put_cell(&all.list[k], i, s, (int)k);
        }
    }
    (void)sqlite3_finalize(s);
    il_status status = il_index_fail(index, room ? code : SQLITE_NOMEM, err);
    if (status == IL_OK) {
        status = il_hdf5_file_write("il_hdf5_write_columns", &all, path, "cases", err);
    }
    free_columns(&all);
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
    if (status == IL_OK) {
        status = il_file_commit(&file, err);
    }
    il_file_abandon(&file);
    return status;
}
