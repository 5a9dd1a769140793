/*
 * reference.h - references of a script's own: a run from a file, or a function. Not for use outside
 * harness/lua.
 */
#ifndef IL_LUA_REFERENCE_H
#define IL_LUA_REFERENCE_H

#include <lua.h>

#include "harness/lua/base/args.h"
#include "harness/run/case.h"

typedef struct il_lua_reference il_lua_reference;

/* Read {file = "x.csv" | "x.h5"} or {of = function(t, side), breaks = {...}, name =, version =} at
 * the top of the stack, which stays, as a reference for a problem. keeper is the index of a
 * table in which functions are kept alive; the reference is the arena's. Raises an error where the
 * file is none, or is of another dimension or ends before the run. */
const il_lua_reference *il_lua_reference_read(const il_fields *f, const il_problem *problem,
                                              int keeper);

/* It, as a solution. */
const il_exact *il_lua_reference_exact(const il_lua_reference *reference);

/* Let c be compared with it. */
void il_lua_reference_set(const il_lua_reference *reference, il_case *c);

/* Push a solution as scripts see it: :at(t, side) gives q, u as arrays, .name, .breaks, .origin.
 * *exact is NULL, and at refuses, once the call that it is for is over: the caller sets it so. */
const il_exact **il_lua_push_solution(lua_State *L, const il_exact *exact, size_t d);

#endif
