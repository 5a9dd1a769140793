/*
 * identity.c - asks identity.lua, and gives it what a script may not have.
 */
#include "harness/lua/base/identity.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

#include "harness/io/sealed.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"

static int add_piece(lua_State *L, const void *bytes, size_t n, void *data) {
    (void)L;
    luaL_addlstring(data, bytes, n);
    return 0;
}

/* The bytecode of a function. */
static int dump(lua_State *L) {
    luaL_Buffer bytes;
    luaL_buffinit(L, &bytes);
    lua_pushvalue(L, 1);
    (void)lua_dump(L, add_piece, &bytes, 1);
    lua_pop(L, 1);
    luaL_pushresult(&bytes);
    return 1;
}

static int sum(lua_State *L) {
    char hex[IL_SEALED_SUM];
    size_t n = 0;
    const char *text = luaL_checklstring(L, 1, &n);
    il_sealed_sum(text, n, hex);
    lua_pushstring(L, hex);
    return 1;
}

/* host.script() -> the script's name and text, and the library debug */
static int script(lua_State *L) {
    const il_lua_context *context = il_lua_context_of(L);
    lua_pushstring(L, context->options->script);
    lua_pushstring(L, context->text);
    lua_pushcfunction(L, luaopen_debug);
    lua_call(L, 0, 1);
    return 3;
}

const luaL_Reg il_lua_host_identity[] = {
    {"dump", dump}, {"sum", sum}, {"script", script}, {NULL, NULL}};

void il_lua_push_shared(lua_State *L, const char *name) {
    (void)lua_getfield(L, LUA_REGISTRYINDEX, IL_LUA_HOST);
    (void)lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

void il_lua_identity_declare(il_lua_identity *identity, const il_fields *f, const char *what) {
    (void)il_fields_text(f, "version", NULL); /* refuses what is no text */
    il_lua_push_shared(f->L, "declare");
    lua_pushvalue(f->L, f->table);
    lua_call(f->L, 1, 1);
    *identity = (il_lua_identity){.what = what};
    identity->declaration = luaL_ref(f->L, LUA_REGISTRYINDEX);
}

/* Under pcall. */
static int identify(lua_State *L) {
    const il_lua_identity *identity = lua_touserdata(L, 1);
    il_lua_push_shared(L, "identify");
    lua_rawgeti(L, LUA_REGISTRYINDEX, identity->declaration);
    lua_call(L, 1, 2);
    return 2;
}

void il_lua_identify(lua_State *L, il_lua_identity *identity) {
    il_functions *now = &identity->now;
    int top = lua_gettop(L);
    now->sum[0] = now->why[0] = '\0';
    if (lua_checkstack(L, 8) == 0) {
        (void)snprintf(now->why, sizeof now->why, "%.100s: no room on the stack", identity->what);
        return;
    }
    lua_pushcfunction(L, identify);
    lua_pushlightuserdata(L, identity);
    if (lua_pcall(L, 1, 2, 0) == LUA_OK && lua_isstring(L, -2)) {
        (void)snprintf(now->sum, sizeof now->sum, "%s", lua_tostring(L, -2));
    } else {
        (void)snprintf(now->why, sizeof now->why, "%.100s: %.270s", identity->what,
                       lua_tostring(L, -1));
    }
    lua_settop(L, top);
}
