/*
 * order.h - orders of what a sweep left, as scripts have them. Not for use outside harness/lua.
 */
#ifndef IL_LUA_ORDER_H
#define IL_LUA_ORDER_H

#include "harness/lua/sweep/result.h"
#include "harness/study/order/order.h"

/* What an order is asked of. */
typedef struct {
    size_t problem, scheme;
    const char *norm;   /* of error.NORM in a record */
    const char *barred; /* why the claim does not speak of the problem, or NULL */
    il_claim claim; /* to judge by; norm NULL: what the scheme's literature claims, if anything */
} il_order_query;

/* The claim that an order is judged by: the query's own, or the first of the scheme's that speaks
 * of the norm and of problems of this order and whose theorem admits the problem; NULL without one.
 * If the problem is refused by all, the first of them, and *barred says why. Measures the problem's
 * constants when first asked about a theorem. */
const il_claim *il_result_claim(lua_State *L, const il_result *result, const il_order_query *query,
                                const char **barred);

/* Push the table of an order, which prints as one line that begins with head. claim may be NULL. */
void il_order_push(lua_State *L, const char *head, const il_order *order, const il_claim *claim);

#endif
