/*
 * limits_table.c - what sweep:limits returns: a table with the handle of its runs in it, and what
 * limits.lua (harness/lua/library) draws it from.
 */
#include <lauxlib.h>

#include "harness/lua/base/record.h"
#include "harness/lua/limits/limits.h"
#include "harness/lua/sweep/result.h"

static const char LIMITS[] = "impactlab.limits";
static const char HANDLE = 0; /* its address is the key of the handle in the table */

il_lua_limits *il_lua_limits_check(lua_State *L, int index, const char *call) {
    il_lua_limits *w = NULL;
    if (lua_istable(L, index)) {
        (void)lua_rawgetp(L, index, &HANDLE);
        w = lua_touserdata(L, -1);
        lua_pop(L, 1); /* the table keeps it */
    }
    if (w == NULL) {
        (void)luaL_error(L, "%s: it is a method of what sweep:limits returned", call);
    } else if (!il_lua_arena_alive(w->arena) || !il_lua_arena_alive(w->sweep->arena)) {
        (void)luaL_error(L, "%s: the limits were closed", call);
    }
    return w;
}

/* ---- the table ------------------------------------------------------------------------------ */

void il_lua_limits_push_distances(lua_State *L, const json_t *record, il_limits_norm norm) {
    json_t *known = json_object_get(json_object_get(record, "error"), "distances");
    const char *name = NULL;
    json_t *one = NULL;
    lua_newtable(L);
    json_object_foreach(known, name, one) {
        const json_t *value = json_object_get(one, il_lua_limits_norm_name(norm));
        if (json_is_number(value)) {
            il_lua_set_number(L, name, json_number_value(value));
        }
    }
}

static void push_run(lua_State *L, const il_lua_limits *w, size_t i) {
    lua_newtable(L);
    il_lua_set_number(L, "h", w->steps[i].h);
    il_lua_set_number(L, "c", w->steps[i].c);
    lua_pushinteger(L, w->steps[i].m);
    lua_setfield(L, -2, "m");
    il_lua_set_count(L, "steps",
                     (size_t)json_integer_value(json_object_get(w->records[i], "steps")));
    il_lua_set_text(L, "scheme", il_sweep_case(w->sweep, w->cases[i]).scheme->name);
    il_lua_set_count(L, "case", w->cases[i] + 1);
    if (w->limits.cluster[i] != IL_LIMITS_NONE) {
        il_lua_set_count(L, "cluster", (size_t)w->limits.cluster[i] + 1);
    }
    il_lua_set_flag(L, "linked", w->limits.linked[i]);
    il_lua_limits_push_distances(L, w->records[i], w->norm);
    lua_setfield(L, -2, "distances");
}

/* The runs are at the top of the stack. */
static void push_cluster(lua_State *L, const il_lua_limits *w, size_t k) {
    const il_limits_cluster *c = &w->limits.clusters[k];
    int runs = lua_gettop(L);
    lua_newtable(L);
    lua_newtable(L);
    lua_Integer n = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->limits.cluster[i] == (int)k) {
            (void)lua_rawgeti(L, runs, (lua_Integer)i + 1);
            lua_rawseti(L, -2, ++n);
        }
    }
    lua_setfield(L, -2, "members");
    (void)lua_rawgeti(L, runs, (lua_Integer)c->medoid + 1);
    lua_setfield(L, -2, "medoid");
    il_lua_limits_push_distances(L, w->records[c->medoid], w->norm);
    lua_setfield(L, -2, "distances");
    il_lua_set_count(L, "levels", c->levels);
    il_lua_set_number(L, "radius", c->radius);
    il_lua_set_number(L, "tail", c->tail);
    il_lua_set_number(L, "separation", c->separation);
    if (c->orbit != IL_LIMITS_NONE) {
        const il_orbit *orbit = &w->orbits->list[c->orbit];
        il_lua_set_count(L, "period", (size_t)orbit->period);
        il_lua_set_count(L, "state", (size_t)c->index + 1);
        il_lua_set_number(L, "multiplier", orbit->multiplier);
        il_lua_set_number(L, "to_orbit", c->distance);
        il_lua_set_flag(L, "transient", c->transient);
    }
}

static void push_text(lua_State *L, const il_lua_limits *w) {
    lua_pushfstring(L, "%s on %s by %I runs in %s: %s", il_limits_verdict_name(w->limits.verdict),
                    w->problem->label, (LUAI_UACINT)w->n, il_lua_limits_norm_name(w->norm),
                    w->limits.evidence);
}

static int limits_text(lua_State *L) {
    push_text(L, il_lua_limits_check(L, 1, "tostring"));
    return 1;
}

void il_lua_limits_push_table(lua_State *L, const il_lua_limits *w) {
    lua_newtable(L);
    lua_insert(L, -2);
    lua_rawsetp(L, -2, &HANDLE);
    il_lua_set_text(L, "verdict", il_limits_verdict_name(w->limits.verdict));
    il_lua_set_text(L, "evidence", w->limits.evidence);
    il_lua_set_text(L, "norm", il_lua_limits_norm_name(w->norm));
    il_lua_set_text(L, "problem", w->problem->label);
    il_lua_set_number(L, "horizon", w->T);
    il_lua_set_number(L, "cut", w->limits.cut);
    il_lua_set_count(L, "limits", w->limits.nlimits);
    il_lua_set_count(L, "failed", w->failed);
    lua_newtable(L);
    lua_createtable(L, (int)w->n, 0);
    for (size_t i = 0; i < w->n; i++) {
        push_run(L, w, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    for (size_t k = 0; k < w->limits.nclusters; k++) {
        push_cluster(L, w, k);
        lua_rawseti(L, -3, (lua_Integer)k + 1);
    }
    lua_setfield(L, -3, "runs");
    lua_setfield(L, -2, "clusters");
    luaL_setmetatable(L, LIMITS);
    push_text(L, w);
    il_journal_judge(il_lua_context_of(L)->journal, "limits",
                     il_limits_verdict_name(w->limits.verdict), lua_tostring(L, -1));
    lua_pop(L, 1);
}

/* ---- what figures are drawn from ------------------------------------------------------------ */

static void set_places(lua_State *L, const char *key, const size_t *place, size_t n) {
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        lua_pushinteger(L, (lua_Integer)place[k] + 1);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, key);
}

/* Which exact solution the medoid of each cluster is nearest to; false where none is known. */
static void set_nearest(lua_State *L, const il_lua_limits *w) {
    lua_createtable(L, (int)w->limits.nclusters, 0);
    for (size_t k = 0; k < w->limits.nclusters; k++) {
        const json_t *record = w->records[w->limits.clusters[k].medoid];
        const json_t *name = json_object_get(json_object_get(record, "error"), "reference");
        if (json_is_string(name)) {
            lua_pushstring(L, json_string_value(name));
        } else {
            lua_pushboolean(L, false);
        }
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "nearest");
}

/* host.tree(limits) -> {sweep =, D = {...}, leaves = {...}, joins = {{a =, b =, height =}, ...},
 * nearest = {...}}: the distances row by row, the tree of single linkage. */
static int tree(lua_State *L) {
    const il_lua_limits *w = il_lua_limits_check(L, 1, "limits:figure");
    lua_newtable(L);
    il_lua_set_text(L, "sweep", w->sweep->name);
    il_lua_set_numbers(L, "D", w->D, w->n * w->n, 1);
    set_places(L, "leaves", w->limits.leaves, w->n);
    set_nearest(L, w);
    lua_createtable(L, (int)w->n, 0);
    for (size_t k = 0; k + 1 < w->n; k++) {
        const il_linkage_join *join = &w->limits.joins[k];
        lua_createtable(L, 0, 3);
        il_lua_set_count(L, "a", join->a + 1);
        il_lua_set_count(L, "b", join->b + 1);
        il_lua_set_number(L, "height", join->height);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "joins");
    return 1;
}

/* host.tail(limits, k, m): the radius of cluster k at level m and finer; the diameter of all runs
 * for k = 0. */
static int tail(lua_State *L) {
    const il_lua_limits *w = il_lua_limits_check(L, 1, "limits:figure");
    size_t k = (size_t)luaL_checkinteger(L, 2);
    int m = (int)luaL_checkinteger(L, 3);
    double *scratch = il_lua_take(L, il_lua_arena_open(L), w->n, sizeof *scratch, NULL);
    lua_pushnumber(L, k == 0 ? il_limits_diameter(&w->limits, w->steps, w->D, m)
                             : il_limits_radius(&w->limits, w->steps, w->D, k - 1, m, scratch));
    return 1;
}

void il_lua_limits_add_methods(lua_State *L) {
    static const luaL_Reg functions[] = {{"tree", tree}, {"tail", tail}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"border", il_lua_limits_switching_point},
                                       {"borders", il_lua_limits_switching_points},
                                       {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    luaL_newlib(L, methods);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "limits");
    (void)luaL_newmetatable(L, LIMITS);
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, limits_text);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(L, "impactlab");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
