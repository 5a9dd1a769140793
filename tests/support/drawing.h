/*
 * drawing.h - a folder that figures are drawn into, small figures, and a program in gnuplot's
 * place.
 */
#ifndef IL_TESTS_DRAWING_H
#define IL_TESTS_DRAWING_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/draw/plot.h"
#include "tests/support/scratch.h"

typedef struct {
    char dir[IL_SCRATCH_ROOM]; /* fresh, removed at the end */
    il_error err;
    il_figure_report report;
} il_drawing;

/* close asserts that nothing but files is left; figures make no deeper folders that last. */
void il_drawing_open(il_drawing *b);
void il_drawing_close(il_drawing *b);

/* The bytes of a file, NUL-terminated, to be freed; NULL if there is none. */
char *il_drawing_slurp(const il_drawing *b, const char *file, size_t *size);
bool il_drawing_contains(const il_drawing *b, const char *file, const char *what);

/* Has it this head, and more bytes than a frame without a curve takes in any format? */
bool il_drawing_begins(const il_drawing *b, const char *file, const char *head);

/* A shell script to run in gnuplot's place, its name into path. Not in the drawing's own folder,
 * whose files are counted. The caller removes it; il_drawing_close puts gnuplot back. */
void il_drawing_pretend(const char *script, char path[IL_SCRATCH_ROOM]);

/* q over t; ranges are found from the series. */
il_panel il_drawing_panel(const il_series *series, size_t n);

/* Draw a small figure of one panel with one line: y[4] over 0, 1, 2, 3. */
il_status il_drawing_line(il_drawing *b, const char *name, const double *y, bool logy);

#endif
