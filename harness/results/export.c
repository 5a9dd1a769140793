/*
 * export.c - columns of stored cases as files, through a scratch file beside the target.
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
#include "harness/io/file.h"
#include "harness/io/formats/hdf5_file.h"

/* ---- HDF5 ----------------------------------------------------------------------------------- */

/* As few digits as reading it back takes. */
static il_numeral number_text(double x) {
    il_numeral out = {""};
    if (x != floor(x) || fabs(x) >= 1e15) {
        return il_text_numeral(x);
    }
    (void)snprintf(out.text, sizeof out.text, "%.0f", x);
    return out;
}

static double number_of(const il_cell *cell) {
    return cell->kind == IL_CELL_COUNT  ? (double)cell->count
           : cell->kind == IL_CELL_REAL ? cell->real
                                        : NAN;
}

static bool has_texts(const il_frame *frame, size_t k) {
    size_t i = k;
    while (i < frame->rows * frame->columns && frame->cells[i].kind != IL_CELL_TEXT) {
        i += frame->columns;
    }
    return i < frame->rows * frame->columns;
}

/* Column k as texts, "" for nothing: the letters of the longest, at least 1. */
static size_t make_texts(il_frame *frame, size_t k) {
    size_t most = 1;
    for (size_t i = k; i < frame->rows * frame->columns; i += frame->columns) {
        il_cell *cell = &frame->cells[i];
        if (cell->kind != IL_CELL_TEXT) {
            bool none = cell->kind == IL_CELL_NONE;
            il_cell_set_text(cell, none ? "" : number_text(number_of(cell)).text);
        }
        most = strlen(cell->text) > most ? strlen(cell->text) : most;
    }
    return most;
}

/* Column k as an array of the group "cases": doubles, NaN for nothing, or texts of one length. A /
 * in its name would be a group. */
static il_hdf5_array array_of(il_frame *frame, size_t k, bool texts) {
    size_t size = texts ? make_texts(frame, k) : sizeof(double);
    char *block = il_alloc_zero(frame->rows, size);
    char *name = il_alloc_format("cases/%s", frame->names[k]);
    for (char *slash = name + strlen("cases"); (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '_';
    }
    for (size_t i = 0; i < frame->rows; i++) {
        const il_cell *cell = &frame->cells[i * frame->columns + k];
        double x = texts ? 0.0 : number_of(cell);
        memcpy(block + i * size, texts ? cell->text : (const char *)&x,
               texts ? strlen(cell->text) : size);
    }
    return texts ? (il_hdf5_array){name, IL_HDF5_TEXTS, 1, {frame->rows, size}, block}
                 : (il_hdf5_array){name, IL_HDF5_DOUBLE, 1, {frame->rows}, block};
}

il_status il_export_hdf5(il_frame *frame, const bool *texts, const char *path, il_error *err) {
    il_hdf5_array *list = il_alloc_zero(frame->columns, sizeof *list);
    for (size_t k = 0; k < frame->columns; k++) {
        list[k] = array_of(frame, k, texts[k] || has_texts(frame, k));
    }
    il_status status = il_hdf5_file_write(list, frame->columns, NULL, path, err);
    for (size_t k = 0; k < frame->columns; k++) {
        free((char *)(uintptr_t)list[k].name);
        free((char *)(uintptr_t)list[k].data);
    }
    free(list);
    return status;
}

/* ---- SQLite --------------------------------------------------------------------------------- */

/* As a table of a second database of the index's connection. */
static il_status write_sqlite(const il_index *index, const char *select, const il_file *file,
                              il_error *err) {
    char *path = realpath(file->scratch, NULL); /* the connection follows no links */
    if (path == NULL) {
        return il_fail(err, IL_EIO, "cannot write '%s': %s", file->path, strerror(errno));
    }
    char *sql = sqlite3_mprintf("ATTACH %Q AS file; PRAGMA file.journal_mode=OFF; "
                                "PRAGMA file.synchronous=OFF; CREATE TABLE file.cases AS %s",
                                path, select);
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

il_status il_export_sqlite(const il_index *index, const char *select, const char *path,
                           il_error *err) {
    il_file file;
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        status = write_sqlite(index, select, &file, err);
        status = il_file_end(&file, status, err);
    }
    return status;
}
