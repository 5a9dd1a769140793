/*
 * jumps.h - jumps of the velocity between pieces of the motion inside a step, and the impulses of
 * the step's contacts that make them (pulses.h).
 */
#ifndef IL_JUMPS_H
#define IL_JUMPS_H

#include <stdbool.h>

#include "harness/data/trajectory.h"
#include "problems/problem.h"
#include "schemes/projection/projector.h"

typedef struct {
    const il_trajectory *run;
    const il_problem *problem;
    const il_projector_type *type;
    void *projector; /* NULL: it could not be made, and there are no jumps */
    size_t n;        /* of the step at hand: */
    double *t;       /* [n] */
    double *impulse; /* [n][room] of contacts of the step */
    size_t room, breaks;
    il_rows rows;       /* of contacts of the step, at the jump at hand */
    double *q, *v, *x;  /* [d] */
    double *before;     /* [d] u(b-), */
    double *after;      /* [d] and u(b+) */
    double *a, *lambda; /* [room] */
} il_jumps;

/* The jumps of w->run, that has motions. */
void il_jumps_open(il_jumps *w, const il_problem *problem, const il_projector_type *projector);
void il_jumps_close(il_jumps *w);

/* Those of the step whose contacts stand at [from, to) in the run: how many. At its end u jumps to
 * the beginning of the next step's motion. */
size_t il_jumps_find(il_jumps *w, size_t step, size_t from, size_t to);

#endif
