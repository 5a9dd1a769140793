/*
 * identity.h - what functions of a script depend on, as a sum: the name under which results that
 * they made are stored. Not for use outside harness/lua.
 *
 * The sum is that of a text that holds, of every function,
 *
 *     the lines of the script that it is on,
 *     its upvalues, the globals that these lines name, and the fields of math and string that they
 *     name: numbers, strings, booleans, tables of these and functions likewise, those of Lua's
 *     libraries by their names.
 *
 * A version that the script gives stands for all of it. Nothing is stored where a function is not
 * one of the script's file, draws random numbers, looks at the clock or at files, names _G, depends
 * on a userdata, a coroutine, a table with a metatable or a C function that is no library's, or on
 * what has changed since it was declared. What is declared beside functions is part of the sum
 * whatever the version: where that cannot be trusted, neither can the sum be.
 */
#ifndef IL_LUA_IDENTITY_H
#define IL_LUA_IDENTITY_H

#include <lua.h>
#include <stddef.h>

#include "harness/lua/base/args.h"
#include "harness/run/registry.h"

/* At most this many functions have one identity. */
enum { IL_LUA_IDENTITY_MAX = 8 };

typedef struct {
    il_functions now;                /* first: what cases point to; as il_lua_identify left it */
    char declared[IL_FUNCTIONS_SUM]; /* the sum at declaration, or "" */
    const char *what;                /* "problem 'ball'" */
    const char *version;             /* given by the script, or NULL */
    const char *data;                /* [ndata] all that was declared beside functions, or NULL */
    size_t ndata;
    char refused[IL_FUNCTIONS_WHY]; /* why there are no data: nothing is stored, whatever version */
    size_t n;                       /* functions */
    const char *names[IL_LUA_IDENTITY_MAX];
    int refs[IL_LUA_IDENTITY_MAX]; /* into the registry; kept by who declared */
} il_lua_identity;

/* Begin the identity of what the table at index declares: what is not a function in it, and its
 * `version`. The texts are the arena's; what must outlive it. Functions are added by the caller. */
void il_lua_identity_begin(il_lua_identity *identity, const il_fields *f, const char *what);
void il_lua_identity_add(il_lua_identity *identity, const char *name, int ref);

/* The sum as it is at declaration, before any function was called. */
void il_lua_identity_declare(lua_State *L, il_lua_identity *identity);

/* identity->now anew. Raises no error. */
void il_lua_identify(lua_State *L, il_lua_identity *identity);

#endif
