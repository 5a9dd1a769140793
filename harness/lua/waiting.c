/*
 * waiting.c - what is expected of each case of a sweep.
 */
#include "harness/lua/waiting.h"

#include <stdio.h>

static void close_jobs(void *room) {
    il_jobs_destroy(*(il_jobs **)room);
}

/* Coordinates of a problem, which the work of a step goes with; 1 where it cannot be made. */
static double size_of(const il_sweep *sweep, size_t problem) {
    il_error none = {IL_OK, ""};
    il_params *params = NULL;
    il_problem *made = NULL;
    il_case c = il_sweep_case(sweep, problem * sweep->nschemes * sweep->nsizes);
    double d = il_case_problem(&c, &params, &made, &none) == IL_OK ? (double)made->d : 1.0;
    il_problem_destroy(made);
    il_params_destroy(params);
    return d;
}

const double *il_sweep_sizes(lua_State *L, il_lua_arena *arena, const il_sweep *sweep) {
    double *sizes = il_lua_take(L, arena, sweep->nproblems, sizeof *sizes, NULL);
    for (size_t i = 0; i < sweep->nproblems; i++) {
        sizes[i] = sweep->nproblems > 1 ? size_of(sweep, i) : 1.0;
    }
    return sizes;
}

double il_sweep_steps(const il_sweep *sweep, size_t k) {
    size_t size = k % sweep->nsizes;
    return sweep->steps != NULL ? sweep->steps[size] : 1.0 / sweep->hs[size];
}

double il_sweep_cost(const il_sweep *sweep, const double *sizes, size_t k) {
    return il_sweep_steps(sweep, k) * sizes[k / sweep->nsizes / sweep->nschemes];
}

il_jobs **il_sweep_watch(lua_State *L, il_lua_arena *arena, const il_sweep *sweep,
                         const char *title, const size_t *pending, const double *work, size_t n,
                         size_t workers) {
    char line[120];
    size_t classes = sweep->nproblems * sweep->nschemes;
    (void)snprintf(line, sizeof line, "sweep %.100s", title);
    il_jobs **jobs = il_lua_take(L, arena, 1, sizeof(il_jobs *), close_jobs);
    *jobs = il_jobs_create(il_lua_waiting(il_lua_context_of(L)), line, n, classes, workers);
    for (size_t job = 0; job < n; job++) {
        il_jobs_expect(*jobs, job, pending[job] / sweep->nsizes, work[job]);
    }
    return jobs;
}
