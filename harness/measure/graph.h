/*
 * graph.h - filled-in graphs of velocities and their Hausdorff distance.
 *
 * The filled-in graph of u on (0,T], from the right limit at 0 on, is the curve (t, u(t)) in R x
 * R^d with every jump filled by the straight segment from u(t-) to u(t+). The distance of two
 * graphs A and B is
 *
 *     H(A,B) = max { sup_{a in A} dist(a,B), sup_{b in B} dist(b,A) },
 *     |(t,u)| = max ( |t|/tau, |u|_2/V ),
 *
 * which a small error in the time of a jump changes little, while sup |u_h - u| stays the size of
 * the jump (Sendov, Hausdorff Approximations, 1990; for d = 1 it is his distance of functions).
 */
#ifndef IL_GRAPH_H
#define IL_GRAPH_H

#include "harness/data/trajectory.h"
#include "problems/problem.h"

/* A polygon: points k = 0..n-1 with p[k(1+d)] = t, not decreasing, and p[k(1+d)+1..] = u[d]. Two
 * points at one t are a filled jump. */
typedef struct {
    size_t d, n, room;
    double *p;
} il_graph;

/* u_h of a run: constant on steps, or where it has motions inside its steps as il_graph_of_exact
 * of these. The velocity before the first step is no part of it. The caller frees. IL_EINVAL for a
 * run without steps. */
il_status il_graph_of_run(il_graph *graph, const il_trajectory *run, il_error *err);

/* u of an exact solution on [0, end], end <= its horizon. Where it is quadratic u is affine between
 * breaks and the polygon is the graph; elsewhere chords are halved until three probes of each are
 * within 1e-9 of the largest |u| at a probe, which then is the graph's own error. */
il_status il_graph_of_exact(il_graph *graph, const il_exact *exact, size_t d, double end,
                            il_error *err);

void il_graph_free(il_graph *graph);

/* sup |u|_2 and the length of the path of u, its total variation on (0,T). */
double il_graph_sup(const il_graph *graph);
double il_graph_variation(const il_graph *graph);

/* H(a,b), dimensionless, for tau > 0 and V > 0: apart from rounding at most 1e-12 too small and
 * never too large. NaN if a point is not finite.
 *
 * On a segment s of A the distance to one segment b of B is convex, so that
 *
 *     sup_s dist(.,B) <= min_b max ( dist(s_0,b), dist(s_1,b) ):
 *
 * segments whose bound does not exceed a value already attained are done, the others are halved.
 * The minimum is taken over a tree of bounding boxes. A run and a reference that stay close take
 * O(n log n); with one coordinate, boxes of many steps are compared at once. *looks (may be NULL)
 * counts the distance evaluations, to segments and to boxes. */
il_status il_graph_distance(const il_graph *a, const il_graph *b, double tau, double V,
                            double *distance, size_t *looks, il_error *err);

#endif
