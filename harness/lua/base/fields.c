/*
 * fields.c - args.h for the part of the module that is written in Lua (harness/lua/library): keys
 * are checked, read and refused there in the same words.
 *
 *     host.known(call, t, {key, ...})           t is a table, and has no other keys
 *     host.read(call, t, key, kind, ...)        the value of key; nil where it is absent
 *         "count", least   "number"   "positive"   "share"   "flag"   "text"   "numbers"
 *         "finite"   "times"   "texts"   "choice", {...}   "length" (of an array; nil for anything
 *         else)
 *     host.refuse(call, what, value, allowed)   what is VALUE; allowed: ...
 *     host.miss(call, t, key, allowed)
 *     host.raise(message)                       a wrong input
 */
#include <lauxlib.h>
#include <string.h>

#include "harness/lua/base/args.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"

/* The table at index 2 as call, at index 1, reads it. "CALL PATH" names a table in a table. */
static il_fields open(lua_State *L) {
    const char *call = luaL_checkstring(L, 1);
    const char *path = strchr(call, ' ');
    il_lua_arena *arena = il_lua_arena_open(L);
    if (path == NULL) {
        return il_fields_open(L, arena, 2, call, "");
    }
    lua_pushlstring(L, call, (size_t)(path - call));
    return il_fields_open(L, arena, 2, lua_tostring(L, -1), path + 1);
}

/* The texts of the array at index, ended by NULL. */
static const char **read_list(lua_State *L, il_lua_arena *arena, int index) {
    luaL_checktype(L, index, LUA_TTABLE);
    size_t n = (size_t)lua_rawlen(L, index);
    const char **list = il_lua_take(L, arena, n + 1, sizeof *list, NULL);
    for (size_t k = 0; k < n; k++) {
        (void)lua_rawgeti(L, index, (lua_Integer)k + 1);
        list[k] = lua_tostring(L, -1); /* the array keeps it */
        lua_pop(L, 1);
    }
    return list;
}

static int known(lua_State *L) {
    lua_settop(L, 3);
    il_fields f = open(L);
    il_fields_known(&f, 0, read_list(L, f.arena, 3));
    return 0;
}

static double read_share(const il_fields *f, const char *key) {
    double x = il_fields_number(f, key, 0.5);
    if (!(x > 0.0 && x < 1.0)) {
        lua_pushnumber(f->L, x);
        il_fields_refuse(f, key, -1, "a number between 0 and 1");
    }
    return x;
}

enum { COUNT, NUMBER, POSITIVE, SHARE, FLAG, TEXT, NUMBERS, FINITE, TIMES, TEXTS, CHOICE, LENGTH };

static const char *const kinds[] = {"count",  "number",  "positive", "share", "flag",
                                    "text",   "numbers", "finite",   "times", "texts",
                                    "choice", "length",  NULL};

static int push_array(const il_fields *f, const char *key, int kind) {
    size_t n = 0;
    if (kind != TEXTS) {
        const double *x = kind == TIMES ? il_fields_times(f, key, &n)
                                        : il_fields_numbers(f, key, kind == FINITE, &n);
        il_lua_push_numbers(f->L, x, n, 1);
        return 1;
    }
    const char **texts = il_fields_texts(f, key, &n);
    il_lua_push_texts(f->L, texts, n);
    return 1;
}

static int read(lua_State *L) {
    lua_settop(L, 5);
    const char *key = luaL_checkstring(L, 3);
    int kind = luaL_checkoption(L, 4, NULL, kinds);
    il_fields f = open(L);
    if (!il_fields_push(&f, key)) {
        return 1; /* nil */
    }
    if (kind == LENGTH) {
        bool array = lua_istable(L, -1);
        lua_pushinteger(L, array ? (lua_Integer)il_fields_length(&f, key) : 0);
        return array ? 1 : 0;
    }
    lua_pop(L, 1);
    switch (kind) {
    case COUNT:
        lua_pushinteger(L, (lua_Integer)il_fields_count(&f, key, (size_t)lua_tointeger(L, 5), 0));
        return 1;
    case NUMBER:
        lua_pushnumber(L, il_fields_number(&f, key, 0.0));
        return 1;
    case POSITIVE:
        lua_pushnumber(L, il_fields_positive(&f, key, 0.0));
        return 1;
    case SHARE:
        lua_pushnumber(L, read_share(&f, key));
        return 1;
    case FLAG:
        lua_pushboolean(L, il_fields_flag(&f, key, false));
        return 1;
    case TEXT:
        lua_pushstring(L, il_fields_text(&f, key, NULL));
        return 1;
    case CHOICE: {
        const char **choices = read_list(L, f.arena, 5);
        lua_pushstring(L, choices[il_fields_choice(&f, key, choices, 0)]);
        return 1;
    }
    default:
        return push_array(&f, key, kind);
    }
}

static int refuse(lua_State *L) {
    lua_settop(L, 4);
    il_fields f = {.L = L, .call = luaL_checkstring(L, 1)};
    il_fields_refuse(&f, luaL_checkstring(L, 2), 3, luaL_checkstring(L, 4));
}

static int miss(lua_State *L) {
    lua_settop(L, 4);
    const char *key = luaL_checkstring(L, 3);
    const char *allowed = luaL_checkstring(L, 4);
    il_fields f = open(L);
    il_fields_miss(&f, key, allowed);
}

static int raise(lua_State *L) {
    il_error err = {IL_OK, ""};
    (void)il_fail(&err, IL_EINVAL, "%s", luaL_checkstring(L, 1));
    il_lua_raise(L, NULL, &err);
}

const luaL_Reg il_lua_host_fields[] = {{"known", known}, {"read", read},   {"refuse", refuse},
                                       {"miss", miss},   {"raise", raise}, {NULL, NULL}};

void *il_lua_check_self(lua_State *L, int index, const char *type) {
    void *self = luaL_testudata(L, index, type);
    if (self == NULL) {
        il_error err = {IL_EINVAL, "a method is called with a colon, as in r:order{...}, of what "
                                   "it belongs to"};
        il_lua_raise(L, NULL, &err);
    }
    return self;
}
