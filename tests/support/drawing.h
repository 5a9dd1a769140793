/*
 * drawing.h - a folder that figures are drawn into, small figures, and a program in gnuplot's
 * place.
 */
#ifndef IL_TESTS_DRAWING_H
#define IL_TESTS_DRAWING_H

#include <stddef.h>

#include "harness/base/status.h"
#include "tests/support/scratch.h"

typedef struct {
    char dir[IL_SCRATCH_ROOM]; /* fresh, removed at the end */
    il_error err;
} il_drawing;

/* close asserts that nothing but files is left; figures make no deeper folders that last. */
void il_drawing_open(il_drawing *b);
void il_drawing_close(il_drawing *b);

/* The bytes of a file, NUL-terminated, to be freed; NULL if there is none. */
char *il_drawing_slurp(const il_drawing *b, const char *file, size_t *size);

/* A shell script to run in gnuplot's place, its name into path. Not in the drawing's own folder,
 * whose files are counted. The caller removes it; il_drawing_close puts gnuplot back. */
void il_drawing_pretend(const char *script, char path[IL_SCRATCH_ROOM]);

/* Draw a small figure of one panel with one line. */
il_status il_drawing_line(il_drawing *b, const char *name);

#endif
