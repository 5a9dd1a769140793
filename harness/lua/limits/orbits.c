/*
 * orbits.c - lab.orbits, lab.motion: the exact motion of a problem over a period of its scaling,
 * and which of its orbits repeat (harness/study/limits/orbits.h).
 *
 *     lab.orbits{problem =, starts = 200, seed = 0, longest = 8}
 *         -> {{period =, states = {{...}, ...}, rational = {{"0", ...}, ...}, multiplier =,
 *         attracts =, residual =, starts =}, ..., starts =, wandering =}
 *     lab.motion{problem =, states = {...}, periods = 1} -> {...}
 *
 * A state is (q,u) at t = 1; lab.motion takes and gives one after the other, 2d numbers each.
 */
#include "harness/lua/limits/limits.h"

#include <lauxlib.h>
#include <string.h>

#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"

const char *const il_lua_limits_norms[] = {"u_L1", "q_Linf", NULL};

double il_lua_last_node(const json_t *record, size_t d, double *q, double *u) {
    const json_t *final = json_object_get(record, "final");
    for (size_t k = 0; k < d; k++) {
        q[k] = json_number_value(json_array_get(json_object_get(final, "q"), k));
        u[k] = json_number_value(json_array_get(json_object_get(final, "u"), k));
    }
    return json_number_value(json_object_get(final, "t"));
}

static void close_orbits(void *room) {
    il_orbits_free(room);
}

static const il_orbits *search(lua_State *L, il_lua_arena *arena, const char *call,
                               const il_problem *problem, const il_params *params,
                               const il_orbits_search *how) {
    il_error err = {IL_OK, ""};
    il_orbits *orbits = il_lua_take(L, arena, 1, sizeof *orbits, close_orbits);
    il_lua_expect(L, call, il_orbits_find(orbits, problem, params, how, &err), &err);
    return orbits;
}

const il_orbits *il_lua_orbits_of(lua_State *L, il_lua_arena *arena, const char *call,
                                  const il_case *c) {
    const il_orbits_search how = {.seed = 0};
    const il_params *params = NULL;
    if (c->problem->type->scaling == NULL) {
        return NULL;
    }
    const il_problem *problem = il_lua_case_problem(L, arena, call, c, &params);
    return search(L, arena, call, problem, params, &how);
}

/* ---- lab.orbits ----------------------------------------------------------------------------- */

static void push_rational(lua_State *L, il_lua_arena *arena, const il_orbit *orbit, size_t dim) {
    lua_createtable(L, orbit->period, 0);
    for (size_t i = 0; i < (size_t)orbit->period; i++) {
        lua_createtable(L, (int)dim, 0);
        for (size_t k = 0; k < dim; k++) {
            char **text = il_lua_take(L, arena, 1, sizeof *text, il_lua_close_text);
            *text = il_rational_text(orbit->rational[i * dim + k]);
            lua_pushstring(L, *text);
            lua_rawseti(L, -2, (lua_Integer)k + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_orbit(lua_State *L, il_lua_arena *arena, const il_orbit *orbit, size_t dim) {
    il_lua_make(L, IL_SET("period", orbit->period));
    lua_createtable(L, orbit->period, 0);
    for (size_t i = 0; i < (size_t)orbit->period; i++) {
        il_lua_push_numbers(L, orbit->states + i * dim, dim, 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "states");
    if (orbit->rational != NULL) {
        push_rational(L, arena, orbit, dim);
        lua_setfield(L, -2, "rational");
    }
    il_lua_set(L, IL_SET("multiplier", orbit->multiplier), IL_SET("residual", orbit->residual),
               IL_SET("attracts", il_orbit_attracts(orbit)), IL_SET("starts", orbit->starts));
}

static int orbits(lua_State *L) {
    static const char *const known[] = {"problem", "starts", "seed", "longest", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.orbits", known);
    lua_newtable(L);
    il_choice *choice = NULL;
    const il_params *params = NULL;
    const il_problem *problem = il_lua_make_problem(&f, lua_gettop(L), &choice, &params);
    size_t longest = il_fields_count(&f, "longest", 1, 8);
    il_orbits_search how = {.starts = il_fields_count(&f, "starts", 1, 200),
                            .seed = il_fields_count(&f, "seed", 0, 0),
                            .longest = longest < 64 ? (int)longest : 64};
    const il_orbits *found = search(L, f.arena, f.call, problem, params, &how);
    lua_createtable(L, (int)found->n, 2);
    for (size_t o = 0; o < found->n; o++) {
        push_orbit(L, f.arena, &found->list[o], found->dim);
        lua_rawseti(L, -2, (lua_Integer)o + 1);
    }
    il_lua_set(L, IL_SET("starts", found->starts), IL_SET("wandering", found->wandering));
    return 1;
}

/* ---- lab.motion ----------------------------------------------------------------------------- */

static int motion(lua_State *L) {
    static const char *const known[] = {"problem", "states", "periods", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.motion", known);
    lua_newtable(L);
    il_choice *choice = NULL;
    const il_problem *problem = il_lua_make_problem(&f, lua_gettop(L), &choice, NULL);
    size_t dim = 2 * problem->d;
    size_t n = 0;
    double *x = il_fields_numbers(&f, "states", IL_OPTION_NUMBERS, &n);
    double next[IL_ORBITS_DIM_MAX];
    size_t periods = il_fields_count(&f, "periods", 0, 1);
    if (problem->type->scaling == NULL || dim > IL_ORBITS_DIM_MAX) {
        il_lua_fail(L, f.call, IL_EUNSUPPORTED, "problem '%s' offers no motion over a period",
                    problem->type->name);
    }
    if (n == 0 || n % dim != 0) {
        il_fields_miss(&f, "states", "q and u of one state after the other");
    }
    for (size_t k = 0; k < n; k += dim) {
        for (size_t i = 0; i < periods; i++) {
            il_orbits_step(problem, x + k, next, NULL);
            memcpy(x + k, next, dim * sizeof *x);
        }
    }
    il_lua_push_numbers(L, x, n, 1);
    return 1;
}

const luaL_Reg il_lua_module_orbits[] = {{"orbits", orbits}, {"motion", motion}, {NULL, NULL}};
