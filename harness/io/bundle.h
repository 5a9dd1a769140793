/*
 * bundle.h - folders of files that appear whole or not at all: a movie's frames, an export's steps.
 */
#ifndef IL_BUNDLE_H
#define IL_BUNDLE_H

#include "harness/base/status.h"

typedef struct {
    char *path;    /* where it will be */
    char *scratch; /* where it is until then: write files here */
    const char *suffix;
} il_bundle;

/* IL_OK if a bundle can be made at path: nothing stands there, or a folder that holds nothing but
 * files whose names end in suffix, which a bundle would replace. IL_EIO otherwise, naming what is
 * in the way: nobody's other files are ever removed. */
il_status il_bundle_check(const char *path, const char *suffix, il_error *err);

/* Make a scratch folder beside path, and path's own folders if they are missing. */
il_status il_bundle_open(il_bundle *bundle, const char *path, const char *suffix, il_error *err);

/* SCRATCH/NAME, to be freed; NULL when memory ran out. */
char *il_bundle_file(const il_bundle *bundle, const char *name);

/* Put the scratch folder in path's place. On failure path is as it was. Either way nothing stays of
 * the scratch folder and bundle is freed. */
il_status il_bundle_commit(il_bundle *bundle, il_error *err);

/* Give up: remove the scratch folder. Safe on a zeroed bundle and after commit. */
void il_bundle_abandon(il_bundle *bundle);

#endif
