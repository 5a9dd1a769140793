/*
 * limits_motion.c - see limits_motion.h.
 */
#include "harness/study/limits_motion.h"

#include <math.h>
#include <stdio.h>

#include "harness/base/text.h"

/* As limits.c asks of a cluster's radius: from the coarser levels to the finer ones, errors C h
 * fall to a half or less, what a multiplier next to 1 leaves does not. */
static const double FALLS = 0.6;

il_limits_end il_limits_end_of(const il_orbits *orbits, double T, double h, double t,
                               const double *q, const double *u) {
    double x[IL_ORBITS_DIM_MAX];
    il_limits_end end = {.reach = il_orbits_reach(orbits, T, h)};
    end.end = il_orbits_of_run(orbits, T, h, t, q, u, x);
    end.distance = il_orbits_distance(orbits, x, end.end);
    return end;
}

/* Has this cluster the limit of one before it? */
static bool is_new(const il_limits *l, size_t k) {
    for (size_t i = 0; i < k; i++) {
        const il_limits_cluster *other = &l->clusters[i];
        if (!other->transient && other->orbit == l->clusters[k].orbit &&
            other->index == l->clusters[k].index) {
            return false;
        }
    }
    return true;
}

static void append_cluster(il_limits *l, const il_orbits *orbits, size_t k) {
    const il_limits_cluster *c = &l->clusters[k];
    size_t room = sizeof l->evidence;
    if (c->orbit == IL_LIMITS_NONE) {
        il_text_append(l->evidence, room, "; cluster %zu: to no orbit that is known", k + 1);
        return;
    }
    const il_orbit *orbit = &orbits->list[c->orbit];
    il_text_append(l->evidence, room, "; cluster %zu: %s state %d of an orbit of period %d", k + 1,
                   c->transient ? "a transient that falls to" : "near", c->index + 1,
                   orbit->period);
    if (c->transient) {
        il_text_append(l->evidence, room, " by %.3f every %d octave%s, still %.2g away",
                       orbit->multiplier, orbit->period, orbit->period == 1 ? "" : "s",
                       c->distance);
    }
}

void il_limits_judge(il_limits *l, const il_orbits *orbits, const il_limits_end *ends) {
    size_t near = 0;
    size_t refused = 0;
    for (size_t k = 0; k < l->nclusters; k++) {
        il_limits_cluster *c = &l->clusters[k];
        const il_limits_end *fine = &ends[c->medoid];
        c->orbit = fine->end.orbit == IL_ORBITS_NONE ? IL_LIMITS_NONE : fine->end.orbit;
        c->index = fine->end.index;
        c->distance = fine->distance;
        c->transient = c->orbit != IL_LIMITS_NONE &&
                       !(c->distance <= fmax(fine->reach, FALLS * ends[c->coarse].distance));
        bool counts = c->orbit != IL_LIMITS_NONE && !c->transient;
        near += counts && is_new(l, k);
        refused += !counts;
    }
    if (l->nclusters == 0) {
        return;
    }
    bool several = near >= 2;
    bool one = near == 1 && refused == 0;
    l->verdict = several ? IL_LIMITS_SEVERAL : one ? IL_LIMITS_ONE : IL_LIMITS_INCONCLUSIVE;
    bool as_before = near == l->nlimits;
    l->nlimits = several || one ? near : 0;
    if (as_before) {
        il_text_append(l->evidence, sizeof l->evidence, "; the exact motion agrees");
    } else {
        (void)snprintf(l->evidence, sizeof l->evidence,
                       "%s: by the exact motion %zu of %zu cluster%s %s near a limit",
                       several ? "evidence of several limits"
                       : one   ? "evidence of one limit"
                               : "no evidence of limits",
                       l->nclusters - refused, l->nclusters, l->nclusters == 1 ? "" : "s",
                       l->nclusters - refused == 1 ? "is" : "are");
    }
    for (size_t k = 0; k < l->nclusters; k++) {
        append_cluster(l, orbits, k);
    }
}
