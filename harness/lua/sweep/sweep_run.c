/*
 * sweep_run.c - sweep:run.
 */
#include "harness/lua/sweep/sweep_run.h"

#include "harness/lua/base/module.h"
#include "harness/lua/sweep/why.h"

void il_sweep_run_or_gather(lua_State *L, il_execution *e) {
    e->context->L = L;
    il_lua_identify_sweep(L, e->sweep);
    if (!il_lua_why_gather(L, e->sweep, e->norm, e->result)) {
        il_execution_run(L, e);
    }
}

/* sweep:run(): every case, through the store and the workers. */
static int sweep_run(lua_State *L) {
    const il_sweep *sweep = il_lua_check_sweep(L, 1);
    lua_settop(L, 1);
    il_execution e = {.context = il_lua_context_of(L), .sweep = sweep, .title = sweep->name};
    e.result = il_lua_push_result(L, 1, sweep);
    il_sweep_run_or_gather(L, &e);
    il_lua_why_hollow(L, e.result);
    return 1;
}

void il_lua_add_sweep_run(lua_State *L) {
    il_lua_sweep_method(L, "run", sweep_run);
}
