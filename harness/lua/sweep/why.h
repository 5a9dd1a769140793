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
#include "harness/lua/sweep/result.h"

/* What the script's cases are gathered into instead of being run; NULL where they are run. */
il_lua_checks *il_lua_why_gathers(lua_State *L);

/* Gather case c of a sweep, which would be stored under key (NULL: nowhere); or, with `needed`,
 * which is taken over, a reference: does one of its cases lack a record? */
void il_lua_why_note(il_lua_checks *checks, const il_sweep *s, const il_case *c, const char *key,
                     json_t *needed);

/* In the place of the result at the top of the stack, where cases of it are missing and they are
 * gathered, a hollow value. */
void il_lua_why_hollow(lua_State *L, const il_result *result);

/* Methods that write or run are hollow. */
void il_lua_why_install(lua_State *L);

/* A function of the module, upvalue 1, as it is; of hollow values it gives a hollow one. */
int il_lua_why_compute(lua_State *L);

#endif
