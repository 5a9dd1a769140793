/*
 * search.c - where a function of the script is small, over the unit cube and beyond: what worst.lua
 * (harness/lua/library) searches with.
 *
 *     host.search(d, starts, budget, f) -> how many points f was asked at
 *
 * f({z_1, ..., z_d}), the same table each time, may jump, so that nothing smooth will do: Nelder
 * and Mead's simplex (GSL's nmsimplex2) from the best of `starts` points of Sobol's sequence, one
 * after the other, until the budget of points is spent.
 */
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_qrng.h>
#include <lauxlib.h>
#include <math.h>

#include "harness/lua/base/args.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"

/* The simplex begins with a tenth of the cube, and ends at a millionth. */
static const double FIRST = 0.1;
static const double LAST = 1e-6;

typedef struct {
    lua_State *L; /* 4: f; 5: its argument */
    size_t d, count, budget;
    bool broken; /* an error of f is on the stack */
} search;

/* f, large where it is NaN. Nothing more is asked once f raised an error or the budget is spent:
 * errors of Lua must not pass through GSL, not even those of memory, so that no table is made. */
static double objective(const gsl_vector *z, void *self) {
    search *s = self;
    lua_State *L = s->L;
    if (s->broken || s->count >= s->budget) {
        return GSL_POSINF;
    }
    s->count++;
    lua_pushvalue(L, 4);
    lua_pushvalue(L, 5);
    for (size_t k = 0; k < s->d; k++) {
        lua_pushnumber(L, gsl_vector_get(z, k));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    s->broken = lua_pcall(L, 1, 1, 0) != LUA_OK;
    if (s->broken) {
        return GSL_POSINF;
    }
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return isnan(value) ? GSL_POSINF : value;
}

/* The points of Sobol's sequence, [starts][d] into z, and what they give, into c; into order the
 * best first. */
static void scatter(search *s, size_t starts, gsl_qrng *sobol, double *z, double *c,
                    size_t *order) {
    for (size_t i = 0; i < starts && !s->broken; i++) {
        gsl_vector_view at = gsl_vector_view_array(z + i * s->d, s->d);
        (void)gsl_qrng_get(sobol, z + i * s->d);
        c[i] = objective(&at.vector, s);
        size_t j = i;
        for (; j > 0 && c[order[j - 1]] > c[i]; j--) {
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
}

/* From one point down; GSL's own memory comes and goes here. */
static void descend(search *s, gsl_multimin_fminimizer *simplex, gsl_vector *step, double *z) {
    gsl_multimin_function function = {objective, s->d, s};
    gsl_vector_view from = gsl_vector_view_array(z, s->d);
    gsl_vector_set_all(step, FIRST);
    if (gsl_multimin_fminimizer_set(simplex, &function, &from.vector, step) != 0) {
        return;
    }
    while (!s->broken && s->count < s->budget && gsl_multimin_fminimizer_iterate(simplex) == 0 &&
           gsl_multimin_fminimizer_size(simplex) > LAST) {
    }
}

static void find(search *s, size_t starts, double *z, double *c, size_t *order) {
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)s->d);
    gsl_vector *step = gsl_vector_alloc(s->d);
    gsl_multimin_fminimizer *simplex =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, s->d);
    scatter(s, starts, sobol, z, c, order);
    for (size_t i = 0; i < starts && !s->broken && s->count < s->budget; i++) {
        if (isfinite(c[order[i]])) {
            descend(s, simplex, step, z + order[i] * s->d);
        }
    }
    gsl_multimin_fminimizer_free(simplex);
    gsl_vector_free(step);
    gsl_qrng_free(sobol);
}

static int host_search(lua_State *L) {
    search s = {
        .L = L, .d = (size_t)luaL_checkinteger(L, 1), .budget = (size_t)luaL_checkinteger(L, 3)};
    size_t starts = (size_t)luaL_checkinteger(L, 2);
    lua_settop(L, 4);
    il_lua_arena *arena = il_lua_arena_new(L);
    double *z = il_lua_take(L, arena, starts * s.d, sizeof *z, NULL);
    il_lua_push_numbers(L, z, s.d, 1);
    lua_insert(L, 5);
    lua_toclose(L, 6);
    double *c = il_lua_take(L, arena, starts, sizeof *c, NULL);
    size_t *order = il_lua_take(L, arena, starts, sizeof *order, NULL);
    find(&s, starts, z, c, order);
    if (s.broken) {
        return lua_error(L);
    }
    lua_pushinteger(L, (lua_Integer)s.count);
    return 1;
}

const luaL_Reg il_lua_host_search[] = {{"search", host_search}, {NULL, NULL}};
