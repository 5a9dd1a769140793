/*
 * setfield.h - t[key] = value for the table t on top of the stack, which stays there. Not for use
 * outside harness/lua.
 */
#ifndef IL_LUA_SETFIELD_H
#define IL_LUA_SETFIELD_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

void il_lua_set_number(lua_State *L, const char *key, double x);
void il_lua_set_count(lua_State *L, const char *key, size_t n);
void il_lua_set_flag(lua_State *L, const char *key, bool flag);

/* The text is copied; nothing is set for NULL. */
void il_lua_set_text(lua_State *L, const char *key, const char *text);

/* A sequence of the n numbers x[0], x[stride], ... */
void il_lua_set_numbers(lua_State *L, const char *key, const double *x, size_t n, size_t stride);

#endif
