/*
 * limits_run.c - the runs that limits are judged by: whole cases of the sweep (execute.h).
 *
 * Workers leave each run's nodes in RESULTS/references and its record among the cases, until the
 * study is stored as a whole: one that was ended goes on where it was.
 */
#include "harness/lua/limits/limits.h"
#include "harness/lua/sweep/execute.h"

void il_lua_limits_run(lua_State *L, il_lua_limits *w, il_trajectory *traj) {
    size_t kept = 0;
    const il_result *result = il_lua_execute_whole(L, 1, w->sweep, w->cases, w->n, traj);
    for (size_t k = 0; k < w->n; k++) { /* those that failed are left out and counted */
        il_trajectory run = traj[k];
        traj[k] = (il_trajectory){.d = 0};
        if (!il_result_went_well(result, w->cases[k])) {
            w->failed++;
            continue;
        }
        w->records[kept] = json_incref(il_result_record(L, result, w->cases[k]));
        traj[kept] = run;
        w->cases[kept++] = w->cases[k];
    }
    w->n = kept;
    lua_pop(L, 1);
}

void il_lua_limits_forget_runs(lua_State *L, const il_lua_limits *w) {
    il_lua_forget_runs(L, w->sweep, w->cases, w->n);
}
