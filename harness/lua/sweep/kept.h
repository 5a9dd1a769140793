/*
 * kept.h - what of a sweep is stored: may that be which functions of a script made? And whole runs,
 * all their nodes, among the references of the results (harness/run/references.h). Not for use
 * outside harness/lua.
 */
#ifndef IL_LUA_KEPT_H
#define IL_LUA_KEPT_H

#include "harness/lua/sweep/sweep.h"

/* Find anew what the functions that a case depends on depend on themselves, which stands in its
 * key. Returns why there is no such key, NULL if there is one. What functions did may change it.
 * Raises no error. */
const char *il_lua_unkept(lua_State *L, const il_case *c);

/* Does a case of the sweep depend on functions of the script? */
bool il_lua_has_functions(const il_sweep *sweep);

/* il_lua_unkept of all cases of a sweep, and a line for each reason. */
void il_lua_identify_sweep(lua_State *L, const il_sweep *sweep);

/* A line that says why results are not kept, once a sweep and reason; nothing for "". */
void il_lua_tell_unkept(lua_State *L, const il_sweep *sweep, const char *why);

/* Keep run under key, with the provenance of its record. IL_EIO, IL_ENOMEM. */
il_status il_kept_run_put(const il_lua_context *context, const char *key, il_trajectory *run,
                          const json_t *record, il_error *err);

/* The run of key into *run, zeroed and the caller's; *found is false where there is none that is
 * whole: a damaged one is told and set aside. IL_ENOMEM. */
il_status il_kept_run_get(const il_lua_context *context, const char *key, il_trajectory *run,
                          bool *found, il_error *err);

/* It is needed no more. IL_ENOMEM. */
il_status il_kept_run_remove(const il_lua_context *context, const char *key, il_error *err);

#endif
