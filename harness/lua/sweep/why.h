/*
 * why.h - the cases that a script would ask for, without running one. Not for use outside
 * harness/lua.
 *
 * The script is run, but sweeps run nothing: their cases are gathered with their keys. A sweep
 * whose cases are all stored gives its result; of another the result is hollow (check.h), and a
 * script that wants a number of it ends there. lab.run, whose records are stored nowhere, runs as
 * it does each time. Nothing is written.
 */
#ifndef IL_LUA_WHY_H
#define IL_LUA_WHY_H

#include "harness/lua/scripted/check.h"
#include "harness/lua/sweep/norm.h"
#include "harness/lua/sweep/result.h"

/* Are cases gathered instead of run? Then those of sweep are, and the records that are stored put
 * into result. */
bool il_lua_why_gather(lua_State *L, const il_sweep *sweep, const il_lua_norm *norm,
                       il_result *result);

/* In the place of the result at the top of the stack, where cases of it are missing and they are
 * gathered, a hollow value. */
void il_lua_why_hollow(lua_State *L, const il_result *result);

/* Methods that write or run are hollow. */
void il_lua_why_install(lua_State *L);

/* A function of the module, upvalue 1, as it is; of hollow values it gives a hollow one. */
int il_lua_why_compute(lua_State *L);

#endif
