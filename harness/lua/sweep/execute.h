/*
 * execute.h - a sweep's cases are found or run. Not for use outside harness/lua.
 */
#ifndef IL_LUA_EXECUTE_H
#define IL_LUA_EXECUTE_H

#include "harness/lua/sweep/norm.h"
#include "harness/lua/sweep/result.h"

/* Push the result of the sweep at index: every case through the store and the workers; where
 * nothing is run, its cases are gathered (why.h). With a norm of the script's own the records have
 * that besides. Errors are raised. */
il_result *il_lua_execute(lua_State *L, int index, const il_lua_norm *norm);

#endif
