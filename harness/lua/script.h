/*
 * script.h - run a script that declares runs, sweeps, figures and tables.
 *
 * The script is plain Lua 5.4, text only, with the libraries of guard.h. `require "impactlab"`
 * gives the module; `arg` holds the script's name at 0 and its arguments from 1, which are in `...`
 * too. math.random starts from the same seed in every invocation.
 */
#ifndef IL_LUA_SCRIPT_H
#define IL_LUA_SCRIPT_H

#include <lua.h>

#include "harness/base/status.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/settings.h"

/* Run options->script. IL_OK when it came to its end, also with failed runs, orders and checks or
 * missing cases: see outcome (may be NULL). IL_EIO when results cannot be written, or the script
 * cannot be read; IL_ESCRIPT for an error of the script, IL_EINVAL for a value that the module
 * refused, IL_EINTERRUPTED when cases are missing that it needs, IL_EPLOT and others as the failing
 * part says; err then holds "SCRIPT:LINE: MESSAGE", and messages receives the traceback, except of
 * IL_EINTERRUPTED, where nothing is wrong with the script. */
il_status il_lua_run_script(const il_lua_options *options, il_lua_outcome *outcome, il_error *err);

/* The same of body(data) in place of a file: options->script is a name alone. */
il_status il_lua_run_body(const il_lua_options *options, lua_CFunction body, void *data,
                          il_lua_outcome *outcome, il_error *err);

/* Call body(data) in a new state that has the libraries and the module of a script, and close it.
 * The status is as il_lua_run_script's. */
il_status il_lua_call(il_lua_context *context, lua_CFunction body, void *data, il_error *err);

/* Push the file harness/lua/library/NAME.lua as a function. */
void il_lua_push_part(lua_State *L, const char *name);

#endif
