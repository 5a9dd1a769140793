/*
 * flat.h - the flat (bounded-Lipschitz, Kantorovich-Rubinstein) distance of measures on a line.
 *
 *     F(mu,nu) = sup { int phi d(mu - nu) : |phi| <= 1, |phi(s) - phi(t)| <= |s - t|/tau }
 *
 * It metrises the weak-* topology of bounded measures: an impulse that comes dt too late costs
 * dt/tau of itself, one that is missing costs itself. Dimension: that of the measures' masses
 * (Dudley, Real Analysis and Probability, 11.3; Hanin 1992).
 *
 * Algorithm: let V_x(p) be the largest integral over (-inf, x) with phi(x) = p; it is concave in p
 * on [-1,1]. Between measures V_{x+l}(p) = max_{|p'-p| <= l/tau} V_x(p'): the part left of its
 * maximum moves left and the part right of it moves right, both at speed 1/tau. A mass m adds m p,
 * which moves slope m from one side of the maximum to the other. The slopes are stored on two sides
 * as blocks in which V' decreases linearly, so everything is in closed form. Blocks are kept in
 * treaps whose subtrees move as one, so n events take O(n log n).
 */
#ifndef IL_FLAT_H
#define IL_FLAT_H

#include <stddef.h>

#include "harness/base/status.h"

/* mass spread evenly over [t0,t1], or an atom if t0 = t1. The mass may be negative. */
typedef struct {
    double t0, t1, mass;
} il_pulse;

/* F(sum of mu, sum of nu), pulses in any order. IL_EINVAL for tau that is not positive and finite
 * or a pulse with t0 > t1; NaN where a pulse is not finite. */
il_status il_flat_distance(const il_pulse *mu, size_t nmu, const il_pulse *nu, size_t nnu,
                           double tau, double *distance, il_error *err);

#endif
