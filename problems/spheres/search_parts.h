/*
 * search_parts.h - the parts of a search: a balanced tree of boxes over bodies in Morton order,
 * walks over pairs of nodes, and walks by a team. Used only in problems/spheres/search*.c.
 *
 * The tree is the binary heap over 2^k leaves: node 1 is the root, 2n and 2n + 1 are the children
 * of n, and the leaves behind the last body are empty. A walk changes only its own state, so parts
 * of it may run concurrently, each with a walk of its own.
 */
#ifndef IL_SPHERES_SEARCH_PARTS_H
#define IL_SPHERES_SEARCH_PARTS_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/base/status.h"
#include "harness/base/team.h"
#include "problems/spheres/morton.h"
#include "problems/spheres/pairs.h"

/* Bodies in a leaf; pairs that are kept, for each body: more than are near one in a crowd of equal
 * ones, where none is farther off than the band. */
enum { IL_SEARCH_LEAF = 4, IL_SEARCH_KEPT = 12 };

typedef struct {
    double q[IL_PAIR_SPACE_MAX];
    double s[IL_PAIR_SPACE_MAX]; /* x - q */
    double r;
    size_t id;
} il_search_body;

typedef struct {
    double low[IL_PAIR_SPACE_MAX], high[IL_PAIR_SPACE_MAX];
} il_search_box;

typedef struct {
    il_search_box q, s; /* of the centres, and of the displacements */
    double r;           /* the largest radius */
} il_search_node;

typedef struct il_search il_search;

/* How far bodies go from one place to another. */
typedef struct {
    double largest; /* the greatest coordinate of a displacement */
    double spread;  /* bounds how much two of them differ */
} il_search_motion;

struct il_search {
    size_t space, n;
    size_t leaves; /* a power of two */
    bool sorted;   /* q, r and order belong together, */
    bool raised;   /* and bodies and nodes to them */
    double *q;     /* [space n] what was sorted last */
    double *r;     /* [n] */
    il_morton *morton;
    const uint32_t *order;  /* [n] bodies in Morton order, morton's */
    il_search_body *bodies; /* [n] in Morton order */
    il_search_node *nodes;  /* [2 leaves] */
    double band;   /* lengths: pairs are kept from at least so much farther apart than is asked, */
    double most;   /* and at most; */
    double margin; /* the next time, so much; */
    double asked;  /* as the farthest question about this configuration reached */
    double *at;    /* [space n] bodies displaced to here are, linearised at q, */
    double reach;  /* at most so far apart in the pairs that are kept, in the order of the walk; */
    bool centred;  /* here is q, and at is not written */
    bool kept;     /* they belong to q and r, */
    bool crowded;  /* or there are too many of them */
    size_t pairs;
    uint32_t *pair; /* [2 KEPT n] i < j of each */
    size_t tests;
    il_team *team;                 /* or NULL */
    struct il_search_team *shared; /* what its members have; NULL before the first walk by a team */
};

bool il_search_finite(const double *x, size_t n);

/* The bodies of leaf k are first .. last-1. */
void il_search_leaf(const il_search *w, size_t k, size_t *first, size_t *last);

/* The tree in the order of the bodies, before a walk. */
void il_search_raise(il_search *w);

/* Displacements x - q of the bodies. IL_ENUMERIC beyond DBL_MAX/4; *moved is 0 then. */
il_status il_search_measure(const il_search *w, const double *q, const double *x,
                            il_search_motion *moved);

/* Displacements into the bodies and their boxes into the tree, which is raised. */
void il_search_displace(il_search *w, const double *q, const double *x);

/* ---- search_walk.c --------------------------------------------------------------------------- */

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

/* Writes to items[IL_WALK_ITEMS] those that the walk comes to, in its order; returns how many. The
 * tree is deeper than IL_WALK_LEVEL. */
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

/* ---- search_team.c --------------------------------------------------------------------------- */

void il_search_team_free(struct il_search_team *shared);

/* The whole walk w over the search's tree, and over the pairs that it keeps: by its team where
 * there are many bodies, else by the caller. Visits are the caller's, in the order of the walk. */
void il_search_team_walk(il_search *search, il_walk *w);
void il_search_team_kept(il_search *search, il_walk *w, const double *q, const double *x,
                         const double *r);

#endif
