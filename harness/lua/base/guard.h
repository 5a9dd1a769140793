/*
 * guard.h - what a script may use of the machine, and how it is stopped.
 *
 * A script is not trusted unless --trust says so. It gets the libraries base, table, string, math,
 * utf8, coroutine and os.clock, without what loads code (load, loadfile, dofile, string.dump); no
 * files but those that the module writes below the results folder, no processes, no network, no
 * other modules. print writes no control characters, which a terminal would obey. A trusted script
 * has all libraries of Lua and finds modules beside itself.
 */
#ifndef IL_LUA_GUARD_H
#define IL_LUA_GUARD_H

#include <lua.h>

/* Before a script runs: signals, and the end of max_time seconds unless 0, are answered from now
 * on. */
void il_lua_guard_start(double max_time);

/* Open the libraries. script is the file of a trusted script, NULL for others. May raise errors. */
void il_lua_guard_open(lua_State *L, const char *script);

/* From now on an interruption ends what L runs, whatever it catches. NULL: no longer. */
void il_lua_guard_watch(lua_State *L);

#endif
