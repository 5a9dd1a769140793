/*
 * order_table.h - an order as a table of a script. Not for use outside harness/lua.
 */
#ifndef IL_LUA_ORDER_TABLE_H
#define IL_LUA_ORDER_TABLE_H

#include <lua.h>

#include "harness/lua/base/args.h"
#include "harness/study/order/order.h"

/* Push the table of an order, which prints as one line that begins with head. claim may be NULL. */
void il_order_push(lua_State *L, il_lua_arena *arena, const char *head, const il_order *order,
                   const il_claim *claim);

/* "4 of 6": levels used, of all. "1.2e-13 (rounding)": the plateau; NULL without one. Texts are the
 * arena's. */
const char *il_order_levels_text(lua_State *L, il_lua_arena *arena, const il_order *order);
const char *il_order_plateau_text(lua_State *L, il_lua_arena *arena, const il_order *order);

#endif
