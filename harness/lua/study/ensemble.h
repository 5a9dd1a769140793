/*
 * ensemble.h - many runs of one case. Not for use outside harness/lua.
 */
#ifndef IL_LUA_ENSEMBLE_H
#define IL_LUA_ENSEMBLE_H

#include "harness/base/json.h"
#include "harness/io/workers/jobs.h"
#include "harness/lua/base/context.h"
#include "harness/lua/scripted/case.h"

/* Runs of one case, shared by workers: what each is to be, and what came back. */
typedef struct {
    il_lua_context *context;
    lua_State *L;
    const char *call;
    const il_case *c;
    size_t n;
    bool trajectory; /* the script's function wants it */
    int of;          /* stack index of the script's function, or 0 */
    /* Case k into *c; scratch that must live as long as the run is the callee's. */
    void (*member)(void *data, size_t k, il_case *c);
    /* In the worker, after run k: put what else is to cross into *cross, an object. NULL: nothing.
     */
    void (*add)(void *data, size_t k, il_json *w, json_t *cross);
    void *data;
    json_t **results; /* [n] {record: {...}, of: VALUE, refused: TEXT}; the arena's */
    il_jobs *jobs;    /* shows how far they are; or NULL */
} il_lua_members;

/* Run them all on as many workers as the script may have; raises an error when interrupted or when
 * the script's function raises one. arena owns the results. */
void il_lua_members_run(il_lua_members *m, il_lua_arena *arena);

#endif
