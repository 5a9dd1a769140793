/*
 * search_walk.c - pairs of nodes and pairs of bodies, one by one.
 *
 * A pair of nodes is always a pair of one level, since the walk starts from siblings and takes both
 * a level down.
 */
#include "problems/spheres/search_parts.h"

#include <math.h>

/* |v|, the root of square unless that is too large to be good. */
static double length_of(const double *v, size_t space, double square) {
    double largest = 0.0;
    double sum = 0.0;
    if (square < IL_WALK_LONG * IL_WALK_LONG) {
        return sqrt(square);
    }
    for (size_t c = 0; c < space; c++) {
        largest = fmax(largest, v[c]);
    }
    for (size_t c = 0; c < space && largest < INFINITY; c++) {
        sum += (v[c] / largest) * (v[c] / largest);
    }
    return largest < INFINITY ? largest * sqrt(sum) : INFINITY;
}

/* The work that a walk does most often is written once, for so many axes and displacements or none,
 * and compiled for each: with loops over axes unrolled it takes three instructions in four. */

/* No pair of the two nodes satisfies the inequality. */
__attribute__((always_inline)) static inline bool apart_in(const il_walk *w,
                                                           const il_search_node *a,
                                                           const il_search_node *b, size_t space,
                                                           bool moving) {
    double m[IL_PAIR_SPACE_MAX] = {0.0}; /* approach */
    double away = 0.0;                   /* square of the distance of the two boxes */
    double approach = 0.0;
    for (size_t c = 0; c < space; c++) {
        double up = b->q.low[c] - a->q.high[c];
        double down = a->q.low[c] - b->q.high[c];
        double gap = up > down ? up : down;
        gap = gap > 0.0 ? gap : 0.0;
        away += gap * gap;
        if (moving) {
            double closing = down >= 0.0 ? 0.0 : a->s.high[c] - b->s.low[c]; /* if b is above */
            double opening = up >= 0.0 ? 0.0 : b->s.high[c] - a->s.low[c];   /* if b is below */
            m[c] = closing > opening ? closing : opening;
            m[c] = m[c] > 0.0 ? m[c] : 0.0;
            approach += m[c] * m[c];
        }
    }
    double reach = (moving ? length_of(m, space, approach) : 0.0) + a->r + b->r;
    double far = (reach * (1.0 + IL_WALK_ROUNDING) + w->slack + w->room) * (1.0 + IL_WALK_ROUNDING);
    /* true for an empty node, whose distance is infinite; false for NaN. Squares that are lost to
     * underflow make boxes nearer than they are, those that overflow are farther than any that do
     * not. */
    return far < 0.0 || away > far * far * (1.0 + IL_WALK_ROUNDING);
}

static bool apart(const il_walk *w, const il_search_node *a, const il_search_node *b) {
    switch (w->space) {
    case 1:
        return w->moving ? apart_in(w, a, b, 1, true) : apart_in(w, a, b, 1, false);
    case 2:
        return w->moving ? apart_in(w, a, b, 2, true) : apart_in(w, a, b, 2, false);
    default:
        return w->moving ? apart_in(w, a, b, 3, true) : apart_in(w, a, b, 3, false);
    }
}

/* The inequality for two bodies, times |w|, with room for rounding. */
__attribute__((always_inline)) static inline void compare_in(il_walk *w, const il_search_body *a,
                                                             const il_search_body *b, size_t space,
                                                             bool moving) {
    double square = 0.0;
    double along = 0.0;
    for (size_t c = 0; c < space; c++) {
        double e = b->q[c] - a->q[c];
        square += e * e;
        along += moving ? e * (b->s[c] - a->s[c]) : 0.0;
    }
    double length = sqrt(square);
    double reach = a->r + b->r;
    bool sized =
        length > IL_WALK_SHORT && length < IL_WALK_LONG; /* others are left to their rows */
    if (sized && square + along >
                     (reach + w->slack + w->room + IL_WALK_ROUNDING * (length + reach)) * length) {
        return;
    }
    const il_pair pair = {.i = a->id < b->id ? a->id : b->id, .j = a->id < b->id ? b->id : a->id};
    w->status = w->visit(w->context, &pair);
}

void il_walk_least(il_walk *w, size_t i, size_t j, double value) {
    if (value < w->slack ||
        (value == w->slack && (w->j == 0 || il_pair_id(i, j) < il_pair_id(w->i, w->j)))) {
        w->slack = value;
        w->room = IL_WALK_ROUNDING * fabs(value) + IL_WALK_SHORT;
        w->i = i;
        w->j = j;
    }
}

void il_walk_compare(il_walk *w, const il_search_body *a, const il_search_body *b) {
    compare_in(w, a, b, w->space, w->moving);
}

/* The square of a distance beyond which body a misses the inequality with all of a leaf. */
__attribute__((always_inline)) static inline double far_from(const il_walk *w,
                                                             const il_search_body *a,
                                                             const il_search_node *leaf,
                                                             size_t space, bool moving) {
    double far = a->r + leaf->r + w->slack + w->room;
    for (size_t c = 0; moving && c < space; c++) {
        double up = fabs(leaf->s.high[c] - a->s[c]);
        double down = fabs(leaf->s.low[c] - a->s[c]);
        far += up > down ? up : down;
    }
    far *= 1.0 + 4.0 * IL_WALK_ROUNDING;
    far = far > IL_WALK_SHORT ? far : IL_WALK_SHORT;
    return far * far;
}

__attribute__((always_inline)) static inline void compare_leaves_in(il_walk *w, size_t a, size_t b,
                                                                    size_t space, bool moving) {
    size_t first = 0;
    size_t last = 0;
    size_t other = 0;
    size_t end = 0;
    il_search_leaf(w->search, a, &first, &last);
    il_search_leaf(w->search, b, &other, &end);
    const il_search_body *bodies = w->search->bodies;
    const il_search_node *leaf = &w->search->nodes[w->search->leaves + b];
    for (size_t i = first; i < last; i++) {
        double far = far_from(w, &bodies[i], leaf, space, moving);
        size_t j = a == b ? i + 1 : other;
        w->tests += j < end ? end - j : 0;
        for (; j < end && w->status == IL_OK; j++) {
            double square = 0.0;
            for (size_t c = 0; c < space; c++) {
                double e = bodies[j].q[c] - bodies[i].q[c];
                square += e * e;
            }
            if (!(square > far && square < IL_WALK_LONG * IL_WALK_LONG)) {
                compare_in(w, &bodies[i], &bodies[j], space, moving);
            }
        }
    }
}

static void compare_leaves(il_walk *w, size_t a, size_t b) {
    if (w->space == 2 && w->moving) {
        compare_leaves_in(w, a, b, 2, true);
    } else if (w->space == 2) {
        compare_leaves_in(w, a, b, 2, false);
    } else if (w->space == 3 && w->moving) {
        compare_leaves_in(w, a, b, 3, true);
    } else {
        compare_leaves_in(w, a, b, w->space, w->moving);
    }
}

static bool is_listed(il_walk *w, size_t a, size_t b) {
    if (w->items == NULL || a < IL_WALK_NODES) {
        return false;
    }
    w->items[w->nitems++] = (il_walk_item){a, b};
    return true;
}

static void walk_pair(il_walk *w, size_t a, size_t b);

static void walk_below(il_walk *w, size_t a, size_t b) {
    const il_search *search = w->search;
    if (a >= search->leaves) {
        compare_leaves(w, a - search->leaves, b - search->leaves);
        return;
    }
    walk_pair(w, 2 * a, 2 * b);
    walk_pair(w, 2 * a, 2 * b + 1);
    walk_pair(w, 2 * a + 1, 2 * b);
    walk_pair(w, 2 * a + 1, 2 * b + 1);
}

static void walk_pair(il_walk *w, size_t a, size_t b) {
    const il_search *search = w->search;
    w->tests++;
    if (w->status != IL_OK || apart(w, &search->nodes[a], &search->nodes[b])) {
        return;
    }
    if (!is_listed(w, a, b)) {
        walk_below(w, a, b);
    }
}

static void walk_within(il_walk *w, size_t a) {
    const il_search *search = w->search;
    if (!(search->nodes[a].q.low[0] <= search->nodes[a].q.high[0])) {
        return; /* empty */
    }
    if (is_listed(w, a, a)) {
        return;
    }
    if (a >= search->leaves) {
        compare_leaves(w, a - search->leaves, a - search->leaves);
        return;
    }
    walk_within(w, 2 * a);
    walk_within(w, 2 * a + 1);
    walk_pair(w, 2 * a, 2 * a + 1);
}

void il_walk_all(il_walk *w) {
    walk_within(w, 1);
}

size_t il_walk_list(il_walk *w, il_walk_item *items) {
    w->items = items;
    w->nitems = 0;
    walk_within(w, 1);
    w->items = NULL;
    return w->nitems;
}

void il_walk_one(il_walk *w, const il_walk_item *item) {
    if (item->a == item->b) {
        walk_within(w, item->a);
    } else {
        walk_below(w, item->a, item->b);
    }
}

__attribute__((always_inline)) static inline il_search_body
body_in(size_t i, const double *q, const double *x, const double *r, size_t space, bool moving) {
    il_search_body b = {.r = r[i], .id = i};
    for (size_t c = 0; c < space; c++) {
        b.q[c] = q[space * i + c];
        b.s[c] = moving ? x[space * i + c] - b.q[c] : 0.0;
    }
    return b;
}

__attribute__((always_inline)) static inline void compare_kept_in(il_walk *w, const double *q,
                                                                  const double *x, const double *r,
                                                                  size_t first, size_t last,
                                                                  size_t space, bool moving) {
    const uint32_t *pair = w->search->pair;
    size_t k = first;
    for (; k < last && w->status == IL_OK; k++) {
        il_search_body a = body_in(pair[2 * k], q, x, r, space, moving);
        il_search_body b = body_in(pair[2 * k + 1], q, x, r, space, moving);
        compare_in(w, &a, &b, space, moving);
    }
    w->tests += k - first;
}

void il_walk_kept(il_walk *w, const double *q, const double *x, const double *r, size_t first,
                  size_t last) {
    if (w->space == 2 && w->moving) {
        compare_kept_in(w, q, x, r, first, last, 2, true);
    } else if (w->space == 2) {
        compare_kept_in(w, q, x, r, first, last, 2, false);
    } else {
        compare_kept_in(w, q, x, r, first, last, w->space, w->moving);
    }
}
