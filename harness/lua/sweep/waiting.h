/*
 * waiting.h - how long the cases of a sweep are going to take. Not for use outside harness/lua.
 */
#ifndef IL_LUA_WAITING_H
#define IL_LUA_WAITING_H

#include "harness/lua/sweep/sweep.h"

/* Coordinates of each problem, which rows go with: [nproblems], the arena's; 1 where there is one
 * problem, or it cannot be made. */
const double *il_sweep_sizes(lua_State *L, il_lua_arena *arena, const il_sweep *sweep);

/* Expected work of case k: steps, or what is proportional to them, times sizes. */
double il_sweep_cost(const il_sweep *sweep, const double *sizes, size_t k);

#endif
