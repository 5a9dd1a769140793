/*
 * linkage.c - the minimal spanning tree by Prim's algorithm; its edges, by increasing length, are
 * the joins of single linkage. See limits.h.
 */
#include "harness/study/limits/limits.h"

#include <stdlib.h>

#include "harness/base/memory.h"

typedef struct {
    size_t i, j;
    double length;
} edge;

static int by_length(const void *a, const void *b) {
    const edge *x = a;
    const edge *y = b;
    if (x->length != y->length) {
        return x->length < y->length ? -1 : 1;
    }
    return x->i != y->i ? (x->i > y->i) - (x->i < y->i) : (x->j > y->j) - (x->j < y->j);
}

/* The minimal spanning tree by Prim's algorithm: cutting its edges is single linkage. */
static void span(const double *D, size_t n, edge *edges, double *least, size_t *from) {
    for (size_t i = 0; i < n; i++) {
        least[i] = i == 0 ? -1.0 : D[i]; /* -1: in the tree */
        from[i] = 0;
    }
    for (size_t k = 0; k + 1 < n; k++) {
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            if (least[i] >= 0.0 && (best == n || least[i] < least[best])) {
                best = i;
            }
        }
        edges[k] = (edge){from[best], best, least[best]};
        least[best] = -1.0;
        for (size_t i = 0; i < n; i++) {
            if (least[i] > D[best * n + i]) {
                least[i] = D[best * n + i];
                from[i] = best;
            }
        }
    }
}

size_t il_linkage_root(size_t *parent, size_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Joins from edges sorted by length; parent is scratch [2n-1]. */
static void join_all(il_linkage_join *joins, size_t n, const edge *edges, size_t *parent) {
    for (size_t i = 0; i < 2 * n - 1; i++) {
        parent[i] = i;
    }
    for (size_t k = 0; k + 1 < n; k++) {
        size_t a = il_linkage_root(parent, edges[k].i);
        size_t b = il_linkage_root(parent, edges[k].j);
        joins[k] = (il_linkage_join){a, b, edges[k].length};
        parent[a] = parent[b] = n + k;
    }
}

/* Leaves from left to right, without crossing branches; stack is scratch [2n-1]. */
static void order_leaves(const il_linkage_join *joins, size_t n, size_t *leaves, size_t *stack) {
    size_t depth = 0;
    size_t put = 0;
    stack[depth++] = 2 * n - 2;
    while (depth > 0) {
        size_t node = stack[--depth];
        if (node < n) {
            leaves[put++] = node;
        } else {
            stack[depth++] = joins[node - n].b;
            stack[depth++] = joins[node - n].a;
        }
    }
}

void il_linkage_make(il_linkage_join *joins, size_t *leaves, const double *D, size_t n) {
    edge *edges = il_alloc_zero(n, sizeof *edges);
    double *least = il_alloc_zero(n, sizeof *least);
    size_t *work = il_alloc_zero(2 * n, sizeof *work);
    span(D, n, edges, least, work);
    qsort(edges, n - 1, sizeof *edges, by_length);
    join_all(joins, n, edges, work);
    order_leaves(joins, n, leaves, work);
    free(edges);
    free(least);
    free(work);
}
