/*
 * kept.h - may what functions of a script made be stored? Not for use outside harness/lua.
 */
#ifndef IL_LUA_KEPT_H
#define IL_LUA_KEPT_H

#include "harness/lua/sweep/sweep.h"

/* Find anew what the functions that a case depends on depend on themselves; it stands in its key.
 * Raises no error. */
void il_lua_identify_case(lua_State *L, const il_case *c);

/* Does a case of the sweep depend on functions of the script? */
bool il_lua_has_functions(const il_sweep *sweep);

/* The same for all cases of a sweep, and a line for each reason for which they are not kept. */
void il_lua_identify_sweep(lua_State *L, const il_sweep *sweep);

/* Have the functions of a case changed what they depend on, by what they did? Then the record,
 * which is another in another order of cases, is marked. IL_ENOMEM. */
il_status il_lua_mark_unkept(lua_State *L, const il_case *c, json_t *record, il_error *err);

/* Is the record marked? */
bool il_lua_is_unkept(const json_t *record);

/* The same; the mark goes, and why[IL_FUNCTIONS_WHY] says why it is not kept. */
bool il_lua_take_unkept(json_t *record, char *why);

/* A line that says why results are not kept, once a sweep and reason; nothing for "". */
void il_lua_tell_unkept(lua_State *L, const il_sweep *sweep, const char *why);

#endif
