/*
 * file.h - files that appear whole or not at all.
 */
#ifndef IL_FILE_H
#define IL_FILE_H

#include <stdio.h>

#include "harness/base/status.h"

typedef struct {
    FILE *stream;  /* write here */
    char *path;    /* where it will be */
    char *scratch; /* where it is until then */
} il_file;

/* Open path for writing through a scratch file in the same folder, which must exist. IL_EIO with
 * the path and the system's reason. */
il_status il_file_open(il_file *file, const char *path, il_error *err);

/* Flush, check for errors, rename into place. On failure the scratch file is removed and path is as
 * it was. Either way file is closed and its memory freed. */
il_status il_file_commit(il_file *file, il_error *err);

/* Give up: remove the scratch file, free. Safe on a zeroed file and after commit. */
void il_file_abandon(il_file *file);

/* IL_OK if a file could be written at path now; nothing is left behind. IL_EIO with the reason. */
il_status il_file_can_write(const char *path, il_error *err);

/* What follows the last dot of path's last part, the dot with it; "" without one. Points into
 * path or to static text. */
const char *il_file_extension(const char *path);

/* mkdir -p. IL_EIO names the folder that could not be made. */
il_status il_folder_make(const char *path, il_error *err);

#endif
