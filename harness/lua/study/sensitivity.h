/*
 * sensitivity.h - sweeps with `ensemble = K`: numbers whose ensemble calls them chaotic are not
 * judged. Not for use outside harness/lua.
 */
#ifndef IL_LUA_SENSITIVITY_H
#define IL_LUA_SENSITIVITY_H

#include "harness/lua/study/order_query.h"

/* True if the sweep asks for ensembles, and that of case `coarse` or of case `fine` calls the
 * number at path chaotic (path NULL, or a record without it: final.q); why then says so. The
 * ensembles are made once for all that ask. */
bool il_sweep_doubts(lua_State *L, const il_sweep *sweep, size_t coarse, size_t fine,
                     const char *path, char *why, size_t capacity);

/* An order of errors that are chaotic at the coarsest or the finest step is inconclusive. */
void il_result_doubt(lua_State *L, const il_result *result, const il_order_query *query,
                     il_order *order);

/* lab.check(condition, text, {ensemble = e, numbers = {...}}): pushes why the check is not judged,
 * or nil. The table is at index. */
void il_lua_push_doubt(lua_State *L, int index);

/* The caption of a figure or a table whose key `ensemble` holds what lab.ensemble returned: with
 * its class and reason where that is not robust. caption may be NULL. */
const char *il_lua_mark(const il_fields *f, const char *caption);

/* The caption of a figure or a table of a sweep with ensembles, with the cases that are not robust.
 */
const char *il_result_mark(lua_State *L, il_lua_arena *arena, const il_result *result,
                           const char *caption);

#endif
