/*
 * execute.h - all nodes of a sweep's cases. Not for use outside harness/lua.
 */
#ifndef IL_LUA_EXECUTE_H
#define IL_LUA_EXECUTE_H

#include "harness/lua/sweep/result.h"

/* Push the result of cases[n] of sweep s, which the value at index keeps alive, and fill runs[n],
 * zeroed, with all nodes of those that went well. What workers made of them is kept (job.h) until
 * il_lua_forget_runs; functions of the script make them one after the other, and nothing is kept.
 * Errors are raised. */
il_result *il_lua_execute_whole(lua_State *L, int index, const il_sweep *s, const size_t *cases,
                                size_t n, il_trajectory *runs);
void il_lua_forget_runs(lua_State *L, const il_sweep *s, const size_t *cases, size_t n);

#endif
