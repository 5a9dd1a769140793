/*
 * frame.h - columns of values with names: what a query of stored cases yields.
 */
#ifndef IL_BASE_FRAME_H
#define IL_BASE_FRAME_H

#include <jansson.h>
#include <stddef.h>

typedef struct {
    enum { IL_CELL_NONE, IL_CELL_COUNT, IL_CELL_REAL, IL_CELL_TEXT } kind;
    union {
        long long count;
        double real;
        char *text; /* UTF-8, the frame's */
    };
} il_cell;

typedef struct {
    size_t columns, rows, room;
    char **names;   /* [columns] */
    il_cell *cells; /* [rows][columns] */
} il_frame;

/* A frame without rows, of columns whose names are yet to be set; the creator frees it, with the
 * texts and names that are in it. */
void il_frame_begin(il_frame *frame, size_t columns);
void il_frame_free(il_frame *frame);

/* The cells [columns] of one more row, all of them empty; valid until the next is added. */
il_cell *il_frame_add(il_frame *frame);

/* Set a cell or a name to a copy of text. */
void il_cell_set_text(il_cell *cell, const char *text);
void il_frame_set_name(il_frame *frame, size_t column, const char *name);

/* The rows as an array of objects {NAME: value}, the caller's. */
json_t *il_frame_json(const il_frame *frame);

#endif
