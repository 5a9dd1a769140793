/*
 * norm.h - norms of a script's own: numbers that a Lua function makes of a run and its reference.
 * Not for use outside harness/lua.
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

/* The norm that the table of f, {name =, of = function(run, reference), version =}, declares, made
 * once a script; an error for anything else. */
il_lua_norm *il_lua_norm_declare(const il_fields *f);

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

#endif
