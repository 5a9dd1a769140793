/*
 * step_problem.h - the projection of one step of a run, with its data and solution.
 *
 *     minimise 1/2 |x - target|_M^2   subject to   a_i + s <b_i, x> >= 0,   i = 1..p.
 */
#ifndef IL_STEP_PROBLEM_H
#define IL_STEP_PROBLEM_H

#include <stddef.h>

#include "schemes/scheme.h"

typedef struct {
    size_t step; /* wanted: 1..N, or 0 for the last */
    bool awake;  /* the run is in the wanted step */
    bool kept;   /* the fields below are filled */
    double t;    /* where the step ends */
    size_t d;
    il_metric *mass; /* M */
    il_rows rows;    /* b */
    double scale;    /* s */
    double *target;  /* [d] */
    double *x;       /* [d] the projector's answer */
    double *a;       /* [p] */
    double *lambda;  /* [p] its multipliers, in its own units */
} il_step_problem;

/* Frees all but the structure. Fine on what is zeroed. */
void il_step_problem_free(il_step_problem *w);

/* Copy projection problems while w->awake; of several in one step the last is kept. */
il_projection_watch il_step_problem_watch(il_step_problem *w);

/* The projection, pointing into w. */
il_qp il_step_problem_qp(const il_step_problem *w);

#endif
