/*
 * record.c - JSON to tables, vectors, and the trajectory as a handle.
 */
#include "harness/lua/base/record.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/frame.h"
#include "harness/lua/base/module.h"

static const char TRAJECTORY[] = "impactlab.trajectory";

/* ---- JSON ----------------------------------------------------------------------------------- */

static void push_object(lua_State *L, const json_t *value) {
    const char *key = NULL;
    json_t *item = NULL;
    const char *text = json_string_value(json_object_get(value, IL_LUA_NOT_FINITE));
    if (text != NULL) {
        lua_pushnumber(L, strtod(text, NULL));
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

void il_lua_set_fields(lua_State *L, const il_lua_field *f) {
    for (; f->key != NULL; f++) {
        if (f->kind == 'd') {
            lua_pushnumber(L, f->x);
        } else if (f->kind == 'i') {
            lua_pushinteger(L, f->n);
        } else if (f->kind == 'b') {
            lua_pushboolean(L, f->n != 0);
        } else {
            lua_pushstring(L, f->text); /* nil for NULL */
        }
        lua_setfield(L, -2, f->key);
    }
}

void il_lua_set_numbers(lua_State *L, const char *key, const double *x, size_t n, size_t stride) {
    il_lua_push_numbers(L, x, n, stride);
    lua_setfield(L, -2, key);
}

void il_lua_push_texts(lua_State *L, const char *const *texts, size_t n) {
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        lua_pushstring(L, texts[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* ---- values to JSON ------------------------------------------------------------------------- */

enum { DEPTH_MAX = 16 };

/* What becomes of what JSON lacks: of a report it is null, or is mended; else it is an error, but
 * for numbers that are not finite, which il_lua_push_json knows again. */
typedef struct {
    lua_State *L;
    bool report;
    il_error *err;
} taker;

static json_t *take(const taker *w, int index, int depth);

static json_t *refuse(const taker *w, const char *what) {
    if (w->report) {
        return json_null();
    }
    (void)il_fail(w->err, IL_EINVAL, "%s", what);
    return NULL;
}

static json_t *number(const taker *w, int index) {
    if (lua_isinteger(w->L, index)) {
        return json_integer((json_int_t)lua_tointeger(w->L, index));
    }
    double x = lua_tonumber(w->L, index);
    return w->report || isfinite(x) ? il_json_number(x)
                                    : json_pack("{s:s}", IL_LUA_NOT_FINITE,
                                                isnan(x)  ? "nan"
                                                : x > 0.0 ? "inf"
                                                          : "-inf");
}

static json_t *text(const taker *w, int index) {
    size_t n = 0;
    const char *letters = lua_tolstring(w->L, index, &n);
    json_t *out = w->report ? il_json_text_new(letters) : json_stringn(letters, n);
    return out != NULL ? out : refuse(w, "a text that is not UTF-8");
}

/* Items first, first + step, .. of the table at index: into an array, or, where each has its key
 * before it, into an object. NULL where one is refused. */
static json_t *items(const taker *w, int index, lua_Integer n, bool keyed, int depth) {
    json_t *out = keyed ? json_object() : json_array();
    for (lua_Integer k = keyed ? 2 : 1; k <= n; k += keyed ? 2 : 1) {
        (void)lua_rawgeti(w->L, index, k - 1); /* nothing, or the key */
        (void)lua_rawgeti(w->L, index, k);
        json_t *item = take(w, lua_gettop(w->L), depth);
        if (item != NULL && keyed) {
            il_json_set(out, lua_tostring(w->L, -2), item);
        } else if (item != NULL) {
            il_json_append(out, item);
        }
        lua_pop(w->L, 2);
        if (item == NULL) {
            json_decref(out);
            return NULL;
        }
    }
    return out;
}

static json_t *members(const taker *w, int index, int depth) {
    lua_State *L = w->L;
    json_t *out = json_object();
    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        json_t *item = NULL;
        if (lua_type(L, -2) != LUA_TSTRING || strcmp(lua_tostring(L, -2), IL_LUA_NOT_FINITE) == 0) {
            item = refuse(w, "a table with keys other than texts or 1, 2, ...");
        } else if (!il_text_is_utf8(lua_tostring(L, -2))) {
            item = refuse(w, "a text that is not UTF-8");
        } else {
            item = take(w, lua_gettop(L), depth);
        }
        if (item == NULL) {
            lua_pop(L, 2);
            json_decref(out);
            return NULL;
        }
        il_json_set(out, lua_tostring(L, -2), item);
        lua_pop(L, 1);
    }
    return out;
}

/* A report's table is an array, or an object where its field n says how many keys and values follow
 * each other in it; another is what its first item tells. */
static json_t *table(const taker *w, int index, int depth) {
    lua_Integer n = (lua_Integer)lua_rawlen(w->L, index);
    if (!w->report && n == 0) {
        return members(w, index, depth);
    }
    bool keyed = w->report && lua_getfield(w->L, index, "n") == LUA_TNUMBER;
    n = keyed ? lua_tointeger(w->L, -1) : n;
    lua_pop(w->L, w->report ? 1 : 0);
    return items(w, index, n, keyed, depth);
}

static json_t *take(const taker *w, int index, int depth) {
    lua_State *L = w->L;
    char what[64];
    if (depth == DEPTH_MAX || lua_checkstack(L, 4) == 0) {
        (void)snprintf(what, sizeof what, "tables nested more than %d deep", DEPTH_MAX);
        return refuse(w, what);
    }
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        return json_null();
    case LUA_TBOOLEAN:
        return json_boolean(lua_toboolean(L, index));
    case LUA_TNUMBER:
        return number(w, index);
    case LUA_TSTRING:
        return text(w, index);
    case LUA_TTABLE:
        return table(w, index, depth + 1);
    default:
        if (w->report && lua_isuserdata(L, index)) {
            return il_frame_json(il_lua_check_frame(L, index));
        }
        (void)snprintf(what, sizeof what, "a %s", luaL_typename(L, index));
        return refuse(w, what);
    }
}

json_t *il_lua_value_take(lua_State *L, int index, il_error *err) {
    const taker w = {L, false, err};
    return take(&w, lua_absindex(L, index), 0);
}

json_t *il_lua_report_take(lua_State *L) {
    const taker w = {L, true, NULL};
    return take(&w, lua_gettop(L), 0);
}

/* ---- vectors -------------------------------------------------------------------------------- */

/* In the registry: their metatable, which vector.lua (harness/lua/library) makes. */
static const char VECTOR[] = "impactlab.vector";

/* host.vector_type(metatable) */
static int vector_type(lua_State *L) {
    lua_settop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, VECTOR);
    return 0;
}

const luaL_Reg il_lua_host_vectors[] = {{"vector_type", vector_type}, {NULL, NULL}};

void il_lua_push_vector(lua_State *L, const double *x, size_t d) {
    il_lua_push_numbers(L, x, d, 1);
    luaL_setmetatable(L, VECTOR);
}

/* Number k of a vector, at the top of the stack, into *x. */
static bool read_number(lua_State *L, const char *what, size_t k, bool finite, double *x,
                        char why[IL_LUA_WHY]) {
    char given[96];
    *x = lua_tonumber(L, -1);
    if (lua_type(L, -1) == LUA_TNUMBER && (!finite || isfinite(*x))) {
        return true;
    }
    il_lua_describe(L, -1, given, sizeof given);
    (void)snprintf(why, IL_LUA_WHY, "%s[%zu] as %s; allowed: %s", what, k + 1, given,
                   finite ? "a finite number" : "a number");
    return false;
}

bool il_lua_read_vector(lua_State *L, int index, const char *what, bool finite, double *x, size_t d,
                        char why[IL_LUA_WHY]) {
    bool array = lua_istable(L, index);
    bool right = array ? lua_rawlen(L, index) == d : d == 1 && lua_type(L, index) == LUA_TNUMBER;
    index = lua_absindex(L, index);
    if (!right && array) {
        (void)snprintf(why, IL_LUA_WHY, "%s as an array of %zu; allowed: %zu number%s", what,
                       (size_t)lua_rawlen(L, index), d, il_lua_plural(d));
    } else if (!right) {
        char given[96];
        il_lua_describe(L, index, given, sizeof given);
        (void)snprintf(why, IL_LUA_WHY, "%s as %s; allowed: an array of %zu number%s", what, given,
                       d, il_lua_plural(d));
    }
    for (size_t k = 0; right && k < d; k++) {
        if (array) {
            (void)lua_rawgeti(L, index, (lua_Integer)k + 1);
        } else {
            lua_pushvalue(L, index);
        }
        right = read_number(L, what, k, finite, &x[k], why);
        lua_pop(L, 1);
    }
    return right;
}

/* ---- trajectories --------------------------------------------------------------------------- */

void il_lua_close_trajectory(void *room) {
    il_trajectory_free(room);
}

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

/* Coordinate i, the second argument, of x[nodes][d]. */
static int push_coordinate(lua_State *L, const il_trajectory *w, const double *x) {
    lua_Integer i = luaL_checkinteger(L, 2);
    if (i < 1 || (lua_Unsigned)i > w->d) {
        (void)luaL_error(L, "coordinate %I; allowed: 1 to %I", (LUAI_UACINT)i, (LUAI_UACINT)w->d);
    }
    il_lua_push_numbers(L, x + i - 1, w->nodes, w->d);
    return 1;
}

static int traj_q(lua_State *L) {
    return push_coordinate(L, self(L), self(L)->q);
}

static int traj_u(lua_State *L) {
    return push_coordinate(L, self(L), self(L)->u);
}

int il_lua_push_state_at(lua_State *L, const il_exact *x, size_t d) {
    double T = x->nbreaks > 0 ? x->breaks[x->nbreaks - 1] : NAN; /* a run may have been let go */
    double t = luaL_checknumber(L, 2);
    lua_Integer side = luaL_optinteger(L, 3, 0);
    if (!(t >= 0.0 && t <= T * (1.0 + 1e-12))) { /* T as it was added up */
        return luaL_error(L, "t is %f; allowed: 0 to %f", t, T);
    }
    double *state = lua_newuserdatauv(L, 2 * d * sizeof *state, 0);
    x->eval(x, fmin(t, T), side < 0 ? -1 : side > 0, state, state + d);
    il_lua_push_vector(L, state, d);
    il_lua_push_vector(L, state + d, d);
    return 2;
}

/* run:at(t, side): q and u between nodes, as errors see them. */
static int traj_at(lua_State *L) {
    il_exact run = il_trajectory_as_exact(self(L), "run");
    return il_lua_push_state_at(L, &run, self(L)->d);
}

static int traj_contacts(lua_State *L) {
    const il_trajectory *w = self(L);
    lua_createtable(L, (int)w->ncontacts, 0);
    for (size_t k = 0; k < w->ncontacts; k++) {
        const il_contact *contact = &w->contacts[k];
        il_lua_make(L, IL_SET("step", contact->step), IL_SET("id", contact->id),
                    IL_SET("impulse", contact->impulse));
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
    if (il_lua_new_type(L, TRAJECTORY, meta)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
    }
    lua_setmetatable(L, -2);
    return w;
}
