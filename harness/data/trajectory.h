/*
 * trajectory.h - a whole run, node by node: q_h is affine between nodes, u_h constant on steps.
 */
#ifndef IL_TRAJECTORY_H
#define IL_TRAJECTORY_H

#include <stddef.h>

#include "harness/base/archive.h"
#include "harness/base/status.h"
#include "harness/data/observer.h"
#include "problems/problem.h"

typedef struct {
    size_t step;    /* the step 1..N on which the contact was active */
    size_t id;      /* constraint */
    double impulse; /* h lambda */
} il_contact;

typedef struct {
    size_t d, nodes, room; /* nodes kept so far, and room for */
    double *t;             /* [nodes] */
    double *q;             /* [nodes][d] at the nodes */
    double *u;             /* [nodes][d] on the step that ends at the node; u_0 at the first */
    size_t ncontacts, contacts_room;
    il_contact *contacts; /* by step, then as the rows came */
} il_trajectory;

/* Room for nodes; zero lengths are fine. The creator frees. */
il_status il_trajectory_init(il_trajectory *trajectory, size_t d, size_t nodes, il_error *err);
void il_trajectory_free(il_trajectory *trajectory);

il_status il_trajectory_add(il_trajectory *trajectory, double t, const double *q, const double *u);
il_status il_trajectory_add_contact(il_trajectory *trajectory, il_contact contact);

/* Append the end of a step and its active contacts. */
il_status il_trajectory_watch(il_trajectory *trajectory, const il_watched *now);

/* Save or load the nodes and contacts. */
void il_trajectory_archive(il_trajectory *trajectory, il_archive *a);

/* The trajectory as a reference for errors: exact points into trajectory, which must outlive it.
 * The limit from the right of u at a node is the value on the step that follows. */
il_exact il_trajectory_as_exact(const il_trajectory *trajectory, const char *name);

#endif
