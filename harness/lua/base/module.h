/*
 * module.h - the module "impactlab" of scripts: each group of its functions is one file. Not for
 * use outside harness/lua.
 */
#ifndef IL_LUA_MODULE_H
#define IL_LUA_MODULE_H

#include <lua.h>

/* The functions of the module, one group a file; they are set into the table at the top of the
 * stack. */
void il_lua_add_run(lua_State *L);     /* run, movie */
void il_lua_add_exact(lua_State *L);   /* exact, force, bodies */
void il_lua_add_orbits(lua_State *L);  /* orbits, motion */
void il_lua_add_levels(lua_State *L);  /* levels, dyadic, phases */
void il_lua_add_sweep(lua_State *L);   /* sweep */
void il_lua_add_result(lua_State *L);  /* what a sweep leaves */
void il_lua_add_limits(lua_State *L);  /* sweep:limits, r:limits; after the two */
void il_lua_add_figure(lua_State *L);  /* figure */
void il_lua_add_table(lua_State *L);   /* table */
void il_lua_add_problem(lua_State *L); /* problem */
void il_lua_add_scheme(lua_State *L);  /* scheme */
void il_lua_add_colors(lua_State *L);  /* colors */
void il_lua_add_set(lua_State *L);     /* set */
void il_lua_add_order(lua_State *L);   /* order, r:order, r:orders; after result */
void il_lua_add_law(lua_State *L);     /* law, r:law; after result */
void il_lua_add_worst(lua_State *L);   /* worst; after run */
void il_lua_add_section(lua_State *L); /* section, finding */

void il_lua_add_sweep_run(lua_State *L);     /* sweep:run; after sweep */
void il_lua_add_result_figure(lua_State *L); /* r:figure; after result */
void il_lua_add_result_table(lua_State *L);  /* r:table; after result */

void il_lua_add_multipliers(lua_State *L); /* multipliers */
void il_lua_add_chance(lua_State *L);      /* share, median, quantile, band */
void il_lua_add_ensemble(lua_State *L);    /* ensemble */

/* Where the registry has the table of what follows, and of what files in Lua add to it. */
#define IL_LUA_HOST "impactlab.host"

/* Not of the module, but what identity.lua reads functions with: the script and its lines. */
void il_lua_add_identity(lua_State *L);

#endif
