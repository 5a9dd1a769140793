/*
 * kept.h - under which keys a sweep's cases are stored: what functions of a script made is stored
 * under what these depend on, or not at all. Not for use outside harness/lua.
 */
#ifndef IL_LUA_KEPT_H
#define IL_LUA_KEPT_H

#include "harness/lua/sweep/result.h"

/* Find anew what the functions that a case depends on depend on themselves, which stands in its
 * key. Returns why there is no such key, NULL if there is one. What functions did may change it.
 * Raises no error. */
const char *il_lua_unkept(lua_State *L, const il_case *c);

/* Does a case of the sweep depend on functions of the script? */
bool il_lua_has_functions(const il_sweep *sweep);

/* il_lua_unkept of all cases of a sweep, and a line for each reason. */
void il_lua_identify_sweep(lua_State *L, const il_sweep *sweep);

/* A line that says why results are not kept, once a sweep and reason; nothing for "". */
void il_lua_tell_unkept(lua_State *L, const il_sweep *sweep, const char *why);

#endif
