/*
 * way_graph.h - the graph that shortest ways of a disc among capsules run over: circles, their
 * common tangents, and the arcs between these.
 *
 * Circles have radius R + rho about tips and discs, and radius 0 about the two ends of the exit.
 * Nodes stand on them: where a free tangent of two circles ends, where a tangent leads squarely to
 * the exit, and where the circle enters or leaves the reach of an obstacle, so that an arc between
 * neighbours is free as a whole or not at all. Lengths and radii have one unit, angles are in
 * (-pi, pi]. geodesic.h says what the ways are.
 */
#ifndef IL_PLANAR_WAY_GRAPH_H
#define IL_PLANAR_WAY_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "problems/planar/plan.h"

typedef struct {
    double angle, way;    /* on its circle; D from there, INFINITY without a way */
    size_t circle, index; /* its circle, and its number before nodes were sorted */
} il_way_node;

/* Nodes node[first .. first + n) stand on the circle, by angle; arc k leads from node k to the
 * next (the last to the first), clear[first + k] says if it is free. */
typedef struct {
    double c[2], r;
    size_t first, n;
    bool useful; /* some node has a way */
} il_way_circle;

/* Between two nodes, along a common tangent. */
typedef struct {
    size_t i, j;
    double length;
} il_way_edge;

typedef struct il_way_graph {
    const il_plan *plan;
    double rho, graze; /* graze: by how much a way may miss rho of an obstacle, by rounding */
    double A[2], B[2], out[2]; /* where centres pass, and the unit normal that leads out */
    size_t circles, nodes, edges;
    il_way_circle *circle; /* [circles] */
    il_way_node *node;     /* [nodes] */
    bool *clear;           /* [nodes] */
    il_way_edge *edge;     /* [edges] */
} il_way_graph;

/* Everything behind out, from plan, rho, A, B and out, which the caller has set; the rest is 0.
 * IL_ENOMEM; il_way_graph_free after that, too. */
il_status il_way_graph_build(il_way_graph *graph);
void il_way_graph_free(il_way_graph *graph);

/* Is the straight way from p[2] to q[2] free? room[k] (NULL: rho of all) is what p has around
 * obstacle k's axis: less than R_k + rho is then enough. */
bool il_way_graph_sees(const il_way_graph *graph, const double *p, const double *q,
                       const double *room);

/* The point of AB nearest to x[2], into at[2]. */
void il_way_graph_to_exit(const il_way_graph *graph, const double *x, double *at);

/* How far x[2] is beyond the line AB; negative before it. */
double il_way_graph_beyond(const il_way_graph *graph, const double *x);

#endif
