/*
 * file.h - atomic files: complete or absent, also after a loss of power.
 */
#ifndef IL_FILE_H
#define IL_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/base/status.h"

typedef struct {
    FILE *stream;  /* write here */
    char *path;    /* where it will be */
    char *scratch; /* where it is until then (scratch.h) */
    int lock;      /* a descriptor of that, as long as scratch is not NULL */
    bool passing;  /* may be set: not synced to the disk, which takes 5 to 15 ms per file */
} il_file;

/* Open path for writing through a scratch file in the same folder, which must exist. IL_EIO with
 * the path and the system's reason. */
il_status il_file_open(il_file *file, const char *path, il_error *err);

/* Flush, check for errors, sync to the disk, close the stream; path is unchanged. A group of files
 * is flushed before the first is committed, so that a full disk changes none. On failure the
 * scratch file is removed and file's memory freed. */
il_status il_file_flush(il_file *file, il_error *err);

/* Flush, unless that was done, and rename into place. On failure the scratch file is removed and
 * path is as it was. Either way file is closed and its memory freed. */
il_status il_file_commit(il_file *file, il_error *err);

/* Commit where status is IL_OK, else abandon: what became of it. */
il_status il_file_end(il_file *file, il_status status, il_error *err);

/* Give up: remove the scratch file, free. Safe on a zeroed file, after flush and after commit. */
void il_file_abandon(il_file *file);

/* IL_OK if a file or folder may have this path: the last part of it begins neither with '-', which
 * programs take for an option, nor with '.', which hides it, and no letter is a control character.
 * IL_EINVAL in one line. */
il_status il_file_check_name(const char *path, il_error *err);

/* IL_OK if a file could be written at path now. Nothing is left behind; scratch files of path left
 * by a killed program are removed. IL_EIO with the reason; IL_EINVAL for its name. */
il_status il_file_can_write(const char *path, il_error *err);

/* Open a regular file for reading, without following a link: it never blocks on a pipe or a device.
 * NULL, and IL_EIO with path and the reason, otherwise. */
FILE *il_file_read(const char *path, il_error *err);

/* All of a file, opened in the same way, with a NUL behind it; *text is the caller's, NULL with
 * IL_OK where there is no file. err is the reason alone: IL_EINVAL, this one file is at fault;
 * IL_EIO, it cannot be read. */
il_status il_file_load(const char *path, char **text, size_t *n, il_error *err);

/* Do two paths name the same file, existing or not: the same last part in the same folder? */
bool il_file_same(const char *a, const char *b);

/* The letters from the last dot of path's last part on, the dot with them; "" without one. Points
 * into path or to static text. */
const char *il_file_extension(const char *path);

/* mkdir -p. IL_EIO names the folder that could not be made. */
il_status il_folder_make(const char *path, il_error *err);

/* mkdir -p OUTER/INNER for a folder that the user named: OUTER may be or contain a link; INNER,
 * which may have several parts, may not, so that nothing is written elsewhere. IL_EIO names the
 * folder that could not be made, or the link. */
il_status il_folder_make_inside(const char *outer, const char *inner, il_error *err);

#endif
