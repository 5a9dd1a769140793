/*
 * state_file.h - bytes of a run or a reference, in a file that appears whole or not at all:
 *
 *     impactlab state 1 SUM\n  LENGTH\n  KEY  BYTES
 *
 * SUM is the SHA-256 of all that follows its line. KEY, LENGTH bytes, identifies the run; it
 * contains the build, because another build reads other bytes.
 */
#ifndef IL_STATE_FILE_H
#define IL_STATE_FILE_H

#include <stddef.h>

#include "harness/base/status.h"

/* Write. results: path is RESULTS/FOLDER/NAME, and the folder is made if it is missing, and refused
 * if it is a link. IL_EIO; then what stood there stays. */
il_status il_state_file_put(const char *path, const char *results, const char *key,
                            const unsigned char *bytes, size_t n, il_error *err);

/* The bytes of key, *bytes the caller's to free; NULL with IL_OK where there is no file. IL_EINVAL
 * for a file that is damaged or of another key, which stays. */
il_status il_state_file_find(const char *path, const char *key, unsigned char **bytes, size_t *n,
                             il_error *err);

/* The key of a file, the caller's; the checksum is not looked at. NULL with IL_EINVAL for what has
 * none. */
il_status il_state_file_key(const char *path, char **key, il_error *err);

#endif
