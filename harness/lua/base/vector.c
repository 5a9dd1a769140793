/*
 * vector.c - x + y, x - y, a x, x a, x / a, -x, one rounding a coordinate each.
 */
#include "harness/lua/base/vector.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#include "harness/lua/base/args.h"
#include "harness/lua/base/record.h"

static const char VECTOR[] = "impactlab.vector";

enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE };

/* Coordinate k of the operand at index, or the number that it is. */
static double coordinate(lua_State *L, int index, lua_Integer k) {
    if (lua_type(L, index) == LUA_TNUMBER) {
        return lua_tonumber(L, index);
    }
    int is = 0;
    (void)lua_rawgeti(L, index, k);
    double x = lua_tonumberx(L, -1, &is);
    if (is == 0) {
        (void)luaL_error(L, "coordinate %I of a vector is a %s; allowed: a number", (LUAI_UACINT)k,
                         luaL_typename(L, -1));
    }
    lua_pop(L, 1);
    return x;
}

static double combine(int what, double x, double y) {
    switch (what) {
    case ADD:
        return x + y;
    case SUBTRACT:
        return x - y;
    case MULTIPLY:
        return x * y;
    case DIVIDE:
        return x / y;
    default:
        return -x;
    }
}

/* The length of the result, or an error where the operands do not go together. */
static lua_Integer length_of(lua_State *L, int what) {
    bool scales = what == MULTIPLY || what == DIVIDE;
    bool number[2] = {lua_type(L, 1) == LUA_TNUMBER, lua_type(L, 2) == LUA_TNUMBER};
    for (int k = 0; k < 2; k++) {
        if (!number[k] && !lua_istable(L, k + 1)) {
            (void)luaL_error(L, "a vector meets a %s; allowed: %s", luaL_typename(L, k + 1),
                             scales ? "a number" : "a vector");
        }
    }
    if (scales ? number[0] == number[1] || (what == DIVIDE && number[0]) : number[0] || number[1]) {
        (void)luaL_error(L, scales ? "a vector is multiplied and divided by numbers alone"
                                   : "a vector and a number cannot be added");
    }
    lua_Integer n = (lua_Integer)lua_rawlen(L, number[0] ? 2 : 1);
    if (!scales && what != NEGATE && (lua_Integer)lua_rawlen(L, 2) != n) {
        (void)luaL_error(L, "vectors of %I and %I numbers cannot be added", (LUAI_UACINT)n,
                         (LUAI_UACINT)lua_rawlen(L, 2));
    }
    return n;
}

/* Upvalue 1 is the operation. */
static int operate(lua_State *L) {
    int what = (int)lua_tointeger(L, lua_upvalueindex(1));
    lua_settop(L, 2); /* Lua gives a sign its operand twice */
    lua_Integer n = length_of(L, what);
    lua_createtable(L, (int)n, 0);
    (void)luaL_getmetatable(L, VECTOR);
    lua_setmetatable(L, 3);
    for (lua_Integer k = 1; k <= n; k++) {
        lua_pushnumber(L, combine(what, coordinate(L, 1, k), coordinate(L, 2, k)));
        lua_rawseti(L, 3, k);
    }
    return 1;
}

void il_lua_push_vector(lua_State *L, const double *x, size_t d) {
    static const char *const names[] = {[ADD] = "__add",
                                        [SUBTRACT] = "__sub",
                                        [MULTIPLY] = "__mul",
                                        [DIVIDE] = "__div",
                                        [NEGATE] = "__unm"};
    il_lua_push_numbers(L, x, d, 1);
    if (luaL_newmetatable(L, VECTOR)) {
        for (int what = ADD; what <= NEGATE; what++) {
            lua_pushinteger(L, what);
            lua_pushcclosure(L, operate, 1);
            lua_setfield(L, -2, names[what]);
        }
        lua_pushliteral(L, "impactlab");
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
}

bool il_lua_read_vector(lua_State *L, int index, double *x, size_t d, bool finite) {
    if (d == 1 && lua_type(L, index) == LUA_TNUMBER) {
        x[0] = lua_tonumber(L, index);
        return !finite || isfinite(x[0]);
    }
    bool right = lua_istable(L, index) && lua_rawlen(L, index) == d;
    index = lua_absindex(L, index);
    for (size_t k = 0; right && k < d; k++) {
        right = lua_rawgeti(L, index, (lua_Integer)k + 1) == LUA_TNUMBER;
        x[k] = lua_tonumber(L, -1);
        right = right && (!finite || isfinite(x[k]));
        lua_pop(L, 1);
    }
    return right;
}

void il_lua_explain_vector(lua_State *L, int index, const char *what, size_t d, bool finite,
                           char *why, size_t capacity) {
    char given[96];
    const char *allowed = finite ? "a finite number" : "a number";
    index = lua_absindex(L, index);
    il_lua_describe(L, index, given, sizeof given);
    if (!lua_istable(L, index) && !(d == 1 && lua_type(L, index) == LUA_TNUMBER)) {
        (void)snprintf(why, capacity, "%s as %s; allowed: an array of %zu number%s", what, given, d,
                       il_lua_plural(d));
    } else if (lua_istable(L, index) && lua_rawlen(L, index) != d) {
        (void)snprintf(why, capacity, "%s as an array of %zu; allowed: %zu number%s", what,
                       (size_t)lua_rawlen(L, index), d, il_lua_plural(d));
    } else if (!lua_istable(L, index)) {
        (void)snprintf(why, capacity, "%s[1] as %s; allowed: %s", what, given, allowed);
    } else {
        size_t k = 0;
        double x = 0.0;
        do {
            (void)lua_rawgeti(L, index, (lua_Integer)++k);
        } while (k < d && il_lua_read_vector(L, -1, &x, 1, finite) && !lua_istable(L, -1));
        il_lua_describe(L, -1, given, sizeof given);
        (void)snprintf(why, capacity, "%s[%zu] as %s; allowed: %s", what, k, given, allowed);
    }
}
