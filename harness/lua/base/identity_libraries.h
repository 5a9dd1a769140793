/*
 * identity_libraries.h - Lua's own libraries, told from what a script made. Not for use outside
 * harness/lua.
 */
#ifndef IL_LUA_IDENTITY_LIBRARIES_H
#define IL_LUA_IDENTITY_LIBRARIES_H

#include <lua.h>
#include <stdbool.h>

/* Note the tables and functions of the globals, before the script begins. */
void il_lua_note_libraries(lua_State *L);

/* The name of a library's table or function at index, such as "math.sin", pushed; NULL and nothing
 * for others. */
const char *il_lua_push_library(lua_State *L, int index);

/* Has the script put something into the library's table at index, taken it out, or given it a
 * metatable? */
bool il_lua_library_is_changed(lua_State *L, int index);

/* Has it changed what every function reaches without a name, as ("x"):rep(2) does: the library of
 * texts, or the metatables that values share by their type? */
bool il_lua_methods_are_changed(lua_State *L);

#endif
