/*
 * hermite.h - a motion interpolated between nodes with positions, velocities and accelerations by
 * the quintic that matches all three at both ends (Hermite).
 */
#ifndef IL_REFERENCE_HERMITE_H
#define IL_REFERENCE_HERMITE_H

#include <stddef.h>

#include "harness/base/archive.h"
#include "harness/base/status.h"

/* {.d = coordinates} has no nodes yet. */
typedef struct {
    size_t d, nodes, room;
    double *t;     /* [nodes], ascending; a time that comes twice is a break */
    double *state; /* [nodes][3d]: q, u, acceleration */
} il_hermite;

/* One more node at t, not before the last: q, u, acceleration [d]. */
void il_hermite_add(il_hermite *motion, double t, const double *q, const double *u,
                    const double *acceleration);
void il_hermite_free(il_hermite *motion);

/* All of it, in or out; d is known to both. */
void il_hermite_archive(il_hermite *motion, il_archive *a);

/* q[d] and u[d] at t of a motion with two nodes or more; at a break from the left for side < 0,
 * else from the right. */
void il_hermite_eval(const il_hermite *motion, double t, int side, double *q, double *u);

#endif
