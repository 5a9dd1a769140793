/*
 * module.h - the module "impactlab" of scripts: each group of its functions is one file. Not for
 * use outside harness/lua.
 */
#ifndef IL_LUA_MODULE_H
#define IL_LUA_MODULE_H

#include <lua.h>

/* The functions of the module, one group a file; they are set into the table at the top of the
 * stack. */
void il_lua_add_run(lua_State *L);       /* run, movie */
void il_lua_add_orbits(lua_State *L);    /* orbits, motion */
void il_lua_add_result(lua_State *L);    /* what a sweep leaves */
void il_lua_make_sweeps(lua_State *L);   /* what sweeps have; before the next */
void il_lua_add_sweep_run(lua_State *L); /* sweep:run */

/* Where the registry has the table of what follows, and of what files in Lua add to it. */
#define IL_LUA_HOST "impactlab.host"

/* Not of the module, but what its part in Lua reads tables with: known, read, refuse, miss, raise.
 */
void il_lua_add_fields(lua_State *L);

/* And what vectors are made with. */
void il_lua_add_vectors(lua_State *L);

/* The same for what draws: harness/lua/draw/host.c. */
void il_lua_add_drawing(lua_State *L);

/* And what its studies compute with (harness/lua/study). */
void il_lua_add_numbers(lua_State *L);
void il_lua_add_search(lua_State *L);
void il_lua_add_order(lua_State *L);
void il_lua_add_ensemble(lua_State *L);
void il_lua_add_sweep(lua_State *L);
void il_lua_add_norms(lua_State *L);

/* The same of limits; and sweep:limits, r:limits. */
void il_lua_add_limits(lua_State *L);

/* And of problems, schemes and their steps: scripted, set.c, run.c. */
void il_lua_add_problem(lua_State *L);
void il_lua_add_scheme(lua_State *L);
void il_lua_add_set(lua_State *L);

/* Not of the module, but what identity.lua reads functions with: the script and its lines. */
void il_lua_add_identity(lua_State *L);

#endif
