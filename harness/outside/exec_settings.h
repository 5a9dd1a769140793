/*
 * exec_settings.h - what stands behind the colon of `exec:`.
 *
 *     exec:COMMAND
 *     exec:KEY=VALUE,KEY=VALUE,...:COMMAND
 *
 *     name=NAME       in records, tables and legends, in place of the whole text
 *     patience=60     seconds that it may be silent
 *     between=affine  constant, ballistic, dense: what a velocity means (replay.h)
 *     files=A B ...   files that the command depends on, beside those that its words name
 *     version=TEXT    anything that tells it from another
 *
 * The last two say when stored results are of the same program.
 */
#ifndef IL_OUTSIDE_EXEC_SETTINGS_H
#define IL_OUTSIDE_EXEC_SETTINGS_H

#include <stdbool.h>

#include "harness/outside/replay.h"
#include "schemes/scheme.h"

enum { IL_EXEC_FILES = 1024 };

typedef struct {
    const char *command; /* inside the settings */
    double patience;     /* seconds */
    il_between between;
    bool versioned; /* version= is given */
    char name[IL_SCHEME_LABEL];
    char files[IL_EXEC_FILES];
} il_exec_settings;

/* Read them. IL_EINVAL with what is allowed. */
il_status il_exec_settings_read(il_exec_settings *w, const char *text, il_error *err);

/* A name that a scheme may be given, text[n], into label. IL_EINVAL. */
il_status il_exec_name_read(const char *scheme, const char *text, size_t n,
                            char label[IL_SCHEME_LABEL], il_error *err);

#endif
