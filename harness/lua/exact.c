/*
 * exact.c - lab.exact, lab.force, lab.bodies: what is known of a problem without running it.
 *
 *     lab.exact{problem =, name = "A", points = 400, horizon =}
 *         -> {name =, origin =, breaks = {...}, t = {...}, q = {{...}, ...}, u = {{...}, ...}}
 *     lab.force{problem =, t = {...}, q = {...}} -> {{...}, ...}
 *     lab.bodies{problem =, t = 0} -> {space =, n =, radii = {...}, masses = {...}, q = {...}, u =
 *         {...}, walls = {{name =, normal = {...}, offset =}, ...}}
 *
 * q[i] and u[i] are coordinate i along t. Every break inside stands twice in t, with the limits
 * from both sides, so that a line through the points jumps where the solution does.
 */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/data/bodies.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/base/setfield.h"
#include "harness/lua/scripted/case.h"

/* ---- lab.exact ------------------------------------------------------------------------------ */

static const il_exact *choose(const il_fields *f, const il_problem *problem) {
    const char *name = il_fields_text(f, "name", NULL);
    char known[256] = "";
    for (size_t k = 0; k < problem->nexact; k++) {
        if (name == NULL || strcmp(problem->exact[k].name, name) == 0) {
            return &problem->exact[k];
        }
        (void)snprintf(known + strlen(known), sizeof known - strlen(known), "%s%.40s",
                       k == 0 ? "" : ", ", problem->exact[k].name);
    }
    if (problem->nexact == 0) {
        return NULL;
    }
    (void)il_fields_push(f, "name");
    il_fields_refuse(f, "name", -1, known);
}

typedef struct {
    size_t d, n, room;
    double *t, *q, *u; /* [room], [room][d], [room][d] */
} curve;

static void add_point(curve *c, const il_exact *exact, double t, int side) {
    c->t[c->n] = t;
    exact->eval(exact, t, side, c->q + c->n * c->d, c->u + c->n * c->d);
    c->n++;
}

/* Points inside a piece: its share of all by length. */
static size_t inside(const il_exact *exact, size_t k, size_t points) {
    double share = (exact->breaks[k + 1] - exact->breaks[k]) / exact->breaks[exact->nbreaks - 1];
    return (size_t)floor(share * (double)points);
}

static curve sample(lua_State *L, il_lua_arena *arena, const il_exact *exact, size_t d,
                    size_t points) {
    curve c = {.d = d};
    for (size_t k = 0; k + 1 < exact->nbreaks; k++) {
        c.room += 2 + inside(exact, k, points);
    }
    c.t = il_lua_take(L, arena, c.room, sizeof *c.t, NULL);
    c.q = il_lua_take(L, arena, c.room * d, sizeof *c.q, NULL);
    c.u = il_lua_take(L, arena, c.room * d, sizeof *c.u, NULL);
    for (size_t k = 0; k + 1 < exact->nbreaks; k++) {
        double a = exact->breaks[k];
        double b = exact->breaks[k + 1];
        size_t n = inside(exact, k, points);
        add_point(&c, exact, a, 1);
        for (size_t i = 1; i <= n; i++) {
            add_point(&c, exact, a + (b - a) * (double)i / (double)(n + 1), 0);
        }
        add_point(&c, exact, b, -1);
    }
    return c;
}

static void push_coordinates(lua_State *L, const double *x, size_t n, size_t d) {
    lua_createtable(L, (int)d, 0);
    for (size_t i = 0; i < d; i++) {
        il_lua_push_numbers(L, x + i, n, d);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static int exact(lua_State *L) {
    static const char *const known[] = {"problem", "name", "points", "horizon", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.exact", known);
    lua_newtable(L);
    il_choice *choice = NULL;
    const il_problem *problem = il_lua_make_problem(&f, lua_gettop(L), &choice);
    const il_exact *solution = choose(&f, problem);
    size_t points = il_fields_count(&f, "points", 1, 400);
    if (solution == NULL) {
        lua_pushnil(L);
        lua_pushstring(L, problem->no_exact != NULL ? problem->no_exact
                                                    : "no exact solution is known here");
        return 2;
    }
    curve c = sample(L, f.arena, solution, problem->d, points);
    il_lua_expect_callbacks(&f, choice);
    lua_createtable(L, 0, 6);
    il_lua_set_text(L, "name", solution->name);
    il_lua_set_text(L, "origin", solution->origin);
    il_lua_set_numbers(L, "breaks", solution->breaks, solution->nbreaks, 1);
    il_lua_set_numbers(L, "t", c.t, c.n, 1);
    push_coordinates(L, c.q, c.n, c.d);
    lua_setfield(L, -2, "q");
    push_coordinates(L, c.u, c.n, c.d);
    lua_setfield(L, -2, "u");
    return 1;
}

/* ---- lab.force ------------------------------------------------------------------------------ */

/* f(t,q), or its mean over a billionth of the horizon after t where only means are known. */
static void evaluate(const il_problem *problem, double t, const double *q, double *f) {
    if (problem->type->force != NULL) {
        problem->type->force(problem, t, q, f);
    } else if (problem->type->force_mean != NULL) {
        problem->type->force_mean(problem, t, t + 1e-9 * problem->horizon, q, f);
    }
}

static int force(lua_State *L) {
    static const char *const known[] = {"problem", "t", "q", "horizon", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.force", known);
    lua_newtable(L);
    il_choice *choice = NULL;
    const il_problem *problem = il_lua_make_problem(&f, lua_gettop(L), &choice);
    size_t n = 0;
    size_t nq = 0;
    const double *t = il_fields_numbers(&f, "t", true, &n);
    const double *q = il_fields_numbers(&f, "q", true, &nq);
    if (t == NULL) {
        il_fields_miss(&f, "t", "an array of times");
    }
    if (q != NULL && nq != problem->d) {
        char allowed[64];
        (void)snprintf(allowed, sizeof allowed, "%zu numbers", problem->d);
        (void)il_fields_push(&f, "q");
        il_fields_refuse(&f, "q", -1, allowed);
    }
    double *values = il_lua_take(L, f.arena, n * problem->d, sizeof *values, NULL);
    for (size_t k = 0; k < n; k++) {
        evaluate(problem, t[k], q != NULL ? q : problem->q0, values + k * problem->d);
    }
    il_lua_expect_callbacks(&f, choice);
    push_coordinates(L, values, n, problem->d);
    return 1;
}

/* ---- lab.bodies ----------------------------------------------------------------------------- */

static void push_walls(lua_State *L, const il_problem *problem) {
    lua_createtable(L, (int)problem->nwalls, 0);
    for (size_t k = 0; k < problem->nwalls; k++) {
        const il_plane *wall = &problem->walls[k];
        lua_createtable(L, 0, 3);
        il_lua_set_text(L, "name", wall->name);
        il_lua_set_numbers(L, "normal", wall->n, problem->space, 1);
        il_lua_set_number(L, "offset", wall->c);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "walls");
}

static int bodies(lua_State *L) {
    static const char *const known[] = {"problem", "t", "horizon", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.bodies", known);
    lua_newtable(L);
    il_choice *choice = NULL;
    const il_problem *problem = il_lua_make_problem(&f, lua_gettop(L), &choice);
    double t = il_fields_number(&f, "t", 0.0);
    size_t n = il_bodies_count(problem);
    if (n == 0) {
        lua_pushnil(L);
        lua_pushfstring(L, "problem '%s' has no bodies in space", problem->type->name);
        return 2;
    }
    double *radii = il_lua_take(L, f.arena, n, sizeof *radii, NULL);
    il_bodies_radii(problem, t, radii);
    lua_createtable(L, 0, 7);
    il_lua_set_count(L, "space", problem->space);
    il_lua_set_count(L, "n", n);
    il_lua_set_numbers(L, "radii", radii, n, 1);
    il_lua_set_numbers(L, "q", problem->q0, problem->d, 1);
    il_lua_set_numbers(L, "u", problem->u0, problem->d, 1);
    if (il_metric_masses(problem->mass) != NULL) {
        il_lua_set_numbers(L, "masses", il_metric_masses(problem->mass), n, problem->space);
    }
    push_walls(L, problem);
    return 1;
}

void il_lua_add_exact(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"exact", exact}, {"force", force}, {"bodies", bodies}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
