/*
 * notice.h - a run that failed leaves a line. Not for use outside harness/lua.
 *
 * A failure is data and the script goes on; but nobody should have to look for it. Each kind of
 * failure, a status and a message but for the numbers in it, is told once in a script.
 */
#ifndef IL_LUA_NOTICE_H
#define IL_LUA_NOTICE_H

#include "harness/lua/scripted/case.h"
#include "harness/lua/sweep/result.h"

/* Did the run of the record end with status, or with IL_OK? */
bool il_execution_has_status(const json_t *record, il_status status);
bool il_record_went_well(const json_t *record);

/* Count a run that call ("lab.run") made and, if it failed, say so with the place in the script. */
void il_lua_notice_run(lua_State *L, const char *call, const il_case *c, const json_t *record);

/* Say of what kinds the failures of a sweep are, stored ones among them, and how many of each. */
void il_lua_notice_sweep(lua_State *L, const il_result *result);

#endif
