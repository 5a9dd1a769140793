/*
 * guard.c - the libraries of a script, and the hook that stops it.
 */
#include "harness/lua/base/guard.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/lua/base/args.h"

/* ---- stopping ------------------------------------------------------------------------------- */

void il_lua_guard_start(double max_time) {
    il_interrupt_watch();
    if (max_time > 0.0) {
        il_interrupt_after(max_time);
    }
}

/* Once it has raised its error it does so at every instruction that follows: pcall gains nothing.
 */
static void stop(lua_State *L, lua_Debug *where) {
    (void)where;
    if (il_interrupted()) {
        lua_sethook(L, stop, LUA_MASKCOUNT, 1);
        il_lua_fail(L, NULL, IL_EINTERRUPTED, "%s", il_interrupt_reason());
    }
}

/* In the signal handler, where lua_sethook may be called. A hook from the beginning would slow down
 * every instruction. */
static void stop_at_once(void *L) {
    lua_sethook(L, stop, LUA_MASKCOUNT, 1);
}

void il_lua_guard_watch(lua_State *L) {
    il_interrupt_tell(L != NULL ? stop_at_once : NULL, L);
    if (L != NULL && il_interrupted()) {
        stop_at_once(L);
    }
}

/* ---- libraries ------------------------------------------------------------------------------ */

static void remove_functions(lua_State *L, const char *table, const char *const *names) {
    lua_getglobal(L, table);
    for (; *names != NULL; names++) {
        lua_pushnil(L);
        lua_setfield(L, -2, *names);
    }
    lua_pop(L, 1);
}

/* os with its clock alone: what reads the date or the environment does not repeat. */
static void open_clock(lua_State *L) {
    lua_pushcfunction(L, luaopen_os);
    lua_call(L, 0, 1);
    lua_newtable(L);
    lua_getfield(L, -2, "clock");
    lua_setfield(L, -2, "clock");
    lua_setglobal(L, "os");
    lua_pop(L, 1);
}

/* print, without what a terminal obeys. */
static int print(lua_State *L) {
    int n = lua_gettop(L);
    luaL_Buffer line;
    size_t size = 0;
    for (int k = 1; k <= n; k++) {
        (void)luaL_tolstring(L, k, NULL);
        lua_replace(L, k);
    }
    luaL_buffinit(L, &line);
    for (int k = 1; k <= n; k++) {
        luaL_addlstring(&line, "\t", k > 1);
        lua_pushvalue(L, k);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    const char *text = lua_tolstring(L, -1, &size);
    char *copy = memcpy(lua_newuserdatauv(L, size + 1, 0), text, size + 1);
    il_text_make_printable(copy, true);
    (void)puts(copy);
    (void)fflush(stdout);
    return 0;
}

static void open_untrusted(lua_State *L) {
    static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},
                                         {LUA_TABLIBNAME, luaopen_table},
                                         {LUA_STRLIBNAME, luaopen_string},
                                         {LUA_MATHLIBNAME, luaopen_math},
                                         {LUA_UTF8LIBNAME, luaopen_utf8},
                                         {LUA_COLIBNAME, luaopen_coroutine},
                                         {NULL, NULL}};
    static const char *const base[] = {"load", "loadfile", "dofile", NULL};
    static const char *const string[] = {"dump", NULL};
    for (const luaL_Reg *library = libraries; library->func != NULL; library++) {
        luaL_requiref(L, library->name, library->func, 1);
        lua_pop(L, 1);
    }
    remove_functions(L, LUA_GNAME, base);
    remove_functions(L, LUA_STRLIBNAME, string);
    open_clock(L);
    lua_pushcfunction(L, print);
    lua_setglobal(L, "print");
}

/* All there is, and modules in the script's folder before others. */
static void open_trusted(lua_State *L, const char *script) {
    const char *slash = strrchr(script, '/');
    luaL_openlibs(L);
    lua_getglobal(L, LUA_LOADLIBNAME);
    lua_pushlstring(L, script, slash != NULL ? (size_t)(slash - script) : 0);
    lua_pushstring(L, slash != NULL ? "/?.lua;" : "./?.lua;");
    lua_getfield(L, -3, "path");
    lua_concat(L, 3);
    lua_setfield(L, -2, "path");
    lua_pop(L, 1);
}

void il_lua_guard_open(lua_State *L, const char *script) {
    if (script != NULL) {
        open_trusted(L, script);
    } else {
        open_untrusted(L);
    }
}
