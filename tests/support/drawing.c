/*
 * drawing.c - IMPACTLAB_GNUPLOT names the program that draws.
 */
#include "tests/support/drawing.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/lua/present.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

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

il_status il_drawing_line(il_drawing *b, const char *name) {
    char path[2 * IL_SCRATCH_ROOM];
    json_t *figure =
        json_pack("{s:s, s:[{s:s, s:[i, i, i, i], s:[f, f, f, f]}]}", "caption", "A caption",
                  "series", "label", "a line", "x", 0, 1, 2, 3, "y", 0.0, 0.5, 0.25, 1.0);
    (void)snprintf(path, sizeof path, "%s/%s", b->dir, name);
    il_status status = il_lua_present("draw", figure, path, NULL, NULL, &b->err);
    json_decref(figure);
    return status;
}
