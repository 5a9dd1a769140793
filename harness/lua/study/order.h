/*
 * order.h - what the files of orders share. Not for use outside harness/lua.
 */
#ifndef IL_LUA_ORDER_H
#define IL_LUA_ORDER_H

#include "harness/lua/sweep/result.h"
#include "harness/study/order/order.h"

/* The names of il_claim_kind, ended by NULL. */
extern const char *const il_lua_claim_kinds[];

/* Push a claim as a table. */
void il_lua_push_claim(lua_State *L, const il_claim *claim);

/* host.claim: order_claim.c. */
int il_lua_claim(lua_State *L);

#endif
