/*
 * check_script.h - what `impactlab check` asks for: the problems of one script, checked.
 */
#ifndef IL_LUA_CHECK_SCRIPT_H
#define IL_LUA_CHECK_SCRIPT_H

#include <jansson.h>

#include "harness/base/status.h"
#include "harness/lua/base/settings.h"

/* Read options->script and check the problems that it declares, into *report, which is the
 * caller's:
 *
 *     {script, failed, unread: null or why the end of the script was not read, problems: [{name,
 *      order, dimension, constraints, failed, checks: [{check, outcome: "ok"|"fail"|"note", text,
 *      measured, allowed}], theorems: [{theorem, applies, text}]}]}
 *
 * IL_EINVAL where it declares none; otherwise as il_lua_run_script. */
il_status il_lua_check_script(const il_lua_options *options, json_t **report, il_error *err);

#endif
