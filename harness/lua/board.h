/*
 * board.h - `impactlab board`: schemes x questions (scripts/board), without a script.
 */
#ifndef IL_LUA_BOARD_H
#define IL_LUA_BOARD_H

#include <jansson.h>

#include "harness/base/status.h"
#include "harness/lua/base/settings.h"

/* Lists as they were typed, "A,B"; of none the default stands. */
typedef struct {
    const char *const *schemes, *const *problems, *const *questions;
    size_t nschemes, nproblems, nquestions;
    const char *claim;    /* "converges", "bound:1", "sharp:1" */
    double question_time; /* seconds that a question may take another program, by a forecast */
} il_board_request;

/* Run what is asked: *report is the object that `board --json` prints, and *page the same as HTML,
 * with figures, where options->results is a folder; else NULL. Both are the caller's (json_decref,
 * free). IL_EINVAL for a name that is not known, names that collide, nothing left to ask;
 * IL_EINTERRUPTED; IL_EIO. */
il_status il_lua_board(const il_lua_options *options, const il_board_request *request,
                       json_t **report, char **page, il_error *err);

#endif
