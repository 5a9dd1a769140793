/*
 * sequential.h - a step of soft contacts in substeps of s = h/K by sequential impulses, as Rapier
 * 0.35 makes it (velocity_solver, contact_with_coulomb_friction.rs): with
 *
 *     g = g_i(q_n) + (t - t_n) d_t g_i + <grad g_i, q - q_n>,   rows of the step,
 *     b = 2 damping + s omega,  omega = 2 pi hertz (twice that for a body alone with what is
 *     fixed),  c = s omega b,
 *
 * each contact keeps its impulse p_i of the substep before, which is applied first, and then
 *
 *     u += s M^{-1} fbar_n(q_n),  one sweep over the contacts,  q += s u,  one rigid sweep,
 *
 * a sweep being, contact after contact, p_i <- sigma (p_i - (a_i(u) - w)/A)^+, A = <grad g,
 * M^{-1} grad g>, with sigma = 1 and w = -g/s where g > 0, else sigma = c/(1 + c) and w = min(-g
 * omega/b, push) in the first and sigma = 1 and w = 0 in the rigid one. Restitution comes once, at
 * the end: a contact that acted, and that approached with r = a_i(u_n) < 0, is asked for -e r, if
 * it did not act in the step before, or e = 1.
 *
 * Contacts are taken in the order of colours.h.
 */
#ifndef IL_STEPPING_SEQUENTIAL_H
#define IL_STEPPING_SEQUENTIAL_H

#include "schemes/stepping/colours.h"
#include "schemes/stepping/substeps.h"

/* The step of h from `in` over the rows that w collected, which are put into their order, where
 * w->f is the mean of the force. in->contacts have the last impulses of the step before, those of
 * this one go to out->contacts; sums into w->lambda. */
void il_sequential_make(il_velocity *w, il_colours *colours, const il_substeps *how, double h,
                        const il_state *in, il_state *out);

#endif
