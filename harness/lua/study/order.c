/*
 * order.c - observed orders of a sweep, or of any numbers, judged by claims.
 *
 *     r:order{problem =, scheme =, norm =, level =, claim = {order =, kind =, source =}}
 *     r:orders{problems =, schemes =, norms =, level =, claim =}    an array of such orders
 *     lab.order{h = {...}, error = {...}, claim =, level =, title =, rounding =, tolerance =,
 *               reference =, rounds =}
 */
#include <float.h>
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/setfield.h"
#include "harness/lua/study/order_query.h"
#include "harness/lua/study/order_table.h"
#include "harness/lua/sweep/norms.h"

/* ---- what is asked -------------------------------------------------------------------------- */

/* claim = {order = 1, kind = "bound", source = "..."}; inapplicable = "why" if it does not speak of
 * the problem. norm stays NULL without a claim. */
static il_claim read_claim(const il_fields *f, const char **barred) {
    static const char *const known[] = {"order",        "kind",   "source", "hypothesis",
                                        "inapplicable", "factor", NULL};
    static const char *const kinds[] = {"converges", "bound", "sharp", NULL};
    lua_State *L = f->L;
    il_claim claim = {.norm = NULL};
    if (!il_fields_push(f, "claim")) {
        lua_pop(L, 1);
        return claim;
    }
    if (!lua_istable(L, -1)) {
        il_fields_refuse(f, "claim", -1, "a table such as {order = 1, kind = \"bound\"}");
    }
    il_fields inner = il_fields_open(L, f->arena, -1, f->call, "claim");
    il_fields_known(&inner, 0, known);
    claim.norm = ""; /* whatever the norm of the order is */
    claim.kind = (il_claim_kind)il_fields_choice(&inner, "kind", kinds, IL_CLAIM_BOUND);
    claim.source = il_fields_text(&inner, "source", NULL);
    claim.hypothesis = il_fields_text(&inner, "hypothesis", NULL);
    claim.factor = il_fields_positive(&inner, "factor", IL_ORDER_FACTOR);
    *barred = il_fields_text(&inner, "inapplicable", NULL);
    if (il_fields_push(&inner, "order") && claim.kind == IL_CLAIM_CONVERGES) {
        il_fields_refuse(&inner, "order", -1, "none, of a claim of kind 'converges'");
    }
    lua_pop(L, 1);
    claim.order = il_fields_positive(&inner, "order", 0.0);
    if (claim.kind != IL_CLAIM_CONVERGES && claim.order == 0.0) {
        il_fields_miss(&inner, "order", "a number > 0, of a claim of kind 'bound' or 'sharp'");
    }
    lua_pop(L, 1);
    return claim;
}

static void push_order(lua_State *L, il_lua_arena *arena, const il_result *result,
                       const il_order_query *query) {
    const il_sweep *s = result->sweep;
    const char *scheme = s->schemes[query->scheme]->name;
    const char *problem = s->problems[query->problem].label;
    const il_claim *claim = NULL;
    il_order o = il_result_fit(L, arena, result, query, &claim);
    const char *subject = il_result_subject(L, arena, result, query->problem, query->scheme);
    il_order_push(L, il_lua_print(L, arena, "%s %s on %s", scheme, query->norm, subject), &o,
                  claim);
    il_lua_set_text(L, "scheme", scheme);
    il_lua_set_text(L, "problem", problem);
    il_lua_set_text(L, "norm", query->norm);
    il_lua_set_count(L, "rounds", s->round);
    if (query->quiet) {
        return;
    }
    il_lua_outcome *total = &il_lua_context_of(L)->outcome;
    total->orders++;
    total->orders_failed += o.verdict == IL_ORDER_FAIL;
    (void)lua_getfield(L, -1, "text");
    if (o.verdict == IL_ORDER_FAIL) {
        il_lua_note(L, "order", lua_tostring(L, -1));
    }
    const il_journal_order of = {s->name, subject, scheme, query->norm, o.order};
    il_journal_judge_order(il_lua_context_of(L)->journal, &of, il_verdict_name(o.verdict),
                           lua_tostring(L, -1));
    lua_pop(L, 1);
}

size_t il_result_find_problem(const il_fields *f, const il_sweep *s, const char *key,
                              const char *name) {
    char known[400] = "";
    size_t found = 0;
    size_t hits = 0;
    for (size_t k = 0; k < s->nproblems; k++) {
        const il_choice *p = &s->problems[k];
        if (name != NULL && strcmp(p->label, name) == 0) {
            return k;
        }
        bool hit = name == NULL || strcmp(p->type->name, name) == 0;
        found = hit ? k : found;
        hits += hit;
        il_text_append(known, sizeof known, "%s'%.100s'", k == 0 ? "" : ", ", p->label);
    }
    if (hits != 1) {
        lua_pushstring(f->L, name);
        il_fields_refuse(f, key, -1, known);
    }
    return found;
}

size_t il_result_find_scheme(const il_fields *f, const il_sweep *s, const char *key,
                             const char *name) {
    char known[400] = "";
    for (size_t k = 0; k < s->nschemes; k++) {
        if (name != NULL && strcmp(s->schemes[k]->name, name) == 0) {
            return k;
        }
        il_text_append(known, sizeof known, "%s%.60s", k == 0 ? "" : ", ", s->schemes[k]->name);
    }
    lua_pushstring(f->L, name);
    il_fields_refuse(f, key, -1, known);
}

static int result_order(lua_State *L) {
    static const char *const known[] = {"scheme", "norm", "problem", "claim", "level", NULL};
    const il_result *result = il_lua_check_result(L, 1);
    const il_sweep *s = result->sweep;
    il_fields f = il_fields_begin(L, 2, "r:order", known);
    il_result_expect_complete(L, result, f.call);
    const char *scheme =
        il_case_scheme_name(&f, "scheme", s->nschemes == 1 ? s->schemes[0]->name : NULL);
    const char *problem = il_fields_text(&f, "problem", NULL);
    il_order_query query = {.problem = il_result_find_problem(&f, s, "problem", problem),
                            .scheme = il_result_find_scheme(&f, s, "scheme", scheme),
                            .norm = il_result_norm(&f, result),
                            .level = il_result_level(&f)};
    query.claim = read_claim(&f, &query.barred);
    push_order(L, f.arena, result, &query);
    return 1;
}

/* The indices that key names; all of them where it is absent. */
static const size_t *read_some(const il_fields *f, const il_sweep *s, const char *key, size_t all,
                               size_t (*find)(const il_fields *, const il_sweep *, const char *,
                                              const char *),
                               size_t *n) {
    const char **names = find == il_result_find_scheme ? il_case_scheme_names(f, key, n)
                                                       : il_fields_texts(f, key, n);
    bool given = *n > 0;
    *n = given ? *n : all;
    size_t *some = il_lua_take(f->L, f->arena, *n, sizeof *some, NULL);
    for (size_t k = 0; k < *n; k++) {
        some[k] = given ? find(f, s, key, names[k]) : k;
    }
    return some;
}

static int orders_text(lua_State *L) {
    luaL_Buffer b;
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    luaL_buffinit(L, &b);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, 1, k);
        (void)luaL_tolstring(L, -1, NULL);
        lua_remove(L, -2);
        luaL_addvalue(&b);
        luaL_addstring(&b, k < n ? "\n" : "");
    }
    luaL_pushresult(&b);
    return 1;
}

static int result_orders(lua_State *L) {
    static const char *const known[] = {"schemes", "norms", "problems", "claim",
                                        "level",   "quiet", NULL};
    const il_result *result = il_lua_check_result(L, 1);
    const il_sweep *s = result->sweep;
    il_fields f = il_fields_begin(L, 2, "r:orders", known);
    il_result_expect_complete(L, result, f.call);
    size_t np = 0;
    size_t ns = 0;
    size_t nn = 0;
    const size_t *problems =
        read_some(&f, s, "problems", s->nproblems, il_result_find_problem, &np);
    const size_t *schemes = read_some(&f, s, "schemes", s->nschemes, il_result_find_scheme, &ns);
    const char **norms = il_result_norms(&f, result, &nn);
    il_order_query query = {.level = il_result_level(&f),
                            .quiet = il_fields_flag(&f, "quiet", false)};
    query.claim = read_claim(&f, &query.barred);
    lua_createtable(L, (int)(np * ns * nn), 0);
    for (size_t k = 0; k < np * ns * nn; k++) {
        query.problem = problems[k / nn / ns];
        query.scheme = schemes[k / nn % ns];
        query.norm = norms[k % nn];
        push_order(L, f.arena, result, &query);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    if (luaL_newmetatable(L, "impactlab.orders")) {
        lua_pushcfunction(L, orders_text);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
    return 1;
}

/* ---- lab.order ------------------------------------------------------------------------------ */

/* Errors up to this are rounding unless the caller says: 64 roundings of a solution of size one, or
 * of the largest error. */
static double rounding_of(const double *error, size_t n) {
    double size = 1.0;
    for (size_t k = 0; k < n; k++) {
        size = isfinite(error[k]) ? fmax(size, error[k]) : size;
    }
    return 64.0 * DBL_EPSILON * size;
}

static double at_least_zero(const il_fields *f, const char *key, double fallback) {
    double x = il_fields_number(f, key, fallback);
    if (!(x >= 0.0)) {
        (void)il_fields_push(f, key);
        il_fields_refuse(f, key, -1, "a number >= 0");
    }
    return x;
}

/* h and error, of one length; numbers are checked here, where their place is known. */
static void read_runs(const il_fields *f, il_order_data *data) {
    size_t n = 0;
    data->h = il_fields_numbers(f, "h", false, &data->n);
    data->error = il_fields_numbers(f, "error", false, &n);
    static const char *const needed[] = {"h", "error"};
    for (int k = 0; k < 2; k++) {
        if (!il_fields_push(f, needed[k])) {
            il_fields_miss(f, needed[k], "an array of numbers");
        }
        lua_pop(f->L, 1);
    }
    if (n != data->n) {
        lua_pushinteger(f->L, (lua_Integer)n);
        il_fields_refuse(f, "#error", -1,
                         il_lua_print(f->L, f->arena, "%zu, the length of h", data->n));
    }
    for (size_t k = 0; k < n; k++) {
        if (!(data->h[k] > 0.0) || isinf(data->h[k])) {
            lua_pushnumber(f->L, data->h[k]);
            il_fields_refuse(f, il_lua_print(f->L, f->arena, "h[%zu]", k + 1), -1,
                             "a finite number > 0");
        }
        if (data->error[k] < 0.0) {
            lua_pushnumber(f->L, data->error[k]);
            il_fields_refuse(f, il_lua_print(f->L, f->arena, "error[%zu]", k + 1), -1,
                             "a number >= 0, or NaN of a run that failed");
        }
    }
}

/* A verdict FAIL on numbers of the script's own is an answer, not counted as a failure. */
static int lab_order(lua_State *L) {
    static const char *const known[] = {"h",        "error",     "claim",     "level",  "title",
                                        "rounding", "tolerance", "reference", "rounds", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.order", known);
    il_order_data data = {.n = 0};
    read_runs(&f, &data);
    data.causes.rounding = at_least_zero(&f, "rounding", rounding_of(data.error, data.n));
    data.causes.tolerance = at_least_zero(&f, "tolerance", 0.0);
    data.causes.reference = at_least_zero(&f, "reference", 0.0);
    data.rounds = (size_t)il_fields_positive(&f, "rounds", 1.0);
    il_claim claim = read_claim(&f, &data.barred);
    const il_claim *judged = claim.norm != NULL ? &claim : NULL;
    double level = il_result_level(&f);
    const char *title = il_fields_text(&f, "title", "errors");
    il_order order;
    il_error err = {IL_OK, ""};
    il_status status = il_order_fit(&data, level, judged, &order, &err);
    il_lua_expect(L, f.call, status, &err);
    il_order_push(L, title, &order, judged);
    return 1;
}

void il_lua_add_order(lua_State *L) {
    lua_pushcfunction(L, lab_order);
    lua_setfield(L, -2, "order");
    il_lua_result_method(L, "order", result_order);
    il_lua_result_method(L, "orders", result_orders);
}
