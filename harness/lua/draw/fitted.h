/*
 * fitted.h - the curve of an order in a figure of convergence. Not for use outside harness/lua.
 */
#ifndef IL_LUA_FITTED_H
#define IL_LUA_FITTED_H

#include "harness/draw/figure.h"
#include "harness/lua/study/order_query.h"

/* Series without points (n = 0) where there is nothing to draw; all of it the arena's. */
typedef struct {
    il_series curve;    /* over the octaves that were used, in the colour of the verdict */
    il_series beyond;   /* its continuation to finer steps that were set aside, dashed */
    il_series triangle; /* its slope over an octave, below the middle of the curve */
    const char *legend; /* "maury: 1.01 [0.94, 1.07]" */
} il_lua_fitted;

il_lua_fitted il_lua_fit(const il_fields *f, const il_result *r, const il_order_query *query);

#endif
