/*
 * event_driven.h - a reference solution by a different method: the smooth motion between impacts is
 * integrated to near rounding, and impacts and the ends of contacts are located.
 *
 *     M q'' = f(t,q) + sum_{i in A} lambda_i grad g_i,   d^2 g_i/dt^2 = 0 for i in A,
 *     A changes where g_j of another constraint falls through 0 (impact: u+ = P_C u- - e P_N u-),
 *     and where some lambda_i falls through 0 (the contact ends).
 *
 * For problems of order 2 whose force is smooth between declared breaks, with finitely many impacts
 * and few constraints. Between the events GSL's Runge-Kutta-Prince-Dormand 8(9) runs at 1e-13; the
 * states are stored with their accelerations and evaluated by quintic interpolation.
 */
#ifndef IL_EVENT_DRIVEN_H
#define IL_EVENT_DRIVEN_H

#include "harness/base/archive.h"
#include "problems/problem.h"
#include "schemes/projection/projector.h"

typedef struct il_event_driven il_event_driven;

/* At most this many constraints. */
enum { IL_EVENT_CONSTRAINTS_MAX = 256 };

/* Can it serve the problem? IL_EUNSUPPORTED with the reason: order 1, no pointwise force, too many
 * constraints, contacts that hold. */
il_status il_event_driven_check(const il_problem *problem, il_error *err);

/* Integrate problem from 0 to its horizon; the result does not refer to it later. projector solves
 * the small convex problems of an impact and of the choice of A. IL_EUNSUPPORTED as above,
 * IL_ENUMERIC where impacts accumulate or the integration fails. The creator destroys. */
il_status il_event_driven_create(il_event_driven **out, const il_problem *problem,
                                 const il_projector_type *projector, il_error *err);
void il_event_driven_destroy(il_event_driven *reference);

/* Save the motion and its events, or load them: the same bits, independent of the problem, the
 * creator's to destroy. Bytes that do not fit set a->failed, and there is none, NULL. */
void il_event_driven_archive(il_event_driven *reference, il_archive *a);
il_event_driven *il_event_driven_restore(il_archive *a);

/* The solution, owned by reference; its breaks are the events. */
const il_exact *il_event_driven_exact(const il_event_driven *reference);

/* How many impacts and ends of contacts were located. */
size_t il_event_driven_events(const il_event_driven *reference);

#endif
