/*
 * waiting.h - how long the cases of a sweep are going to take. Not for use outside harness/lua.
 */
#ifndef IL_LUA_WAITING_H
#define IL_LUA_WAITING_H

#include "harness/io/jobs.h"
#include "harness/lua/sweep.h"

/* Coordinates of each problem, which rows go with: [nproblems], the arena's; 1 where there is one
 * problem, or it cannot be made. */
const double *il_sweep_sizes(lua_State *L, il_lua_arena *arena, const il_sweep *sweep);

/* Steps of case k, or what is proportional to them. */
double il_sweep_steps(const il_sweep *sweep, size_t k);

/* Expected work of case k: steps times sizes. */
double il_sweep_cost(const il_sweep *sweep, const double *sizes, size_t k);

/* Who shows how far cases pending[0..n), of work[0..n), are, under a title, while so many workers
 * run them; their classes are (problem, scheme). What it points to is the arena's, NULL where nobody
 * waits; whoever destroys it before puts NULL there. */
il_jobs **il_sweep_watch(lua_State *L, il_lua_arena *arena, const il_sweep *sweep,
                         const char *title, const size_t *pending, const double *work, size_t n,
                         size_t workers);

#endif
