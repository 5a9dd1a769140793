/*
 * search_carry.c - pairs that are kept of an earlier configuration, for one in which bodies have
 * moved little.
 *
 * Kept are the pairs within `reach` at a place y, linearised at an earlier configuration. Distances
 * are convex, so that all others are farther apart than `reach` at y; at q by no more less than
 * bodies move against each other from y to q; and linearised at q, taken at x, by no more less
 * again than from q to x (search.c):
 *
 *     D_ij(q) + <grad D_ij(q), x - q>  >  reach - spread(y, q) - spread(q, x).
 *
 * What a search finds must not depend on what is kept, the order included: they are put into that
 * of a walk over the tree of q (search_walk.c), which needs the order of the bodies and no tree.
 * Two bodies meet where their leaves' paths to the root do. There the walk comes to them after all
 * pairs below, so that the keys are, from the top: the last leaf below, the height, the places of
 * the two leaves below, bit by bit in turns, and the places of the bodies in their leaves.
 */
#include <stdlib.h>
#include <string.h>

#include "problems/spheres/search_parts.h"

/* Of the key: a height below 32, and two places in leaves of 4. A leaf has at most 15, three times.
 */
enum { HEIGHT_BITS = 5, PLACE_BITS = 2 };

bool il_search_carry_reserve(il_search *w) {
    size_t pairs = IL_SEARCH_KEPT * (w->n > 0 ? w->n : 1);
    if (w->leaves > IL_SEARCH_CARRIES) {
        return true;
    }
    w->rank = malloc(pairs / IL_SEARCH_KEPT * sizeof *w->rank);
    return w->rank != NULL && il_radix_reserve(&w->sort, pairs);
}

void il_search_carry_free(il_search *w) {
    free(w->rank);
    il_radix_free(&w->sort);
}

bool il_search_carry(il_search *w, const double *q) {
    if (!w->kept || w->leaves > IL_SEARCH_CARRIES) {
        return false;
    }
    if (w->centred) {
        memcpy(w->at, w->q, w->space * w->n * sizeof *w->at);
        w->centred = false;
    }
    if (il_search_measure(w, w->at, q, &w->away) != IL_OK || !(w->away.spread < w->reach)) {
        return false; /* they would answer no question of slack >= 0 */
    }
    w->carried = true;
    w->in_order = false;
    return true;
}

/* When a walk over leaves of so many bits comes to the bodies that are a-th and b-th in the tree.
 */
static uint64_t key_of(uint32_t a, uint32_t b, int bits) {
    uint32_t first = a < b ? a : b;
    uint32_t second = a < b ? b : a;
    uint32_t leaf = first / IL_SEARCH_LEAF;
    uint32_t other = second / IL_SEARCH_LEAF;
    int height = leaf == other ? 0 : 32 - __builtin_clz(leaf ^ other);
    uint32_t below = ((uint32_t)1 << height) - 1;
    uint64_t key = (uint64_t)(other | below) << HEIGHT_BITS | (uint64_t)height;
    key = key << (2 * bits) | il_morton_interleave(leaf & below, other & below);
    key = key << PLACE_BITS | first % IL_SEARCH_LEAF;
    return key << PLACE_BITS | second % IL_SEARCH_LEAF;
}

/* Do bodies stand in the order that they had when pairs were put into theirs? */
static bool same_order(const il_search *w) {
    for (size_t k = 0; k < w->n; k++) {
        if (w->rank[w->order[k]] != k) {
            return false;
        }
    }
    return true;
}

void il_search_rank(il_search *w) {
    for (size_t k = 0; w->rank != NULL && k < w->n; k++) {
        w->rank[w->order[k]] = (uint32_t)k;
    }
}

void il_search_reorder(il_search *w) {
    il_radix *sort = &w->sort;
    if (!w->carried || w->in_order) {
        return;
    }
    w->in_order = true;
    if (same_order(w)) {
        return;
    }
    il_search_rank(w);
    int bits = 0;
    while ((size_t)1 << bits < w->leaves) {
        bits++;
    }
    for (size_t k = 0; k < w->pairs; k++) {
        sort->key[k] = key_of(w->rank[w->pair[2 * k]], w->rank[w->pair[2 * k + 1]], bits);
        sort->order[k] = (uint32_t)k;
    }
    il_radix_sort(sort, w->pairs);
    /* what the sort has no more use for holds the pairs for as long */
    uint32_t *was = sort->order_other;
    for (int end = 0; end < 2; end++) {
        for (size_t k = 0; k < w->pairs; k++) {
            was[k] = w->pair[2 * k + (size_t)end];
        }
        for (size_t k = 0; k < w->pairs; k++) {
            w->pair[2 * k + (size_t)end] = was[sort->order[k]];
        }
    }
}
