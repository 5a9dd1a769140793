/*
 * present.h - reports and figures of verbs, by harness/lua/library/present.lua and plot.lua.
 */
#ifndef IL_LUA_PRESENT_H
#define IL_LUA_PRESENT_H

#include <jansson.h>
#include <stdio.h>

#include "harness/base/status.h"

/* Print report as its form ("check", "status", ...) has it. */
il_status il_lua_present(const char *form, const json_t *report, FILE *out, il_error *err);

/* Draw FOLDER/NAME.png, .pdf, .svg from path "FOLDER/NAME" (or NAME, or NAME.png). figure, which is
 * taken, has the members that lab.figure takes (help lua), but the name. IL_EINVAL, IL_EIO,
 * IL_EPLOT. */
il_status il_lua_draw(json_t *figure, const char *path, il_error *err);

#endif
