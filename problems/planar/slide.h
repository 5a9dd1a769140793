/*
 * slide.h - the exact motion of a point among capsules under a drift that is constant for a while:
 *
 *     q' = P_C(q) f = f + sum lambda_k n_k,    C = { v : <n_k, v> >= 0 for the k in contact },
 *
 * the velocity that q' + N(Q,q) containing f selects (Venel 2011, (16) and (42)). A chain of closed
 * forms: straight flight; straight along a wall with f's part along it; around a tip or a disc of
 * radius rho, where the angle psi from f to the normal obeys psi' = -(|f|/rho) sin psi, so that
 *
 *     tan(psi/2) = tan(psi_0/2) exp(-|f| s/rho),   int lambda = rho log(sin psi/sin psi_0),
 *
 * lambda = -|f| cos psi >= 0; it leaves at |psi| = pi/2. Rest where two contacts hold f, or
 * where f points straight into one.
 */
#ifndef IL_PLANAR_SLIDE_H
#define IL_PLANAR_SLIDE_H

#include <stdbool.h>

#include "problems/planar/plan.h"

enum { IL_SLIDE_PIECES_MAX = 256 };

typedef enum { IL_SLIDE_LINE, IL_SLIDE_ARC } il_slide_kind;

/* One closed form from begin on; s = t - begin. */
typedef struct {
    double begin;
    il_slide_kind kind;
    double q[2], v[2];     /* at begin; on a line v stays, at rest it is 0 */
    double f[2];           /* the drift */
    double c[2], rho, psi; /* arc: centre, radius, angle from f to the normal at begin, */
    double half[2];        /* cosine and sine of psi/2, */
    double pushed;         /* int lambda over all of it */
    size_t contacts, id[2];
    double lambda[2]; /* lines and rest: what the contacts push with */
} il_slide_piece;

typedef struct {
    const il_plan *plan; /* obstacles, their R in full: kept, not owned */
    size_t n;
    il_slide_piece piece[IL_SLIDE_PIECES_MAX];
    double breaks[IL_SLIDE_PIECES_MAX + 1]; /* begins, then the horizon */
} il_slide;

/* From q0 in Q over [0, horizon] under drift[2 k], drift[2 k + 1] from times[k-1] to times[k],
 * from 0 for k = 0 and up to the horizon for the last; times[n_drifts - 1] increase. False when
 * that takes more than IL_SLIDE_PIECES_MAX pieces. */
bool il_slide_build(il_slide *slide, const il_plan *plan, const double *q0, const double *drift,
                    const double *times, size_t n_drifts, double horizon);

/* q and q' at t, on a piece. */
void il_slide_eval(const il_slide_piece *piece, double t, double *q, double *u);

/* int_0^t lambda_k for every obstacle k, into Lambda[plan->n]. */
void il_slide_impulse(const il_slide *slide, double t, double *Lambda);

#endif
