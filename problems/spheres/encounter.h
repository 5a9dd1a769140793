/*
 * encounter.h - the relative motion of two spheres in R^3 under a constant force, with its
 * contacts.
 *
 *     w'' = a + (lambda/mu) w/|w|,   |w| >= R,   lambda >= 0 carried by |w| = R,
 *
 * w from centre 1 to centre 2, mu = m_1 m_2/(m_1 + m_2); at an impact w' loses its part along w.
 * Flights are parabolas, events roots of polynomials; pressed spheres slide on each other as a
 * spherical pendulum, in Taylor series of rounding accuracy (Maury 2006, section 5, is this
 * motion).
 */
#ifndef IL_SPHERES_ENCOUNTER_H
#define IL_SPHERES_ENCOUNTER_H

#include "problems/problem.h"

enum { IL_ENCOUNTER_SPACE = 3 };

typedef struct il_encounter il_encounter;

/* Follow the motion from w, v [3] at time 0 to self's horizon. R and mu are positive, |w| >= R up
 * to a rounding of 1e-9 R, a [3] may be 0. IL_ENOMEM. A motion that cannot be followed is no error:
 * see il_encounter_unsolved. *out is freed with self. */
il_status il_encounter_create(il_encounter **out, il_problem *self, double R, double mu,
                              const double *a, const double *w, const double *v, il_error *err);

/* Why the motion is not known up to T (numbers too large, too many impacts), or NULL. Below, it is
 * NULL. */
const char *il_encounter_unsolved(const il_encounter *s);

/* Does it ever slide? Without, w is quadratic in time between breaks. */
bool il_encounter_slides(const il_encounter *s);

/* The [n] times 0, events, T, increasing; they belong to s. */
const double *il_encounter_breaks(const il_encounter *s, size_t *n);

/* w and w' into w, v [3] at t in [0,T]; at an event the limit from the left if side < 0, else from
 * the right. */
void il_encounter_eval(const il_encounter *s, double t, int side, double *w, double *v);

/* The impulse of the contact up to t, that of an event at t included unless side < 0. */
double il_encounter_impulse(const il_encounter *s, double t, int side);

#endif
