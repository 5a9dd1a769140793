/*
 * value.c - plain Lua values to JSON.
 */
#include "harness/lua/base/value.h"
#include "harness/base/json.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua/base/record.h"

enum { DEPTH_MAX = 16 };

static json_t *take(lua_State *L, int index, int depth, il_error *err);

static json_t *number(lua_State *L, int index) {
    if (lua_isinteger(L, index)) {
        return json_integer((json_int_t)lua_tointeger(L, index));
    }
    double x = lua_tonumber(L, index);
    if (isfinite(x)) {
        return json_real(x);
    }
    return json_pack("{s:s}", IL_LUA_ODD, isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf");
}

static json_t *array(lua_State *L, int index, int depth, il_error *err) {
    il_json w = {false};
    json_t *out = json_array();
    lua_Integer n = (lua_Integer)lua_rawlen(L, index);
    for (lua_Integer k = 1; !w.failed && k <= n; k++) {
        (void)lua_rawgeti(L, index, k);
        json_t *item = take(L, lua_gettop(L), depth, err);
        lua_pop(L, 1);
        il_json_append(&w, out, item);
    }
    return il_json_done(&w, out);
}

static json_t *object(lua_State *L, int index, int depth, il_error *err) {
    il_json w = {false};
    json_t *out = json_object();
    lua_pushnil(L);
    while (!w.failed && lua_next(L, index) != 0) {
        json_t *item = NULL;
        if (lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), IL_LUA_ODD) != 0) {
            item = take(L, lua_gettop(L), depth, err);
        } else {
            (void)il_fail(err, IL_EINVAL, "a table with keys other than texts or 1, 2, ...");
        }
        if (item == NULL) {
            w.failed = true;
        } else {
            il_json_set(&w, out, lua_tostring(L, -2), item);
        }
        lua_pop(L, !w.failed ? 1 : 2);
    }
    return il_json_done(&w, out);
}

static json_t *take(lua_State *L, int index, int depth, il_error *err) {
    if (depth == DEPTH_MAX || lua_checkstack(L, 4) == 0) {
        (void)il_fail(err, IL_EINVAL, "tables nested more than %d deep", DEPTH_MAX);
        return NULL;
    }
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        return json_null();
    case LUA_TBOOLEAN:
        return json_boolean(lua_toboolean(L, index));
    case LUA_TNUMBER:
        return number(L, index);
    case LUA_TSTRING: {
        size_t n = 0;
        const char *text = lua_tolstring(L, index, &n);
        json_t *out = json_stringn(text, n); /* NULL unless UTF-8 */
        if (out == NULL && !il_text_is_utf8(text)) {
            (void)il_fail(err, IL_EINVAL, "a text that is not UTF-8");
        }
        return out;
    }
    case LUA_TTABLE:
        return lua_rawlen(L, index) > 0 ? array(L, index, depth + 1, err)
                                        : object(L, index, depth + 1, err);
    default:
        (void)il_fail(err, IL_EINVAL, "a %s", luaL_typename(L, index));
        return NULL;
    }
}

json_t *il_lua_value_take(lua_State *L, int index, il_error *err) {
    json_t *out = take(L, lua_absindex(L, index), 0, err);
    if (out == NULL && err != NULL && err->code == IL_OK) { /* nothing was wrong with the value */
        (void)il_fail(err, IL_ENOMEM, "no memory for a value");
    }
    return out;
}

void il_lua_value_push(lua_State *L, const json_t *value) {
    il_lua_push_json(L, value);
}
