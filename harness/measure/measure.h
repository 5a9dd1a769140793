/*
 * measure.h - what is observed while a run goes on: feasibility, energy, momentum, variation,
 * contacts, residuals. Fed step by step; keeps sums and extrema, never a history.
 */
#ifndef IL_MEASURE_H
#define IL_MEASURE_H

#include "harness/base/archive.h"
#include "harness/data/observer.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

typedef struct il_measure il_measure;

typedef struct {
    double nodes_min;   /* min over nodes of min_i g_i(t_n, q_n); negative is overlap */
    double between_min; /* the same, steps searched inside too: eight probes, the least refined */
    double energy_initial, energy_final;
    /* max over steps of the rise of 1/2 |u|_M^2; <= 0: never grew */
    double energy_largest_increase;
    double energy_beyond_work; /* the same minus the work h <fbar, u_{n+1}> of the force */
    double momentum_drift;     /* max over nodes and axes of |P(u_n) - P(u_0) - int resultant|; NaN
                               where momentum is not conserved by contact */
    double centre_drift;    /* max of |c(q_n) - c(q_0) - t_n P_0/m|, Maury's Remark 11; NaN unless
                               force-free and momentum is conserved */
    double total_variation; /* sum |u_{n+1} - u_n|_2, from u_0 */
    double impulse_total;   /* sum of h lambda */
    double lambda_mass;     /* the same, absolute values */
    size_t active_max;      /* most contacts that were active in one step */
    il_certificate certificate; /* worst over the run */
} il_measure_result;

/* u0[d]: the initial velocity, or for order 1 the initial drift. */
il_status il_measure_create(il_measure **out, const il_problem *problem, const double *u0,
                            il_error *err);
void il_measure_destroy(il_measure *measure);

/* The step from (t0, in) to (t1, out) that report describes. IL_ENOMEM where memory ran out for the
 * rows that are looked at. */
il_status il_measure_step(il_measure *measure, double t0, double t1, const il_state *in,
                          const il_state *out, const il_step_report *report);

/* Of the last step, for those who watch; the measure's. */
const il_drift *il_measure_drift(const il_measure *measure);

/* min_i g_i at the last node; +INFINITY without constraints, NAN where it cannot be computed. */
double il_measure_gap(const il_measure *measure);

/* What was measured by the node (t, q[d]), in or out. */
void il_measure_archive(il_measure *measure, double t, const double *q, il_archive *a);

il_measure_result il_measure_finish(const il_measure *measure);

#endif
