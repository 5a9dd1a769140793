/*
 * frame.h - frames (harness/base/frame.h) as Lua values. Not for use outside harness/lua.
 */
#ifndef IL_LUA_FRAME_H
#define IL_LUA_FRAME_H

#include <lua.h>

#include "harness/base/frame.h"

/* Push an empty frame and return it, which the Lua value owns. #f is the number of its rows,
 * f:names() the array of its names, f:column(k) that of a column's cells, f:at(k) cell k of all,
 * row by row: an integer, a number, a string, or false for nothing. */
il_frame *il_lua_push_frame(lua_State *L);

/* The frame at index; an error for another value. */
il_frame *il_lua_check_frame(lua_State *L, int index);

#endif
