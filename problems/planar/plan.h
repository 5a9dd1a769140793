/*
 * plan.h - walls and discs in the plane: the obstacles of crowds and of a rolling ball.
 *
 * Every obstacle is a capsule, the points within R of the segment [a,b]; a disc has a = b, a wall
 * may have R = 0. The gap of a disc of radius r is
 *
 *     g(q) = |q - c(q)| - R - r >= 0,    c(q) the point of [a,b] nearest to q,
 *     grad g = n = (q - c)/|q - c|.
 *
 * The distance to a convex set is convex in q: linearised constraints are on the safe side (Venel
 * 2011, the inclusion of Qtilde in Q). It has a Lipschitz gradient wherever q is not on [a,b].
 */
#ifndef IL_PLANAR_PLAN_H
#define IL_PLANAR_PLAN_H

#include <stddef.h>

#include "harness/base/rows.h"
#include "harness/base/status.h"

typedef struct {
    double a[2], b[2], R;
} il_capsule;

/* Obstacles that a plan has at most. */
enum { IL_PLAN_MAX = 256 };

/* Walls first, then discs. Owns shape. */
typedef struct {
    size_t n, walls;
    il_capsule *shape;      /* [n] */
    const char *round_name; /* of a disc in messages: "post"; static text */
} il_plan;

/* Numbers that a plan is made of: walls as x1,y1,x2,y2, discs as x,y,R. */
typedef struct {
    size_t n; /* numbers, not obstacles */
    const double *x;
} il_plan_part;

/* The obstacles of n_walls and n_discs parts, in that order, walls with R = 0. plan is zeroed or
 * freed before, but for round_name. IL_EINVAL: a number of values that is no multiple of 4 or 3,
 * more than IL_PLAN_MAX obstacles, a wall without length, a radius that is not positive.
 * il_plan_free is fine on what is zeroed. */
il_status il_plan_read(il_plan *plan, const il_plan_part *walls, size_t n_walls,
                       const il_plan_part *discs, size_t n_discs, il_error *err);
void il_plan_free(il_plan *plan);

/* Obstacle k in words: "wall 2", "post 1"; numbers count from 1. */
void il_plan_describe(const il_plan *plan, size_t k, char *out, size_t capacity);

/* |x - c| of the capsule's axis, and n; NaN on the axis itself, where there is no direction, and n
 * is then left alone. */
double il_capsule_distance(const il_capsule *shape, const double *x, double *n);

/* The least distance between the capsule's axis and the segment [p,q]. */
double il_capsule_between(const il_capsule *shape, const double *p, const double *q);

/* Append g under the name id for the disc of radius r at q[2 body], q[2 body + 1], whose radius
 * grows at the rate growth. IL_ENUMERIC on the axis. */
il_status il_capsule_row(const il_capsule *shape, const double *q, size_t body, double r,
                         double growth, size_t id, il_rows *rows);

/* Angles in (-pi,pi] at which the circle about c with radius r > 0 meets { x : distance to the axis
 * = reach }, tangencies included as far as rounding lets them be seen; returns how many. */
enum { IL_CAPSULE_CROSSINGS_MAX = 8 };
size_t il_capsule_crossings(const il_capsule *shape, double reach, const double *c, double r,
                            double *angle);

/* The first s >= 0 at which x + s v enters { distance to the axis < reach }, INFINITY if never; x
 * itself is outside of it or on its rim. On the rim, where v points inward s is 0. Tangencies do
 * not enter. */
double il_capsule_hit(const il_capsule *shape, double reach, const double *x, const double *v);

#endif
