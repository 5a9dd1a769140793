/*
 * norm.h - norms that are asked of a result: by their names, or a script's own, numbers that a Lua
 * function makes of a run and its reference. Not for use outside harness/lua.
 */
#ifndef IL_LUA_NORM_H
#define IL_LUA_NORM_H

#include "harness/lua/base/identity.h"
#include "harness/lua/sweep/result.h"

typedef struct {
    const char *name; /* as a key of error in records */
    il_lua_identity identity;
    il_lua_context *context;
    int of; /* the function, a reference into the registry */
} il_lua_norm;

/* Have the key of c name the norm (NULL: nothing changes), which is measured alone: the record of
 * the sweep has the others. */
void il_lua_norm_key(const il_lua_norm *norm, il_case *c);

/* One run that is to be measured. */
typedef struct {
    const il_lua_norm *norm;
    const il_case *c;
    il_trajectory run;
} il_lua_norm_job;

/* An il_addition's add: the norm of job->run into error of the record. IL_ESCRIPT. */
il_status il_lua_norm_add(void *job, json_t *record, il_error *err);

/* The keys norm and norms of a table, with their defaults u_L1 and {u_L1, q_Linf}; the arena owns
 * the names. A norm of the script's own is measured: the records then have it, and what is not
 * stored is run. Raises errors. */
const char *il_result_norm(const il_fields *f, const il_result *result);
const char **il_result_norms(const il_fields *f, const il_result *result, size_t *n);

#endif
