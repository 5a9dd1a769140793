/*
 * nonuniqueness_flow.h - the exact motion of problem nonuniqueness between two times, and over an
 * octave in rational numbers. Used only by that problem.
 */
#ifndef IL_NONUNIQUENESS_FLOW_H
#define IL_NONUNIQUENESS_FLOW_H

#include "problems/problem.h"

/* The end of the piece of constant force that begins at t > 0 or holds there; *f is the force. */
double il_nonuniqueness_piece(double alpha, int m, double t, double *f);

/* (q,u) = z at t0 > 0 to z1 at t1 >= t0 under 2^(mk) up to 3/4 of the octave from 2^k and
 * -alpha 2^(mk) to its end; derivative (may be NULL) of z1 by z, 2 x 2 by rows. */
void il_nonuniqueness_flow(double alpha, int m, double t0, const double *z, double t1, double *z1,
                           double *derivative);

/* The time after which a point with q > 0, or u > 0 on the wall, meets the wall from above with
 * acceleration a; INFINITY: never. */
double il_nonuniqueness_contact(double q, double u, double a);

/* From t = 1 to t = 2 and back to t = 1 by q/2^(m+2), u/2^(m+1); own of the model is alpha, m.
 * False where the point lands while pushed: the time of that is a square root. See il_scaling. */
bool il_nonuniqueness_flow_exact(const il_exact_model *model, il_rational **z, il_rational **next,
                                 il_rational **derivative, il_rational **work);

#endif
