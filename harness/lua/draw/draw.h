/*
 * draw.h - figures and tables into the results folder. Not for use outside harness/lua.
 */
#ifndef IL_LUA_DRAW_H
#define IL_LUA_DRAW_H

#include "harness/draw/plot.h"
#include "harness/draw/section.h"
#include "harness/lua/base/args.h"
#include "harness/lua/sweep/result.h"

/* host.draw and host.section (host.c). */
int il_lua_draw_figure(lua_State *L);
int il_lua_begin_section(lua_State *L);

/* The section that began last into *section; NULL before any. Its texts live until the next one
 * begins. */
const il_section *il_lua_section(lua_State *L, il_section *section);

/* The key order: place in the report; 0 where it is absent. */
int il_lua_place(const il_fields *f);

/* The origin of a figure or a table, for its manifest: {"of": "result" or "script", "script",
 * "script_sha256", "cases": [NAME, ...], "runs"}. With a result at index its cases; without one
 * (nil, or index 0) all that the script has asked for until now, and how many runs of lab.run,
 * which are not stored. The arena's. */
const json_t *il_lua_origin(lua_State *L, il_lua_arena *arena, int index);

/* Say that another script has drawn the figure or the table whose manifest is folder/name then
 * suffix: this one takes its place. */
void il_lua_tell_other(lua_State *L, const char *folder, const char *name, const char *suffix);

#endif
