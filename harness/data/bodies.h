/*
 * bodies.h - contacts as forces on bodies. Bodies are stored one after the other in R^d, so the
 * columns of row i show which bodies constraint i acts on: on body a with the force lambda_i grad_a
 * g_i, where grad_a g_i in R^space is the part of the gradient that belongs to a.
 */
#ifndef IL_BODIES_H
#define IL_BODIES_H

#include <stddef.h>

#include "harness/base/rows.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

enum { IL_SPACE_MAX = 3 };

/* The second body of a contact with a wall. */
#define IL_NO_BODY ((size_t)-1)

/* One contact that was active. */
typedef struct {
    size_t a, b;                    /* bodies from 0; b = IL_NO_BODY: a wall */
    double direction[IL_SPACE_MAX]; /* unit vector of the force on a; padded with zeros */
    double impulse;                 /* h lambda */
} il_touch;

/* Bodies of the problem; 0 if it has none in a space of at most IL_SPACE_MAX dimensions. */
size_t il_bodies_count(const il_problem *problem);

/* Radii at t into r[il_bodies_count]: zeros for points. */
void il_bodies_radii(const il_problem *problem, double t, double *r);

/* Row i as a contact of impulse `impulse`. A row over more than two bodies is one of its first and
 * second. */
il_touch il_bodies_touch(const il_problem *problem, const il_rows *rows, size_t i, double impulse);

/* Add to load[il_bodies_count] the load of each body in a step of length h: the sum over its
 * contacts of h |lambda_i grad_a g_i|, an impulse. Opposite forces do not cancel. */
void il_bodies_add_loads(const il_problem *problem, const il_step_report *report, double h,
                         double *load);

/* Write impulse[problem->nwalls]: the sums of h lambda_i over the contacts with each wall. */
void il_bodies_wall_impulses(const il_problem *problem, const il_step_report *report, double h,
                             double *impulse);

#endif
