/*
 * execute.h - a sweep at work. Not for use outside execute*.c.
 */
#ifndef IL_LUA_EXECUTE_H
#define IL_LUA_EXECUTE_H

#include "harness/io/jobs.h"
#include "harness/lua/kept.h"
#include "harness/lua/norm.h"
#include "harness/lua/result.h"
#include "harness/run/checkpoint.h"

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
    bool waited;                   /* it was told that another sweep has a case */
    size_t failed;                 /* of those run now */
    il_jobs **jobs;                /* shows how far they are (waiting.h); or NULL */
    bool scripted;                 /* cases depend on functions of the script */
    char unkept[IL_FUNCTIONS_WHY]; /* the last reason for which a record was not stored, or "" */
} il_execution;

/* Run the references of the problems that still have cases to run. */
void il_execution_refer(lua_State *L, il_execution *e);

/* Where a case of key, which is `what` for people, leaves its state; checkpoint.path is NULL where
 * none is kept. il_execution_forget frees. */
typedef struct {
    il_checkpoint checkpoint;
    const il_execution *e;
    const il_case *c;
    const char *what;
    char *path, *key;
} il_execution_state;

void il_execution_remember(const il_execution *e, il_case *c, const char *what,
                           il_execution_state *state);
void il_execution_forget(il_execution_state *state);

/* The state of a case of key goes, which came to an end. */
void il_execution_finish(const il_execution *e, const char *key);

/* Did the case of the record end with status? */
bool il_execution_has_status(const json_t *record, il_status status);

/* What would, or for an error of the script may, come out otherwise next time is not kept. */
bool il_execution_repeatable(const json_t *record);

#endif
