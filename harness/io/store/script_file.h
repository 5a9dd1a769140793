/*
 * script_file.h - sealed files that belong to one call of a script: its roster and its journal.
 * Used only in harness/io/store.
 */
#ifndef IL_SCRIPT_FILE_H
#define IL_SCRIPT_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

/* "RESULTS/FOLDER/NAME-HASH.json" of "DIR/NAME.lua"; the hash is that of the lines call and
 * args[nargs]. */
enum { IL_SCRIPT_FILE_PATH = 4608 };
void il_script_file_path(char path[IL_SCRIPT_FILE_PATH], const char *results, const char *folder,
                         const char *script, const char *call, const char *const *args,
                         size_t nargs);

/* The array of args[nargs]. */
json_t *il_script_file_words(const char *const *args, size_t nargs);

/* The files of a folder: what they are called in messages, and members that they have. */
typedef struct {
    const char *folder, *kind; /* "rosters", "roster" */
    const char *members[8];
    bool (*shaped)(const json_t *root); /* are they of their types? NULL: not asked */
} il_script_files;

/* All that a results folder has, an array in the order of their names, each with its file's "name";
 * empty where there are none. A file or a folder that cannot be used, one of a newer format too, is
 * a sentence more in the array troubles (may be NULL). The caller decrefs. */
json_t *il_script_files_all(const il_script_files *what, const char *results, json_t *troubles);

#endif
