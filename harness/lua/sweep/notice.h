/*
 * notice.h - a run that failed leaves a line. Not for use outside harness/lua.
 *
 * A failure is data, and the script goes on. Each kind of failure is told once in a script
 * (harness/lua/library/notice.lua).
 */
#ifndef IL_LUA_NOTICE_H
#define IL_LUA_NOTICE_H

#include "harness/lua/scripted/case.h"
#include "harness/lua/sweep/result.h"

/* Count a run that call ("lab.run") made and, if it failed, say so with the place in the script. */
void il_lua_notice_run(lua_State *L, const char *call, const il_case *c, const json_t *record);

/* Say of what kinds the failures of a sweep are, stored ones among them, and how many of each. */
void il_lua_notice_sweep(lua_State *L, const il_result *result);

#endif
