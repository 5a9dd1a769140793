/*
 * modal.h - the exact motion of a linear system of order 2 against one stop, by normal modes:
 *
 *     M q'' = f - K q + lambda e_k,   q_k >= stop,   u+ = P_C u- - e P_N u-,
 *     K v_j = omega_j^2 M v_j,   V' M V = 1,
 *
 * M symmetric positive definite, K symmetric positive semidefinite, f constant; the modes of all
 * coordinates, or of all but the one that is held.
 */
#ifndef IL_PROBLEMS_MODAL_H
#define IL_PROBLEMS_MODAL_H

#include "problems/problem.h"

/* At most this many coordinates. */
enum { IL_MODAL_MAX = 64 };

/* The system; arrays belong to the caller and outlive what is made of it. */
typedef struct {
    size_t d, k; /* coordinates; the one that meets the stop, from 0 */
    double stop, e;
    const double *q0, *u0, *f; /* [d] */
    const double *M, *K;       /* [d][d] */
    const il_metric *mass;     /* M */
} il_modal_system;

/* The motion from 0 to the horizon becomes the exact solution of self, with the impulse of the
 * stop; or self->no_exact says why there is none. IL_EINVAL for a K that is not positive
 * semidefinite, and naming the parameter 'stiffness'. */
il_status il_modal_offer(il_problem *self, const il_modal_system *system, il_error *err);

/* ---- modes.c -------------------------------------------------------------------------------- */

/* The modes of one kind of motion; arrays belong to the caller. */
typedef struct {
    size_t n;
    double *V;     /* [d][n], 0 in the row that is held */
    double *omega; /* [n] 1/time, >= 0 */
    double *w;     /* [n] weights of what decides the next event */
} il_modes;

/* V and omega: of all coordinates for k = d and n = d, of all but k for n = d - 1; w is left alone.
 * IL_EINVAL for a K that is not positive semidefinite, naming the parameter 'stiffness';
 * IL_ENUMERIC. */
il_status il_modes_find(il_modes *modes, const il_modal_system *system, size_t k, il_error *err);

/* S = sin(omega s)/omega, C = (1 - cos(omega s))/omega^2, D = (s - S)/omega^2: the integral of
 * cos(omega s), and two more on top. No digits are lost for small omega s, 0 included. */
typedef struct {
    double S, C, D;
} il_swing;

il_swing il_swing_after(double omega, double s);

/* sum_j A_ij x_j of A[n][n]. */
double il_modal_row_times(const double *A, size_t n, size_t i, const double *x);

#endif
