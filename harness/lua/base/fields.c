/*
 * fields.c - args.h for the part of the module that is written in Lua (harness/lua/library): keys
 * are checked, read and refused there in the same words.
 *
 *     host.known(call, t, {key, ...})           t is a table, and has no other keys
 *     host.read(call, t, key, kind, ...)        the value of key; nil where it is absent
 *         "count", least   "number"   "positive"   "share"   "flag"   "text"   "numbers"
 *         "finite"   "times"   "texts"   "choice", "a|b|..."   "length" (of an array; nil for
 *         anything else)
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
    il_fields_known(&f, read_list(L, f.arena, 3));
    return 0;
}

enum { SHARE = IL_LUA_TEXTS + 1, LENGTH };

typedef struct {
    union {
        double x;
        size_t count;
        const double *numbers;
        const char **texts;
    } is;
    size_t n; /* of an array */
} value;

static int read(lua_State *L) {
    static const char *const names[] = {"count",  "number",  "positive", "share", "flag",
                                        "text",   "numbers", "finite",   "times", "texts",
                                        "choice", "length",  NULL};
    static const int kinds[] = {IL_LUA_COUNT,   IL_LUA_NUMBER,     IL_OPTION_POSITIVE,
                                SHARE,          IL_OPTION_FLAG,    IL_OPTION_TEXT,
                                IL_LUA_NUMBERS, IL_OPTION_NUMBERS, IL_LUA_TIMES,
                                IL_LUA_TEXTS,   IL_OPTION_CHOICE,  LENGTH};
    lua_settop(L, 5);
    int kind = kinds[luaL_checkoption(L, 4, NULL, names)];
    il_fields f = open(L);
    il_option o = {.key = luaL_checkstring(L, 3),
                   .kind = kind == SHARE ? IL_LUA_NUMBER : kind,
                   .value = lua_tostring(L, 5),
                   .least = (size_t)lua_tointeger(L, 5),
                   .beside = kind == IL_OPTION_POSITIVE ? 0 : offsetof(value, n)};
    value v = {.n = 0};
    if (!il_fields_push(&f, o.key) || (kind == LENGTH && !lua_istable(L, -1))) {
        return kind != LENGTH || lua_isnil(L, -1) ? 1 : 0;
    }
    if (kind != LENGTH) {
        il_lua_read(&f, &o, &v);
    }
    if (kind == LENGTH || kind == IL_LUA_COUNT) {
        lua_pushinteger(L,
                        (lua_Integer)(kind == LENGTH ? il_fields_length(&f, o.key) : v.is.count));
    } else if (kind == SHARE && !(v.is.x > 0.0 && v.is.x < 1.0)) {
        il_fields_refuse(&f, o.key, -1, "a number between 0 and 1");
    } else if (kind == SHARE || kind == IL_LUA_NUMBER || kind == IL_OPTION_POSITIVE) {
        lua_pushnumber(L, v.is.x);
    } else if (kind == IL_LUA_TEXTS) {
        il_lua_push_texts(L, v.is.texts, v.n);
    } else if (kind == IL_LUA_NUMBERS || kind == IL_OPTION_NUMBERS || kind == IL_LUA_TIMES) {
        il_lua_push_numbers(L, v.is.numbers, v.n, 1);
    }
    return 1;
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
    il_lua_fail(L, NULL, IL_EINVAL, "%s", luaL_checkstring(L, 1));
}

const luaL_Reg il_lua_host_fields[] = {{"known", known}, {"read", read},   {"refuse", refuse},
                                       {"miss", miss},   {"raise", raise}, {NULL, NULL}};

void *il_lua_check_self(lua_State *L, int index, const char *type) {
    void *self = luaL_testudata(L, index, type);
    if (self == NULL) {
        il_lua_fail(L, NULL, IL_EINVAL,
                    "a method is called with a colon, as in r:order{...}, of what it belongs to");
    }
    return self;
}
