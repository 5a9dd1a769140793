/*
 * waiting.c - what is expected of each case of a sweep.
 */
#include "harness/lua/sweep/waiting.h"

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

double il_sweep_cost(const il_sweep *sweep, const double *sizes, size_t k) {
    size_t size = k % sweep->nsizes;
    double steps = sweep->steps != NULL ? sweep->steps[size] : 1.0 / sweep->hs[size];
    return steps * sizes[k / sweep->nsizes / sweep->nschemes];
}
