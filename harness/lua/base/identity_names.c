/*
 * identity_names.c - the lines of a function, the words on them, and the names of libraries.
 */
#include "harness/lua/base/identity_names.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

const char *il_lua_lines(const char *text, int first, int last, size_t *n) {
    const char *begin = text;
    for (int k = 1; k < first && begin != NULL; k++) {
        begin = strchr(begin, '\n');
        begin = begin != NULL ? begin + 1 : NULL;
    }
    const char *end = begin;
    for (int k = first; k <= last && end != NULL; k++) {
        end = strchr(end, '\n');
        end = end != NULL ? end + 1 : NULL;
    }
    *n = begin == NULL ? 0 : end != NULL ? (size_t)(end - begin) : strlen(begin);
    return begin;
}

static bool is_letter(char c) {
    return isalnum((unsigned char)c) != 0 || c == '_';
}

const char *il_lua_next_word(const char **at, const char *end, size_t *n, bool *field) {
    const char *c = *at;
    const char *start = c;
    while (c < end && !is_letter(*c)) {
        c++;
    }
    const char *word = c;
    while (c < end && is_letter(*c)) {
        c++;
    }
    *at = c;
    *n = (size_t)(c - word);
    *field = word > start && (word[-1] == '.' || word[-1] == ':') &&
             (word - start < 2 || word[-2] != word[-1]); /* neither a..b nor ::label::word */
    return *n > 0 ? word : NULL;
}

static const char LIBRARIES[] =
    "impactlab.libraries"; /* a library or a function of one: its name */

/* The value at the top of the stack, which stays, is called name, and its functions name.field. */
static void note_names(lua_State *L, int names, const char *name) {
    int value = lua_gettop(L);
    lua_pushvalue(L, value);
    lua_pushstring(L, name);
    lua_rawset(L, names);
    bool library = lua_istable(L, value) && strcmp(name, LUA_GNAME) != 0;
    for (lua_pushnil(L); library && lua_next(L, value) != 0; lua_pop(L, 1)) {
        if (lua_isfunction(L, -1)) {
            lua_pushvalue(L, -1);
            lua_pushfstring(L, "%s.%s", name, lua_tostring(L, -3));
            lua_rawset(L, names);
        }
    }
    lua_settop(L, value);
}

void il_lua_note_libraries(lua_State *L) {
    int names = lua_gettop(L) + 1;
    lua_newtable(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    for (lua_pushnil(L); lua_next(L, names + 1) != 0; lua_pop(L, 1)) {
        if (lua_istable(L, -1) || lua_isfunction(L, -1)) {
            note_names(L, names, lua_tostring(L, -2));
        }
    }
    lua_settop(L, names);
    lua_setfield(L, LUA_REGISTRYINDEX, LIBRARIES);
}

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
