/*
 * snapshots.h - every k-th node of a run: positions, velocities and loads of the bodies, and the
 * active contacts. ParaView files are made from them.
 */
#ifndef IL_SNAPSHOTS_H
#define IL_SNAPSHOTS_H

#include <stddef.h>

#include "harness/data/bodies.h"
#include "harness/data/observer.h"

/* One node. Velocities, loads and contacts are those of the step that ends there; at the start u is
 * u_0 and all loads are zero. */
typedef struct {
    size_t step; /* 0 .. N */
    double t;
    double *q, *u;         /* [N space] body by body */
    double *radius, *load; /* [N]; loads are impulses (bodies.h) */
    size_t ntouches;
    il_touch *touches; /* [ntouches] contacts with an impulse other than zero */
} il_snapshot;

typedef struct {
    /* keep steps 0, every, 2 every, ... and the last; at least 1, set by the caller */
    size_t every;
    const il_problem *problem; /* while the run goes on */
    size_t bodies, space, steps;
    size_t nwalls;
    il_plane *walls; /* [nwalls] */
    size_t n, room;
    il_snapshot *frames; /* [n] */
} il_snapshots;

/* An observer that fills snapshots, which are zeroed but for `every`. Refuses problems without
 * bodies in space (IL_EUNSUPPORTED). il_snapshots_free is needed after a failure too. */
il_observer il_snapshots_observer(il_snapshots *snapshots);
void il_snapshots_free(il_snapshots *snapshots);

/* |u_i| of body i. */
double il_snapshot_speed(const il_snapshots *snapshots, const il_snapshot *frame, size_t i);

/* Coordinate c of body i, 0 where the space has fewer. x is a frame's q or u. */
double il_snapshots_at(const il_snapshots *snapshots, const double *x, size_t i, size_t c);

#endif
