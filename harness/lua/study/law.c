/*
 * law.c - the constant in error = c h^p over the phases of events:
 *
 *     lab.law{h = {...}, error = {...}, order = 1, events = {...}, law = function(c) ... end,
 *             slack =}
 */
#include <lauxlib.h>
#include <math.h>

#include "harness/lua/base/args.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/setfield.h"
#include "harness/study/law/law.h"

/* F(x) by the function on top of the stack. */
static double claimed(const il_fields *f, double x) {
    lua_pushvalue(f->L, -1);
    lua_pushnumber(f->L, x);
    lua_call(f->L, 1, 1);
    double y = lua_tonumber(f->L, -1);
    if (lua_type(f->L, -1) != LUA_TNUMBER || !(y >= -1e-9 && y <= 1.0 + 1e-9)) {
        il_fields_refuse(f, il_lua_print(f->L, f->arena, "law(%.6g)", x), -1,
                         "a share, 0 to 1: law(c) is the share of constants that are at most c");
    }
    lua_pop(f->L, 1);
    return y;
}

/* Fields distance, allowed and verdict of the record on top of the stack. */
static void judge(const il_fields *f, const il_law *law, const double *c) {
    lua_State *L = f->L;
    double slack = il_fields_positive(f, "slack", 2e-3 * law->largest);
    double *low = il_lua_take(L, f->arena, law->n, sizeof *low, NULL);
    double *high = il_lua_take(L, f->arena, law->n, sizeof *high, NULL);
    if (!il_fields_push(f, "law")) {
        lua_pop(L, 1);
        return;
    }
    if (!lua_isfunction(L, -1)) {
        il_fields_refuse(f, "law", -1, "a function(c): the share of constants that are at most c");
    }
    if (isnan(law->discrepancy)) {
        il_fields_miss(f, "events", "an array of times: a law is judged by the phases of events");
    }
    for (size_t k = 0; k < law->n; k++) {
        low[k] = claimed(f, c[k] - slack);
        high[k] = claimed(f, c[k] + slack);
    }
    lua_pop(L, 1);
    double distance = il_law_distance(law->n, low, high);
    double allowed = il_law_allowed(law);
    il_lua_set_number(L, "distance", distance);
    il_lua_set_number(L, "allowed", allowed);
    il_lua_set_text(L, "verdict",
                    !(distance <= allowed) ? "differs"
                    : il_law_decides(law)  ? "agrees"
                                           : "undecided");
}

static int lab_law(lua_State *L) {
    static const char *const known[] = {"h", "error", "order", "events", "law", "slack", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.law", known);
    size_t n = 0;
    il_law law;
    il_law_data data = {.n = 0};
    il_error err = {IL_OK, ""};
    data.h = il_fields_numbers(&f, "h", false, &data.n);
    data.error = il_fields_numbers(&f, "error", false, &n);
    data.events = il_fields_numbers(&f, "events", false, &data.nevents);
    data.order = il_fields_positive(&f, "order", 1.0);
    if (n != data.n || n == 0) {
        lua_pushinteger(L, (lua_Integer)n);
        il_fields_refuse(&f, "#error", -1,
                         il_lua_print(L, f.arena, "%zu, the length of h, and not 0", data.n));
    }
    double *c = il_lua_take(L, f.arena, n, sizeof *c, NULL);
    il_status status = il_law_find(&law, &data, c, &err);
    il_lua_expect(L, f.call, status, &err);
    lua_newtable(L);
    il_lua_set_count(L, "n", law.n);
    il_lua_set_number(L, "order", law.order);
    il_lua_set_number(L, "least", law.least);
    il_lua_set_number(L, "mean", law.mean);
    il_lua_set_number(L, "geometric", law.geometric);
    il_lua_set_number(L, "largest", law.largest);
    il_lua_set_numbers(L, "shares", il_law_shares, IL_LAW_QUANTILES, 1);
    il_lua_set_numbers(L, "quantiles", law.quantile, IL_LAW_QUANTILES, 1);
    il_lua_set_number(L, "atom", law.atom);
    il_lua_set_number(L, "atom_share", law.atom_share);
    il_lua_set_number(L, "widest_gap", law.widest);
    il_lua_set_number(L, "discrepancy", law.discrepancy);
    il_lua_set_numbers(L, "c", c, law.n, 1);
    judge(&f, &law, c);
    return 1;
}

void il_lua_add_law(lua_State *L) {
    lua_pushcfunction(L, lab_law);
    lua_setfield(L, -2, "law");
}
