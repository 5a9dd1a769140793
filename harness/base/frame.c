/*
 * frame.c - see frame.h.
 */
#include "harness/base/frame.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"

void il_frame_begin(il_frame *frame, size_t columns) {
    *frame = (il_frame){.columns = columns};
    frame->names = il_alloc_zero(columns, sizeof *frame->names);
}

void il_frame_free(il_frame *frame) {
    for (size_t k = 0; k < frame->rows * frame->columns; k++) {
        if (frame->cells[k].kind == IL_CELL_TEXT) {
            free(frame->cells[k].text);
        }
    }
    for (size_t k = 0; frame->names != NULL && k < frame->columns; k++) {
        free(frame->names[k]);
    }
    free(frame->names);
    free(frame->cells);
    *frame = (il_frame){.names = NULL};
}

il_cell *il_frame_add(il_frame *frame) {
    size_t row = frame->columns * sizeof *frame->cells;
    if (frame->rows == frame->room) {
        frame->room = frame->room > 0 ? 2 * frame->room : 64;
        il_memory_grow(&frame->cells, frame->room, row);
    }
    return memset(frame->cells + frame->columns * frame->rows++, 0, row);
}

void il_cell_set_text(il_cell *cell, const char *text) {
    *cell = (il_cell){.kind = IL_CELL_TEXT, .text = il_alloc_text(text)};
}

void il_frame_set_name(il_frame *frame, size_t column, const char *name) {
    frame->names[column] = il_alloc_text(name);
}

static json_t *cell_json(const il_cell *cell) {
    return cell->kind == IL_CELL_COUNT  ? json_integer(cell->count)
           : cell->kind == IL_CELL_REAL ? il_json_number(cell->real)
           : cell->kind == IL_CELL_TEXT ? json_string(cell->text)
                                        : json_null();
}

json_t *il_frame_json(const il_frame *frame) {
    json_t *rows = json_array();
    for (size_t i = 0; i < frame->rows; i++) {
        json_t *row = json_object();
        for (size_t k = 0; k < frame->columns; k++) {
            il_json_set(row, frame->names[k], cell_json(&frame->cells[i * frame->columns + k]));
        }
        il_json_append(rows, row);
    }
    return rows;
}
