/*
 * cubic.h - the motion of a step as the cubic through positions and velocities at its ends, for
 * schemes of order two at the nodes:
 *
 *     q(s) = q_0 + h u_0 s + (3 w - h (2 u_0 + u_1)) s^2 + (h (u_0 + u_1) - 2 w) s^3,
 *     w = q_1 - q_0.
 */
#ifndef IL_STEPPING_CUBIC_H
#define IL_STEPPING_CUBIC_H

#include "schemes/scheme.h"

typedef struct {
    double *c; /* [4][d] */
    double end;
    il_motion motion;
} il_cubic;

/* Room for d coordinates. */
void il_cubic_create(il_cubic *cubic, size_t d);
void il_cubic_free(il_cubic *cubic);

/* The motion from (t0, in) to (t1, out) into report, valid until the next. */
void il_cubic_describe(il_cubic *cubic, double t0, double t1, const il_state *in,
                       const il_state *out, il_step_report *report);

/* Is a row of `of` among those of `before`, and approached there at u[d], by more than rounding of
 * speeds? Rows stand in the same order in both; those that lasted are not approached. */
bool il_cubic_strikes(const il_rows *before, const il_rows *of, const double *u, size_t d);

#endif
