/*
 * law.c - the constant in error = c h^p over the phases of events:
 *
 *     lab.law{h = {...}, error = {...}, order = 1, events = {...}, law = function(c) ... end,
 *             slack =}
 *     r:law{norm = "u_L1", problem =, scheme =, order = 1, events =, law =, slack =}   of a sweep
 */
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#include "harness/lua/base/args.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/setfield.h"
#include "harness/lua/study/order_query.h"
#include "harness/lua/sweep/norms.h"
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

/* The law of data, whose order and events the table may give, as a table; events of the data stand
 * where it gives none. */
static int push_law(const il_fields *f, il_law_data *data) {
    lua_State *L = f->L;
    il_law law;
    il_error err = {IL_OK, ""};
    size_t n = 0;
    const double *events = il_fields_numbers(f, "events", false, &n);
    if (n > 0) {
        data->events = events;
        data->nevents = n;
    }
    data->order = il_fields_positive(f, "order", 1.0);
    double *c = il_lua_take(L, f->arena, data->n, sizeof *c, NULL);
    il_status status = il_law_find(&law, data, c, &err);
    il_lua_expect(L, f->call, status, &err);
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
    judge(f, &law, c);
    return 1;
}

static int lab_law(lua_State *L) {
    static const char *const known[] = {"h", "error", "order", "events", "law", "slack", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.law", known);
    size_t n = 0;
    il_law_data data = {.n = 0};
    data.h = il_fields_numbers(&f, "h", false, &data.n);
    data.error = il_fields_numbers(&f, "error", false, &n);
    if (n != data.n || n == 0) {
        lua_pushinteger(L, (lua_Integer)n);
        il_fields_refuse(&f, "#error", -1,
                         il_lua_print(L, f.arena, "%zu, the length of h, and not 0", data.n));
    }
    return push_law(&f, &data);
}

/* The events of the exact solution of problem k of a sweep, if it has one: at most room of them. */
static size_t events_of(const il_sweep *s, size_t k, double *events, size_t room) {
    il_case what = s->common;
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_error err = {IL_OK, ""};
    size_t n = 0;
    what.problem = &s->problems[k];
    if (il_case_problem(&what, &params, &problem, &err) == IL_OK && problem->nexact == 1) {
        const il_exact *exact = problem->exact;
        for (size_t i = 1; i + 1 < exact->nbreaks && n < room; i++) {
            events[n++] = exact->breaks[i];
        }
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return n;
}

static int result_law(lua_State *L) {
    static const char *const known[] = {"norm",   "problem", "scheme", "order",
                                        "events", "law",     "slack",  NULL};
    const il_result *result = il_lua_check_result(L, 1);
    const il_sweep *s = result->sweep;
    il_fields f = il_fields_begin(L, 2, "r:law", known);
    il_result_expect_complete(L, result, f.call);
    const char *scheme =
        il_case_scheme_name(&f, "scheme", s->nschemes == 1 ? s->schemes[0]->name : NULL);
    size_t problem = il_result_find_problem(&f, s, "problem", il_fields_text(&f, "problem", NULL));
    size_t first = il_result_first(result, problem, il_result_find_scheme(&f, s, "scheme", scheme));
    char path[64];
    (void)snprintf(path, sizeof path, "error.%.40s", il_result_norm(&f, result));
    size_t n = s->nsizes;
    double *h = il_lua_take(L, f.arena, n, sizeof *h, NULL);
    double *error = il_lua_take(L, f.arena, n, sizeof *error, NULL);
    for (size_t k = 0; k < n; k++) {
        h[k] = il_result_step(result, first + k);
        error[k] = il_result_number(result, first + k, path);
    }
    double events[IL_LAW_EVENTS + 1];
    il_law_data data = {.n = n, .h = h, .error = error, .events = events};
    data.nevents = events_of(s, problem, events, IL_LAW_EVENTS + 1);
    return push_law(&f, &data);
}

void il_lua_add_law(lua_State *L) {
    lua_pushcfunction(L, lab_law);
    lua_setfield(L, -2, "law");
    il_lua_result_method(L, "law", result_law);
}
