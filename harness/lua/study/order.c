/*
 * order.c - what orders.lua (harness/lua/library) asks of C.
 *
 *     host.schemes(call, t, key)   the names that the key scheme or schemes of t names
 *     host.finals(r, first, n) -> q, u, several
 *         of n cases from the first: |q| and |u| at the end; are all compared to several solutions?
 *     host.judged(r, problem, scheme, norm, level, runs)
 *         an order of a sweep: runs = {h =, error =, limit =, steps =, size =, violation =,
 *         reference =, unmeasured =, subject =, claim =, quiet =, doubt =}. It is counted and noted
 *         unless quiet, and inconclusive for a doubt
 *     host.order(h, error, level, claim, causes, rounds, title)    one of any numbers
 *     host.events(r, problem)      of the exact solution, if there is one
 *
 * A claim is {kind =, order =, source =, hypothesis =, factor =, inapplicable =}, or nil.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/base/text.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/study/order.h"
#include "harness/study/law/law.h"

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

/* The claim at index, whose texts the table keeps; its norm stays NULL without one. */
static il_claim read_claim(lua_State *L, il_lua_arena *arena, int index, const char **barred) {
    static const char *const kinds[] = {"converges", "bound", "sharp", NULL};
    il_claim claim = {.norm = NULL};
    if (lua_isnil(L, index)) {
        return claim;
    }
    il_fields f = il_fields_open(L, arena, index, "claim", "");
    claim.norm = ""; /* whatever the norm of the order is */
    claim.kind = (il_claim_kind)il_fields_choice(&f, "kind", kinds, IL_CLAIM_BOUND);
    claim.source = il_fields_text(&f, "source", NULL);
    claim.hypothesis = il_fields_text(&f, "hypothesis", NULL);
    claim.factor = il_fields_positive(&f, "factor", IL_ORDER_FACTOR);
    claim.order = il_fields_positive(&f, "order", 0.0);
    *barred = il_fields_text(&f, "inapplicable", NULL);
    return claim;
}

/* ---- of a sweep ----------------------------------------------------------------------------- */

/* The order at the top of the stack is counted and noted. */
static void note(lua_State *L, const il_journal_order *of, il_verdict verdict) {
    il_lua_context *context = il_lua_context_of(L);
    context->outcome.orders++;
    context->outcome.orders_failed += verdict == IL_ORDER_FAIL;
    (void)lua_getfield(L, -1, "text");
    if (verdict == IL_ORDER_FAIL) {
        il_lua_note(L, "order", lua_tostring(L, -1));
    }
    il_journal_judge_order(context->journal, of, il_verdict_name(verdict), lua_tostring(L, -1));
    lua_pop(L, 1);
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
        const json_t *record = il_result_record(L, r, first + k);
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

/* The numbers of runs that an order is fitted to, which f is the table of. */
static il_order_data read_runs(const il_fields *f, const il_sweep *s) {
    il_order_data data = {.rounds = s->rounds};
    data.h = il_fields_numbers(f, "h", false, &data.n);
    data.error = il_fields_numbers(f, "error", false, &data.n);
    const double *limit = il_fields_numbers(f, "limit", true, &data.n);
    size_t *limits = il_lua_take(f->L, f->arena, data.n, sizeof *limits, NULL);
    for (size_t k = 0; k < data.n; k++) {
        limits[k] = (size_t)limit[k];
    }
    data.limit = limits;
    data.unmeasured = il_fields_count(f, "unmeasured", 0, 0);
    data.causes =
        il_order_causes_of(il_fields_number(f, "steps", 0.0), il_fields_number(f, "size", 1.0),
                           s->common.projection.tolerance, il_fields_number(f, "violation", 0.0),
                           il_fields_number(f, "reference", 0.0));
    return data;
}

static int judged(lua_State *L) {
    const il_result *r = il_lua_check_result(L, 1);
    const il_sweep *s = r->sweep;
    il_lua_arena *arena = il_lua_arena_open(L);
    il_error err = {IL_OK, ""};
    il_order o;
    il_order_query query = {.problem = (size_t)luaL_checkinteger(L, 2) - 1,
                            .scheme = (size_t)luaL_checkinteger(L, 3) - 1,
                            .norm = luaL_checkstring(L, 4)};
    il_fields f = il_fields_open(L, arena, 6, "r:order", "");
    il_order_data data = read_runs(&f, s);
    const char *scheme = s->schemes[query.scheme]->name;
    const char *subject = il_fields_text(&f, "subject", "");
    const char *doubt = il_fields_text(&f, "doubt", NULL);
    (void)il_fields_push(&f, "claim");
    query.claim = read_claim(L, arena, lua_gettop(L), &query.barred);
    const il_claim *claim = il_result_claim(L, r, &query, &data.barred);
    il_lua_expect(L, f.call, il_order_fit(&data, luaL_checknumber(L, 5), claim, &o, &err), &err);
    if (doubt != NULL) {
        o.verdict = IL_ORDER_INCONCLUSIVE;
        (void)snprintf(o.reason, sizeof o.reason, "%s", doubt);
    }
    il_order_push(L, il_lua_print(L, arena, "%s %s on %s", scheme, query.norm, subject), &o, claim);
    il_lua_set_text(L, "scheme", scheme);
    il_lua_set_text(L, "problem", s->problems[query.problem].label);
    il_lua_set_text(L, "norm", query.norm);
    il_lua_set_count(L, "rounds", s->round);
    if (!il_fields_flag(&f, "quiet", false)) {
        const il_journal_order of = {s->name, subject, scheme, query.norm, o.order};
        note(L, &of, o.verdict);
    }
    return 1;
}

/* One more than a law takes, so that it refuses more. */
static int events(lua_State *L) {
    const il_sweep *s = il_lua_check_result(L, 1)->sweep;
    double times[IL_LAW_EVENTS + 1];
    size_t n = 0;
    il_case what = s->common;
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_error err = {IL_OK, ""};
    what.problem = &s->problems[luaL_checkinteger(L, 2) - 1];
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

/* ---- of any numbers ------------------------------------------------------------------------- */

static int order(lua_State *L) {
    il_error err = {IL_OK, ""};
    il_order o;
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "h");
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "error");
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields runs = il_fields_open(L, arena, -2, "lab.order", "");
    il_fields causes = il_fields_open(L, arena, 5, "lab.order", "");
    il_order_data data = {.rounds = (size_t)luaL_checkinteger(L, 6)};
    data.h = il_fields_numbers(&runs, "h", false, &data.n);
    data.error = il_fields_numbers(&runs, "error", false, &data.n);
    data.causes.rounding = il_fields_number(&causes, "rounding", 0.0);
    data.causes.tolerance = il_fields_number(&causes, "tolerance", 0.0);
    data.causes.reference = il_fields_number(&causes, "reference", 0.0);
    il_claim claim = read_claim(L, arena, 4, &data.barred);
    const il_claim *by = claim.norm != NULL ? &claim : NULL;
    il_status status = il_order_fit(&data, luaL_checknumber(L, 3), by, &o, &err);
    il_lua_expect(L, "lab.order", status, &err);
    il_order_push(L, luaL_checkstring(L, 7), &o, by);
    return 1;
}

void il_lua_add_order(lua_State *L) {
    static const luaL_Reg functions[] = {{"schemes", schemes}, {"finals", finals},
                                         {"judged", judged},   {"events", events},
                                         {"order", order},     {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
