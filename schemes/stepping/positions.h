/*
 * positions.h - overlaps undone by moving positions alone, velocities untouched:
 *
 *     q += P^M (0) onto { x : <grad g_i(t, q), x> >= min(erp (-g_i - slop)^+, farthest) },
 *
 * over the contacts of a step, several times.
 */
#ifndef IL_STEPPING_POSITIONS_H
#define IL_STEPPING_POSITIONS_H

#include "schemes/stepping/velocity.h"

typedef struct {
    int count; /* sweeps */
    double erp, slop;
    double farthest; /* a sweep undoes no more than this, */
    double enough;   /* and is the last where no overlap was larger before it */
} il_sweeps;

/* The least motion x from rest, into w->x, with a_i + <grad g_i, x> >= 0 for the rows and offsets
 * of w->tangent. report as il_tangent_project fills it. */
il_status il_positions_undo(il_velocity *w, double t, il_step_report *report, il_error *err);

/* The sweeps at (t, q[d]), in place, over the contacts that w->rows hold; others come no nearer.
 * worst: of their certificates. w->x is written. */
il_status il_positions_sweep(il_velocity *w, const il_sweeps *sweeps, double t, double *q,
                             il_step_report *report, il_certificate *worst, il_error *err);

#endif
