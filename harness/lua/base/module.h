/*
 * module.h - the module "impactlab" of scripts, in tables of functions, one a file. Not for use
 * outside harness/lua.
 */
#ifndef IL_LUA_MODULE_H
#define IL_LUA_MODULE_H

#include <lauxlib.h>

/* The functions that scripts see. */
extern const luaL_Reg il_lua_module_run[];    /* run */
extern const luaL_Reg il_lua_module_orbits[]; /* orbits, motion */
extern const luaL_Reg il_lua_sweep_methods[];
extern const luaL_Reg il_lua_result_methods[];

/* Where the registry has the table `host` of what follows, which only the part of the module that
 * is written in Lua sees, and of what its files add to it. */
#define IL_LUA_HOST "impactlab.host"

extern const luaL_Reg il_lua_host_fields[];  /* reading tables */
extern const luaL_Reg il_lua_host_vectors[]; /* the type of vectors */
extern const luaL_Reg il_lua_host_problem[];
extern const luaL_Reg il_lua_host_scheme[];
extern const luaL_Reg il_lua_host_set[];
extern const luaL_Reg il_lua_host_sweep[];
extern const luaL_Reg il_lua_host_norms[];
extern const luaL_Reg il_lua_host_ensemble[];
extern const luaL_Reg il_lua_host_numbers[];
extern const luaL_Reg il_lua_host_order[];
extern const luaL_Reg il_lua_host_search[];
extern const luaL_Reg il_lua_host_limits[];
extern const luaL_Reg il_lua_host_drawing[];
extern const luaL_Reg il_lua_host_words[]; /* printing */

#endif
