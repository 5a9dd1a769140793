/*
 * chance.c - lab.share, lab.median, lab.quantile, lab.band: what many runs say about all of them.
 *
 *     lab.share{values = {true, false, ...} | hits =, runs =, level = 0.95}
 *         -> {share =, low =, high =, hits =, n =, level =}
 *     lab.median{values = {...}, level = 0.95}
 *     lab.quantile{values = {...}, p =, level = 0.95}
 *         -> {value =, low =, high =, coverage =, endless =, n =, p =, level =}
 *     lab.band{members = {{...}, ...}, from = 0.1, to = 0.9}
 *         -> {median = {...}, low = {...}, high = {...}, n =, from =, to =}
 *
 * harness/study/ensemble/chance.h has the statistics. math.huge stands for what did not end.
 */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/setfield.h"
#include "harness/study/ensemble/chance.h"

static double read_part(const il_fields *f, const char *key, double fallback) {
    double x = il_fields_number(f, key, fallback);
    if (!(x > 0.0 && x < 1.0)) {
        lua_pushnumber(f->L, x);
        il_fields_refuse(f, key, -1, "a number between 0 and 1");
    }
    return x;
}

/* ---- shares --------------------------------------------------------------------------------- */

/* Of the array of booleans at key: how many, and how many of them are true. */
static void count_true(const il_fields *f, size_t *hits, size_t *n) {
    lua_State *L = f->L;
    if (!lua_istable(L, -1)) {
        il_fields_refuse(f, "values", -1, "an array of true and false");
    }
    *n = (size_t)lua_rawlen(L, -1);
    for (size_t k = 0; k < *n; k++) {
        char what[40];
        (void)snprintf(what, sizeof what, "values[%zu]", k + 1);
        if (lua_rawgeti(L, -1, (lua_Integer)k + 1) != LUA_TBOOLEAN) {
            il_fields_refuse(f, what, -1, "true, false");
        }
        *hits += (size_t)lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
}

static int share(lua_State *L) {
    static const char *const known[] = {"values", "hits", "runs", "level", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.share", known);
    size_t hits = 0;
    size_t n = 0;
    if (il_fields_push(&f, "values")) {
        count_true(&f, &hits, &n);
    } else {
        hits = il_fields_count(&f, "hits", 0, 0);
        n = il_fields_count(&f, "runs", 1, 0);
    }
    double level = read_part(&f, "level", 0.95);
    il_share s = {0};
    il_error err = {IL_OK, ""};
    il_lua_expect(L, f.call, il_share_of(hits, n, level, &s, &err), &err);
    lua_createtable(L, 0, 6);
    il_lua_set_number(L, "share", s.share);
    il_lua_set_number(L, "low", s.low);
    il_lua_set_number(L, "high", s.high);
    il_lua_set_number(L, "level", level);
    il_lua_set_count(L, "hits", s.hits);
    il_lua_set_count(L, "n", s.n);
    return 1;
}

/* ---- quantiles ------------------------------------------------------------------------------ */

static int push_quantile(il_fields *f, double p) {
    lua_State *L = f->L;
    size_t n = 0;
    double *values = il_fields_numbers(f, "values", false, &n);
    if (values == NULL) {
        il_fields_miss(f, "values", "an array of numbers, math.huge for what did not end");
    }
    double level = read_part(f, "level", 0.95);
    il_quantile q = {0};
    il_error err = {IL_OK, ""};
    il_lua_expect(L, f->call, il_quantile_of(values, n, p, level, &q, &err), &err);
    lua_createtable(L, 0, 8);
    il_lua_set_number(L, "value", q.value);
    il_lua_set_number(L, "low", q.low);
    il_lua_set_number(L, "high", q.high);
    il_lua_set_number(L, "coverage", q.coverage);
    il_lua_set_number(L, "p", p);
    il_lua_set_number(L, "level", level);
    il_lua_set_count(L, "endless", q.endless);
    il_lua_set_count(L, "n", q.n);
    return 1;
}

static int median(lua_State *L) {
    static const char *const known[] = {"values", "level", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.median", known);
    return push_quantile(&f, 0.5);
}

static int quantile(lua_State *L) {
    static const char *const known[] = {"values", "p", "level", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.quantile", known);
    return push_quantile(&f, read_part(&f, "p", 0.5));
}

/* ---- bands ---------------------------------------------------------------------------------- */

/* members[n][m], column by column: x[m][n]. */
static double *read_members(const il_fields *f, size_t *n, size_t *m) {
    lua_State *L = f->L;
    double *x = NULL;
    if (!il_fields_push(f, "members") || !lua_istable(L, -1) || lua_rawlen(L, -1) == 0) {
        il_fields_refuse(f, "members", -1, "an array of arrays of numbers, one a run");
    }
    *n = (size_t)lua_rawlen(L, -1);
    for (size_t k = 0; k < *n; k++) {
        char what[40];
        size_t length = 0;
        (void)snprintf(what, sizeof what, "members[%zu]", k + 1);
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        const double *row = il_fields_numbers_at_top(f, what, false, &length);
        if (k == 0) {
            *m = length;
            x = il_lua_take(L, f->arena, *n * (*m > 0 ? *m : 1), sizeof *x, NULL);
        }
        if (length != *m) {
            char allowed[80];
            (void)snprintf(allowed, sizeof allowed,
                           "as many numbers as the first has: %zu, not %zu", *m, length);
            il_fields_refuse(f, what, -1, allowed);
        }
        for (size_t j = 0; j < length; j++) {
            x[j * *n + k] = row[j];
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return x;
}

/* Push the p-quantiles of the m columns x[m][n]. */
static void push_quantiles(const il_fields *f, double *x, size_t n, size_t m, double p) {
    lua_createtable(f->L, (int)m, 0);
    for (size_t j = 0; j < m; j++) {
        il_quantile q = {0};
        il_error err = {IL_OK, ""};
        il_lua_expect(f->L, f->call, il_quantile_of(x + j * n, n, p, 0.5, &q, &err), &err);
        lua_pushnumber(f->L, q.value);
        lua_rawseti(f->L, -2, (lua_Integer)j + 1);
    }
}

static int band(lua_State *L) {
    static const char *const known[] = {"members", "from", "to", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.band", known);
    double from = read_part(&f, "from", 0.1);
    double to = read_part(&f, "to", 0.9);
    if (!(from < to)) {
        (void)il_fields_push(&f, "to");
        il_fields_refuse(&f, "to", -1, "a number above from");
    }
    size_t n = 0;
    size_t m = 0;
    double *x = read_members(&f, &n, &m);
    lua_createtable(L, 0, 6);
    push_quantiles(&f, x, n, m, 0.5);
    lua_setfield(L, -2, "median");
    push_quantiles(&f, x, n, m, from);
    lua_setfield(L, -2, "low");
    push_quantiles(&f, x, n, m, to);
    lua_setfield(L, -2, "high");
    il_lua_set_number(L, "from", from);
    il_lua_set_number(L, "to", to);
    il_lua_set_count(L, "n", n);
    return 1;
}

void il_lua_add_chance(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"share", share}, {"median", median}, {"quantile", quantile}, {"band", band}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
