/*
 * identity.h - what functions of a script depend on, as a sum: the name under which results that
 * they made are stored. Not for use outside harness/lua.
 *
 * harness/lua/library/identity.lua says what they depend on. Nothing is stored where a function is
 * not one of the script's file, draws random numbers, looks at the clock or at files, names _G,
 * depends on a userdata, a coroutine, a table with a metatable or a C function that is no
 * library's, or on what has changed since it was declared.
 */
#ifndef IL_LUA_IDENTITY_H
#define IL_LUA_IDENTITY_H

#include <lua.h>

#include "harness/lua/base/args.h"
#include "harness/run/registry.h"

typedef struct {
    il_functions now; /* first: what cases point to; as il_lua_identify left it */
    const char *what; /* "problem 'ball'"; outlives it */
    int declaration;  /* reference into the registry */
} il_lua_identity;

/* Push what the host has under that name: module.h. */
void il_lua_push_shared(lua_State *L, const char *name);

/* The identity of what the table of f declares, before any of its functions was called. */
void il_lua_identity_declare(il_lua_identity *identity, const il_fields *f, const char *what);

/* identity->now anew. Raises no error. */
void il_lua_identify(lua_State *L, il_lua_identity *identity);

#endif
