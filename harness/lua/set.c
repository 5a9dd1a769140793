/*
 * set.c - a problem without a run: its feasible set as geometry (feasible.h), and for exact.lua
 * (harness/lua/library) its solutions, forces and bodies.
 *
 *     local Q = host.set(call, {problem =, horizon =})
 *     Q:info() -> {name =, label =, order =, dimension =, constraints =, horizon =, q0 = {...},
 *                  u0 = {...}, masses = {...} or nil, alpha =, space =, restitution =, affine =,
 *                  convex =, fixed =, invariant =, force_free =, force_of_time =}
 *     Q:rows(t, q, slack) -> {{id =, g =, dt =, grad = {...}}, ...}: constraints with g <= slack
 *     Q:gap(t, q) -> min g
 *     Q:force(t, q) -> {...}
 *     Q:linearised(t, q, V) -> nearest point of Q~(t,q)
 *     Q:project(t, V, start) -> nearest point of Q(t), or nil and why
 *     Q:velocity(t, q, v, active) -> P_C(v) in the metric of M; Q:tangent(...): without d_t g
 *     Q:independence(t, q, rho) -> {rows =, slope =, inverse =, angle =}
 *     Q:constants{scale =, points =} -> {alpha =, beta =, rate =, ...} of constants.h, measured
 * once Q:fails{"convex", ...} -> why the first of these hypotheses (hypotheses.h) fails, or nil
 *     Q:admits(theorem) -> true, or false and why
 *
 *     host.solutions(Q) -> {{name =, origin =, breaks = {...}}, ...}, or none and why
 *     host.evaluate(Q, k, t, side) -> q, u of solution k
 *     host.force(Q, t, q)   also where only means are known
 *     host.bodies(Q, t)
 *
 * Vectors are arrays of d numbers.
 */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/data/bodies.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/scripted/case.h"
#include "harness/study/hypotheses/feasible.h"
#include "harness/study/hypotheses/hypotheses.h"

static const char CALL[] = "lab.set";
static const char SET[] = "impactlab.set";

typedef struct {
    il_fields f; /* its arena owns problem and set */
    const il_choice *choice;
    il_problem *problem;
    il_feasible **set; /* NULL until it is asked for */
    il_rows *work;
    double *buffer; /* [4][d] */
    bool measured;  /* the constants are there */
    il_constants constants;
} set_handle;

static void close_set(void *room) {
    il_feasible_destroy(*(il_feasible **)room);
}

static void close_rows(void *room) {
    il_rows_free(room);
}

/* ---- arguments and results ------------------------------------------------------------------ */

static set_handle *self(lua_State *L) {
    set_handle *w = il_lua_check_self(L, 1, SET);
    if (w->f.arena == NULL || !il_lua_arena_alive(w->f.arena)) {
        (void)luaL_error(L, "%s: the set was closed", CALL);
    }
    il_lua_context_of(L)->L = L;
    w->f.L = L;
    return w;
}

/* The vector at index into slot 0..3 of the buffer. */
static double *vector(lua_State *L, const set_handle *w, int index, int slot) {
    size_t d = w->problem->d;
    double *x = w->buffer + (size_t)slot * d;
    char what[24];
    char why[IL_LUA_WHY];
    (void)snprintf(what, sizeof what, "argument %d", index - 1);
    if (!il_lua_read_vector(L, index, what, false, x, d, why)) {
        (void)luaL_error(L, "%s is given %s", CALL, why);
    }
    return x;
}

static il_feasible *feasible(const set_handle *w) {
    if (*w->set == NULL) {
        *w->set = il_feasible_create(w->problem);
    }
    return *w->set;
}

static void expect(lua_State *L, const set_handle *w, il_status status, const il_error *err) {
    il_lua_expect_callbacks(&w->f, w->choice);
    il_lua_expect(L, CALL, status, err);
}

/* ---- what the problem says ------------------------------------------------------------------ */

static int info(lua_State *L) {
    static const struct {
        const char *key;
        unsigned trait;
    } traits[] = {{"affine", IL_ROWS_AFFINE},    {"convex", IL_ROWS_CONVEX},
                  {"fixed", IL_ROWS_FIXED},      {"invariant", IL_ROWS_INVARIANT},
                  {"force_free", IL_FORCE_FREE}, {"force_of_time", IL_FORCE_OF_TIME}};
    const set_handle *w = self(L);
    const il_problem *p = w->problem;
    il_lua_make(L, IL_SET("name", p->type->name), IL_SET("label", w->choice->label),
                IL_SET("order", p->order), IL_SET("dimension", p->d), IL_SET("constraints", p->p),
                IL_SET("space", p->space), IL_SET("horizon", p->horizon),
                IL_SET("restitution", p->restitution),
                IL_SET("alpha", il_metric_smallest(p->mass)));
    il_lua_set_numbers(L, "q0", p->q0, p->d, 1);
    il_lua_set_numbers(L, "u0", p->u0, p->d, 1);
    if (il_metric_masses(p->mass) != NULL) {
        il_lua_set_numbers(L, "masses", il_metric_masses(p->mass), p->d, 1);
    }
    for (size_t k = 0; k < sizeof traits / sizeof traits[0]; k++) {
        il_lua_set(L, IL_SET(traits[k].key, (bool)((p->traits & traits[k].trait) != 0)));
    }
    return 1;
}

static int rows(lua_State *L) {
    const set_handle *w = self(L);
    size_t d = w->problem->d;
    il_error err = {IL_OK, ""};
    const il_rows *found = NULL;
    const double *q = vector(L, w, 3, 0);
    double slack = luaL_optnumber(L, 4, INFINITY);
    double *dense = w->buffer + d;
    expect(L, w, il_feasible_rows(feasible(w), luaL_checknumber(L, 2), q, slack, &found, &err),
           &err);
    lua_createtable(L, (int)found->p, 0);
    for (size_t i = 0; i < found->p; i++) {
        il_lua_make(L, IL_SET("id", found->id[i]), IL_SET("g", found->value[i]),
                    IL_SET("dt", found->rate[i]));
        memset(dense, 0, d * sizeof *dense);
        il_rows_axpy(found, i, 1.0, dense);
        il_lua_set_numbers(L, "grad", dense, d, 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int gap(lua_State *L) {
    set_handle *w = self(L);
    double t = luaL_checknumber(L, 2);
    double g = il_problem_gap(w->problem, t, vector(L, w, 3, 0), NULL, w->work);
    expect(L, w, IL_OK, NULL);
    lua_pushnumber(L, g);
    return 1;
}

/* f(t,q), 0 without a force. Where only means are known, the one over a billionth of the horizon
 * after t if `means`, else nil. */
static int push_force(lua_State *L, bool means) {
    const set_handle *w = self(L);
    const il_problem *p = w->problem;
    double t = luaL_checknumber(L, 2);
    const double *q = vector(L, w, 3, 0);
    double *f = w->buffer + p->d;
    memset(f, 0, p->d * sizeof *f);
    if (p->type->force != NULL) {
        p->type->force(p, t, q, f);
    } else if (p->type->force_mean != NULL && means) {
        p->type->force_mean(p, t, t + 1e-9 * p->horizon, q, f);
    } else if (p->type->force_mean != NULL) {
        lua_pushnil(L);
        return 1;
    }
    expect(L, w, IL_OK, NULL);
    il_lua_push_numbers(L, f, p->d, 1);
    return 1;
}

static int force(lua_State *L) {
    return push_force(L, false);
}

static int any_force(lua_State *L) {
    return push_force(L, true);
}

/* ---- projections ---------------------------------------------------------------------------- */

static int linearised(lua_State *L) {
    const set_handle *w = self(L);
    il_error err = {IL_OK, ""};
    const double *q = vector(L, w, 3, 0);
    const double *target = vector(L, w, 4, 1);
    double *x = w->buffer + 2 * w->problem->d;
    double t = luaL_checknumber(L, 2);
    expect(L, w, il_feasible_linearised(feasible(w), t, q, target, x, &err), &err);
    il_lua_push_numbers(L, x, w->problem->d, 1);
    return 1;
}

static int project(lua_State *L) {
    const set_handle *w = self(L);
    il_error err = {IL_OK, ""};
    double t = luaL_checknumber(L, 2);
    const double *target = vector(L, w, 3, 0);
    const double *start = lua_isnoneornil(L, 4) ? target : vector(L, w, 4, 1);
    double *x = w->buffer + 2 * w->problem->d;
    il_status status = il_feasible_project(feasible(w), t, start, target, x, &err);
    il_lua_expect_callbacks(&w->f, w->choice);
    if (status != IL_OK) {
        lua_pushnil(L);
        lua_pushstring(L, err.message);
        return 2;
    }
    il_lua_push_numbers(L, x, w->problem->d, 1);
    return 1;
}

static int project_velocity(lua_State *L, bool frozen) {
    const set_handle *w = self(L);
    il_error err = {IL_OK, ""};
    double t = luaL_checknumber(L, 2);
    const double *q = vector(L, w, 3, 0);
    const double *v = vector(L, w, 4, 1);
    double active = luaL_optnumber(L, 5, 1e-12);
    double *out = w->buffer + 2 * w->problem->d;
    expect(L, w, il_feasible_velocity(feasible(w), t, q, v, active, frozen, out, &err), &err);
    il_lua_push_numbers(L, out, w->problem->d, 1);
    return 1;
}

static int velocity(lua_State *L) {
    return project_velocity(L, false);
}

static int tangent(lua_State *L) {
    return project_velocity(L, true);
}

static int independence(lua_State *L) {
    const set_handle *w = self(L);
    il_error err = {IL_OK, ""};
    il_independence found;
    double t = luaL_checknumber(L, 2);
    const double *q = vector(L, w, 3, 0);
    double rho = luaL_optnumber(L, 4, 1e-12);
    expect(L, w, il_feasible_independence(feasible(w), t, q, rho, &found, &err), &err);
    il_lua_make(L, IL_SET("rows", found.rows), IL_SET("slope", found.slope),
                IL_SET("inverse", found.inverse), IL_SET("angle", found.angle));
    return 1;
}

/* ---- hypotheses ----------------------------------------------------------------------------- */

static void measure(lua_State *L, set_handle *w, const il_constants_query *query) {
    il_error err = {IL_OK, ""};
    if (!w->measured) {
        expect(L, w, il_constants_measure(w->problem, query, &w->constants, &err), &err);
        w->measured = true;
    }
}

static int constants(lua_State *L) {
    static const char *const known[] = {"scale", "points", NULL};
    set_handle *w = self(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    il_fields f = il_fields_open(L, w->f.arena, 2, "Q:constants", "");
    il_fields_known(&f, known);
    il_constants_query query = {.scale = il_fields_number(&f, "scale", 0.0),
                                .points = il_fields_count(&f, "points", 1, 0)};
    measure(L, w, &query);
    const il_constants *c = &w->constants;
    il_lua_make(L, IL_SET("alpha", c->alpha), IL_SET("beta", c->beta), IL_SET("rate", c->rate),
                IL_SET("M", c->M), IL_SET("Mt", c->Mt), IL_SET("Mtt", c->Mtt),
                IL_SET("hypo", c->hypo), IL_SET("convex", c->convex), IL_SET("inverse", c->inverse),
                IL_SET("slope", c->slope), IL_SET("rho", c->rho), IL_SET("mu", c->mu),
                IL_SET("angle", c->angle), IL_SET("active_inverse", c->active_inverse),
                IL_SET("jump", c->jump), IL_SET("kink", c->kink), IL_SET("closed", c->closed),
                IL_SET("points", c->points), IL_SET("contacts", c->contacts),
                IL_SET("unmeasured", c->unmeasured));
    return 1;
}

static int fails(lua_State *L) {
    set_handle *w = self(L);
    char reason[IL_MESSAGE_MAX];
    luaL_checktype(L, 2, LUA_TTABLE);
    measure(L, w, NULL);
    lua_Integer n = (lua_Integer)lua_rawlen(L, 2);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, 2, k);
        const char *name = luaL_checkstring(L, -1);
        unsigned need = il_hypothesis_find(name);
        if (need == 0) {
            return luaL_error(L, "Q:fails: unknown hypothesis '%s'", name);
        }
        if (!il_hypothesis_holds(need, w->problem, &w->constants, reason, sizeof reason)) {
            lua_pushstring(L, reason);
            return 1;
        }
        lua_pop(L, 1);
    }
    lua_pushnil(L);
    return 1;
}

static int admits(lua_State *L) {
    set_handle *w = self(L);
    const char *id = luaL_checkstring(L, 2);
    const il_theorem *theorem = il_theorem_find(id);
    if (theorem == NULL) {
        return luaL_error(L, "Q:admits: unknown theorem '%s'", id);
    }
    il_admission admission;
    measure(L, w, NULL);
    il_theorem_admits(theorem, w->problem, &w->constants, &admission);
    if (admission.unknown) {
        lua_pushnil(L);
    } else {
        lua_pushboolean(L, admission.admitted);
    }
    lua_pushstring(L, admission.reason);
    return 2;
}

/* ---- what exact.lua asks for ---------------------------------------------------------------- */

static int solutions(lua_State *L) {
    const il_problem *p = self(L)->problem;
    lua_createtable(L, (int)p->nexact, 0);
    for (size_t k = 0; k < p->nexact; k++) {
        const il_exact *exact = &p->exact[k];
        il_lua_make(L, IL_SET("name", exact->name), IL_SET("origin", exact->origin));
        il_lua_set_numbers(L, "breaks", exact->breaks, exact->nbreaks, 1);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_pushstring(L, p->no_exact != NULL ? p->no_exact : "no exact solution is known here");
    return 2;
}

static int evaluate(lua_State *L) {
    const set_handle *w = self(L);
    const il_exact *exact = &w->problem->exact[luaL_checkinteger(L, 2) - 1];
    size_t d = w->problem->d;
    exact->eval(exact, luaL_checknumber(L, 3), (int)luaL_checkinteger(L, 4), w->buffer,
                w->buffer + d);
    expect(L, w, IL_OK, NULL);
    il_lua_push_numbers(L, w->buffer, d, 1);
    il_lua_push_numbers(L, w->buffer + d, d, 1);
    return 2;
}

static void push_walls(lua_State *L, const il_problem *problem) {
    lua_createtable(L, (int)problem->nwalls, 0);
    for (size_t k = 0; k < problem->nwalls; k++) {
        const il_plane *wall = &problem->walls[k];
        il_lua_make(L, IL_SET("name", wall->name));
        il_lua_set_numbers(L, "normal", wall->n, problem->space, 1);
        il_lua_set(L, IL_SET("offset", wall->c));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

static int bodies(lua_State *L) {
    const il_problem *p = self(L)->problem;
    size_t n = il_bodies_count(p);
    if (n == 0) {
        lua_pushnil(L);
        lua_pushfstring(L, "problem '%s' has no bodies in space", p->type->name);
        return 2;
    }
    double *radii = il_lua_take(L, il_lua_arena_open(L), n, sizeof *radii, NULL);
    il_bodies_radii(p, luaL_checknumber(L, 2), radii);
    il_lua_make(L, IL_SET("space", p->space), IL_SET("n", n));
    il_lua_set_numbers(L, "radii", radii, n, 1);
    il_lua_set_numbers(L, "q", p->q0, p->d, 1);
    il_lua_set_numbers(L, "u", p->u0, p->d, 1);
    if (il_metric_masses(p->mass) != NULL) {
        il_lua_set_numbers(L, "masses", il_metric_masses(p->mass), n, p->space);
    }
    push_walls(L, p);
    lua_setfield(L, -2, "walls");
    return 1;
}

/* ---- the handle ----------------------------------------------------------------------------- */

static void set_meta(lua_State *L) {
    static const luaL_Reg methods[] = {{"info", info},
                                       {"rows", rows},
                                       {"gap", gap},
                                       {"force", force},
                                       {"project", project},
                                       {"linearised", linearised},
                                       {"velocity", velocity},
                                       {"tangent", tangent},
                                       {"independence", independence},
                                       {"constants", constants},
                                       {"fails", fails},
                                       {"admits", admits},
                                       {NULL, NULL}};
    static const luaL_Reg meta[] = {{NULL, NULL}};
    if (il_lua_new_type(L, SET, meta)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
    }
    lua_setmetatable(L, -2);
}

/* host.set(call, spec) */
static int set(lua_State *L) {
    lua_settop(L, 2);
    set_handle *w = lua_newuserdatauv(L, sizeof *w, 2);
    *w = (set_handle){.choice = NULL};
    set_meta(L);
    il_lua_arena *arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, 3, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    (void)lua_setiuservalue(L, 3, 2);
    int keeper = lua_gettop(L);
    const char *call = il_lua_copy(L, arena, luaL_checkstring(L, 1));
    il_fields f = il_fields_open(L, arena, 2, call, "");
    il_choice *choice = NULL;
    w->problem = il_lua_make_problem(&f, keeper, &choice, NULL);
    w->choice = choice;
    w->work = il_lua_take(L, arena, 1, sizeof *w->work, close_rows); /* zeros: no rows yet */
    w->buffer = il_lua_take(L, arena, 4 * w->problem->d, sizeof *w->buffer, NULL);
    w->set = il_lua_take(L, arena, 1, sizeof(il_feasible *), close_set);
    w->f = f;
    lua_settop(L, 3);
    return 1;
}

const luaL_Reg il_lua_host_set[] = {{"set", set},           {"solutions", solutions},
                                    {"evaluate", evaluate}, {"force", any_force},
                                    {"bodies", bodies},     {NULL, NULL}};
