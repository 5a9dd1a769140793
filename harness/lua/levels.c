/*
 * levels.c - step counts for convergence studies.
 *
 *     lab.levels{from = 64, ratio = 2, count = 6, jitter = 8, seed = 1}
 *
 * count levels around N_k = from ratio^k, k = 0, 1, ...; in each, jitter distinct integers drawn
 * uniformly in log N from [N_k / sqrt(ratio), N_k sqrt(ratio)), by GSL's mt19937. The phase of an
 * impact in its step then is random, as the confidence interval of a fitted order assumes (on
 * nested grids it is not: harness/study/order.h). With jitter 1, the default, the N_k themselves,
 * rounded.
 *
 *     lab.dyadic{from = a, to = b}  ->  2^a, 2^(a+1), ..., 2^b
 *
 *     lab.phases{c = {...}, m = {...}}  ->  step sizes h = c 2^-m, for each m all c, with fields c
 *         and m that say which; for steps = or hs = of a sweep
 */
#include <gsl/gsl_rng.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/elementary.h"
#include "harness/lua/args.h"
#include "harness/lua/context.h"
#include "harness/lua/module.h"

static const double STEPS_MAX = 0x1p40; /* as il_run allows */
enum { JITTER_MAX = 1000000 };

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool drawn(const double *steps, size_t n, double x) {
    for (size_t k = 0; k < n; k++) {
        if (steps[k] == x) {
            return true;
        }
    }
    return false;
}

/* n distinct integers in [low, high), sorted. The caller has checked that twice as many exist, so
 * that a draw meets a new one with a chance that does not vanish. */
static void draw_level(gsl_rng *rng, double low, double high, double *steps, size_t n) {
    for (size_t k = 0; k < n;) {
        double x = floor(low * il_pow(high / low, gsl_rng_uniform(rng)));
        if (x >= low && x < high && !drawn(steps, k, x)) {
            steps[k++] = x;
        }
    }
    qsort(steps, n, sizeof *steps, by_size);
}

static void close_rng(void *room) {
    gsl_rng **rng = room;
    if (*rng != NULL) {
        gsl_rng_free(*rng);
    }
}

static _Noreturn void refuse(lua_State *L, double N, const char *why, const char *allowed) {
    il_error err = {IL_OK, ""};
    (void)il_fail(&err, IL_EINVAL, "the level around %g steps %s; allowed: %s", N, why, allowed);
    il_lua_raise(L, "lab.levels", &err);
}

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
    lua_settop(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 1, "lab.levels", "");
    il_fields_known(&f, 0, known);
    double from = (double)il_fields_count(&f, "from", 1, 64);
    double ratio = il_fields_positive(&f, "ratio", 2.0);
    check_ratio(&f, ratio);
    size_t count = il_fields_count(&f, "count", 1, 6);
    size_t jitter = il_fields_count(&f, "jitter", 1, 1);
    size_t seed = il_fields_count(&f, "seed", 0, 1);
    double last = from * il_pow(ratio, (double)count - 1.0);
    if (!(last * ratio <= STEPS_MAX) || jitter > JITTER_MAX) {
        refuse(L, last, "or their number is too large", "2^40 steps, 1000000 step counts a level");
    }
    double *steps = il_lua_take(L, arena, count * jitter, sizeof *steps, NULL);
    gsl_rng **rng = il_lua_take(L, arena, 1, sizeof(gsl_rng *), close_rng);
    *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (*rng == NULL) {
        return luaL_error(L, "no memory for random numbers");
    }
    gsl_rng_set(*rng, seed);
    for (size_t k = 0; k < count; k++) {
        double N = from * il_pow(ratio, (double)k);
        double low = N / sqrt(ratio);
        double high = N * sqrt(ratio);
        if (jitter == 1) {
            steps[k] = round(N);
            if (k > 0 && steps[k] <= steps[k - 1]) {
                refuse(L, N, "rounds to the level before", "a larger from or ratio");
            }
        } else if (ceil(high) - ceil(low) < 2.0 * (double)jitter) {
            refuse(L, N, "has too few integers for the jitter",
                   "a jitter of at most half their number");
        } else {
            draw_level(*rng, low, high, steps + k * jitter, jitter);
        }
    }
    push_counts(L, steps, count * jitter);
    return 1;
}

static int dyadic(lua_State *L) {
    static const char *const known[] = {"from", "to", NULL};
    double steps[41] = {0.0};
    lua_settop(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 1, "lab.dyadic", "");
    il_fields_known(&f, 0, known);
    size_t a = il_fields_count(&f, "from", 0, 0);
    size_t b = il_fields_count(&f, "to", 0, a);
    if (b > 40 || b < a) {
        (void)il_fields_push(&f, "to");
        il_fields_refuse(&f, "to", -1, "an exponent from 'from' to 40");
    }
    for (size_t k = a; k <= b; k++) {
        steps[k - a] = ldexp(1.0, (int)k);
    }
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
    lua_settop(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 1, "lab.phases", "");
    il_fields_known(&f, 0, known);
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
