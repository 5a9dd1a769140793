/*
 * order_table.h - an order as a table of a script. Not for use outside harness/lua.
 */
#ifndef IL_LUA_ORDER_TABLE_H
#define IL_LUA_ORDER_TABLE_H

#include <lua.h>

#include "harness/study/order/order.h"

/* Push the table of an order, which prints as one line that begins with head. claim may be NULL. */
void il_order_push(lua_State *L, const char *head, const il_order *order, const il_claim *claim);

#endif
