/*
 * vector.h - arrays of numbers that add, as schemes written in Lua see states and velocities. Not
 * for use outside harness/lua.
 */
#ifndef IL_LUA_VECTOR_H
#define IL_LUA_VECTOR_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Push x[d] as an array with + - between arrays, * and / by numbers, and a sign, coordinate by
 * coordinate: of two operands one may be a plain array. */
void il_lua_push_vector(lua_State *L, const double *x, size_t d);

/* Read the array of d numbers at index into x; a number alone where d is 1. False for anything
 * else, and where a number has to be finite and is not. */
bool il_lua_read_vector(lua_State *L, int index, double *x, size_t d, bool finite);

/* What was wrong with it: "WHAT[2] as nan; allowed: a finite number". */
void il_lua_explain_vector(lua_State *L, int index, const char *what, size_t d, bool finite,
                           char *why, size_t capacity);

#endif
