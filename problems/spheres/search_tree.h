/*
 * search_tree.h - bodies in Morton order under a balanced tree of boxes; what a search holds.
 * Between problems/spheres/search*.c only.
 *
 * The tree is the binary heap over 2^k leaves: node 1 is the root, 2n and 2n + 1 are the children
 * of n, and the leaves behind the last body are empty.
 */
#ifndef IL_SPHERES_SEARCH_TREE_H
#define IL_SPHERES_SEARCH_TREE_H

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
    double low[IL_PAIR_SPACE_MAX], high[IL_PAIR_SPACE_MAX];   /* of the centres */
    double slow[IL_PAIR_SPACE_MAX], shigh[IL_PAIR_SPACE_MAX]; /* of the displacements */
    double r;                                                 /* the largest radius */
} il_search_node;

typedef struct il_search il_search;

struct il_search {
    size_t space, n;
    size_t leaves; /* a power of two */
    bool sorted;   /* q, r, bodies and nodes belong together */
    double *q;     /* [space n] what was sorted last */
    double *r;     /* [n] */
    il_morton *morton;
    il_search_body *bodies; /* [n] in Morton order */
    il_search_node *nodes;  /* [2 leaves] */
    double band;   /* lengths: pairs are kept from at least so much farther apart than is asked, */
    double most;   /* and at most; */
    double margin; /* the next time, so much; */
    double asked;  /* as the farthest question about this configuration reached */
    double *at;    /* [space n] bodies displaced to here are, linearised at q, */
    double reach;  /* at most so far apart in the pairs that are kept, in the order of the walk; */
    bool centred;  /* here is q */
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

/* The tree of q[space n] and r[n]. A step asks many times about one configuration, so it is kept;
 * what it is depends on q and r alone. IL_ENUMERIC where one is not finite. */
il_status il_search_arrange(il_search *w, const double *q, const double *r);

/* Displacements x - q of the bodies: *largest is the greatest coordinate of one, *spread bounds how
 * much two differ. IL_ENUMERIC beyond DBL_MAX/4. */
il_status il_search_measure(const il_search *w, const double *q, const double *x, double *largest,
                            double *spread);

/* Displacements into the bodies and their boxes into the tree. */
void il_search_displace(il_search *w, const double *q, const double *x);

#endif
