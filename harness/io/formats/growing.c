/*
 * growing.c - beside a trajectory's file, by the format of its name.
 */
#include "harness/io/formats/growing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/file.h"

il_status il_growing_open(il_growing *g, const char *path, il_error *err) {
    const char *extension = il_file_extension(path);
    *g = (il_growing){.path = NULL};
    for (size_t k = 0; extension[0] == '.' && il_format_type_at(k) != NULL; k++) {
        if (strcmp(il_format_type_at(k)->name, extension + 1) == 0) {
            g->format = il_format_type_at(k);
        }
    }
    if (g->format == NULL || g->format->grow == NULL) {
        return IL_OK;
    }
    int stem = (int)(extension - path);
    if (asprintf(&g->path, "%.*s.growing%s", stem, path, extension) < 0) {
        g->path = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for the name of a file");
    }
    return il_file_can_write(g->path, err);
}

il_status il_growing_follow(il_growing *g, const il_trajectory *w, const char *record,
                            il_error *err) {
    return g->path != NULL ? g->format->grow(w, g->path, record, &g->grown, err) : IL_OK;
}

void il_growing_remove(const il_growing *g) {
    if (g->path != NULL) {
        (void)unlink(g->path);
    }
}

void il_growing_close(il_growing *g) {
    free(g->path);
    *g = (il_growing){.path = NULL};
}
