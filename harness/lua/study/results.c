/*
 * results.c - what the library's studies (harness/lua/library) ask of a result of a sweep.
 *
 *     host.errors(r, call, t) -> h, error, events
 *         of the problem, scheme and norm of t; events of the exact solution, if there is one
 */
#include <lauxlib.h>
#include <stdio.h>

#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/study/order_query.h"
#include "harness/lua/sweep/norms.h"
#include "harness/study/law/law.h"

/* Push the events of the exact solution of problem k of a sweep, if it has one: one more than a law
 * takes, so that it refuses more. */
static void push_events(lua_State *L, const il_sweep *s, size_t k) {
    double events[IL_LAW_EVENTS + 1];
    size_t n = 0;
    il_case what = s->common;
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_error err = {IL_OK, ""};
    what.problem = &s->problems[k];
    if (il_case_problem(&what, &params, &problem, &err) == IL_OK && problem->nexact == 1) {
        const il_exact *exact = problem->exact;
        for (size_t i = 1; i + 1 < exact->nbreaks && n <= IL_LAW_EVENTS; i++) {
            events[n++] = exact->breaks[i];
        }
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    il_lua_push_numbers(L, events, n, 1);
}

static int errors(lua_State *L) {
    const il_result *r = il_lua_check_result(L, 1);
    const il_sweep *s = r->sweep;
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 3, luaL_checkstring(L, 2), "");
    const char *scheme =
        il_case_scheme_name(&f, "scheme", s->nschemes == 1 ? s->schemes[0]->name : NULL);
    size_t problem = il_result_find_problem(&f, s, "problem", il_fields_text(&f, "problem", NULL));
    size_t first = il_result_first(r, problem, il_result_find_scheme(&f, s, "scheme", scheme));
    char path[64];
    (void)snprintf(path, sizeof path, "error.%.40s", il_result_norm(&f, r));
    lua_createtable(L, (int)s->nsizes, 0);
    lua_createtable(L, (int)s->nsizes, 0);
    for (size_t k = 0; k < s->nsizes; k++) {
        lua_pushnumber(L, il_result_step(r, first + k));
        lua_rawseti(L, -3, (lua_Integer)k + 1);
        lua_pushnumber(L, il_result_number(r, first + k, path));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    push_events(L, s, problem);
    return 3;
}

void il_lua_add_studies(lua_State *L) {
    lua_pushcfunction(L, errors);
    lua_setfield(L, -2, "errors");
}
