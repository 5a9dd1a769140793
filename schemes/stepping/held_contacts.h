/*
 * held_contacts.h - between two events the contacts in A are held closed: the acceleration with
 * them, the impact at an event, and the choice of A there. event_driven.h has the equations.
 */
#ifndef IL_STEPPING_HELD_CONTACTS_H
#define IL_STEPPING_HELD_CONTACTS_H

#include "problems/problem.h"
#include "schemes/scheme.h"

typedef struct il_held_contacts il_held_contacts;

/* None is held at first. problem outlives the contacts; projector solves the projections. The
 * status is that of the projector's creation. The creator destroys. */
il_status il_held_contacts_create(il_held_contacts **out, const il_problem *problem,
                                  const il_projector_type *projector, il_error *err);
void il_held_contacts_destroy(il_held_contacts *contacts);

/* q''[d] at (t, q[d], u[d]) with the contacts held, owned by contacts until the next call; NULL
 * where their forces could not be computed. */
const double *il_held_contacts_acceleration(il_held_contacts *contacts, double t, const double *q,
                                            const double *u);

/* An event at (t, q): u[d] becomes u+ = P_C u- - e P_N u-, and A the touched contacts that the
 * admissible acceleration then keeps closed. The status of a row or a projector that failed. */
il_status il_held_contacts_settle(il_held_contacts *contacts, double t, const double *q, double *u,
                                  il_error *err);

/* From now on steps of h > 0 are made: gaps, speeds and forces count as closed, at rest and none by
 * what may change in a step from where contacts settle. Without, by what they are beside 1. */
void il_held_contacts_step(il_held_contacts *contacts, double h);

/* A margin above minus this is rounding. */
double il_held_contacts_rounding(const il_held_contacts *contacts);

/* Is A over at (t, q, u): has another gap closed, or does a held contact pull? True, too, where
 * neither can be computed. */
bool il_held_contacts_end(il_held_contacts *contacts, double t, const double *q, const double *u);

/* How far from over A is at (t, q, u), negative where it is, NaN where that cannot be computed: the
 * least of the other gaps, less what counts as closed, and of the forces of those held over the
 * largest force on them, plus what counts as none. Continuous along a motion. */
double il_held_contacts_margin(il_held_contacts *contacts, double t, const double *q,
                               const double *u);

/* The same of gaps that are least between two times, by the cubic through gaps and rates at both;
 * infinite where none is. */
double il_held_contacts_dip(il_held_contacts *contacts, const double t[2], const double *const q[2],
                            const double *const u[2]);

/* The contacts that are held, and their forces at the last acceleration: how many, and arrays of
 * contacts'. */
size_t il_held_contacts_list(const il_held_contacts *contacts, const size_t **ids,
                             const double **forces);

/* [d] f(t, q) of the last acceleration; contacts' own. */
const double *il_held_contacts_force(const il_held_contacts *contacts);

/* [constraints] the impulses of the last settling; contacts' own. */
const double *il_held_contacts_impulses(const il_held_contacts *contacts);

/* Move q[d] and u[d] at t, by the least in the norm of M, to where the contacts that are held are
 * closed and at rest: three steps of Newton's method for q, one for u. False where their rows
 * cannot be had. */
bool il_held_contacts_close(il_held_contacts *contacts, double t, double *q, double *u);

/* Constraints are smooth between these times: derivatives in time are taken there. */
void il_held_contacts_window(il_held_contacts *contacts, double from, double until);

#endif
