/*
 * problem.c - a problem written in Lua: what harness/lua/library/problem.lua has read becomes a
 * problem type, which is tried out.
 *
 *     host.problem(p, declared) -> the problem
 *     host.has_problem(name) -> is it one of the program's?
 *
 * p has name, order, q0, horizon, mass and restitution; u0, force_breaks, exact_breaks where they
 * are given; the functions force, force_mean, constraints, exact, or in place of the first and the
 * third `constant` and `affine`, as il_scripted has them. declared is the script's own table.
 */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua/base/module.h"
#include "harness/lua/scripted/parts.h"
#include "harness/run/registry.h"

static const char CALL[] = "lab.problem";

static const char SCRIPTED[] = "impactlab.problem";

il_scripted *il_scripted_test(lua_State *L, int index) {
    il_scripted *w = luaL_testudata(L, index, SCRIPTED);
    return w != NULL && w->arena != NULL && il_lua_arena_alive(w->arena) ? w : NULL;
}

static int scripted_close(lua_State *L) {
    il_scripted *w = luaL_checkudata(L, 1, SCRIPTED);
    for (int k = 0; k < IL_LUA_FUNCTIONS; k++) {
        luaL_unref(L, LUA_REGISTRYINDEX, w->function[k]);
        w->function[k] = LUA_NOREF;
    }
    free(w->made);
    free(w->absent);
    w->made = w->absent = NULL;
    return 0;
}

static int scripted_text(lua_State *L) {
    const il_scripted *w = luaL_checkudata(L, 1, SCRIPTED);
    lua_pushfstring(L, "problem '%s' (lab.problem)", w->type.name);
    return 1;
}

/* A handle that owns nothing yet. Its first user value is the arena. */
static il_scripted *push_handle(lua_State *L) {
    static const luaL_Reg meta[] = {
        {"__gc", scripted_close}, {"__tostring", scripted_text}, {NULL, NULL}};
    static const il_param_spec none[] = {{.key = NULL}};
    il_scripted *w = lua_newuserdatauv(L, sizeof *w, 1);
    *w = (il_scripted){.type = {.name = "?",
                                .title = "a problem written in Lua",
                                .statement = "given by its script",
                                .source = "a Lua script",
                                .params = none},
                       .context = il_lua_context_of(L)};
    w->callbacks = (il_callbacks){.self = w,
                                  .failure = il_scripted_failure,
                                  .derivatives = il_scripted_derivatives,
                                  .contact = il_scripted_contact,
                                  .functions = &w->identity.now};
    for (int k = 0; k < IL_LUA_FUNCTIONS; k++) {
        w->function[k] = LUA_NOREF;
    }
    (void)il_lua_new_type(L, SCRIPTED, meta);
    lua_setmetatable(L, -2);
    w->arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, -2, 1);
    return w;
}

/* All that f has. Zeros stand for u0 where it is absent. */
static void read(const il_fields *f, il_scripted *w) {
    size_t n = 0;
    w->type.name = il_fields_text(f, "name", NULL);
    w->order = (int)il_fields_count(f, "order", 1, 2);
    w->q0 = il_fields_numbers(f, "q0", IL_LUA_NUMBERS, &w->d);
    w->u0 = il_fields_numbers(f, "u0", IL_LUA_NUMBERS, &n);
    w->u0 = w->u0 != NULL ? w->u0 : il_lua_take(f->L, f->arena, w->d, sizeof *w->u0, NULL);
    w->horizon = il_fields_number(f, "horizon", 0.0);
    w->mass = il_fields_numbers(f, "mass", IL_LUA_NUMBERS, &n);
    w->dense = il_fields_flag(f, "dense", false);
    w->restitution = il_fields_number(f, "restitution", 0.0);
    w->breaks = il_fields_numbers(f, "exact_breaks", IL_LUA_NUMBERS, &w->nbreaks);
    w->force_breaks = il_fields_numbers(f, "force_breaks", IL_LUA_NUMBERS, &w->nforce_breaks);
    w->constant = il_fields_numbers(f, "constant", IL_LUA_NUMBERS, &n);
    w->affine = il_fields_numbers(f, "affine", IL_LUA_NUMBERS, &w->naffine);
    w->naffine /= w->d + 2;
    for (int k = 0; k < IL_LUA_FUNCTIONS; k++) {
        if (il_fields_push(f, il_lua_function_names[k])) {
            w->function[k] = luaL_ref(f->L, LUA_REGISTRYINDEX);
        } else {
            lua_pop(f->L, 1);
        }
    }
}

/* A problem that cannot be made is refused here and not in a run. */
static void try_out(lua_State *L, il_scripted *w) {
    il_error err = {IL_OK, ""};
    double *scratch = il_lua_take(L, w->arena, 2 * w->d, sizeof *scratch, NULL);
    w->context->L = L;
    il_lua_expect(L, CALL, il_scripted_try(w, scratch, &err), &err);
    if (strcmp(il_scripted_derivatives(w), "given") != 0) {
        il_lua_say(
            w->context,
            "problem '%s': derivatives of constraints that the script leaves out are made by "
            "differences, at the start to %.1g of the largest",
            w->type.name, w->made_error);
    }
}

static int problem(lua_State *L) {
    lua_settop(L, 2);
    il_scripted *w = push_handle(L);
    il_fields f = il_fields_open(L, w->arena, 1, CALL, "");
    il_fields declared = il_fields_open(L, w->arena, 2, CALL, "");
    read(&f, w);
    il_scripted_bind(w);
    il_lua_identity_declare(&w->identity, &declared,
                            il_lua_print(L, w->arena, "problem '%s'", w->type.name));
    try_out(L, w);
    return 1;
}

static int has_problem(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    size_t k = 0;
    while (il_problem_type_at(k) != NULL && strcmp(name, il_problem_type_at(k)->name) != 0) {
        k++;
    }
    lua_pushboolean(L, il_problem_type_at(k) != NULL);
    return 1;
}

const luaL_Reg il_lua_host_problem[] = {
    {"problem", problem}, {"has_problem", has_problem}, {NULL, NULL}};
