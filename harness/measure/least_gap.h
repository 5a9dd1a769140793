/*
 * least_gap.h - the least gap min_i g_i(t, q_h(t)) of a run, at nodes and inside steps, along which
 * q_h is affine, or a motion's polynomials.
 */
#ifndef IL_LEAST_GAP_H
#define IL_LEAST_GAP_H

#include <stdbool.h>

#include "problems/problem.h"
#include "schemes/scheme.h"

typedef struct {
    const il_problem *problem;
    double gap;       /* at the last node; +INFINITY without constraints */
    double nodes_min; /* over all nodes so far */
    double least;     /* over all steps: nine sample points each, those that may hide a lower value
                         refined by golden section */
    double *q;        /* [d] a point inside a step */
    bool nodes_only;  /* inside of steps is not looked at */
    const il_motion *motion; /* inside the step at hand, from t0, its piece `part`; or NULL */
    double t0;
    size_t part;
    il_rows rows;
    il_rows low;    /* that may dip inside the step at hand */
    il_rows before; /* all rows at the last node, of a problem with IL_ROWS_UNKNOWN */
} il_least_gap;

/* At the start of problem, which must outlive w. */
void il_least_gap_init(il_least_gap *w, const il_problem *problem);
void il_least_gap_free(il_least_gap *w);

/* The step from (t0, in) to (t1, out), straight or along motion. */
void il_least_gap_step(il_least_gap *w, double t0, double t1, const il_state *in,
                       const il_state *out, const il_motion *motion);

#endif
