/*
 * output_folder.h - atomic folders of files: an export's steps, the manual's pages.
 */
#ifndef IL_OUTPUT_FOLDER_H
#define IL_OUTPUT_FOLDER_H

#include "harness/base/status.h"

typedef struct {
    char *path;    /* where it will be */
    char *scratch; /* where it is until then (scratch.h): write files here */
    int lock;      /* a descriptor of that, as long as scratch is not NULL */
    const char *suffix;
} il_output_folder;

/* IL_OK if an output folder can be made at path: there is nothing, or a folder that holds only
 * files whose names end in suffix, which it would replace. IL_EIO otherwise, naming what is in the
 * way: other files are never removed; IL_EINVAL for a name (il_file_check_name). */
il_status il_output_folder_check(const char *path, const char *suffix, il_error *err);

/* Make a scratch folder beside path, and path's own folders if they are missing; what a program
 * that was killed left of path goes. */
il_status il_output_folder_open(il_output_folder *output, const char *path, const char *suffix,
                                il_error *err);

/* SCRATCH/NAME, to be freed. */
char *il_output_folder_file(const il_output_folder *output, const char *name);

/* Put the scratch folder in path's place once its files are synced. On failure path is unchanged.
 * Either way the scratch folder is removed and output is freed. */
il_status il_output_folder_commit(il_output_folder *output, il_error *err);

/* Give up: remove the scratch folder. Safe on a zeroed one and after commit. */
void il_output_folder_abandon(il_output_folder *output);

#endif
