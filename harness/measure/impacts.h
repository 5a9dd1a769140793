/*
 * impacts.h - the percussions of a run compared with those of a reference, and the impact law.
 *
 * Where the velocity jumps, one step or a few carry an impulse that does not vanish with h, while
 * the impulse of a lasting contact is O(h) per step. The threshold between them is
 *
 *     theta = sqrt(h/T) times the largest impulse of a step of the run,
 *
 * which any jump exceeds and any force stays below as h -> 0. Steps of one contact above theta with
 * at most one step between them, together with the step before and after them in which the contact
 * is also active, are one event: its impulse is their sum, its time the mean of their midpoints,
 * weighted with the impulses. An event and a percussion of one contact are matched if they are each
 * other's nearest in time and within sqrt(h T). To avoid decisions on sizes near theta, percussions
 * below theta/2 are left out, and a percussion without event counts as missed, an event without
 * percussion as spurious, only above 2 theta.
 *
 * The residual of the impact law (Moreau; Maury, (3)), across an event of all contacts together:
 *
 *     | u_h(t+) - (1+e) P_C u_h(t-) + e u_h(t-) |_2,   t- and t+ just outside the event's steps,
 *     C = {v : d_t g_i + <grad g_i, v> >= 0 for all i active in it}, at the node it begins at.
 *
 * Events of more than four steps are several that h does not resolve; they are left out.
 *
 * Where a run leaves motions inside its steps that jump between pieces (pulses.h), its events are
 * the atoms of these jumps of theta at least, and t- and t+ the sides of the jump.
 */
#ifndef IL_IMPACTS_H
#define IL_IMPACTS_H

#include "harness/data/trajectory.h"
#include "harness/measure/pulses.h"
#include "problems/problem.h"
#include "schemes/projection/projector.h"

typedef struct {
    size_t events;           /* of the run */
    size_t matched;          /* with a percussion of the reference */
    size_t missed, spurious; /* percussions without event, events without percussion */
    double threshold;        /* theta, impulse */
    double time_error;       /* largest over the matched; 0 if there is none */
    double impulse_error;    /* the same, of impulses */
    size_t law_events;       /* across which the law was checked */
    double law_residual;     /* largest over them, 0 if there is none */
} il_impacts;

/* Counts 0, numbers NaN. */
il_impacts il_impacts_none(void);

/* Events of a run on [0,T] with steps of h against those of reference: its atoms, or, where
 * reference_h > 0, the events of a run with such steps. */
void il_impacts_match(il_impacts *impacts, const il_pulses *run, double h, double T,
                      const il_pulses *reference, double reference_h);

/* The law across the run's events, of which these are the pulses, by a projector that admits the
 * problem's rows; law_residual is NaN where it fails. The status of its create. */
il_status il_impacts_law(il_impacts *impacts, const il_problem *problem,
                         const il_projector_type *projector, const il_trajectory *run,
                         const il_pulses *pulses, il_error *err);

#endif
