/*
 * why_script.h - the cases that a script would ask for, as a report (why.h).
 */
#ifndef IL_LUA_WHY_SCRIPT_H
#define IL_LUA_WHY_SCRIPT_H

#include <jansson.h>

#include "harness/lua/base/settings.h"
#include "harness/lua/scripted/check.h"

/* {"script", "cases": [{"sweep", "problem", "scheme", "steps" or "h", "specification": KEY, "name",
 * or "unkept": why its record would not be kept}], "references": [{"sweep", "problem", "scheme" and
 * "steps" of a run, "specification", "name", "needed": does one of its cases lack a record?}],
 * "unread": why the script ended before its end,
 * or null}, the caller's. finder has the records of results. IL_ESCRIPT and IL_EINVAL as
 * il_lua_run_script, unless a hollow value is the reason; IL_EINTERRUPTED, IL_ENOMEM. */
il_status il_lua_why_script(const il_lua_options *options, il_lua_finder finder, json_t **report,
                            il_error *err);

#endif
