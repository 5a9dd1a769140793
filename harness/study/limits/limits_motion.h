/*
 * limits_motion.h - clusters of runs compared with the exact motion: limits or transients?
 *
 * A cluster that recurs and shrinks may still drift by less than its levels show. Where a problem
 * offers its exact motion over a period (orbits.h), a cluster is near a limit only if the last
 * states of its runs are near the state of the periodic orbit that attracts its medoid: nine tenths
 * of the runs in the finer half of its levels are
 *
 *     within the tolerance of their steps, or
 *     within 0.6 of the distance that contains nine tenths of the coarser half, or
 *     within a quarter of the distance to any other attracting state, and no other cluster is
 *         attracted to theirs.
 *
 * Otherwise it is a transient, and reported with the orbit that attracts it and that orbit's
 * multiplier.
 */
#ifndef IL_LIMITS_MOTION_H
#define IL_LIMITS_MOTION_H

#include "harness/study/limits/limits.h"
#include "harness/study/limits/orbits.h"

/* The end of one run; by il_limits_end_of. */
typedef struct {
    il_orbits_end end; /* where it goes on to, if that can be told */
    double distance;   /* its last state from the state of that, or a period later if that is less:
                          a point that is about to land is far from rest in velocity alone */
    double reach;      /* how far it may be from its limit */
} il_limits_end;

/* The end of the run on [0,T] with step h and last node (t,q,u). */
il_limits_end il_limits_end_of(const il_orbits *orbits, double T, double h, double t,
                               const double *q, const double *u);

/* Judge the clusters of limits, which il_limits_analyse made of runs with steps[n], by ends[n].
 * Limits are then as many as there are states of orbits with a cluster that is near; clusters
 * without such a state leave fewer than two limits inconclusive. Verdict, nlimits and evidence are
 * written anew. */
void il_limits_judge(il_limits *limits, const il_limits_step *steps, const il_orbits *orbits,
                     const il_limits_end *ends);

#endif
