/*
 * numbers.c - what chance.lua, levels.lua and law.lua (harness/lua/library) ask of C: numbers in,
 * numbers out. Errors are those of call.
 *
 *     host.share(call, hits, n, level)       harness/study/ensemble/chance.h
 *     host.quantile(call, values, p, level)
 *     host.levels(from, ratio, count, jitter, seed)   harness/study/order/step_design.h
 *     host.scale(x, k)   x 2^k               host.pow(x, y)   x^y
 *     host.law(call, h, error, events, order, humps) -> {...}, allowed, decides   study/law/law.h
 *     host.law_distance(low, high)
 */
#include <lauxlib.h>
#include <math.h>

#include "harness/base/elementary.h"
#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/study/ensemble/chance.h"
#include "harness/study/law/law.h"
#include "harness/study/order/step_design.h"

/* The numbers of the array at index. */
static double *array(lua_State *L, il_lua_arena *arena, int index, size_t *n) {
    const il_fields f = {.L = L, .arena = arena, .call = "host"};
    lua_pushvalue(L, index);
    double *x = il_fields_numbers_at_top(&f, "an array", false, n);
    lua_pop(L, 1);
    return x;
}

/* ---- chance --------------------------------------------------------------------------------- */

static int share(lua_State *L) {
    il_share s = {0};
    il_error err = {IL_OK, ""};
    double level = luaL_checknumber(L, 4);
    il_status status = il_share_of((size_t)luaL_checkinteger(L, 2), (size_t)luaL_checkinteger(L, 3),
                                   level, &s, &err);
    il_lua_expect(L, luaL_checkstring(L, 1), status, &err);
    il_lua_make(L, IL_SET("share", s.share), IL_SET("low", s.low), IL_SET("high", s.high),
                IL_SET("level", level), IL_SET("hits", s.hits), IL_SET("n", s.n));
    return 1;
}

static int quantile(lua_State *L) {
    size_t n = 0;
    il_quantile q = {0};
    il_error err = {IL_OK, ""};
    double p = luaL_checknumber(L, 3);
    double level = luaL_checknumber(L, 4);
    double *values = array(L, il_lua_arena_open(L), 2, &n);
    il_lua_expect(L, luaL_checkstring(L, 1), il_quantile_of(values, n, p, level, &q, &err), &err);
    il_lua_make(L, IL_SET("value", q.value), IL_SET("low", q.low), IL_SET("high", q.high),
                IL_SET("coverage", q.coverage), IL_SET("p", p), IL_SET("level", level),
                IL_SET("endless", q.endless), IL_SET("n", q.n));
    return 1;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static int levels(lua_State *L) {
    il_error err = {IL_OK, ""};
    il_step_design design = {.from = (size_t)luaL_checkinteger(L, 1),
                             .ratio = luaL_checknumber(L, 2),
                             .count = (size_t)luaL_checkinteger(L, 3),
                             .jitter = (size_t)luaL_checkinteger(L, 4),
                             .seed = (unsigned long)luaL_checkinteger(L, 5)};
    il_lua_expect(L, "lab.levels", il_step_design_check(&design, &err), &err);
    size_t n = design.count * design.jitter;
    double *steps = il_lua_take(L, il_lua_arena_open(L), n, sizeof *steps, NULL);
    il_lua_expect(L, "lab.levels", il_step_design_draw(&design, steps, &err), &err);
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        lua_pushinteger(L, (lua_Integer)steps[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

static int scale(lua_State *L) {
    lua_pushnumber(L, ldexp(luaL_checknumber(L, 1), (int)luaL_checknumber(L, 2)));
    return 1;
}

static int power(lua_State *L) {
    lua_pushnumber(L, il_pow(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
    return 1;
}

/* ---- laws ----------------------------------------------------------------------------------- */

static int law(lua_State *L) {
    size_t n = 0;
    il_law found;
    il_error err = {IL_OK, ""};
    il_lua_arena *arena = il_lua_arena_open(L);
    il_law_data data = {.order = luaL_checknumber(L, 5)};
    size_t humps = (size_t)luaL_checkinteger(L, 6);
    data.h = array(L, arena, 2, &data.n);
    data.error = array(L, arena, 3, &n);
    data.events = array(L, arena, 4, &data.nevents);
    double *c = il_lua_take(L, arena, data.n, sizeof *c, NULL);
    il_lua_expect(L, luaL_checkstring(L, 1), il_law_find(&found, &data, c, &err), &err);
    il_lua_make(L, IL_SET("n", found.n), IL_SET("order", found.order), IL_SET("least", found.least),
                IL_SET("mean", found.mean), IL_SET("mean_within", found.mean_within),
                IL_SET("geometric", found.geometric), IL_SET("largest", found.largest));
    il_lua_set_numbers(L, "shares", il_law_shares, IL_LAW_QUANTILES, 1);
    il_lua_set_numbers(L, "quantiles", found.quantile, IL_LAW_QUANTILES, 1);
    il_lua_set(L, IL_SET("atom", found.atom), IL_SET("atom_share", found.atom_share),
               IL_SET("widest_gap", found.widest), IL_SET("discrepancy", found.discrepancy));
    il_lua_set_numbers(L, "c", c, found.n, 1);
    lua_pushnumber(L, il_law_allowed(&found, humps));
    lua_pushboolean(L, il_law_decides(&found, humps));
    return 3;
}

static int law_distance(lua_State *L) {
    size_t n = 0;
    il_lua_arena *arena = il_lua_arena_open(L);
    const double *low = array(L, arena, 1, &n);
    lua_pushnumber(L, il_law_distance(n, low, array(L, arena, 2, &n)));
    return 1;
}

const luaL_Reg il_lua_host_numbers[] = {{"share", share},
                                        {"quantile", quantile},
                                        {"levels", levels},
                                        {"scale", scale},
                                        {"pow", power},
                                        {"law", law},
                                        {"law_distance", law_distance},
                                        {NULL, NULL}};
