/*
 * reading.h - a script is read without running what it declares: the problems that it has, checked
 * (check.h), as a report.
 */
#ifndef IL_LUA_READING_H
#define IL_LUA_READING_H

#include <jansson.h>

#include "harness/base/status.h"
#include "harness/lua/base/settings.h"
#include "harness/lua/scripted/check.h"

/* Check the problems that options->script declares, into *report, the caller's:
 *
 *     {script, failed, unread: null or why the end of the script was not read, problems: [{name,
 *      order, dimension, constraints, failed, checks: [{check, outcome: "ok"|"fail"|"note", text,
 *      measured, allowed}], theorems: [{theorem, applies, text}]}]}
 *
 * IL_EINVAL where it declares none; otherwise as il_lua_run_script. */
il_status il_lua_check_script(const il_lua_options *options, json_t **report, il_error *err);

#endif
