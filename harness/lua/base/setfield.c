/*
 * setfield.c - a push and lua_setfield.
 */
#include "harness/lua/base/setfield.h"

#include "harness/lua/base/record.h"

void il_lua_set_number(lua_State *L, const char *key, double x) {
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

void il_lua_set_count(lua_State *L, const char *key, size_t n) {
    lua_pushinteger(L, (lua_Integer)n);
    lua_setfield(L, -2, key);
}

void il_lua_set_flag(lua_State *L, const char *key, bool flag) {
    lua_pushboolean(L, flag);
    lua_setfield(L, -2, key);
}

void il_lua_set_text(lua_State *L, const char *key, const char *text) {
    lua_pushstring(L, text); /* nil for NULL */
    lua_setfield(L, -2, key);
}

void il_lua_set_numbers(lua_State *L, const char *key, const double *x, size_t n, size_t stride) {
    il_lua_push_numbers(L, x, n, stride);
    lua_setfield(L, -2, key);
}
