/*
 * scripted.h - problems whose force, constraints and exact solution are Lua functions.
 */
#ifndef IL_LUA_SCRIPTED_H
#define IL_LUA_SCRIPTED_H

#include <lua.h>

#include "harness/run/functions.h"
#include "problems/problem.h"

typedef struct il_scripted il_scripted;

/* The problem at index if lab.problem made it, else NULL. */
il_scripted *il_scripted_test(lua_State *L, int index);

/* Its type, alive as long as the Lua value is. */
const il_problem_type *il_scripted_type(const il_scripted *problem);

/* What its functions depend on, as il_scripted_identify last found it. */
const il_functions *il_scripted_functions(const il_scripted *problem);
void il_scripted_identify(lua_State *L, il_scripted *problem);

/* Of the first callback that failed since the problem was last created, or NULL: IL_ESCRIPT,
 * IL_ENOMEM. */
const il_error *il_scripted_failure(const il_scripted *problem);

/* status, or that failure if there is one. */
il_status il_scripted_verdict(const il_scripted *problem, il_status status, il_error *err);

#endif
