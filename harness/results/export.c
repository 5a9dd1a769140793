/*
 * export.c - columns as text and as files; missing values are empty cells. Files are written
 * through a scratch file beside the target.
 */
#include "harness/results/results.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/draw/table.h"
#include "harness/io/file.h"
#include "harness/io/formats/hdf5_file.h"
#include "harness/io/scratch.h"

/* As few digits as reading it back takes, at most `digits`. */
static char *number_text(double x, int digits) {
    char text[40];
    if (x == floor(x) && fabs(x) < 1e15) {
        (void)snprintf(text, sizeof text, "%.0f", x);
        return il_alloc_text(text);
    }
    for (int k = 1; k <= digits; k++) {
        (void)snprintf(text, sizeof text, "%.*g", k, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
    return il_alloc_text(text);
}

/* The text of a cell; "" for nothing. */
static char *cell(sqlite3_stmt *row, int k, int digits) {
    int type = sqlite3_column_type(row, k);
    return type == SQLITE_NULL   ? il_alloc_text("")
           : type == SQLITE_TEXT ? il_alloc_text((const char *)sqlite3_column_text(row, k))
                                 : number_text(sqlite3_column_double(row, k), digits);
}

/* The rows of the chosen columns. */
typedef struct {
    size_t n, rows;
    char **cells; /* [n] names, and then [rows][n] */
    bool *texts;  /* [n] is there a text in the column? */
} grid;

static void free_grid(grid *g) {
    for (size_t k = 0; k < (g->rows + 1) * g->n; k++) {
        free(g->cells[k]);
    }
    free(g->cells);
    free(g->texts);
}

static void read_row(const grid *g, sqlite3_stmt *s, size_t row, int digits) {
    for (size_t k = 0; k < g->n; k++) {
        g->texts[k] = g->texts[k] || sqlite3_column_type(s, (int)k) == SQLITE_TEXT;
        g->cells[(row + 1) * g->n + k] = cell(s, (int)k, digits);
    }
}

static il_status read_grid(const il_index *index, int digits, grid *g, il_error *err) {
    sqlite3_stmt *s = NULL;
    *g = (grid){.n = index->columns, .rows = index->chosen};
    g->cells = il_alloc_zero((g->rows + 1) * g->n, sizeof *g->cells);
    g->texts = il_alloc_zero(g->n, sizeof *g->texts);
    int code = sqlite3_prepare_v2(index->db, index->select, -1, &s, NULL);
    for (size_t k = 0; code == SQLITE_OK && k < g->n; k++) {
        g->cells[k] = il_alloc_text(sqlite3_column_name(s, (int)k));
    }
    for (size_t i = 0; code == SQLITE_OK && i < g->rows; i++) {
        code = sqlite3_step(s) == SQLITE_ROW ? SQLITE_OK : sqlite3_reset(s);
        if (code == SQLITE_OK) {
            read_row(g, s, i, digits);
        }
    }
    (void)sqlite3_finalize(s);
    return il_index_fail(index, code, err);
}

il_status il_columns_print(const il_index *index, FILE *out, unsigned format, const char *caption,
                           size_t key, il_error *err) {
    grid g;
    il_status status = read_grid(index, format == IL_TABLE_CSV ? 17 : 6, &g, err);
    for (size_t k = 0; status == IL_OK && k < (g.rows + 1) * g.n; k++) {
        il_text_make_printable(g.cells[k], false);
        if (k >= g.n && key > 0 && strcmp(g.cells[k % g.n], "key") == 0) {
            g.cells[k][strnlen(g.cells[k], key)] = '\0';
        }
    }
    if (status == IL_OK) {
        il_table table = {.name = "cases",
                          .caption = caption,
                          .columns = g.n,
                          .rows = g.rows,
                          .heads = (const char **)g.cells,
                          .cells = (const char *const *)g.cells + g.n};
        il_table_print(&table, out, format);
    }
    free_grid(&g);
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

/* Column k as an array of the group "cases": doubles, NaN for nothing, or texts of one length. A /
 * in its name would be a group. */
static il_hdf5_array make_array(const grid *g, size_t k) {
    const il_index_fixed *fixed = il_index_fixed_find(g->cells[k]);
    char **cells = &g->cells[g->n + k]; /* every n-th */
    char *name = il_alloc_format("cases/%s", g->cells[k]);
    size_t most = 1;
    bool texts = g->texts[k] || (fixed != NULL && fixed->kind != IL_INDEX_NUMBER);
    for (size_t i = 0; texts && i < g->rows; i++) {
        size_t letters = strlen(cells[i * g->n]);
        most = letters > most ? letters : most;
    }
    char *block = il_alloc_zero(g->rows, texts ? most : sizeof(double));
    for (char *letter = name + strlen("cases/"); *letter != '\0'; letter++) {
        if (*letter == '/') {
            *letter = '_';
        }
    }
    for (size_t i = 0; i < g->rows; i++) {
        const char *text = cells[i * g->n];
        double x = text[0] != '\0' && !texts ? strtod(text, NULL) : NAN;
        memcpy(block + i * (texts ? most : sizeof x), texts ? text : (const char *)&x,
               texts ? strlen(text) : sizeof x);
    }
    return texts ? (il_hdf5_array){name, IL_HDF5_TEXTS, 1, {g->rows, most}, block}
                 : (il_hdf5_array){name, IL_HDF5_DOUBLE, 1, {g->rows}, block};
}

static il_status write_hdf5(const il_index *index, const char *path, il_error *err) {
    grid g;
    il_hdf5_array *list = il_alloc_zero(index->columns, sizeof *list);
    il_status status = read_grid(index, 17, &g, err);
    for (size_t k = 0; status == IL_OK && k < g.n; k++) {
        list[k] = make_array(&g, k);
    }
    if (status == IL_OK) {
        status = il_hdf5_file_write(list, g.n, NULL, path, err);
    }
    for (size_t k = 0; k < g.n; k++) {
        free((char *)(uintptr_t)list[k].name);
        free((char *)(uintptr_t)list[k].data);
    }
    free(list);
    free_grid(&g);
    return status;
}

/* ---- SQLite --------------------------------------------------------------------------------- */

/* As a table of a second database of the index's connection. */
static il_status write_sqlite(const il_index *index, const il_file *file, il_error *err) {
    char *path = realpath(file->scratch, NULL); /* the connection follows no links */
    if (path == NULL) {
        return il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", file->path,
                       strerror(errno));
    }
    char *sql = sqlite3_mprintf("ATTACH %Q AS file; PRAGMA file.journal_mode=OFF; "
                                "PRAGMA file.synchronous=OFF; CREATE TABLE file.cases AS %s",
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
    il_scratch_clear_beside(path); /* what exports that were killed left */
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
