/*
 * scratch.h - the scratch entry of a target until it is complete: TARGET.part.XXXXXX, a file or a
 * folder.
 *
 * The name is random and the entry made with O_EXCL, so that a link planted there is not followed
 * and programs with equal process numbers (containers that share a folder) do not collide. Its
 * owner holds flock(2) on it until it exits. An entry of such a name that belongs to this user and
 * is not locked was left by a killed program.
 */
#ifndef IL_SCRATCH_H
#define IL_SCRATCH_H

#include <stdbool.h>

#include "harness/base/status.h"

/* A new file, or a folder that only this user may enter, beside path. *name is the caller's to
 * free, *lock a descriptor of it, which holds the lock until it is closed and is not inherited by
 * programs that are started. IL_EIO with path and the system's reason. */
il_status il_scratch_file(const char *path, char **name, int *lock, il_error *err);
il_status il_scratch_folder(const char *path, char **name, int *lock, il_error *err);

/* Remove the file `name`, or the folder with the files in it. Links are removed, not followed. */
void il_scratch_remove(const char *name);

/* Remove what programs that were killed left in a folder: of one target (the last part of its
 * path), or with NULL of all. What cannot be read, removed or locked stays; true where some of it
 * is locked by a maker that lives. */
bool il_scratch_clear(const char *folder, const char *target);

/* The same beside path, of path alone. */
void il_scratch_clear_beside(const char *path);

/* Is this the name of a scratch entry? */
bool il_scratch_is_name(const char *name);

/* Make the entries of the folder that path lies in outlast a loss of power. File systems that
 * cannot sync a folder keep them as well as they can. */
void il_scratch_sync_beside(const char *path);

#endif
