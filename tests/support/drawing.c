/*
 * drawing.c - IMPACTLAB_GNUPLOT names the program that draws.
 */
#include "tests/support/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* A frame with a curve takes more than this in every format; a file that was only opened less. */
enum { NON_TRIVIAL = 1000 };

void il_drawing_open(il_drawing *b) {
    memset(b, 0, sizeof *b);
    il_scratch_open(b->dir);
}

void il_drawing_close(il_drawing *b) {
    il_scratch_close(b->dir, 0);
    (void)unsetenv("IMPACTLAB_GNUPLOT");
}

char *il_drawing_slurp(const il_drawing *b, const char *file, size_t *size) {
    return il_test_slurp(b->dir, file, size);
}

bool il_drawing_contains(const il_drawing *b, const char *file, const char *what) {
    size_t size = 0;
    char *text = il_drawing_slurp(b, file, &size);
    bool found = text != NULL && memmem(text, size, what, strlen(what)) != NULL;
    free(text);
    return found;
}

bool il_drawing_begins(const il_drawing *b, const char *file, const char *head) {
    size_t size = 0;
    char *text = il_drawing_slurp(b, file, &size);
    bool good = text != NULL && size > NON_TRIVIAL && memcmp(text, head, strlen(head)) == 0;
    free(text);
    return good;
}

void il_drawing_pretend(const char *script, char path[IL_SCRATCH_ROOM]) {
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(path, IL_SCRATCH_ROOM, "%s/il-gnuplot-XXXXXX", tmp != NULL ? tmp : "/tmp");
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    FILE *out = fdopen(fd, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fprintf(out, "#!/bin/sh\n%s\n", script);
    (void)fclose(out);
    (void)chmod(path, 0755);
    (void)setenv("IMPACTLAB_GNUPLOT", path, 1);
}

il_panel il_drawing_panel(const il_series *series, size_t n) {
    return (il_panel){.xlabel = "t",
                      .ylabel = "q",
                      .xmin = NAN,
                      .xmax = NAN,
                      .ymin = NAN,
                      .ymax = NAN,
                      .nseries = n,
                      .series = series};
}

il_status il_drawing_line(il_drawing *b, const char *name, const double *y, bool logy) {
    static const double X[] = {0.0, 1.0, 2.0, 3.0};
    il_series s = {.label = "a line", .style = IL_LINES, .n = 4, .x = X, .y = y};
    il_panel p = il_drawing_panel(&s, 1);
    p.logy = logy;
    il_figure f = {.name = name, .caption = "A caption", .npanels = 1, .panels = &p};
    return il_figure_draw(&f, b->dir, &b->report, &b->err);
}
