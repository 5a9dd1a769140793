/*
 * lua_stage.h - for tests of scripts: a folder that holds one script and its results.
 */
#ifndef IL_TESTS_LUA_STAGE_H
#define IL_TESTS_LUA_STAGE_H

#include <stdbool.h>

#include "harness/lua/script.h"

typedef struct {
    char folder[64]; /* holds script.lua and the results */
    char script[96], results[96];
    il_lua_options options;
    il_lua_outcome outcome;
    il_error err;
    char *messages; /* of the last run */
} il_stage;

/* A new folder under /tmp, and its removal with all that is in it. */
void il_stage_new(il_stage *s);
void il_stage_free(il_stage *s);

/* Run the script of the options; outcome, err and messages are of this run. */
il_status il_stage_run(il_stage *s);

void il_stage_write(const char *path, const char *text);

/* The text of folder/name, to be freed. */
char *il_stage_read(const char *folder, const char *name);

bool il_stage_has(const char *folder, const char *name);

/* Run a file of tests/lua: it ends well, with at least `least` checks of which none fails. */
void il_stage_run_file(il_stage *s, const char *file, size_t least);

/* The same on a stage of its own, with two workers. */
void il_stage_try_file(const char *file, size_t least);

#endif
