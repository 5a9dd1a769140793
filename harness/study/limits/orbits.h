/*
 * orbits.h - the self-similar solutions of a problem without a scale of its own, and which of them
 * attract.
 *
 *     x_{k+1} = Phi(x_k),   x = (q,u) at t = 1,   Phi the exact motion over a period of the scaling
 *                           (problem.h, il_scaling), back to t = 1
 *
 * A periodic orbit of Phi is a solution that is mapped to itself when time is stretched. Orbits are
 * found by Newton's method on Phi^p(x) = x, from states that many starts converge to, and from the
 * starts themselves (for repelling orbits). For d = 1, where the motion allows it, a last step in
 * rational numbers gives an orbit that closes exactly, which proves its existence. For attracting
 * orbits it is counted how many starts converge to each. Orbits that no start finds remain unknown.
 */
#ifndef IL_ORBITS_H
#define IL_ORBITS_H

#include <stdbool.h>
#include <stddef.h>

#include "problems/problem.h"

enum { IL_ORBITS_NONE = -1, IL_ORBITS_DIM_MAX = 16 };

typedef struct {
    int period;     /* in periods of the scaling */
    double *states; /* [period * 2d], each the image of the one before, the smallest first */
    /* The eigenvalue of largest modulus of the derivative of Phi^period; where it is not real, its
     * modulus. An orbit attracts below modulus 1. */
    double multiplier;
    double residual;        /* |Phi^period(x) - x|, the largest component */
    il_rational **rational; /* [period * 2d], closing exactly; NULL where that is not known */
    size_t starts;          /* starts that converged to it */
} il_orbit;

typedef struct {
    const il_problem *problem; /* the caller's */
    size_t dim;                /* 2d */
    size_t n;
    il_orbit *list;   /* the shortest first, then the smallest first state */
    size_t starts;    /* of the chart */
    size_t wandering; /* those that converged to no orbit */
} il_orbits;

typedef struct {
    size_t starts;      /* random states of the box; 0: 200 */
    unsigned long seed; /* of gsl_rng_mt19937 */
    int longest;        /* period; 0: 8 */
} il_orbits_search;

/* Find orbits of problem, whose type must have a scaling (IL_EUNSUPPORTED). params, as
 * il_problem_create left them, serve for rational numbers; NULL: none. IL_ENOMEM for so many
 * starts. *orbits, zeroed before, is freed by il_orbits_free, also after a failure, and keeps
 * pointing at the problem. */
il_status il_orbits_find(il_orbits *orbits, const il_problem *problem, const il_params *params,
                         const il_orbits_search *search, il_error *err);
void il_orbits_free(il_orbits *orbits);

/* Is the orbit attracting? False for a multiplier of modulus 1, to rounding. */
bool il_orbit_attracts(const il_orbit *orbit);

/* Phi(x) into next[2d], its derivative (may be NULL) into [2d * 2d]. */
void il_orbits_step(const il_problem *problem, const double *x, double *next, double *derivative);

/* The least k with t <= 2^(time k); t > 0. */
int il_orbits_periods(const il_problem *problem, double t);

/* From (q,u) at t > 0 by the exact motion to the next time 2^(time k) at or after t, and back to
 * t = 1: x[2d]. Returns k. */
int il_orbits_arrive(const il_problem *problem, double t, const double *q, const double *u,
                     double *x);

/* The orbit that attracts x, and the index of the state that its solution approaches at t = 1. */
typedef struct {
    int orbit; /* IL_ORBITS_NONE: to none that is known, or not within 20000 periods */
    int index;
} il_orbits_end;

il_orbits_end il_orbits_follow(const il_orbits *orbits, const double *x);

/* The same if the motion takes all states within radius times half a side of the box, in one
 * coordinate each, to the same orbit and index; else none. */
il_orbits_end il_orbits_settle(const il_orbits *orbits, const double *x, double radius);

/* How far x is from the state of its end: the largest coordinate, in half sides of the box;
 * INFINITY without an end. */
double il_orbits_distance(const il_orbits *orbits, const double *x, il_orbits_end end);

/* The distance of the run with step h from its limit at T and later, at most: four steps, as a
 * radius of il_orbits_settle at the first 2^(time k) >= T. */
double il_orbits_reach(const il_orbits *orbits, double T, double h);

/* The attractor of the run on [0,T] with step h and last node (t,q,u): its state at the first
 * 2^(time k) >= T, by the exact motion from the node on and scaled, into x[2d], and the orbit that
 * it settles to within the run's tolerance. */
il_orbits_end il_orbits_of_run(const il_orbits *orbits, double T, double h, double t,
                               const double *q, const double *u, double *x);

/* ---- Newton's method (orbits_newton.c) ------------------------------------------------------ */

/* x[2d] to a fixed point of Phi^period near it; false if that does not converge. */
bool il_orbits_newton(const il_problem *problem, int period, double *x);

/* Fill multiplier and residual from states and period. */
il_status il_orbits_measure(const il_problem *problem, il_orbit *orbit, il_error *err);

/* Fill rational, for states of two numbers, if the motion over the orbit is rational and closes;
 * else it stays NULL. */
void il_orbits_prove(const il_problem *problem, const il_exact_model *model, il_orbit *orbit);

#endif
