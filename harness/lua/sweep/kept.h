/*
 * kept.h - under which keys a sweep's cases are stored: what functions of a script made is stored
 * under what these depend on, or not at all. Not for use outside harness/lua.
 */
#ifndef IL_LUA_KEPT_H
#define IL_LUA_KEPT_H

#include "harness/lua/sweep/result.h"

/* Does a case of the sweep depend on functions of the script? */
bool il_lua_has_functions(const il_sweep *sweep);

/* The sums of the functions that the sweep's cases depend on, which stand in their keys, and a line
 * for each reason why there is none. */
void il_lua_identify_sweep(lua_State *L, const il_sweep *sweep);

/* A line that says why results are not kept, once a sweep and reason; nothing for "". */
void il_lua_tell_unkept(lua_State *L, const il_sweep *sweep, const char *why);

#endif
