/*
 * linkage.h - single linkage: things that a path without an edge longer than r joins are together
 * at height r.
 */
#ifndef IL_LINKAGE_H
#define IL_LINKAGE_H

#include <stddef.h>

#include "harness/base/status.h"

/* Join k of n-1: of what a and b stand for, things 0..n-1 or the joins n, n+1, ... before it. */
typedef struct {
    size_t a, b;
    double height; /* their distance by single linkage; heights do not fall */
} il_linkage_join;

/* The tree of n >= 1 things with distances D[n*n], symmetric and finite, into joins[n-1], and the
 * things in an order in which it can be drawn into leaves[n]. IL_ENOMEM. */
il_status il_linkage_make(il_linkage_join *joins, size_t *leaves, const double *D, size_t n,
                          il_error *err);

/* The root of i in a forest; paths are halved on the way. */
size_t il_linkage_root(size_t *parent, size_t i);

#endif
