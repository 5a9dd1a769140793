/*
 * deviation.h - the distance of a run from a reference, computed piece by piece and not by
 * sampling.
 *
 *     q_Linf = sup_t |q_h(t) - q(t)|_2,    u_L1 = int_0^T |u_h(t) - u(t)|_2 dt,
 *
 * over the union of the steps and the reference's breaks (|.|_2 the Euclidean norm over all
 * coordinates). Where the reference is quadratic both are closed forms on every piece: u_h - u is
 * affine, so its integral is elementary; q_h - q is quadratic, so the extrema of its norm are roots
 * of a cubic. Elsewhere q_Linf uses golden-section search from a few sample points, and u_L1 the
 * quadrature of arc.h. Where a polynomial of degree 8 is the reference to rounding, it stands for
 * the reference over up to 64 steps (expansion.h). The relative error is 1e-12, also where |u_h -
 * u| is zero or almost zero somewhere, if fifteen points of a step resolve the reference (it does
 * not oscillate many times within a step), no pulse of it, with its tails down to rounding, is
 * shorter than six steps, and u_h - u is larger than the rounding of u.
 */
#ifndef IL_DEVIATION_H
#define IL_DEVIATION_H

#include "harness/base/motion.h"
#include "problems/problem.h"

typedef struct il_deviation il_deviation;

typedef struct {
    double q_Linf, u_L1;     /* as above */
    double final_q, final_u; /* |q_N - q(T)|_2 and |u_N - u(T-)|_2 */
} il_deviation_result;

/* Against reference (kept, not copied), for d coordinates. The creator destroys. */
il_deviation *il_deviation_create(const il_exact *reference, size_t d);
void il_deviation_destroy(il_deviation *deviation);

/* The step from t0 to t1: q0[d] at t0, q1[d] at t1, u1[d] between; where there is a motion, that
 * between, and u1 at the end. Steps must come in order of time, the first from 0, each from where
 * the last ended. */
void il_deviation_step(il_deviation *deviation, double t0, double t1, const double *q0,
                       const double *q1, const double *u1, const il_motion *motion);

/* After the last step. NaN wherever a NaN entered. */
il_deviation_result il_deviation_finish(const il_deviation *deviation);

/* The member called name, "u_L1"; NAN for another. */
double il_deviation_named(const il_deviation_result *result, const char *name);

#endif
