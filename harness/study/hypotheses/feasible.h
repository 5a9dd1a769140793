/*
 * feasible.h - the geometry of the feasible set Q(t) = {q : g_i(t,q) >= 0}: projections onto it and
 * onto its linearisations, its cones, and constants of its gradients.
 *
 * Everything uses il_least_distance, never a projector of the schemes, so that claims about schemes
 * are checked by an independent method. Dense: for problems of at most a few hundred coordinates
 * and constraints. Norms are Euclidean unless M is named.
 */
#ifndef IL_FEASIBLE_H
#define IL_FEASIBLE_H

#include <stdbool.h>

#include "problems/problem.h"

typedef struct il_feasible il_feasible;

/* problem is kept, not copied. The creator destroys. */
il_feasible *il_feasible_create(const il_problem *problem);
void il_feasible_destroy(il_feasible *set);

/* The rows at (t,q) whose value is at most slack (INFINITY: all), valid until the next call. */
il_status il_feasible_rows(il_feasible *set, double t, const double *q, double slack,
                           const il_rows **rows, il_error *err);

/* x[d]: the point of Q~(t,q) = {x : g_i(t,q) + <grad g_i(t,q), x - q> >= 0} nearest to target[d].
 */
il_status il_feasible_linearised(il_feasible *set, double t, const double *q, const double *target,
                                 double *x, il_error *err);

/* x[d]: a point of Q(t) nearest to target[d] among its neighbours: a fixed point of x ->
 * P_{Q~(t,x)}(target), iterated from start[d]. It is the projection within the prox-regularity
 * radius of Q(t). IL_ESTALLED when the iteration does not settle. */
il_status il_feasible_project(il_feasible *set, double t, const double *start, const double *target,
                              double *x, il_error *err);

/* out[d] = P^M_C(v), C = {v : d_t g_i + <grad g_i, v> >= 0 for g_i <= active}; without the d_t g_i
 * if frozen (the tangent cone). */
il_status il_feasible_velocity(il_feasible *set, double t, const double *q, const double *v,
                               double active, bool frozen, double *out, il_error *err);

typedef struct {
    size_t rows;    /* with g_i <= rho */
    double slope;   /* max over |v| = 1 of min_i <grad g_i, v>: Venel's delta, mu of Adly & Thieu; 0
                       where no direction raises all; INFINITY without rows */
    double inverse; /* min over lambda >= 0 of |sum lambda_i grad g_i| / sum lambda_i |grad g_i|:
                       1/gamma of Venel's (A5), 1/nu of (A6) of Bernicot & Lefebvre-Lepot; INFINITY
                       without rows */
    double angle; /* max over i != j of <grad g_i, grad g_j> / (|grad g_i| |grad g_j|); A4 of Adly &
                     Thieu asks for <= 0; -INFINITY with fewer than two rows */
} il_independence;

/* Both constants are the distance of the origin from the convex hull of the gradients (for the
 * second, of the gradients at unit length): 1/|y| for the least y with <b_i, y> >= 1. */
il_status il_feasible_independence(il_feasible *set, double t, const double *q, double rho,
                                   il_independence *out, il_error *err);

/* ---- the least distance (least_distance.c) -------------------------------------------------- */

/* A polyhedron, {y : <g_i, y> >= h_i, i = 1..p}. */
typedef struct {
    size_t p, d;
    const double *g; /* [p][d] */
    const double *h; /* [p] */
} il_polyhedron;

/* Its point nearest to the origin, by a parametric active-set method, which neither the projectors
 * of the schemes nor the tests of this function use (for the problem see Lawson & Hanson 1974,
 * chapter 23: LDP). The answer is verified before it is returned. Dense, for small problems: every
 * change of the active set factors at most d columns anew.
 *
 * y[d] and the multipliers lambda[p] >= 0 (may be NULL) with y = sum lambda_i g_i and lambda_i = 0
 * where <g_i, y> > h_i. IL_EINFEASIBLE when no y satisfies the rows (to rounding); IL_ESTALLED when
 * the active set does not settle in 20 (p + d) changes or the answer misses its certificate;
 * IL_ENUMERIC for NaN. */
il_status il_least_distance(const il_polyhedron *polyhedron, double *y, double *lambda,
                            il_error *err);

#endif
