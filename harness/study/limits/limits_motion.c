/*
 * limits_motion.c - see limits_motion.h.
 */
#include "harness/study/limits/limits_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

/* As limits.c requires of a cluster's radius: from the coarser to the finer levels errors C h
 * decrease to a half or less; a transient with a multiplier near 1 does not. */
static const double FALLS = 0.6;

il_limits_end il_limits_end_of(const il_orbits *orbits, double T, double h, double t,
                               const double *q, const double *u) {
    double x[IL_ORBITS_DIM_MAX];
    il_limits_end end = {.reach = il_orbits_reach(orbits, T, h)};
    end.end = il_orbits_of_run(orbits, T, h, t, q, u, x);
    end.distance = il_orbits_distance(orbits, x, end.end);
    if (end.end.orbit != IL_ORBITS_NONE) {
        double next[IL_ORBITS_DIM_MAX];
        il_orbits_end then = end.end;
        il_orbits_step(orbits->problem, x, next, NULL);
        then.index = (then.index + 1) % orbits->list[then.orbit].period;
        end.distance = fmin(end.distance, il_orbits_distance(orbits, next, then));
    }
    return end;
}

/* As limits.c asks of medoids: balls of this share of a distance leave half of it between them. */
static const double SHARE = 0.25;

/* The distance that holds nine tenths of the runs that linkage put into cluster k, in the finer or
 * the coarser half of its levels; in units of the runs' reach, if asked. */
static double holds(const il_limits *l, const il_limits_step *steps, const il_limits_end *ends,
                    size_t k, bool finer, bool in_reach, double *scratch) {
    size_t n = 0;
    int half = l->clusters[k].half;
    for (size_t i = 0; i < l->n; i++) {
        bool here = l->cluster[i] == (int)k && l->linked[i];
        if (here && (finer ? steps[i].m >= half : steps[i].m <= half)) {
            scratch[n++] = ends[i].distance / (in_reach ? ends[i].reach : 1.0);
        }
    }
    if (n == 0) {
        return INFINITY;
    }
    return il_limits_most(scratch, n);
}

/* Does a cluster before this one have its limit? */
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
        il_text_append(l->evidence, room, ", multiplier %.3f, and is %.2g away", orbit->multiplier,
                       c->distance);
    }
}

/* Are nine tenths of the finer runs of cluster k within their tolerance, or do the distances
 * decrease? */
static bool comes_nearer(const il_limits *l, const il_limits_step *steps, const il_limits_end *ends,
                         size_t k, double *scratch) {
    return holds(l, steps, ends, k, true, true, scratch) <= 1.0 ||
           holds(l, steps, ends, k, true, false, scratch) <=
               FALLS * holds(l, steps, ends, k, false, false, scratch);
}

/* From the state of an end to the nearest other state that attracts. */
static double to_other_states(const il_orbits *orbits, il_orbits_end end) {
    const double *x = orbits->list[end.orbit].states + (size_t)end.index * orbits->dim;
    double least = INFINITY;
    for (int o = 0; o < (int)orbits->n; o++) {
        for (int i = 0; i < orbits->list[o].period && il_orbit_attracts(&orbits->list[o]); i++) {
            double d = il_orbits_distance(orbits, x, (il_orbits_end){.orbit = o, .index = i});
            least = o == end.orbit && i == end.index ? least : fmin(least, d);
        }
    }
    return least;
}

/* Classify cluster k by the exact motion. */
static void ask(il_limits *l, const il_limits_step *steps, const il_orbits *orbits,
                const il_limits_end *ends, size_t k, double *scratch) {
    il_limits_cluster *c = &l->clusters[k];
    il_orbits_end end = ends[c->medoid].end;
    c->orbit = IL_LIMITS_NONE;
    if (end.orbit != IL_ORBITS_NONE) {
        c->orbit = end.orbit;
        c->index = end.index;
        c->distance = holds(l, steps, ends, k, true, false, scratch);
        c->transient = !comes_nearer(l, steps, ends, k, scratch) &&
                       !(c->distance <= SHARE * to_other_states(orbits, end));
    }
}

/* Transients from clusters that have a state in common with another, unless their runs come nearer
 * to it: near it is then no sign of being there. */
static void refuse_shared(il_limits *l, const il_limits_step *steps, const il_limits_end *ends,
                          double *scratch) {
    for (size_t k = 0; k < l->nclusters; k++) {
        il_limits_cluster *c = &l->clusters[k];
        bool shared = false;
        for (size_t i = 0; i < l->nclusters; i++) {
            const il_limits_cluster *other = &l->clusters[i];
            shared = shared || (i != k && other->orbit == c->orbit && other->index == c->index);
        }
        if (shared && c->orbit != IL_LIMITS_NONE) {
            c->transient = !comes_nearer(l, steps, ends, k, scratch);
        }
    }
}

/* Write the verdict for clusters of which some are near as many limits, and some are not. */
static void conclude(il_limits *l, const il_orbits *orbits, size_t near, size_t refused) {
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

void il_limits_judge(il_limits *l, const il_limits_step *steps, const il_orbits *orbits,
                     const il_limits_end *ends) {
    size_t near = 0;
    size_t refused = 0;
    double *scratch = il_alloc(l->n, sizeof *scratch);
    for (size_t k = 0; k < l->nclusters; k++) {
        ask(l, steps, orbits, ends, k, scratch);
    }
    refuse_shared(l, steps, ends, scratch);
    free(scratch);
    for (size_t k = 0; k < l->nclusters; k++) {
        bool counts = l->clusters[k].orbit != IL_LIMITS_NONE && !l->clusters[k].transient;
        near += counts && is_new(l, k);
        refused += !counts;
    }
    if (l->nclusters > 0) {
        conclude(l, orbits, near, refused);
    }
}
