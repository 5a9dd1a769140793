/*
 * scripted.h - problems whose force, constraints and exact solution are Lua functions.
 */
#ifndef IL_LUA_SCRIPTED_H
#define IL_LUA_SCRIPTED_H

#include <lua.h>

#include "harness/run/registry.h"
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

/* "given", or "differences" where some grad or dt is left out and made. */
const char *il_scripted_derivatives(const il_scripted *problem);

/* Are the derivatives of the constraints i with first[i], p of them, right at (t,q)? IL_ESCRIPT
 * where one is not. self is an il_problem made of the type of problem. */
il_status il_scripted_contact(const il_scripted *problem, const il_problem *self, double t,
                              const double *q, const bool *first, il_error *err);

/* status, or that failure if there is one. */
il_status il_scripted_verdict(const il_scripted *problem, il_status status, il_error *err);

#endif
