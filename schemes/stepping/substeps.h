/*
 * substeps.h - a step of soft contacts in substeps of s = h/K (Box2D 3, contact_solver.c): with
 *
 *     v* = u + s M^{-1} fbar_n(q_n),   g = g_i(q_n) + (t - t_n) d_t g_i + <grad g_i, q - q_n>, rows
 *     of the step,
 *
 * a soft velocity moves positions, and a rigid one is kept,
 *
 *     a_i(v) + R_i p_i >= w_i  (p_i >= 0, complementary),   q += s v,
 *     u = P^M (v*) onto { w : a_i(w) >= -g^+/s }, g there,
 *
 * where g > 0: R = 0, w = -g/s; else, with omega = 2 pi times hertz, b = 2 damping + s omega and c
 * = s omega b,
 *
 *     R = <grad g, M^{-1} grad g>/c,   w = min(-g omega/b, push (1 + c)/c).
 *
 * hertz counts twice for a body alone with what is fixed.
 */
#ifndef IL_STEPPING_SUBSTEPS_H
#define IL_STEPPING_SUBSTEPS_H

#include "schemes/stepping/slack.h"
#include "schemes/stepping/velocity.h"

typedef struct {
    size_t count; /* K */
    double hertz, damping, push;
} il_substeps;

typedef struct {
    double rate, c; /* omega/b and c */
} il_soft_contact;

/* The soft contact of row i of w->rows, in substeps of s. */
il_soft_contact il_substeps_soft(const il_velocity *w, size_t i, const il_substeps *how, double s);

/* The step of h from (t0, in) over the rows that w collected, kept by its tangent; w->f is the
 * mean of the force. Sums of impulses go into w->lambda, and worst is that of the certificates. */
il_status il_substeps_make(il_velocity *w, il_slack *slack, const il_substeps *how, double t0,
                           double h, const il_state *in, il_state *out, il_step_report *report,
                           il_certificate *worst, il_error *err);

#endif
