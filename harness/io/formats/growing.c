/*
 * growing.c - the growing file beside a trajectory's file, in the format of its name.
 */
#include "harness/io/formats/growing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    if (g->format == NULL || g->format->append == NULL) {
        return IL_OK;
    }
    int stem = (int)(extension - path);
    if (asprintf(&g->path, "%.*s.growing%s", stem, path, extension) < 0) {
        g->path = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for the name of a file");
    }
    return il_file_can_write(g->path, err);
}

/* Has the file the length that we left it with? */
static bool is_known(const il_growing *g, const il_trajectory *w) {
    struct stat info;
    return g->grown.bytes > 0 && g->grown.nodes <= w->nodes && lstat(g->path, &info) == 0 &&
           S_ISREG(info.st_mode) && (long long)info.st_size == g->grown.bytes;
}

il_status il_growing_follow(il_growing *g, const il_trajectory *w, const char *record,
                            il_error *err) {
    struct stat info;
    if (g->path == NULL) {
        return IL_OK;
    }
    bool done = is_known(g, w) && g->format->append(w, g->path, &g->grown);
    il_status status = done ? IL_OK : g->format->begin(w, g->path, record, err);
    g->grown = (il_grown){.nodes = 0};
    if (status == IL_OK && lstat(g->path, &info) == 0) {
        g->grown = (il_grown){w->nodes, w->ncontacts, (long long)info.st_size};
    }
    return status;
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
