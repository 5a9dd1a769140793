/*
 * levels.c - step counts for convergence studies.
 *
 *     lab.levels{from = 64, ratio = 2, count = 6, jitter = 8, seed = 1}
 *
 * as harness/study/order/step_design.h draws them; jitter is 1 by default.
 *
 *     lab.dyadic{from = a, to = b}  ->  2^a, 2^(a+1), ..., 2^b
 *
 *     lab.phases{c = {...}, m = {...}}  ->  step sizes h = c 2^-m, for each m all c, with fields c
 *         and m that say which; for steps = or hs = of a sweep
 */
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/study/order/step_design.h"

static void push_counts(lua_State *L, const double *steps, size_t n) {
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        lua_pushinteger(L, (lua_Integer)steps[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

static void check_ratio(const il_fields *f, double ratio) {
    if (!(ratio > 1.0)) {
        (void)il_fields_push(f, "ratio");
        il_fields_refuse(f, "ratio", -1, "a number > 1");
    }
}

static int levels(lua_State *L) {
    static const char *const known[] = {"from", "ratio", "count", "jitter", "seed", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.levels", known);
    il_step_design design = {.from = il_fields_count(&f, "from", 1, 64),
                             .ratio = il_fields_positive(&f, "ratio", 2.0),
                             .count = il_fields_count(&f, "count", 1, 6),
                             .jitter = il_fields_count(&f, "jitter", 1, 1),
                             .seed = il_fields_count(&f, "seed", 0, 1)};
    check_ratio(&f, design.ratio);
    il_error err = {IL_OK, ""};
    il_lua_expect(L, f.call, il_step_design_check(&design, &err), &err);
    double *steps = il_lua_take(L, f.arena, design.count * design.jitter, sizeof *steps, NULL);
    il_lua_expect(L, f.call, il_step_design_draw(&design, steps, &err), &err);
    push_counts(L, steps, design.count * design.jitter);
    return 1;
}

static int dyadic(lua_State *L) {
    static const char *const known[] = {"from", "to", NULL};
    double steps[IL_DESIGN_EXPONENT_MAX + 1] = {0.0};
    il_fields f = il_fields_begin(L, 1, "lab.dyadic", known);
    size_t a = il_fields_count(&f, "from", 0, 0);
    size_t b = il_fields_count(&f, "to", 0, a);
    if (b > IL_DESIGN_EXPONENT_MAX || b < a) {
        (void)il_fields_push(&f, "to");
        il_fields_refuse(&f, "to", -1, "an exponent from 'from' to 40");
    }
    il_step_design_dyadic(a, b, steps);
    push_counts(L, steps, b - a + 1);
    return 1;
}

static const double LEVEL_MAX = 40.0; /* of m: 2^40 steps a unit of time */

/* The numbers at key, each checked. */
static const double *read_phase(const il_fields *f, const char *key, bool whole, size_t *n) {
    const double *x = il_fields_numbers(f, key, true, n);
    const char *allowed = whole ? "an array of integers from -40 to 40" : "an array of numbers > 0";
    if (*n == 0) {
        il_fields_miss(f, key, allowed);
    }
    for (size_t k = 0; k < *n; k++) {
        if (whole ? x[k] != floor(x[k]) || fabs(x[k]) > LEVEL_MAX : !(x[k] > 0.0)) {
            char what[40];
            (void)snprintf(what, sizeof what, "%s[%zu]", key, k + 1);
            lua_pushnumber(f->L, x[k]);
            il_fields_refuse(f, what, -1, whole ? "an integer from -40 to 40" : "a number > 0");
        }
    }
    return x;
}

static int phases(lua_State *L) {
    static const char *const known[] = {"c", "m", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.phases", known);
    size_t nc = 0;
    size_t nm = 0;
    const double *c = read_phase(&f, "c", false, &nc);
    const double *m = read_phase(&f, "m", true, &nm);
    lua_createtable(L, (int)(nc * nm), 2);
    lua_createtable(L, (int)(nc * nm), 0);
    lua_createtable(L, (int)(nc * nm), 0);
    for (size_t k = 0; k < nc * nm; k++) {
        lua_pushnumber(L, ldexp(c[k % nc], -(int)m[k / nc]));
        lua_rawseti(L, -4, (lua_Integer)k + 1);
        lua_pushnumber(L, c[k % nc]);
        lua_rawseti(L, -3, (lua_Integer)k + 1);
        lua_pushinteger(L, (lua_Integer)m[k / nc]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -3, "m");
    lua_setfield(L, -2, "c");
    (void)luaL_newmetatable(L, IL_LUA_PHASES);
    lua_setmetatable(L, -2);
    return 1;
}

void il_lua_add_levels(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"levels", levels}, {"dyadic", dyadic}, {"phases", phases}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
