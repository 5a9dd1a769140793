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

enum { IL_ENCOUNTER_SPACE = 3, IL_ENCOUNTER_IMPACTS = 64 };

typedef struct {
    il_problem *self; /* whose memory it is */
    double R, mu, a[IL_ENCOUNTER_SPACE];
    struct il_encounter_piece *pieces;
    size_t npieces;
    bool slides;          /* without, w is quadratic in time between breaks */
    const char *unsolved; /* why the motion is not known up to the horizon, or NULL */
    size_t nbreaks;
    double breaks[2 * IL_ENCOUNTER_IMPACTS + 4]; /* 0, events, the horizon, increasing */
} il_encounter;

/* Follow the motion from w, v [3] at time 0 to self's horizon. R and mu are positive, |w| >= R up
 * to a rounding of 1e-9 R, a [3] may be 0. A motion that cannot be followed is no error: see
 * `unsolved`; what follows is for those that can. It is freed with self. */
il_encounter *il_encounter_create(il_problem *self, double R, double mu, const double *a,
                                  const double *w, const double *v);

/* w and w' into w, v [3] at t in [0,T]; at an event the limit from the left if side < 0, else from
 * the right. */
void il_encounter_eval(const il_encounter *s, double t, int side, double *w, double *v);

/* The impulse of the contact up to t, that of an event at t included unless side < 0. */
double il_encounter_impulse(const il_encounter *s, double t, int side);

#endif
