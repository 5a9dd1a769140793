/*
 * steps.h - frozen step problems for benchmarks: a fixed set of projections
 *
 *     min 1/2 |x - target|_M^2,   a_i + h <b_i, x> >= 0,   target = u_n + h M^-1 fbar_n.
 *
 * The set is made from seeds: each member is a problem, its parameters, and the number of steps of
 * Maury's scheme after which the next step's projection is taken, with every row that the
 * prediction closes to a tenth of its longest move. Nothing of it depends on how a step selects its
 * rows.
 */
#ifndef IL_BENCH_STEPS_H
#define IL_BENCH_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/run/run.h"
#include "schemes/projection/projector.h"

enum { IL_BENCH_SETS_MAX = 8 };

typedef struct {
    const char *name; /* no spaces */
    const char *problem;
    const char *sets[IL_BENCH_SETS_MAX]; /* key, value, ... */
    size_t steps;                        /* made before */
    double before;                       /* their h */
    double h;                            /* of the step taken */
    bool large;                          /* for factors alone: projectors would take minutes */
} il_bench_member;

/* Member k; NULL past the end. */
const il_bench_member *il_bench_member_at(size_t k);

typedef struct {
    il_params *params;
    il_problem *problem;
    il_record record;
    il_rows rows;
    double *block; /* what target points into */
    il_qp qp;
} il_bench_step;

/* Make the member's step problem. The caller releases, also after a failure. */
il_status il_bench_step_make(il_bench_step *step, const il_bench_member *member, il_error *err);
void il_bench_step_release(il_bench_step *step);

/* The sum of the data, |a|_1 + |target|_1: what tells one set from another. */
double il_bench_step_sum(const il_qp *qp);

#endif
