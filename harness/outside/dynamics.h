/*
 * dynamics.h - which contact impulses explain the change between two samples of a motion, and the
 * residual that none explains.
 *
 * With v = u_{n+1} - u_n - h M^{-1} fbar (order 2) or (q_{n+1} - q_n) - h f (order 1) it computes
 *
 *     min |v - M^{-1} sum_i Lambda_i grad g_i|_M  over Lambda >= 0
 *
 * over the contacts that may have closed in the step, or takes given Lambda. The residual is the
 * difference at the minimum. Gradients are taken at the end, the beginning or the middle of the
 * step, whichever gives the least residual: schemes differ there. An impact within the step has a
 * gradient between these: where none of them explains the change, their convex combinations are
 * tried. The minimum is a projection: of -v onto {x : <grad g_i, x> >= 0}, with the multipliers
 * Lambda.
 *
 * Numbers x of the data stand for x + dx, |dx| <= resolution |x| + quantum. What the residual of
 * data that are right may be, in |.|_M, is `allowed`: a projection moves no further than v, and
 *
 *     |dv| <= resolution (|u_n| + |u_{n+1}|) + 2 |dt| |M^{-1} f| + h |M^{-1} (f - fbar)|
 *             + |v| turn/2 + sqrt(2 eps sum Lambda_i),
 *
 * f the force along the step, where it depends on q; turn the largest angle of gradients between
 * places: one on the way is at most half of it from one of them; eps by how much the projector
 * violates its constraints, as (x - x*, x - x*)_M <= sum_i (Lambda_i + Lambda*_i) eps. Without
 * velocities in the data (u_n = (q_n - q_{n-1})/h, q_before given) the first term is that of q/h,
 * and the force acts for some time between h_n and h_{n+1}, h_0 = 0: of positions by
 * (1 - theta) u_n + theta u_{n+1} for (1 - theta) h_n + theta h_{n+1}.
 */
#ifndef IL_OUTSIDE_DYNAMICS_H
#define IL_OUTSIDE_DYNAMICS_H

#include "harness/data/trajectory.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

typedef struct il_dynamics il_dynamics;

/* Contacts act at gaps, at the end of a step, of at most so many times what bodies move by in it:
 * the gap was closed on the way (1), by Paoli's scheme in two steps (2), by velocities that hidden
 * impacts make larger. */
#define IL_DYNAMICS_REACH 2.5

typedef struct {
    double t0, t1;
    const double *q0, *u0, *q1, *u1; /* [d] */
    bool given;                      /* the impulses are: */
    size_t n;
    const il_contact *contacts; /* [n] */
    bool both_signs;            /* Lambda of either sign */
    double force;               /* the force counts so many times; 1 */
    double reach; /* contacts act at gaps of up to so many times the motion; 0: IL_DYNAMICS_REACH */
    double resolution, quantum; /* of the numbers */
    double before;              /* the sample before, t and */
    const double *q_before;     /* [d], where velocities are differences; NULL: they are given. At
                                   the first step q0, and before = t0: u0 is the problem's */
} il_interval;

/* Valid until the next interval. */
typedef struct {
    const il_rows *rows;  /* of the contacts with an impulse, or that were near */
    const double *lambda; /* [rows->p] impulses */
    const double *mean;   /* [d] fbar, or the drift */
    double residual; /* the largest entry of what is left, a velocity; order 1: a displacement */
    double size, allowed; /* its |.|_M, and what that may be of data that are right; */
    double rounding;      /* the part of it that does not come from gradients */
    const double *gap;    /* [rows->p] at the end */
    const double *push;   /* [rows->p] |Lambda_i M^{-1} grad g_i|_M: felt where above allowed */
    double open;          /* the largest gap, at its smaller end, of a contact with an impulse */
} il_explained;

/* For problem, which must outlive it. The creator destroys; NULL is fine there. */
il_status il_dynamics_create(il_dynamics **out, const il_problem *problem,
                             const il_scheme_options *options, il_error *err);
void il_dynamics_destroy(il_dynamics *w);

/* IL_ENUMERIC where the force or all gradients are no numbers. */
il_status il_dynamics_explain(il_dynamics *w, const il_interval *step, il_explained *out,
                              il_error *err);

/* The same, and what a scheme reports of such a step: impulses as forces, and no certificate. */
il_status il_dynamics_report(il_dynamics *w, const il_interval *step, il_explained *out,
                             il_step_report *report, il_error *err);

/* x[d], the nearest to u[d] in |.|_M with rate_i + <grad g_i, x> >= 0 for those rows of the last
 * interval whose impulse is felt: P_C u of the impact law. False where it cannot be had. */
bool il_dynamics_tangent(il_dynamics *w, const double *u, double *x);

#endif
