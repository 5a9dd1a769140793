/*
 * least_distance.h - the point nearest to the origin in a polyhedron.
 *
 *     minimise |y|_2   subject to   <g_i, y> >= h_i,   i = 1..p
 *
 * by following the solution of relaxed rows down to those that are asked for. With it hypotheses
 * and claims are measured by a method that no projector of the schemes shares, and neither do the
 * tests that judge it (Lawson & Hanson 1974, chapter 23: LDP through NNLS). The answer is checked
 * before it is given out. Dense, for small problems: every change of the active set factors at most
 * d columns anew.
 */
#ifndef IL_LEAST_DISTANCE_H
#define IL_LEAST_DISTANCE_H

#include <stddef.h>

#include "harness/base/status.h"

typedef struct {
    size_t p, d;
    const double *g; /* [p][d] */
    const double *h; /* [p] */
} il_polyhedron;

/* y[d] and the multipliers lambda[p] >= 0 (may be NULL) with y = sum lambda_i g_i and lambda_i = 0
 * where <g_i, y> > h_i. IL_EINFEASIBLE when no y satisfies the rows (to rounding); IL_ESTALLED when
 * the active set does not settle in 20 (p + d) changes or the answer misses its certificate;
 * IL_ENUMERIC for NaN; IL_ENOMEM. */
il_status il_least_distance(const il_polyhedron *polyhedron, double *y, double *lambda,
                            il_error *err);

#endif
