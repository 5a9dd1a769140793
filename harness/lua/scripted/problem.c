/*
 * problem.c - lab.problem: a problem written in Lua.
 *
 *     lab.problem{name =, order = 2, dimension =, horizon =, q0 = {...}, u0 = {...}, mass =,
 *                 restitution = 0, force = function(t, q) ... end,
 *                 force_mean = function(t0, t1, q) ... end,
 *                 force_breaks = {...},
 *                 constraints = function(t, q) return {{g =, grad = {...}, dt =}, ...} end,
 *                 exact = function(t, side) return q, u end, exact_breaks = {...}}
 *
 * mass is a number, d numbers or d arrays of d numbers. A vector is an array of d numbers; for d =
 * 1 a function may return the number itself. The functions must depend on their arguments alone.
 * force_breaks are times at which force may jump: the quadrature of its mean over a step splits
 * there, and would lose digits or fail otherwise.
 * exact is told the side (-1 or 1) from which the limit is wanted at 0, the horizon and
 * exact_breaks, and 0 elsewhere.
 */
#include <lauxlib.h>
#include <stdio.h>
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
    luaL_unref(L, LUA_REGISTRYINDEX, w->identity.declaration);
    w->identity.declaration = LUA_NOREF;
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
                       .context = il_lua_context_of(L),
                       .identity = {.declaration = LUA_NOREF}};
    w->callbacks = (il_callbacks){.self = w,
                                  .failure = il_scripted_failure,
                                  .derivatives = il_scripted_derivatives,
                                  .contact = il_scripted_contact,
                                  .functions = &w->identity.now};
    for (int k = 0; k < IL_LUA_FUNCTIONS; k++) {
        w->function[k] = LUA_NOREF;
    }
    if (luaL_newmetatable(L, SCRIPTED)) {
        luaL_setfuncs(L, meta, 0);
        lua_pushliteral(L, "impactlab");
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
    w->arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, -2, 1);
    return w;
}

static void read_name(const il_fields *f, il_scripted *w) {
    w->type.name = il_fields_word(f, "name", "scripted");
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        if (strcmp(w->type.name, il_problem_type_at(k)->name) == 0) {
            il_fields_refuse_key(f, "name", "a name that no built-in problem has");
        }
    }
}

static const double *read_state(const il_fields *f, const char *key, size_t d) {
    size_t n = 0;
    double *x = il_fields_numbers(f, key, true, &n);
    if (x != NULL && n != d) {
        char allowed[64];
        (void)snprintf(allowed, sizeof allowed, "%zu number%s, not %zu", d, d == 1 ? "" : "s", n);
        il_fields_refuse_key(f, key, allowed);
    }
    return x != NULL ? x : il_lua_take(f->L, f->arena, d, sizeof *x, NULL);
}

/* d arrays of d numbers. */
static double *read_matrix(const il_fields *f, size_t d) {
    double *matrix = il_lua_take(f->L, f->arena, d * d, sizeof *matrix, NULL);
    for (size_t i = 0; i < d; i++) {
        char what[40];
        size_t n = 0;
        (void)snprintf(what, sizeof what, "mass[%zu]", i + 1);
        (void)lua_rawgeti(f->L, -1, (lua_Integer)i + 1);
        const double *line = il_fields_numbers_at_top(f, what, true, &n);
        if (n != d) {
            il_fields_refuse(f, what, -1, "an array of as many numbers as q0 has");
        }
        memcpy(matrix + i * d, line, d * sizeof *line);
        lua_pop(f->L, 1);
    }
    return matrix;
}

/* il_metric_diagonal and il_metric_dense say which masses are allowed. */
static void read_mass(const il_fields *f, il_scripted *w) {
    lua_State *L = f->L;
    size_t d = w->d;
    double *mass = NULL;
    if (!il_fields_push(f, "mass") || lua_type(L, -1) == LUA_TNUMBER) {
        double m = lua_isnil(L, -1) ? 1.0 : lua_tonumber(L, -1);
        mass = il_lua_take(L, f->arena, d, sizeof *mass, NULL);
        for (size_t k = 0; k < d; k++) {
            mass[k] = m;
        }
    } else if (!lua_istable(L, -1) || lua_rawlen(L, -1) != d) {
        il_fields_refuse(f, "mass", -1,
                         "a number, an array of d numbers, or d arrays of d numbers");
    } else {
        w->dense = lua_rawgeti(L, -1, 1) == LUA_TTABLE;
        lua_pop(L, 1);
        size_t n = 0;
        mass = w->dense ? read_matrix(f, d) : il_fields_numbers_at_top(f, "mass", true, &n);
    }
    w->mass = mass;
    lua_pop(L, 1);
}

/* What stands at the key of function k, at the top of the stack, which is popped. */
static void read_function(const il_fields *f, il_scripted *w, int k) {
    bool force = k == IL_LUA_FORCE;
    int type = lua_type(f->L, -1);
    if (type == LUA_TFUNCTION) {
        w->function[k] = luaL_ref(f->L, LUA_REGISTRYINDEX);
        return;
    }
    if (force && (type == LUA_TTABLE || type == LUA_TNUMBER)) {
        il_scripted_read_force(f, w);
    } else if (k == IL_LUA_CONSTRAINTS && type == LUA_TTABLE) {
        il_scripted_read_affine(f, w);
    } else {
        il_fields_refuse(f, il_lua_function_names[k], -1,
                         force ? "a function, or as many numbers as q0 has"
                         : k == IL_LUA_CONSTRAINTS
                             ? "a function, or an array of {g =, grad = {...}, dt =}"
                             : "a function");
    }
    lua_pop(f->L, 1);
}

static void read_functions(const il_fields *f, il_scripted *w) {
    for (int k = 0; k < IL_LUA_FUNCTIONS; k++) {
        if (il_fields_push(f, il_lua_function_names[k])) {
            read_function(f, w, k);
        } else {
            lua_pop(f->L, 1);
        }
    }
    bool mean = w->function[IL_LUA_FORCE_MEAN] != LUA_NOREF;
    if (mean && (w->order == 1 || w->constant != NULL)) {
        il_fields_refuse_key(f, "force_mean",
                             w->order == 1 ? "force alone for order 1: it is the drift"
                                           : "force alone where it is numbers: they are its mean");
    }
    il_scripted_bind(w);
}

static void read_breaks(const il_fields *f, il_scripted *w) {
    w->breaks = il_fields_times(f, "exact_breaks", &w->nbreaks);
    w->force_breaks = il_fields_times(f, "force_breaks", &w->nforce_breaks);
    if (w->force_breaks != NULL && w->function[IL_LUA_FORCE] == LUA_NOREF) {
        il_fields_refuse_key(f, "force_breaks",
                             "it beside force, whose mean is computed by quadrature");
    }
}

static void read_restitution(const il_fields *f, il_scripted *w) {
    w->restitution = il_fields_number(f, "restitution", 0.0);
    if (!(w->restitution >= 0.0 && w->restitution <= 1.0)) {
        il_fields_refuse_key(f, "restitution", "a number in [0, 1]");
    }
    if (w->order == 1 && w->restitution > 0.0) {
        il_fields_refuse_key(f, "restitution",
                             "0 at order 1, where nothing has a velocity to keep");
    }
}

/* At order 1 the velocity is that of each step, whatever it was before. */
static void read_velocity(const il_fields *f, il_scripted *w) {
    w->u0 = read_state(f, "u0", w->d);
    if (w->order == 1 && il_fields_push(f, "u0")) {
        il_fields_refuse(f, "u0", -1, "nothing at order 1, whose steps make the velocity");
    }
}

/* Before a function is called, which may change what it depends on. */
static void declare_identity(const il_fields *f, il_scripted *w) {
    il_lua_identity_declare(&w->identity, f,
                            il_lua_print(f->L, f->arena, "problem '%s'", w->type.name));
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
    static const char *const known[] = {"name",         "order",        "dimension",   "horizon",
                                        "q0",           "u0",           "mass",        "force",
                                        "force_mean",   "force_breaks", "constraints", "exact",
                                        "exact_breaks", "restitution",  "version",     NULL};
    lua_settop(L, 1);
    il_scripted *w = push_handle(L);
    il_fields f = il_fields_open(L, w->arena, 1, CALL, "");
    il_fields_known(&f, 0, known);
    read_name(&f, w);
    w->order = (int)il_fields_count(&f, "order", 1, 2);
    if (w->order > 2) {
        il_fields_refuse_key(&f, "order", "1 (sweeping process) or 2 (contact dynamics)");
    }
    w->q0 = il_fields_numbers(&f, "q0", true, &w->d);
    if (w->d == 0) {
        il_fields_miss(&f, "q0", "an array of numbers");
    }
    if (il_fields_count(&f, "dimension", 1, w->d) != w->d) {
        il_fields_refuse_key(&f, "dimension", "as many as q0 has numbers");
    }
    read_velocity(&f, w);
    w->horizon = il_fields_positive(&f, "horizon", 0.0);
    if (w->horizon == 0.0) {
        il_fields_miss(&f, "horizon", "a number > 0");
    }
    read_mass(&f, w);
    read_restitution(&f, w);
    read_functions(&f, w);
    read_breaks(&f, w);
    lua_settop(L, 2);
    declare_identity(&f, w);
    try_out(L, w);
    return 1;
}

void il_lua_add_problem(lua_State *L) {
    static const luaL_Reg functions[] = {{"problem", problem}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
