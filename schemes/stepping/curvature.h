/*
 * curvature.h - the second derivative of a gap in time, which the accelerations of closed contacts
 * are held to: d^2/ds^2 g_i(t + s, q + s u) at s = 0.
 */
#ifndef IL_STEPPING_CURVATURE_H
#define IL_STEPPING_CURVATURE_H

#include "problems/problem.h"

typedef struct il_curvature il_curvature;

/* For the gaps of problem, which outlives it. The creator destroys. */
il_curvature *il_curvature_create(const il_problem *problem);
void il_curvature_destroy(il_curvature *curvature);

/* The second derivative of constraint id at (t, q[d], u[d]): the problem's own, else by differences
 * of fourth order; NaN where a row cannot be had. */
double il_curvature_at(il_curvature *curvature, double t, const double *q, const double *u,
                       size_t id);

/* Constraints are smooth between these times: differences are taken there. */
void il_curvature_window(il_curvature *curvature, double from, double until);

#endif
