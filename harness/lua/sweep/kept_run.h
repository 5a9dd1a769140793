/*
 * kept_run.h - whole runs, all their nodes, among the references of the results
 * (harness/run/references.h). Not for use outside harness/lua.
 */
#ifndef IL_LUA_KEPT_RUN_H
#define IL_LUA_KEPT_RUN_H

#include "harness/data/trajectory.h"
#include "harness/lua/base/context.h"

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
