/*
 * why.h - the cases that a script would ask for, without running one.
 *
 * The script is run, but sweeps run nothing: their cases are gathered with their keys. A sweep whose
 * cases are all stored gives its result; of another the result is hollow (check.h), and a script
 * that wants a number of it ends there. Nothing is written.
 */
#ifndef IL_LUA_WHY_H
#define IL_LUA_WHY_H

#include <jansson.h>

#include "harness/lua/check.h"
#include "harness/lua/norm.h"
#include "harness/lua/result.h"
#include "harness/lua/settings.h"

/* {"script", "cases": [{"sweep", "problem", "scheme", "steps" or "h", "specification": KEY, "name",
 * or "unkept": why its record would not be kept}], "unread": why the script ended before its end,
 * or null}, the caller's. finder has the records of results. IL_ESCRIPT and IL_EINVAL as
 * il_lua_run_script, unless a hollow value is the reason; IL_EINTERRUPTED, IL_ENOMEM. */
il_status il_lua_why_script(const il_lua_options *options, il_lua_finder finder, json_t **report,
                            il_error *err);

/* Are cases gathered instead of run? Then those of sweep are, and the records that are stored put
 * into result. */
bool il_lua_why_gather(lua_State *L, const il_sweep *sweep, const il_lua_norm *norm,
                       il_result *result);

/* In the place of the result at the top of the stack, where cases of it are missing and they are
 * gathered, a hollow value. */
void il_lua_why_hollow(lua_State *L, const il_result *result);

/* Methods that write or run are hollow. */
void il_lua_why_install(lua_State *L);

#endif
