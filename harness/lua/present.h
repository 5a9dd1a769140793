/*
 * present.h - reports and figures of verbs, by harness/lua/library/present.lua.
 */
#ifndef IL_LUA_PRESENT_H
#define IL_LUA_PRESENT_H

#include <jansson.h>
#include <stdio.h>

#include "harness/base/status.h"

/* Print report as its form ("check", "status", ...) has it. out may be NULL, and answer, which
 * receives what the form returns, the caller's. A form that draws makes FOLDER/NAME.png, .pdf, .svg
 * from path "FOLDER/NAME" (or NAME, or NAME.png). IL_EINVAL, IL_EIO, IL_EPLOT. */
il_status il_lua_present(const char *form, const json_t *report, const char *path, FILE *out,
                         json_t **answer, il_error *err);

#endif
