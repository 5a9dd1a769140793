/*
 * order.c - what orders.lua (harness/lua/library) asks of C: numbers and claims in, an order out
 * (harness/study/order/order.h).
 *
 *     host.schemes(call, t, key)   the names that the key scheme or schemes of t names
 *     host.finals(r, first, n) -> q, u, several
 *         of n cases from the first: |q| and |u| at the end; are all compared to several solutions?
 *     host.causes(r, first, steps, size, violation, reference)   of cases from the first; r nil: of
 *         others, which no projector made
 *         {rounding =, tolerance =, reference =}: sizes of errors that do not depend on the step
 *     host.order(call, head, runs, level, claim)
 *         the order of runs = {h =, error =, below =, limit =, rounding =, tolerance =,
 *         reference =, rounds =, unmeasured =, barred =, doubt =}, whose text is one line that
 *         begins with head; inconclusive for a doubt
 *     host.plan({runs, ...}, claim, horizon)   harness/study/order/step_plan.h: {steps =, each =,
 *         octaves =, open =, studies =, norms = {{order =, scatter =, verdict =, decided =}, ...}}
 *     host.claim(r, problem, scheme, norm) -> what the scheme's literature claims, and why that
 *         does not speak of the problem; nil without one (order_claim.c)
 *     host.note_order(order, sweep, subject)   it is counted and noted
 *     host.events(r, problem)      of the exact solution, if there is one
 *
 * A claim is {kind =, order =, source =, hypothesis =, factor =}, or nil.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/study/order.h"
#include "harness/study/law/law.h"
#include "harness/study/order/step_plan.h"

/* ---- what is asked -------------------------------------------------------------------------- */

/* The names of schemes that a key names, of one or of several; what lab.scheme returned is one. */
static int schemes(lua_State *L) {
    size_t n = 0;
    const char *key = luaL_checkstring(L, 3);
    il_fields f = il_fields_open(L, il_lua_arena_open(L), 2, luaL_checkstring(L, 1), "");
    if (il_text_ends_with(key, "s")) {
        const char **names = il_case_scheme_names(&f, key, &n);
        il_lua_push_texts(L, names, n);
    } else {
        const char *name = il_case_scheme_name(&f, key, NULL);
        il_lua_push_texts(L, &name, name != NULL);
    }
    return 1;
}

static double length_of(const json_t *vector) {
    double sum = 0.0;
    size_t k = 0;
    json_t *x = NULL;
    json_array_foreach((json_t *)(uintptr_t)vector, k, x) {
        sum += json_number_value(x) * json_number_value(x);
    }
    return sqrt(sum);
}

static int finals(lua_State *L) {
    const il_result *r = il_lua_check_result(L, 1);
    size_t first = (size_t)luaL_checkinteger(L, 2) - 1;
    size_t n = (size_t)luaL_checkinteger(L, 3);
    bool several = true;
    lua_createtable(L, (int)n, 0);
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        const json_t *record = il_result_record(r, first + k);
        const json_t *final = json_object_get(record, "final");
        const json_t *error = json_object_get(record, "error");
        several = several && json_object_size(json_object_get(error, "distances")) > 1;
        lua_pushnumber(L, length_of(json_object_get(final, "q")));
        lua_rawseti(L, -3, (lua_Integer)k + 1);
        lua_pushnumber(L, length_of(json_object_get(final, "u")));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_pushboolean(L, several);
    return 3;
}

/* One more than a law takes, so that it refuses more. */
static int events(lua_State *L) {
    const il_result *r = il_lua_check_result(L, 1);
    double times[IL_LAW_EVENTS + 1];
    size_t n = 0;
    size_t k = il_result_first(r, (size_t)luaL_checkinteger(L, 2) - 1, 0);
    il_case what = il_sweep_case(r->sweep, k);
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_error err = {IL_OK, ""};
    if (il_case_problem(&what, &params, &problem, &err) == IL_OK && problem->nexact == 1) {
        const il_exact *exact = problem->exact;
        for (size_t i = 1; i + 1 < exact->nbreaks && n <= IL_LAW_EVENTS; i++) {
            times[n++] = exact->breaks[i];
        }
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    il_lua_push_numbers(L, times, n, 1);
    return 1;
}

static int causes(lua_State *L) {
    il_case first = {.problem = NULL};
    if (!lua_isnil(L, 1)) {
        first =
            il_sweep_case(il_lua_check_result(L, 1)->sweep, (size_t)luaL_checkinteger(L, 2) - 1);
    }
    il_order_causes c = il_order_causes_of(luaL_checknumber(L, 3), luaL_checknumber(L, 4),
                                           first.projection.tolerance, luaL_checknumber(L, 5),
                                           luaL_checknumber(L, 6));
    il_lua_make(L, IL_SET("rounding", c.rounding), IL_SET("tolerance", c.tolerance),
                IL_SET("reference", c.reference));
    return 1;
}

/* ---- an order as a table -------------------------------------------------------------------- */

/* The curve that was fitted: b Y^p (1 - v + v Y^r)^s, Y = h/h_min. */
static void set_curve(lua_State *L, const il_curve *c) {
    il_lua_make(L, IL_SET("b", c->b), IL_SET("p", c->p), IL_SET("v", c->v), IL_SET("r", c->r),
                IL_SET("s", c->inverse ? -1.0 : 1.0));
    lua_setfield(L, -2, "curve");
}

static void push_order(lua_State *L, const char *head, const il_order *o, const il_claim *claim) {
    char text[1200] = "";
    il_lua_make(L, IL_SET("order", o->order), IL_SET("low", o->low), IL_SET("high", o->high),
                IL_SET("level", o->level), IL_SET("sure_low", o->sure_low),
                IL_SET("sure_high", o->sure_high), IL_SET("fold", o->fold),
                IL_SET("octaves", o->octaves), IL_SET("h_max", o->h_max), IL_SET("h_min", o->h_min),
                IL_SET("finest", o->finest), IL_SET("floor", o->floor),
                IL_SET("floor_high", o->floor_high), IL_SET("scatter", o->scatter),
                IL_SET("runs", o->runs), IL_SET("used", o->used),
                IL_SET("several_limits", o->several_limits),
                IL_SET("verdict", il_verdict_name(o->verdict)), IL_SET("reason", o->reason));
    il_order_sentence(o, claim != NULL ? claim->source : NULL, text, sizeof text);
    lua_pushfstring(L, "%s: %s", head, text);
    lua_setfield(L, -2, "text");
    if (isfinite(o->order)) {
        set_curve(L, &o->curve);
    }
    if (claim != NULL) {
        il_lua_push_claim(L, claim);
        lua_setfield(L, -2, "claim");
    }
}

/* ---- host.order ----------------------------------------------------------------------------- */

static il_order_data read_runs(const il_fields *f) {
    il_order_data data = {.rounds = il_fields_count(f, "rounds", 0, 0)};
    data.h = il_fields_numbers(f, "h", IL_LUA_NUMBERS, &data.n);
    data.error = il_fields_numbers(f, "error", IL_LUA_NUMBERS, &data.n);
    size_t n = 0;
    data.below = il_fields_numbers(f, "below", IL_LUA_NUMBERS, &n);
    const double *limit = il_fields_numbers(f, "limit", IL_OPTION_NUMBERS, &n);
    size_t *limits = il_lua_take(f->L, f->arena, n, sizeof *limits, NULL);
    for (size_t k = 0; k < n; k++) {
        limits[k] = (size_t)limit[k];
    }
    data.limit = limit != NULL ? limits : NULL;
    data.unmeasured = il_fields_count(f, "unmeasured", 0, 0);
    data.causes = (il_order_causes){.rounding = il_fields_number(f, "rounding", 0.0),
                                    .tolerance = il_fields_number(f, "tolerance", 0.0),
                                    .reference = il_fields_number(f, "reference", 0.0)};
    data.barred = il_fields_text(f, "barred", NULL);
    return data;
}

static il_claim read_claim(const il_fields *f) {
    (void)il_fields_push(f, "kind");
    il_claim claim = {.norm = "", /* that of the order */
                      .kind =
                          (il_claim_kind)luaL_checkoption(f->L, -1, "bound", il_lua_claim_kinds),
                      .source = il_fields_text(f, "source", NULL),
                      .hypothesis = il_fields_text(f, "hypothesis", NULL),
                      .factor = IL_ORDER_FACTOR,
                      .order = il_fields_number(f, "order", 0.0)};
    il_lua_read(f, &(il_option){"factor", .kind = IL_OPTION_POSITIVE}, &claim.factor);
    return claim;
}

static int order(lua_State *L) {
    const char *call = luaL_optstring(L, 1, NULL);
    il_error err = {IL_OK, ""};
    il_order o;
    il_claim claim = {.norm = NULL};
    lua_settop(L, 5);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields runs = il_fields_open(L, arena, 3, call, "");
    il_order_data data = read_runs(&runs);
    const char *doubt = il_fields_text(&runs, "doubt", NULL);
    if (!lua_isnil(L, 5)) {
        il_fields f = il_fields_open(L, arena, 5, call, "");
        claim = read_claim(&f);
    }
    const il_claim *by = claim.norm != NULL ? &claim : NULL;
    il_lua_expect(L, call, il_order_fit(&data, luaL_checknumber(L, 4), by, &o, &err), &err);
    if (doubt != NULL) {
        o.verdict = IL_ORDER_INCONCLUSIVE;
        (void)snprintf(o.reason, sizeof o.reason, "%s", doubt);
    }
    push_order(L, luaL_checkstring(L, 2), &o, by);
    return 1;
}

static int plan(lua_State *L) {
    il_error err = {IL_OK, ""};
    il_order_data data[4];
    il_claim claims[4];
    il_step_plan p = {.n = 0};
    size_t n = lua_rawlen(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 2, NULL, "");
    for (size_t k = 0; k < n; k++) {
        (void)lua_rawgeti(L, 1, (lua_Integer)k + 1);
        il_fields runs = il_fields_open(L, arena, lua_gettop(L), NULL, "");
        data[k] = read_runs(&runs);
        claims[k] = read_claim(&f);
    }
    il_lua_expect(L, NULL, il_step_plan_make(data, claims, n, luaL_checknumber(L, 3), &p, &err),
                  &err);
    lua_createtable(L, 0, 6);
    il_lua_push_numbers(L, p.steps, p.n, 1);
    lua_setfield(L, -2, "steps");
    free(p.steps);
    il_lua_set(L, IL_SET("each", p.each), IL_SET("octaves", p.octaves),
               IL_SET("studies", IL_PLAN_STUDIES), IL_SET("open", p.open));
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        lua_createtable(L, 0, 4);
        il_lua_set(L, IL_SET("order", p.norms[k].order), IL_SET("scatter", p.norms[k].scatter),
                   IL_SET("verdict", il_verdict_name(p.norms[k].verdict)),
                   IL_SET("decided", p.norms[k].decided));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "norms");
    return 1;
}

static int note_order(lua_State *L) {
    il_lua_context *context = il_lua_context_of(L);
    il_fields f = il_fields_open(L, il_lua_arena_open(L), 1, "r:order", "");
    const char *verdict = il_fields_text(&f, "verdict", "");
    const char *text = il_fields_text(&f, "text", "");
    bool failed = strcmp(verdict, il_verdict_name(IL_ORDER_FAIL)) == 0;
    (void)lua_getfield(L, 1, "order");
    const il_journal_order of = {luaL_checkstring(L, 2), luaL_checkstring(L, 3),
                                 il_fields_text(&f, "scheme", ""), il_fields_text(&f, "norm", ""),
                                 lua_tonumber(L, -1)};
    context->outcome.orders++;
    context->outcome.orders_failed += failed;
    if (failed) {
        il_lua_note(L, "order", text);
    }
    il_journal_judge_order(context->journal, &of, verdict, text);
    return 0;
}

const luaL_Reg il_lua_host_order[] = {
    {"schemes", schemes},       {"finals", finals},      {"events", events},
    {"causes", causes},         {"claim", il_lua_claim}, {"order", order},
    {"note_order", note_order}, {"plan", plan},          {NULL, NULL}};
