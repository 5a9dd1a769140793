/*
 * pulses.h - contact forces as measures in time, one for each contact.
 *
 * In a run lambda_h is constant on steps, so step n gives contact i the impulse h lambda_i, spread
 * evenly over [t_{n-1}, t_n]. Where u jumps between two pieces of its motion inside the steps, at
 * time b, the contacts of the step have the atoms P_i >= 0 that explain the jump,
 *
 *     u(b+) = u(b-) + M^{-1} sum_i P_i grad g_i(b, q(b)),
 *
 * nearest in the metric of M, and what is left of the step's impulse is spread over it. In an exact
 * solution percussions are atoms at breaks, the rest is a density.
 */
#ifndef IL_PULSES_H
#define IL_PULSES_H

#include "harness/data/trajectory.h"
#include "harness/measure/flat.h"
#include "problems/problem.h"
#include "schemes/projection/projector.h"

/* pulses[first[i]..first[i+1]) are those of contact id[i], in order of time. Contacts that are
 * never active are left out. */
typedef struct {
    size_t contacts;
    size_t *id;    /* [contacts] increasing */
    size_t *first; /* [contacts+1] */
    il_pulse *pulses;
    size_t n, room;
    bool atomic;   /* percussions are atoms */
    size_t *owner; /* [n] while it is filled */
} il_pulses;

/* lambda_h. The caller frees. Atoms need the run's problem and a projector that admits its rows;
 * without, NULL, or where the projector fails, impulses are spread over steps. */
void il_pulses_of_run(il_pulses *pulses, const il_trajectory *run, const il_problem *problem,
                      const il_projector_type *projector);

/* lambda on [0, end], of an exact solution that has its impulses. Where it is not quadratic, pieces
 * are halved until replacing the density by its mean moves less than 1e-10 of the piece's share of
 * the largest impulse. IL_EUNSUPPORTED without impulses. */
il_status il_pulses_of_exact(il_pulses *pulses, const il_exact *exact, size_t p, double end,
                             il_error *err);

void il_pulses_free(il_pulses *pulses);

/* Flat distances, contact by contact: their sum and the largest. tau as in flat.h. */
typedef struct {
    double sum, most;
} il_pulses_distance_result;

il_status il_pulses_distance(const il_pulses *a, const il_pulses *b, double tau,
                             il_pulses_distance_result *distance, il_error *err);

#endif
