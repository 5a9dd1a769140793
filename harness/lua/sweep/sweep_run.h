/*
 * sweep_run.h - sweep:run. Not for use outside harness/lua.
 */
#ifndef IL_LUA_SWEEP_RUN_H
#define IL_LUA_SWEEP_RUN_H

#include "harness/lua/sweep/execute.h"

/* Run the cases, or, where nothing is run, gather them (why.h). */
void il_sweep_run_or_gather(lua_State *L, il_execution *e);

#endif
