/*
 * present.h - reports of verbs as text, by harness/lua/library/present.lua.
 */
#ifndef IL_LUA_PRESENT_H
#define IL_LUA_PRESENT_H

#include <jansson.h>
#include <stdio.h>

#include "harness/base/status.h"

/* Print report as its form ("check", "status", ...) has it. IL_ENOMEM. */
il_status il_lua_present(const char *form, const json_t *report, FILE *out, il_error *err);

#endif
