/*
 * trajectory.h - a whole run, node by node: q_h is affine between nodes, u_h constant on steps, or
 * both follow the motion that a dense scheme leaves inside its steps (motion.h).
 */
#ifndef IL_TRAJECTORY_H
#define IL_TRAJECTORY_H

#include <stddef.h>

#include "harness/base/archive.h"
#include "harness/base/motion.h"
#include "harness/base/status.h"
#include "harness/data/observer.h"
#include "problems/problem.h"

typedef struct {
    size_t step;    /* the step 1..N on which the contact was active */
    size_t id;      /* constraint */
    double impulse; /* h lambda */
} il_contact;

/* The motions inside the steps, one behind the other: a piece ends at every node, or there is none
 * at all. The one piece of a step without a motion has coefficients NaN. */
typedef struct {
    size_t n, room;
    size_t degree; /* of all: the highest of any */
    double *at;    /* [n + 1] where pieces begin and end; NULL for n = 0 */
    double *c;     /* [n][degree + 1][d] */
} il_pieces;

typedef struct {
    size_t d, nodes, room; /* nodes kept so far, and room for */
    double *t;             /* [nodes] */
    double *q;             /* [nodes][d] at the nodes */
    double *u;             /* [nodes][d] on the step that ends at the node, with pieces at the node;
                              u_0 at the first */
    size_t ncontacts, contacts_room;
    il_contact *contacts; /* by step, then as the rows came */
    il_pieces pieces;
} il_trajectory;

/* Room for nodes; zero lengths are fine. IL_ENOMEM for so many. The creator frees. */
il_status il_trajectory_init(il_trajectory *trajectory, size_t d, size_t nodes, il_error *err);
void il_trajectory_free(il_trajectory *trajectory);

/* One more node: IL_OK where there is room, else IL_ENOMEM if that cannot be doubled. */
il_status il_trajectory_add(il_trajectory *trajectory, double t, const double *q, const double *u);
void il_trajectory_add_contact(il_trajectory *trajectory, il_contact contact);

/* The motion of the step that begins at the last node and ends at t1, before its end is added;
 * degrees may differ. NULL: q is affine, u constant. */
void il_trajectory_add_motion(il_trajectory *trajectory, double t1, const il_motion *motion);

/* Motion of step n, 1..nodes-1, in *motion, valid while trajectory is not changed; false where it
 * has none. */
bool il_trajectory_motion(const il_trajectory *trajectory, size_t n, il_motion *motion);

/* Append the end of a step, for which there is room, its motion and its active contacts. */
void il_trajectory_watch(il_trajectory *trajectory, const il_watched *now);

/* Save or load the nodes, contacts and motions. */
void il_trajectory_archive(il_trajectory *trajectory, il_archive *a);

/* The trajectory as a reference for errors: exact points into trajectory, which must outlive it.
 * The limit from the right of u at a node is the value on the step that follows. Breaks are the
 * nodes, or the ends of all pieces. */
il_exact il_trajectory_as_exact(const il_trajectory *trajectory, const char *name);

#endif
