/*
 * record.c - JSON to tables, and the trajectory as a handle.
 */
#include "harness/lua/base/record.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua/base/context.h"
#include "harness/lua/base/vector.h"

static const char TRAJECTORY[] = "impactlab.trajectory";

/* ---- JSON ----------------------------------------------------------------------------------- */

static void push_object(lua_State *L, const json_t *value) {
    const char *key = NULL;
    json_t *item = NULL;
    const char *odd = json_string_value(json_object_get(value, IL_LUA_ODD));
    if (odd != NULL) {
        lua_pushnumber(L, strtod(odd, NULL));
        return;
    }
    lua_createtable(L, 0, (int)json_object_size(value));
    json_object_foreach((json_t *)(uintptr_t)value, key, item) {
        if (strcmp(key, "provenance") != 0) { /* no result may depend on it */
            il_lua_push_json(L, item);
            lua_setfield(L, -2, key);
        }
    }
}

static void push_array(lua_State *L, const json_t *value) {
    size_t n = json_array_size(value);
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        il_lua_push_json(L, json_array_get(value, k));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

void il_lua_push_json(lua_State *L, const json_t *value) {
    luaL_checkstack(L, 4, "a record is nested too deeply");
    switch (value != NULL ? json_typeof(value) : JSON_NULL) {
    case JSON_OBJECT:
        push_object(L, value);
        break;
    case JSON_ARRAY:
        push_array(L, value);
        break;
    case JSON_STRING:
        lua_pushlstring(L, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        lua_pushinteger(L, (lua_Integer)json_integer_value(value));
        break;
    case JSON_REAL:
        lua_pushnumber(L, json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        lua_pushboolean(L, json_is_true(value));
        break;
    default:
        lua_pushnil(L);
    }
}

void il_lua_push_numbers(lua_State *L, const double *x, size_t n, size_t stride) {
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        lua_pushnumber(L, x[k * stride]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* ---- trajectories --------------------------------------------------------------------------- */

static il_trajectory *self(lua_State *L) {
    return luaL_checkudata(L, 1, TRAJECTORY);
}

static int traj_close(lua_State *L) {
    il_trajectory_free(self(L)); /* leaves it empty: later calls find no nodes */
    return 0;
}

static int traj_length(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)self(L)->nodes);
    return 1;
}

static int traj_dimension(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)self(L)->d);
    return 1;
}

static int traj_t(lua_State *L) {
    const il_trajectory *w = self(L);
    il_lua_push_numbers(L, w->t, w->nodes, 1);
    return 1;
}

static size_t coordinate(lua_State *L, const il_trajectory *w) {
    lua_Integer i = luaL_checkinteger(L, 2);
    if (i < 1 || (lua_Unsigned)i > w->d) {
        (void)luaL_error(L, "coordinate %I; allowed: 1 to %I", (LUAI_UACINT)i, (LUAI_UACINT)w->d);
    }
    return (size_t)(i - 1);
}

static int traj_q(lua_State *L) {
    const il_trajectory *w = self(L);
    size_t i = coordinate(L, w);
    il_lua_push_numbers(L, w->q + i, w->nodes, w->d);
    return 1;
}

static int traj_u(lua_State *L) {
    const il_trajectory *w = self(L);
    size_t i = coordinate(L, w);
    il_lua_push_numbers(L, w->u + i, w->nodes, w->d);
    return 1;
}

/* run:at(t, side): q and u between nodes, as errors see them. */
static int traj_at(lua_State *L) {
    const il_trajectory *w = self(L);
    double t = luaL_checknumber(L, 2);
    lua_Integer side = luaL_optinteger(L, 3, 0);
    double T = w->nodes > 0 ? w->t[w->nodes - 1] : NAN;
    if (!(t >= 0.0 && t <= T)) {
        return luaL_error(L, "t is %f; allowed: 0 to %f", t, T);
    }
    il_exact run = il_trajectory_as_exact(w, "run");
    double *x = lua_newuserdatauv(L, 2 * w->d * sizeof *x, 0);
    run.eval(&run, t, side < 0 ? -1 : side > 0, x, x + w->d);
    il_lua_push_vector(L, x, w->d);
    il_lua_push_vector(L, x + w->d, w->d);
    return 2;
}

static int traj_contacts(lua_State *L) {
    const il_trajectory *w = self(L);
    lua_createtable(L, (int)w->ncontacts, 0);
    for (size_t k = 0; k < w->ncontacts; k++) {
        const il_contact *contact = &w->contacts[k];
        lua_createtable(L, 0, 3);
        lua_pushinteger(L, (lua_Integer)contact->step);
        lua_setfield(L, -2, "step");
        lua_pushinteger(L, (lua_Integer)contact->id);
        lua_setfield(L, -2, "id");
        lua_pushnumber(L, contact->impulse);
        lua_setfield(L, -2, "impulse");
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

il_trajectory *il_lua_push_trajectory(lua_State *L) {
    static const luaL_Reg methods[] = {
        {"dimension", traj_dimension}, {"t", traj_t},   {"q", traj_q}, {"u", traj_u},
        {"contacts", traj_contacts},   {"at", traj_at}, {NULL, NULL}};
    static const luaL_Reg meta[] = {{"__gc", traj_close}, {"__len", traj_length}, {NULL, NULL}};
    il_lua_expect_open(L);
    il_trajectory *w = lua_newuserdatauv(L, sizeof *w, 0);
    *w = (il_trajectory){0};
    if (luaL_newmetatable(L, TRAJECTORY)) {
        luaL_setfuncs(L, meta, 0);
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushliteral(L, "impactlab"); /* what getmetatable shows instead of __gc */
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
    return w;
}
