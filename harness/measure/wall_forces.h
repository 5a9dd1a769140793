/*
 * wall_forces.h - what walls carry: the impulse of the whole run, and the mean force over its last
 * steps,
 *
 *     F_k = sum_n sum_{i on wall k} h lambda_i / sum_n h,
 *
 * beside the part of the outer force that presses on the wall, -<n_k, sum over bodies of fbar>. At
 * rest a floor carries the weight. Along an axis on which only one wall pushes, F_k is that part
 * plus the change of the momentum over the same steps divided by their time, exactly.
 */
#ifndef IL_WALL_FORCES_H
#define IL_WALL_FORCES_H

#include "harness/base/archive.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

enum { IL_WALL_FORCES_LAST = 100 }; /* steps over which means are taken, at most */

typedef struct il_wall_forces il_wall_forces;

typedef struct {
    const char *name;
    double impulse_total; /* h lambda over the run */
    double force_mean;    /* over the last steps; NaN without a step */
    double pressing_mean; /* the outer force on the wall over the same steps: a floor's weight */
    size_t last_steps;    /* how many these are */
} il_wall_force;

/* *out is NULL for a problem without walls, which is fine everywhere below. */
il_status il_wall_forces_create(il_wall_forces **out, const il_problem *problem, il_error *err);
void il_wall_forces_destroy(il_wall_forces *forces);
void il_wall_forces_step(il_wall_forces *forces, double t0, double t1,
                         const il_step_report *report);

/* What was borne so far, in or out. */
void il_wall_forces_archive(il_wall_forces *forces, il_archive *a);

/* Write forces[problem->nwalls]. */
void il_wall_forces_finish(const il_wall_forces *observed, il_wall_force *forces);

#endif
