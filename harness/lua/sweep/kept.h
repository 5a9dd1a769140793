/*
 * kept.h - under which keys a sweep's cases are stored: what functions of a script made is stored
 * under what these depend on, or not at all. And the cases that a script would ask for, without
 * running one. Not for use outside harness/lua.
 *
 * For these the script is run, but sweeps run nothing: their cases are gathered with their keys. A
 * sweep whose cases are all stored gives its result, another a placeholder (check.h), and a script
 * that wants a number of it ends there. lab.run, whose records are stored nowhere, runs as
 * it does each time. Nothing is written.
 */
#ifndef IL_LUA_KEPT_H
#define IL_LUA_KEPT_H

#include "harness/lua/scripted/check.h"
#include "harness/lua/sweep/result.h"

/* Find anew what the functions that a case depends on depend on themselves, which stands in its
 * key. Returns why there is no such key, NULL if there is one. What functions did may change it.
 * Raises no error. */
const char *il_lua_unkept(lua_State *L, const il_case *c);

/* Does a case of the sweep depend on functions of the script? */
bool il_lua_has_functions(const il_sweep *sweep);

/* il_lua_unkept of all cases of a sweep, and a line for each reason. */
void il_lua_identify_sweep(lua_State *L, const il_sweep *sweep);

/* A line that says why results are not kept, once a sweep and reason; nothing for "". */
void il_lua_tell_unkept(lua_State *L, const il_sweep *sweep, const char *why);

/* What the script's cases are gathered into instead of being run; NULL where they are run. */
il_lua_checks *il_lua_why_gathers(lua_State *L);

/* Gather case c of a sweep, which would be stored under key (NULL: nowhere); or, with `needed`,
 * which is taken over, a reference: does one of its cases lack a record? */
void il_lua_why_note(il_lua_checks *checks, const il_sweep *s, const il_case *c, const char *key,
                     json_t *needed);

/* In the place of the result at the top of the stack, where cases of it are missing and they are
 * gathered, a placeholder. */
void il_lua_why_placeholder(lua_State *L, const il_result *result);

/* Methods that write or run are placeholders. */
void il_lua_why_install(lua_State *L);

/* A function of the module, upvalue 1, as it is; of placeholders it gives a placeholder. */
int il_lua_why_compute(lua_State *L);

#endif
