/*
 * identity.h - the name under which results that functions of a script made are stored. Not for use
 * outside harness/lua.
 *
 * A script that is not trusted does the same whenever it runs, so that its functions are known by
 * its text, its arguments, the place of their declaration among those of the script, and the place
 * of the sweep among its sweeps: what a script changes between two sweeps is told apart. A version
 * that the declaration gives stands for all of this. Nothing is stored of a trusted script, or of
 * one that names the clock, without a version. A function that does not give the same for the same
 * arguments is not recognised.
 */
#ifndef IL_LUA_IDENTITY_H
#define IL_LUA_IDENTITY_H

#include <lua.h>

#include "harness/lua/base/args.h"
#include "harness/run/registry.h"

typedef struct {
    il_functions now; /* first: what cases point to; as il_lua_identify left it */
    const char *what; /* "problem 'ball'"; outlives it */
    bool versioned;
    char declared[IL_FUNCTIONS_SUM]; /* its sum, without the sweep */
} il_lua_identity;

/* Push what the host has under that name: module.h. */
void il_lua_push_shared(lua_State *L, const char *name);

/* The identity of what the table of f declares. */
void il_lua_identity_declare(il_lua_identity *identity, const il_fields *f, const char *what);

/* identity->now for the sweep that begins. */
void il_lua_identify(lua_State *L, il_lua_identity *identity);

#endif
