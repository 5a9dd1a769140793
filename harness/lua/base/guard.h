/*
 * guard.h - what a script may use of the machine, and how it is stopped.
 *
 * A script is not trusted unless --trust says so. It gets the libraries base, table, string, math,
 * utf8, coroutine and os.clock, without what loads code (load, loadfile, dofile, string.dump); no
 * files but those that the module writes below the results folder, no processes, no network, no
 * other modules. print writes no control characters, which a terminal would obey. Its memory is
 * limited; recursion is by Lua itself. A trusted script has all libraries of Lua, finds modules
 * beside itself, and as much memory as there is.
 */
#ifndef IL_LUA_GUARD_H
#define IL_LUA_GUARD_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

/* Bytes for the Lua values of a script that is not trusted, in one process. */
#define IL_LUA_MEMORY ((size_t)1 << 30)

/* Seconds after which such a script is stopped where --max-time says nothing else: a day. */
#define IL_LUA_SECONDS 86400.0

typedef struct {
    size_t used, limit; /* bytes; limit 0: none */
    bool exceeded;      /* the limit has refused memory */
} il_lua_memory;

/* Before a script runs: signals and the limit of max_time seconds are answered from now on. Where
 * the script is not trusted the limit is IL_LUA_SECONDS for max_time 0, and this process and those
 * that it starts may have no more memory each than the machine has. */
void il_lua_guard_start(bool trusted, double max_time);

/* A new state whose memory is counted in memory, which outlives it; NULL when there is none. */
lua_State *il_lua_guard_new(il_lua_memory *memory);

/* Open the libraries. script is the file of a trusted script, NULL for others. May raise errors. */
void il_lua_guard_open(lua_State *L, const char *script);

/* From now on an interruption ends what L runs, whatever it catches, and what its coroutines run.
 * NULL: no longer. */
void il_lua_guard_watch(lua_State *L);

/* The status of an ended script where `status` alone says too little: an interruption, or more
 * memory than it may have. Else status, and err as it was. */
il_status il_lua_guard_verdict(const il_lua_memory *memory, bool starved, il_status status,
                               il_error *err);

#endif
