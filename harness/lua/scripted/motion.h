/*
 * motion.h - the motion inside a step that a function of a script returns:
 *
 *     {ends = {t_1, ..., t_n}, c = {{c_0, c_1, ...}, ...}}
 *
 * n pieces with their ends and their coefficients, from 2 to 8 arrays of d numbers each
 * (harness/base/motion.h).
 */
#ifndef IL_LUA_SCRIPTED_MOTION_H
#define IL_LUA_SCRIPTED_MOTION_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/motion.h"
#include "harness/lua/base/record.h"

typedef struct {
    double *end, *c; /* as in motion, with room for */
    size_t room;     /* pieces of the highest degree */
    il_motion motion;
} il_lua_motion;

/* Read the value at index, for d coordinates. False where it is none, and why says what was given
 * and what is allowed; numbers may be anything: il_motion_check. */
bool il_lua_motion_read(lua_State *L, int index, size_t d, il_lua_motion *w, char why[IL_LUA_WHY]);
void il_lua_motion_free(il_lua_motion *w);

#endif
