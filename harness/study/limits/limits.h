/*
 * limits.h - the limits of runs with many steps h = c 2^-m: is there one, are there several, or is
 * it undecided?
 *
 *     D_ij = ||u_i - u_j||_{L1(0,T)}  or  sup_[0,T] |q_i - q_j|,   T the end of the shortest run,
 *
 * exact between the union of the nodes, because q_h is affine and u_h constant on steps. Runs are
 * joined by single linkage. A component below a cut of the tree is a cluster if
 *
 *     it recurs: it has runs at three levels m or more, up to the finest of all but for a gap no
 *         longer than those between them, and at least one in twenty of the runs in the finer half
 *         of all levels;
 *     it shrinks: the radius about its medoid that contains nine tenths of the runs in the finer
 *         half of its levels (its tail) is at most 0.6 of that of the coarser half about its own.
 *
 * A cut is accepted when it leaves two clusters or more with medoids farther apart than four such
 * tail radii and at least 0.8 times as far apart as those of the coarser halves, with most of the
 * runs of the finer half of all levels in them: then there is evidence of several limits, as many
 * as the best such cut has. Runs in transition between limits, or close to none, are in no cluster;
 * this is why nine tenths suffice. Otherwise there is evidence of one limit if all runs together
 * recur and shrink. Runs prove nothing about a limit: "inconclusive" is a possible answer, and a
 * drift smaller than these levels show is taken for a limit. Where a problem offers its exact
 * motion, limits_motion.h uses it as well.
 */
#ifndef IL_LIMITS_H
#define IL_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/data/trajectory.h"

typedef enum { IL_LIMITS_U_L1, IL_LIMITS_Q_LINF } il_limits_norm;

/* The distance of two runs of equal dimension on [0, T], T at most the end of either (a rounding
 * beyond is no harm). NaN where a NaN entered. */
double il_limits_distance(const il_trajectory *a, const il_trajectory *b, double T,
                          il_limits_norm norm);

/* h = c 2^-m; m is the level. */
typedef struct {
    double h, c;
    int m;
} il_limits_step;

/* The c in [1,2) and m of a step h > 0. */
il_limits_step il_limits_step_of(double h);

/* Single linkage (linkage.c): things that a path without an edge longer than r joins are together
 * at height r. Join k of n-1: of what a and b stand for, things 0..n-1 or the joins n, n+1, ...
 * before it. */
typedef struct {
    size_t a, b;
    double height; /* their distance by single linkage; heights do not fall */
} il_linkage_join;

/* The tree of n >= 1 things with distances D[n*n], symmetric and finite, into joins[n-1], and the
 * things in an order in which it can be drawn into leaves[n]. */
void il_linkage_make(il_linkage_join *joins, size_t *leaves, const double *D, size_t n);

/* The root of i in a forest; paths are halved on the way. */
size_t il_linkage_root(size_t *parent, size_t i);

typedef struct {
    size_t medoid;     /* the run with the least sum of distances to the finer half */
    size_t size;       /* runs that belong to it */
    size_t levels;     /* different m among the runs that linkage put into it */
    double radius;     /* of nine tenths of those in the coarser half of its levels */
    double tail;       /* the same of the finer half, about the medoid */
    double separation; /* of the medoid from the nearest of the others; INFINITY */
    size_t coarse;     /* the medoid of the coarser half of its levels */
    int half;          /* the level at which the coarser half ends and the finer begins */

    /* Added by limits_motion.h where the exact motion is known. */
    int orbit;       /* of il_orbits that attracts the medoid, or IL_LIMITS_NONE */
    int index;       /* which of its states it has at the end of the runs */
    double distance; /* of nine tenths of the last states of its finer runs from that state */
    bool transient;  /* a transient, not at the limit */
} il_limits_cluster;

typedef enum { IL_LIMITS_ONE, IL_LIMITS_SEVERAL, IL_LIMITS_INCONCLUSIVE } il_limits_verdict;

enum { IL_LIMITS_NONE = -1 };

typedef struct {
    size_t n;
    il_linkage_join *joins; /* [n-1] */
    size_t *leaves;         /* [n] runs in an order in which the tree can be drawn */
    double cut;             /* runs nearer than this are linked; INFINITY: all */
    int *cluster;     /* [n] index of a cluster or IL_LIMITS_NONE. Beside the runs that linkage
                         put there a cluster has those that are twice nearer to its medoid than
                         to any other's */
    bool *linked;     /* [n] by linkage */
    size_t nlimits;   /* that there is evidence of; 0 when inconclusive */
    size_t nclusters; /* 0 when inconclusive, but for those that limits_motion.h refused */
    il_limits_cluster *clusters; /* those with the most runs first */
    il_limits_verdict verdict;
    char evidence[1024]; /* a sentence with the numbers that decided */
} il_limits;

/* Analyse n >= 1 runs with distances D[n*n], symmetric. IL_EINVAL when a distance is not finite,
 * with the runs named. *limits, zeroed before, is freed by il_limits_free, also after a
 * failure. */
il_status il_limits_analyse(il_limits *limits, const il_limits_step *steps, const double *D,
                            size_t n, il_error *err);
void il_limits_free(il_limits *limits);

const char *il_limits_verdict_name(il_limits_verdict verdict);

/* The radius that holds nine tenths of x[n], n > 0, which are sorted. */
double il_limits_most(double *x, size_t n);

#endif
