/*
 * measure.h - what is measured during a run: feasibility, energy, momentum, variation, contacts,
 * residuals, walls. Called step by step; keeps sums and extrema, never a history.
 */
#ifndef IL_MEASURE_H
#define IL_MEASURE_H

#include "harness/base/field.h"
#include "harness/data/observer.h"
#include "harness/measure/balance.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

typedef struct il_measure il_measure;

typedef struct {
    double nodes_min;   /* min over nodes of min_i g_i(t_n, q_n); negative is overlap */
    double between_min; /* the same, steps searched inside too: nine sample points, those
                           that may hide a lower value refined */
    double energy_initial, energy_final;
    /* max over steps of the rise of 1/2 |u|_M^2; <= 0: never grew */
    double energy_largest_increase;
    il_balance_result balance; /* energy beyond the work of the force */
    double momentum_drift;     /* max over nodes and axes of |P(u_n) - P(u_0) - int resultant|; NaN
                               where momentum is not conserved by contact */
    double centre_drift;    /* max of |c(q_n) - c(q_0) - t_n P_0/m|, Maury's Remark 11; NaN unless
                               force-free and momentum is conserved */
    double total_variation; /* sum |u_{n+1} - u_n|_2, from u_0 */
    double impulse_total;   /* sum of h lambda */
    size_t active_max;      /* most contacts that were active in one step */
    il_certificate certificate; /* worst over the run */
} il_measure_result;

/* Its members as records have them, and those of a certificate. */
extern const il_field il_measure_fields[], il_certificate_fields[];

/* u0[d]: the initial velocity, or for order 1 the initial drift. */
il_measure *il_measure_create(const il_problem *problem, const double *u0);
/* Gaps are looked at at nodes alone; between_min is NaN. */
void il_measure_nodes_only(il_measure *measure);

void il_measure_destroy(il_measure *measure);

/* The step from (t0, in) to (t1, out) that report describes. */
void il_measure_step(il_measure *measure, double t0, double t1, const il_state *in,
                     const il_state *out, const il_step_report *report);

/* The drift at the end of the last step, for observers; owned by measure. */
const il_drift *il_measure_drift(const il_measure *measure);

/* min_i g_i at the last node; +INFINITY without constraints, NAN where it cannot be computed. */
double il_measure_gap(const il_measure *measure);

il_measure_result il_measure_finish(const il_measure *measure);

/* The forces on walls: the impulse over the whole run, and the mean force over its last steps,
 *
 *     F_k = sum_n sum_{i on wall k} h lambda_i / sum_n h,
 *
 * beside the part of the external force that presses on the wall, -<n_k, sum over bodies of fbar>.
 * At rest a floor carries the weight. Along an axis on which only one wall acts, F_k is that part
 * plus the change of the momentum over the same steps divided by their time, exactly. */
enum { IL_WALL_FORCES_LAST = 100 }; /* steps over which means are taken, at most */

typedef struct il_wall_forces il_wall_forces;

typedef struct {
    const char *name;
    double impulse_total; /* h lambda over the run */
    double force_mean;    /* over the last steps; NaN without a step */
    double pressing_mean; /* the external force on the wall over the same steps: a floor's weight */
    size_t last_steps;    /* how many these are */
} il_wall_force;

extern const il_field il_wall_force_fields[];

/* NULL for a problem without walls, which is fine everywhere below. */
il_wall_forces *il_wall_forces_create(const il_problem *problem);
void il_wall_forces_destroy(il_wall_forces *forces);
void il_wall_forces_step(il_wall_forces *forces, double t0, double t1,
                         const il_step_report *report);

/* Write forces[problem->nwalls]. */
void il_wall_forces_finish(const il_wall_forces *observed, il_wall_force *forces);

#endif
