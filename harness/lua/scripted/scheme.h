/*
 * scheme.h - schemes whose step is a Lua function. Not for use outside harness/lua.
 */
#ifndef IL_LUA_SCHEME_H
#define IL_LUA_SCHEME_H

#include <lua.h>

#include "harness/lua/base/context.h"
#include "harness/lua/base/identity.h"
#include "harness/run/registry.h"

typedef struct il_lua_stepper il_lua_stepper;

typedef struct {
    il_scheme_type type; /* first: an il_scheme_type * of ours is an il_lua_scheme * */
    il_scheme_choice choice;
    il_lua_identity identity;
    il_lua_context *context;
    il_lua_arena *arena;
    bool uncertified;       /* what its steps return is taken as it is */
    int step;               /* the function, a reference into the registry */
    int class;              /* the metatable of what it is given, likewise */
    il_lua_stepper *active; /* the run whose step is being made; NULL between steps */
} il_lua_scheme;

/* The scheme at index if lab.scheme made it, else NULL. */
il_lua_scheme *il_lua_scheme_test(lua_State *L, int index);

/* The scheme of that name that the script has declared, or NULL. It lives as long as the script. */
il_lua_scheme *il_lua_scheme_find(lua_State *L, const char *name);

#endif
