/*
 * search_tree.c - a balanced tree of boxes over bodies in Morton order.
 */
#include "problems/spheres/search_tree.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pairs at most this part of the smallest radius apart are kept for all questions about one
 * configuration; a question that reaches farther takes the walk. */
static const double BAND = 0.25;

/* ---- the tree ----------------------------------------------------------------------------- */

static void empty_box(double *low, double *high, size_t space) {
    for (size_t c = 0; c < space; c++) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
    }
}

static void widen(double *low, double *high, const double *a, const double *b, size_t space) {
    for (size_t c = 0; c < space; c++) {
        low[c] = a[c] < low[c] ? a[c] : low[c];
        high[c] = b[c] > high[c] ? b[c] : high[c];
    }
}

void il_search_leaf(const il_search *w, size_t k, size_t *first, size_t *last) {
    *first = IL_SEARCH_LEAF * k < w->n ? IL_SEARCH_LEAF * k : w->n;
    *last = *first + IL_SEARCH_LEAF < w->n ? *first + IL_SEARCH_LEAF : w->n;
}

static void box_centres(il_search *w) {
    for (size_t k = 2 * w->leaves; k-- > 1;) {
        il_search_node *a = &w->nodes[k];
        empty_box(a->low, a->high, w->space);
        a->r = 0.0;
        if (k >= w->leaves) {
            size_t first = 0;
            size_t last = 0;
            il_search_leaf(w, k - w->leaves, &first, &last);
            for (size_t i = first; i < last; i++) {
                widen(a->low, a->high, w->bodies[i].q, w->bodies[i].q, w->space);
                a->r = fmax(a->r, w->bodies[i].r);
            }
            continue;
        }
        for (const il_search_node *b = &w->nodes[2 * k]; b <= &w->nodes[2 * k + 1]; b++) {
            widen(a->low, a->high, b->low, b->high, w->space);
            a->r = fmax(a->r, b->r);
        }
    }
}

static void box_displacements(il_search *w) {
    for (size_t k = 2 * w->leaves; k-- > 1;) {
        il_search_node *a = &w->nodes[k];
        empty_box(a->slow, a->shigh, w->space);
        if (k >= w->leaves) {
            size_t first = 0;
            size_t last = 0;
            il_search_leaf(w, k - w->leaves, &first, &last);
            for (size_t i = first; i < last; i++) {
                widen(a->slow, a->shigh, w->bodies[i].s, w->bodies[i].s, w->space);
            }
            continue;
        }
        for (const il_search_node *b = &w->nodes[2 * k]; b <= &w->nodes[2 * k + 1]; b++) {
            widen(a->slow, a->shigh, b->slow, b->shigh, w->space);
        }
    }
}

bool il_search_finite(const double *x, size_t n) {
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(x[k])) {
            return false;
        }
    }
    return true;
}

/* The least positive radius, or 0 if all are 0. */
static double smallest_radius(const il_search *w) {
    double least = INFINITY;
    for (size_t i = 0; i < w->n; i++) {
        if (w->r[i] > 0.0) {
            least = fmin(least, w->r[i]);
        }
    }
    return isfinite(least) ? least : 0.0;
}

il_status il_search_arrange(il_search *w, const double *q, const double *r) {
    size_t d = w->space * w->n;
    if (w->sorted && memcmp(w->q, q, d * sizeof *q) == 0 &&
        memcmp(w->r, r, w->n * sizeof *r) == 0) {
        return IL_OK;
    }
    if (!il_search_finite(q, d) || !il_search_finite(r, w->n)) {
        return IL_ENUMERIC;
    }
    memcpy(w->q, q, d * sizeof *q);
    memcpy(w->r, r, w->n * sizeof *r);
    double smallest = smallest_radius(w);
    const uint32_t *order = il_morton_order(w->morton, w->q, smallest);
    w->band = BAND * smallest;
    w->kept = w->crowded = false;
    for (size_t k = 0; k < w->n; k++) {
        il_search_body *b = &w->bodies[k];
        b->id = order[k];
        b->r = r[b->id];
        for (size_t c = 0; c < w->space; c++) {
            b->q[c] = q[w->space * b->id + c];
        }
    }
    box_centres(w);
    w->sorted = true;
    return IL_OK;
}

il_status il_search_measure(const il_search *w, const double *q, const double *x, double *largest,
                            double *spread) {
    double low[IL_PAIR_SPACE_MAX];
    double high[IL_PAIR_SPACE_MAX];
    empty_box(low, high, w->space);
    *largest = *spread = 0.0;
    for (size_t k = 0; k < w->space * w->n; k++) {
        double s = x[k] - q[k];
        size_t c = k % w->space;
        if (!(fabs(s) <= DBL_MAX / 4.0)) { /* their differences are finite */
            return IL_ENUMERIC;
        }
        low[c] = s < low[c] ? s : low[c];
        high[c] = s > high[c] ? s : high[c];
    }
    for (size_t c = 0; c < w->space; c++) {
        *largest = fmax(*largest, fmax(fabs(low[c]), fabs(high[c])));
        *spread += high[c] - low[c]; /* at least the length */
    }
    return IL_OK;
}

void il_search_displace(il_search *w, const double *q, const double *x) {
    for (size_t k = 0; k < w->n; k++) {
        il_search_body *b = &w->bodies[k];
        for (size_t c = 0; c < w->space; c++) {
            b->s[c] = x[w->space * b->id + c] - q[w->space * b->id + c];
        }
    }
    box_displacements(w);
}
