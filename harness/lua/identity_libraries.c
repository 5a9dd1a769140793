/*
 * identity_libraries.c - what the globals held before the script began, by name.
 */
#include "harness/lua/identity_libraries.h"

#include <lauxlib.h>

static const char LIBRARIES[] = "impactlab.libraries";   /* function or table: its name */
static const char FIELDS[] = "impactlab.library.fields"; /* table: a copy of it */

const char *il_lua_push_library(lua_State *L, int index) {
    (void)lua_getfield(L, LUA_REGISTRYINDEX, LIBRARIES);
    lua_pushvalue(L, index);
    if (lua_rawget(L, -2) == LUA_TSTRING) {
        lua_remove(L, -2);
        return lua_tostring(L, -1);
    }
    lua_pop(L, 2);
    return NULL;
}

bool il_lua_library_is_changed(lua_State *L, int index) {
    bool changed = false;
    (void)lua_getfield(L, LUA_REGISTRYINDEX, FIELDS);
    lua_pushvalue(L, index);
    (void)lua_rawget(L, -2);
    int copy = lua_gettop(L);
    const int tables[2][2] = {{index, copy}, {copy, index}};
    for (int k = 0; k < 2; k++) {
        for (lua_pushnil(L); lua_next(L, tables[k][0]) != 0; lua_pop(L, 1)) {
            lua_pushvalue(L, -2);
            (void)lua_rawget(L, tables[k][1]);
            changed = changed || lua_rawequal(L, -1, -2) == 0;
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 2);
    return changed;
}

/* Each table of the globals that is a library, and each of their functions, by its name. */
void il_lua_note_libraries(lua_State *L) {
    int top = lua_gettop(L);
    lua_newtable(L);
    lua_newtable(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    for (lua_pushnil(L); lua_next(L, top + 3) != 0; lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        if (lua_isfunction(L, -1)) {
            lua_pushvalue(L, -1);
            lua_pushstring(L, name);
            lua_rawset(L, top + 1);
        } else if (lua_istable(L, -1) && lua_rawequal(L, -1, top + 3) == 0) {
            int library = lua_gettop(L);
            lua_pushvalue(L, library);
            lua_pushstring(L, name);
            lua_rawset(L, top + 1);
            lua_newtable(L);
            for (lua_pushnil(L); lua_next(L, library) != 0; lua_pop(L, 1)) {
                if (lua_isfunction(L, -1)) {
                    lua_pushvalue(L, -1);
                    lua_pushfstring(L, "%s.%s", name, lua_tostring(L, -3));
                    lua_rawset(L, top + 1);
                }
                lua_pushvalue(L, -2);
                lua_pushvalue(L, -2);
                lua_rawset(L, library + 1);
            }
            lua_pushvalue(L, library);
            lua_insert(L, -2);
            lua_rawset(L, top + 2);
        }
    }
    lua_settop(L, top + 2);
    lua_setfield(L, LUA_REGISTRYINDEX, FIELDS);
    lua_setfield(L, LUA_REGISTRYINDEX, LIBRARIES);
}
