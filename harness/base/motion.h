/*
 * motion.h - the motion inside a step, where it is more than a straight line: pieces between the
 * times of impacts, on each a polynomial,
 *
 *     q(t) = sum_{k=0}^m c_k s^k,   s = (t - a)/(b - a),   u = q',   a <= t <= b,
 *
 * q continuous, u with jumps where pieces meet.
 */
#ifndef IL_BASE_MOTION_H
#define IL_BASE_MOTION_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

enum { IL_MOTION_DEGREE_MAX = 7 };

/* The first piece begins with the step, the last one ends with it. The arrays belong to who made
 * the motion. */
typedef struct {
    size_t d, n;       /* coordinates, pieces */
    size_t degree;     /* m, 1 .. IL_MOTION_DEGREE_MAX */
    const double *end; /* [n] where each piece ends, ascending */
    const double *c;   /* [n][m + 1][d] */
} il_motion;

/* The piece of a step from t0 that holds t; at a break the one before it for side < 0. */
size_t il_motion_piece(const il_motion *motion, double t, int side);

/* q[d] and u[d] at t on piece j; either may be NULL. */
void il_motion_eval(const il_motion *motion, double t0, size_t j, double t, double *q, double *u);

/* Is motion one from q0[d] at t0 to q1[d] at t1? IL_ENUMERIC where a number is not finite, a piece
 * ends before it begins or outside of the step, or q jumps by more than rounding between pieces or
 * at an end: the message names the piece, from 1, and the time. */
il_status il_motion_check(const il_motion *motion, double t0, double t1, const double *q0,
                          const double *q1, il_error *err);

#endif
