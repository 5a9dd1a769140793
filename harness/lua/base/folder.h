/*
 * folder.h - the folders of results. Not for use outside harness/lua.
 */
#ifndef IL_LUA_FOLDER_H
#define IL_LUA_FOLDER_H

#include <lua.h>

/* "RESULTS/FOLDER", made if it is missing; pushed as a string and returned. */
const char *il_lua_push_folder(lua_State *L, const char *folder);

#endif
