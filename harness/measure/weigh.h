/*
 * weigh.h - what walls carry: the impulse of the whole run, and the mean force over its last steps,
 *
 *     F_k = sum_n sum_{i on wall k} h lambda_i / sum_n h,
 *
 * beside the part of the outer force that presses on the wall, -<n_k, sum over bodies of fbar>. At
 * rest a floor carries the weight. Along an axis on which only one wall pushes, F_k is that part
 * plus the change of the momentum over the same steps divided by their time, exactly.
 */
#ifndef IL_WEIGH_H
#define IL_WEIGH_H

#include "problems/problem.h"
#include "schemes/scheme.h"

enum { IL_WEIGH_LAST = 100 }; /* steps over which means are taken, at most */

typedef struct il_weigh il_weigh;

typedef struct {
    const char *name;
    double impulse_total; /* h lambda over the run */
    double force_mean;    /* over the last steps; NaN without a step */
    double pressing_mean; /* the outer force on the wall over the same steps: a floor's weight */
    size_t last_steps;    /* how many these are */
} il_wall_force;

/* *out is NULL for a problem without walls, which is fine everywhere below. */
il_status il_weigh_create(il_weigh **out, const il_problem *problem, il_error *err);
void il_weigh_destroy(il_weigh *weigh);
void il_weigh_step(il_weigh *weigh, double t0, double t1, const il_step_report *report);

/* Write forces[problem->nwalls]. */
void il_weigh_finish(const il_weigh *weigh, il_wall_force *forces);

#endif
