/*
 * collocation.h - one step of the Radau IIA methods of s = 1, 2, 3 stages (Hairer & Wanner 1996,
 * section IV.5) for q'' = a(t, q, u):
 *
 *     a_j = a(t + c_j h, Q_j, U_j),   U_j = u + h sum_k A_jk a_k,   Q_j = q + h sum_k A_jk U_k,
 *
 * c_s = 1, so that the last stage is the end of the step: order 2s - 1, 1 being implicit Euler.
 * Solved by Newton's method with the derivatives of a by differences.
 */
#ifndef IL_STEPPING_COLLOCATION_H
#define IL_STEPPING_COLLOCATION_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

enum { IL_STAGES_MAX = 3 };

typedef struct il_collocation il_collocation;

/* a(t, q[d], u[d]), valid until the next call; NULL where it cannot be had. */
typedef const double *(*il_acceleration)(void *context, double t, const double *q, const double *u);

/* s stages in d coordinates; whether a depends on q and on u. All memory is taken
 * here. The creator destroys. */
il_collocation *il_collocation_create(size_t d, size_t s, bool of_q, bool of_u, il_acceleration a,
                                      void *context);
void il_collocation_destroy(il_collocation *w);

/* Look at the derivatives of a anew, at (t, q, u): before the first of several steps from there.
 * IL_ENUMERIC where a cannot be had. */
il_status il_collocation_begin(il_collocation *w, double t, const double *q, const double *u,
                               il_error *err);

/* a[d] there; w's own. */
const double *il_collocation_start(const il_collocation *w);

/* The step of length h > 0 from where it was begun. IL_ENUMERIC where Newton's method does not come
 * to rounding. */
il_status il_collocation_step(il_collocation *w, double h, il_error *err);

/* Stage j of the last step, 0 .. s - 1: its time, q[d], u[d], a[d], and its weight, of h = 1. */
typedef struct {
    double t, weight;
    const double *q, *u, *a;
} il_stage;
il_stage il_collocation_stage(const il_collocation *w, size_t j);

#endif
