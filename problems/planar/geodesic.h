/*
 * geodesic.h - the shortest way of a disc of radius rho to an exit, among capsules: exact.
 *
 * The disc's centre moves outside the obstacles widened by rho. A shortest way there is made of
 * straight pieces, tangent to circles of radius R + rho about tips and discs, of arcs of these
 * circles, and of a last piece to the nearest point of the exit. The tangents that two circles have
 * in common and that nothing blocks, and the free arcs between their ends, are a graph; the way
 * from each of its nodes to the exit is found once. From a point x the way begins straight towards
 * the exit or along a tangent to one of the circles, whichever is shortest.
 *
 * The exit is the segment AB, cut by rho at both ends: centres pass there. Beyond its line, to the
 * right of AB, everybody is out: the way is straight on, along the normal of AB.
 *
 * The length D(x) is Lipschitz with constant 1, -grad D is the unit vector along the way, and that
 * is Lipschitz with constant 1/(R + rho) but for the cut locus, points with two shortest ways
 * (behind a post, say), where it jumps. There the first that is found is taken: always the same.
 */
#ifndef IL_PLANAR_GEODESIC_H
#define IL_PLANAR_GEODESIC_H

#include "problems/planar/plan.h"

typedef struct il_geodesic il_geodesic;

/* plan is kept, not owned; exit is x1,y1,x2,y2. IL_EINVAL for an exit not wider than 2 rho.
 * The creator destroys. */
il_status il_geodesic_create(il_geodesic **out, const il_plan *plan, double rho, const double *exit,
                             il_error *err);
void il_geodesic_destroy(il_geodesic *geodesic);

/* D(x), with the unit vector along the way from x into e[2]; INFINITY, and e = 0, where there is no
 * way. Beyond the exit minus the distance to its line. A centre nearer than rho to an obstacle
 * keeps that distance to it on its way. */
double il_geodesic_way(const il_geodesic *geodesic, const double *x, double *e);

/* How far x is beyond the exit's line; negative before it. */
double il_geodesic_beyond(const il_geodesic *geodesic, const double *x);

#endif
