/*
 * force.h - the mean of the force over a step, fbar_n(q) = (1/h) int_{t_n}^{t_{n+1}} f(s,q) ds, and
 * the predicted velocity of a step.
 */
#ifndef IL_STEPPING_FORCE_H
#define IL_STEPPING_FORCE_H

#include "problems/problem.h"
#include "schemes/scheme.h"

typedef struct il_force il_force;

/* For problem, which must outlive it. The creator destroys. */
il_force *il_force_create(const il_problem *problem);
void il_force_destroy(il_force *force);

/* fbar over [t0,t1] at q into f[d]: the problem's exact mean, else adaptive Gauss-Kronrod
 * quadrature (GSL qag, to 1e-13 of the mean of |f|) of every coordinate over the pieces between the
 * problem's breaks. A jump that is not among the breaks costs accuracy (1e-9), and one within half
 * a percent of an end of the step may be missed: declare it. IL_ENUMERIC if the quadrature fails.
 * Allocates nothing. */
il_status il_force_mean(il_force *force, double t0, double t1, const double *q, double *f,
                        il_error *err);

/* f(t, q[d]) into f[d], 0 where there is none: of a problem that il_force_known passes. */
void il_force_at(const il_problem *problem, double t, const double *q, double *f);

/* Is the force known at a time? IL_EUNSUPPORTED, in the name of scheme, where its mean over a step
 * is all that problem knows. */
il_status il_force_known(const il_problem *problem, const char *scheme, il_error *err);

/* The free velocity of a step and the force (or drift) f[d] it comes from:
 * order 2: v = u_n + h M^{-1} fbar_n(q_n);   order 1: v = f(t_n, q_n). */
il_status il_force_predict(il_force *force, double t0, double t1, const il_state *in, double *v,
                           double *f, il_error *err);

#endif
