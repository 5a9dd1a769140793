/*
 * fclib.h - a projection in the format of FCLib, the Frictional Contact Library (Acary et al.): an
 * HDF5 file with one global problem and its solution, which other contact solvers read.
 *
 *     M v = H r + f,   u = H' v + w,   0 <= u_N orthogonal to r_N >= 0,   r_T = 0 (mu = 0),
 *
 * is the optimality system of min 1/2 |x - target|_M^2 over a_i + s <b_i,x> >= 0 with
 *
 *     v = x,   f = M target,   H e_N = b_i,   w_N = a_i / s,   r_N = s lambda_i.
 *
 * Every row is a contact of three components, normal first (spacedim = 3). A row has no tangent
 * plane of its own, and without friction nothing acts along one: the tangential columns of H are
 * empty. u_N is then the rate at which gap i opens; r_N is an impulse when x is a velocity.
 */
#ifndef IL_FCLIB_H
#define IL_FCLIB_H

#include "harness/base/status.h"
#include "harness/data/step_problem.h"

enum { IL_FCLIB_SPACEDIM = 3 };

/* Compressed columns: column j holds entries p[j]..p[j+1]-1. */
typedef struct {
    int m, n, nzmax;
    int *p;    /* [n+1] */
    int *i;    /* [nzmax] rows */
    double *x; /* [nzmax] */
} il_fclib_matrix;

typedef struct {
    il_fclib_matrix M; /* d x d */
    il_fclib_matrix H; /* d x 3p */
    double *f;         /* [d] */
    double *w, *mu;    /* [3p], [p] */
    double *v;         /* [d] the projector's answer */
    double *u, *r;     /* [3p] */
    const char *title; /* what it is: static or the caller's, as are the next two */
    const char *description, *math_info;
} il_fclib;

/* The arrays for a kept projection; IL_EINVAL when it has no row, which FCLib cannot hold, or more
 * entries than its 32-bit integers count; IL_ENOMEM. The creator frees. */
il_status il_fclib_create(il_fclib *out, const il_step_problem *problem, il_error *err);
void il_fclib_free(il_fclib *w);

#endif
