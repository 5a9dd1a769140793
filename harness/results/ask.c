/*
 * ask.c - statements of the index: their steps, their failures, their rows as a frame.
 */
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/results/index.h"

/* Lack of memory ends the program. */
static void expect_memory(int code) {
    if ((code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM) {
        il_memory_end(0);
    }
}

il_status il_index_fail(const il_index *index, int code, il_error *err) {
    expect_memory(code);
    return code == SQLITE_OK ? IL_OK
           : (code & 0xff) == SQLITE_INTERRUPT
               ? il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason())
               : il_fail(err, IL_EIO, "the index of '%s': %s%s", index->results,
                         sqlite3_errstr(code),
                         (code & 0xff) == SQLITE_CORRUPT
                             ? "; without its folder 'index' it is made again"
                             : "");
}

int il_index_step(sqlite3_stmt *statement) {
    (void)sqlite3_step(statement);
    return sqlite3_reset(statement); /* says what step did */
}

/* The row into the frame. */
static int take_row(il_frame *out, sqlite3_stmt *row) {
    il_cell *cells = il_frame_add(out);
    for (int k = 0; k < (int)out->columns; k++) {
        int type = sqlite3_column_type(row, k);
        if (type == SQLITE_INTEGER) {
            cells[k] = (il_cell){.kind = IL_CELL_COUNT, .count = sqlite3_column_int64(row, k)};
        } else if (type == SQLITE_FLOAT) {
            cells[k] = (il_cell){.kind = IL_CELL_REAL, .real = sqlite3_column_double(row, k)};
        } else if (type != SQLITE_NULL) {
            const char *text = (const char *)sqlite3_column_text(row, k);
            if (text == NULL || !il_text_is_utf8(text)) {
                return text == NULL ? SQLITE_NOMEM : SQLITE_CORRUPT;
            }
            il_cell_set_text(&cells[k], text);
        }
    }
    return SQLITE_OK;
}

il_status il_index_ask(const il_index *index, const char *sql, const char *text, il_frame *out,
                       il_error *err) {
    sqlite3_stmt *s = NULL;
    *out = (il_frame){.columns = 0};
    int code = sqlite3_prepare_v2(index->db, sql, -1, &s, NULL);
    if (code == SQLITE_ERROR) { /* SQLite has limits of its own on how deep a condition is */
        return il_fail(err, IL_EINVAL, "--where is too long or too deep (%s)",
                       sqlite3_errmsg(index->db));
    }
    if (code == SQLITE_OK) {
        il_frame_begin(out, (size_t)sqlite3_column_count(s));
    }
    for (size_t k = 0; k < out->columns; k++) {
        il_frame_set_name(out, k, sqlite3_column_name(s, (int)k));
    }
    if (code == SQLITE_OK && text != NULL) {
        code = sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
    }
    while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        code = take_row(out, s);
    }
    (void)sqlite3_finalize(s);
    if (code != SQLITE_DONE) {
        il_frame_free(out);
    }
    return il_index_fail(index,
                         code == SQLITE_DONE    ? SQLITE_OK
                         : code == SQLITE_ERROR ? SQLITE_CORRUPT /* a record is no JSON */
                                                : code,
                         err);
}
