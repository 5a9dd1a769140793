/*
 * execution.h - a sweep that runs, as the files that run it share it: execute.c, references.c.
 */
#ifndef IL_LUA_EXECUTION_H
#define IL_LUA_EXECUTION_H

#include <jansson.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/lua/context.h"
#include "harness/lua/norm.h"
#include "harness/lua/result.h"
#include "harness/lua/sweep.h"
#include "harness/lua/waiting.h"

/* Cases that run: of a sweep, or once more for a norm of the script's own. */
typedef struct {
    il_lua_context *context;
    const il_sweep *sweep;
    il_result *result;
    size_t *pending; /* [npending] cases to run, the longest first */
    size_t npending;
    il_exact *references; /* [nproblems] of a self reference, else NULL */
    const il_trajectory **reference_runs;
    json_t **reference_errors; /* [nproblems] how far these are from runs of half as many steps */
    const il_lua_norm *norm;   /* that records are to have besides, or NULL */
    const char *title;         /* of what is told */
    double began;
    size_t failed;                 /* of those run now */
    il_jobs **jobs;                /* shows how far they are (waiting.h); or NULL */
    bool scripted;                 /* cases depend on functions of the script */
    char unkept[IL_FUNCTIONS_WHY]; /* the last reason for which a record was not stored, or "" */
} il_execution;

/* Run the references of the problems that still have cases to run; raises what they raise. */
void il_execution_refer(lua_State *L, il_execution *e, const char *call);

/* Has the record of a run this status? */
bool il_execution_ended(const json_t *record, il_status status);

/* What would, or for an error of the script may, come out otherwise next time is not kept. */
bool il_execution_repeatable(const json_t *record);

#endif
