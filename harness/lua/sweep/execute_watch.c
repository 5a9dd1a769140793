/*
 * execute_watch.c - how far the jobs of a sweep's pool are: references before cases.
 */
#include <stdio.h>

#include "harness/lua/sweep/execute.h"

/* An event-driven reference takes some thousand of them. */
static const double EVENTS_STEPS = 4096.0;

static void close_jobs(void *room) {
    il_jobs_destroy(*(il_jobs **)room);
}

il_jobs **il_execution_watch(lua_State *L, const il_execution *e, size_t workers) {
    char line[120];
    const il_sweep *s = e->sweep;
    size_t classes = s->nproblems * s->nschemes;
    (void)snprintf(line, sizeof line, "sweep %.100s", e->title);
    il_jobs **jobs = il_lua_take(L, e->result->arena, 1, sizeof(il_jobs *), close_jobs);
    *jobs = il_jobs_create(il_lua_waiting(e->context), line, e->nreferred + e->npending,
                           classes + s->nproblems, workers);
    for (size_t k = 0; k < e->nreferred; k++) {
        size_t problem = e->referred[k];
        double steps = s->reference_steps > 0 ? (double)s->reference_steps : EVENTS_STEPS;
        il_jobs_expect(*jobs, k, classes + problem, steps * e->sizes[problem]);
    }
    for (size_t k = 0; k < e->npending; k++) {
        il_jobs_expect(*jobs, e->nreferred + k, e->pending[k] / s->nsizes, e->work[k]);
    }
    return jobs;
}
