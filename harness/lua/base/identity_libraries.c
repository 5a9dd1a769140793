/*
 * identity_libraries.c - what the globals held before the script began, by name.
 */
#include "harness/lua/base/identity_libraries.h"

#include <lauxlib.h>

static const char LIBRARIES[] = "impactlab.libraries";   /* function or table: its name */
static const char FIELDS[] = "impactlab.library.fields"; /* table: a copy of it */
static const char TEXTS[] = "impactlab.texts";           /* the metatable of texts */

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
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    bool changed = lua_getmetatable(L, index) != 0;
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
    lua_settop(L, top);
    return changed;
}

bool il_lua_methods_are_changed(lua_State *L) {
    int top = lua_gettop(L);
    lua_pushnil(L); /* one value of each type that has no metatable of its own */
    lua_pushboolean(L, 0);
    lua_pushinteger(L, 0);
    lua_pushcfunction(L, lua_error);
    bool changed = false;
    for (int k = 1; k <= 4; k++) {
        if (lua_getmetatable(L, top + k) != 0) {
            changed = true;
            lua_pop(L, 1);
        }
    }
    lua_pushliteral(L, "");
    (void)lua_getfield(L, LUA_REGISTRYINDEX, TEXTS);
    changed = changed || lua_getmetatable(L, -2) == 0 || lua_rawequal(L, -1, -2) == 0 ||
              il_lua_library_is_changed(L, -1) || luaL_getmetafield(L, -3, "__index") == LUA_TNIL ||
              il_lua_library_is_changed(L, -1);
    lua_settop(L, top);
    return changed;
}

/* A copy of the table at the top of the stack into the table at fields; it is popped. */
static void note_fields(lua_State *L, int fields) {
    int table = lua_gettop(L);
    lua_pushvalue(L, table);
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, table + 2);
    }
    lua_rawset(L, fields);
    lua_pop(L, 1);
}

/* The value at the top of the stack, which stays, is called name, and its functions name.field. */
static void note_names(lua_State *L, int names, const char *name) {
    int value = lua_gettop(L);
    lua_pushvalue(L, value);
    lua_pushstring(L, name);
    lua_rawset(L, names);
    for (lua_pushnil(L); lua_istable(L, value) && lua_next(L, value) != 0; lua_pop(L, 1)) {
        if (lua_isfunction(L, -1)) {
            lua_pushvalue(L, -1);
            lua_pushfstring(L, "%s.%s", name, lua_tostring(L, -3));
            lua_rawset(L, names);
        }
    }
    lua_settop(L, value);
}

/* Each table of the globals that is a library, and each of their functions, by its name; and the
 * metatable of texts. */
void il_lua_note_libraries(lua_State *L) {
    int names = lua_gettop(L) + 1;
    int fields = names + 1;
    int globals = names + 2;
    lua_newtable(L);
    lua_newtable(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    for (lua_pushnil(L); lua_next(L, globals) != 0; lua_pop(L, 1)) {
        bool library = lua_istable(L, -1) && lua_rawequal(L, -1, globals) == 0;
        if (library || lua_isfunction(L, -1)) {
            note_names(L, names, lua_tostring(L, -2));
        }
        if (library) {
            lua_pushvalue(L, -1);
            note_fields(L, fields);
        }
    }
    lua_pushliteral(L, "");
    if (lua_getmetatable(L, -1) != 0) {
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, TEXTS);
        note_fields(L, fields);
    }
    lua_settop(L, fields);
    lua_setfield(L, LUA_REGISTRYINDEX, FIELDS);
    lua_setfield(L, LUA_REGISTRYINDEX, LIBRARIES);
}
