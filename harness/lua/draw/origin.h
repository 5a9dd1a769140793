/*
 * origin.h - the cases that a figure or a table was made from. Not for use outside harness/lua.
 */
#ifndef IL_LUA_ORIGIN_H
#define IL_LUA_ORIGIN_H

#include "harness/lua/sweep/result.h"

/* For its manifest: {"of": "result" or "script", "script", "script_sha256", "cases": [NAME, ...],
 * "runs"}. With a result its cases; without one (NULL) all that the script has asked for until now,
 * as a figure of its own numbers is made of some of these, and how many runs of lab.run, which are
 * not stored. The arena's; an error is raised when memory runs out. */
const json_t *il_lua_origin(lua_State *L, il_lua_arena *arena, const il_result *result);

/* Say that another script has drawn the figure or the table whose manifest is folder/name then
 * suffix: this one takes its place. kind: "figure" or "table". */
void il_lua_tell_other(lua_State *L, const char *folder, const char *name, const char *suffix,
                       const char *kind);

#endif
