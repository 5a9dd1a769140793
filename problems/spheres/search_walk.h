/*
 * search_walk.h - a walk over pairs of nodes of the tree of search_tree.h, or a part of one.
 * Between problems/spheres/search*.c only.
 *
 * A walk changes nothing but itself, so that parts of it may go on at a time, each with a walk of
 * its own.
 */
#ifndef IL_SPHERES_SEARCH_WALK_H
#define IL_SPHERES_SEARCH_WALK_H

#include <float.h>

#include "problems/spheres/search_tree.h"

/* A bound is a sum of at most ten terms, each good to a few roundings of the largest. */
#define IL_WALK_ROUNDING (64.0 * DBL_EPSILON)

/* Lengths whose squares keep their digits lie between these. Shorter ones are rounding, whatever
 * the scale; longer ones are summed with care. */
#define IL_WALK_SHORT 1e-150
#define IL_WALK_LONG 1e150

typedef struct {
    const il_search *search;
    size_t space;
    bool moving; /* displacements are not all zero */
    double slack;
    double room; /* what rounding may do to a bound */
    il_pair_visit visit;
    void *context;
    il_status status;           /* anything but IL_OK ends it */
    size_t tests;               /* pairs of bodies and pairs of nodes that were compared */
    size_t i, j;                /* of the least pair so far, whose value is slack */
    struct il_walk_item *items; /* of il_walk_list while it lists, else NULL */
    size_t nitems;
} il_walk;

/* All pairs of the bodies under node a = b, or of one under a with one under b, a < b of one
 * level. */
typedef struct il_walk_item {
    size_t a, b;
} il_walk_item;

/* The items of a walk are those of the nodes 2^LEVEL .. 2^(LEVEL+1) - 1. */
enum {
    IL_WALK_LEVEL = 5,
    IL_WALK_NODES = 1 << IL_WALK_LEVEL,
    IL_WALK_ITEMS = IL_WALK_NODES * (IL_WALK_NODES + 1) / 2
};

/* The whole of it. */
void il_walk_all(il_walk *w);

/* Into items[IL_WALK_ITEMS] those that the walk comes to, in its order; returns how many. The tree
 * is deeper than IL_WALK_LEVEL. */
size_t il_walk_list(il_walk *w, il_walk_item *items);

/* One of them. */
void il_walk_one(il_walk *w, const il_walk_item *item);

/* Pairs first .. last - 1 of those that are kept. */
void il_walk_kept(il_walk *w, const double *q, const double *x, const double *r, size_t first,
                  size_t last);

/* The pair becomes the least so far if its value is less, or the same under a smaller number. */
void il_walk_least(il_walk *w, size_t i, size_t j, double value);

/* Visit the pair of bodies, unless it misses the inequality. */
void il_walk_compare(il_walk *w, const il_search_body *a, const il_search_body *b);

/* ---- search_lines.c -------------------------------------------------------------------------- */

/* A question, answered by the pairs that are kept, in their order: those whose linearisation at
 * q[space n], taken at x, is at most slack are visited, by the numbers of il_pair_offer(). False,
 * and nothing is done, without memory or where bodies are too many to remember directions. */
bool il_search_near_lines(il_search *search, il_walk *walk, const double *q, const double *x,
                          const double *r);

/* The least of the pairs that are kept, at q. A status of IL_ENUMERIC where a value is none. False
 * as above. */
bool il_search_least_line(il_search *search, il_walk *walk, const double *r);

#endif
