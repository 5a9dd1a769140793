/*
 * search.c - a walk over pairs of nodes of a balanced tree of boxes (search_tree.h), and over the
 * pairs that are kept of it.
 *
 * A pair of nodes is always a pair of one level, since the walk starts from siblings and takes both
 * a level down. Pairs within a band are kept in the order of the walk, so that a question that they
 * answer is answered as by the walk.
 */
#include "problems/spheres/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "problems/spheres/search_tree.h"

/* A bound is a sum of at most ten terms, each good to a few roundings of the largest. */
static const double ROUNDING = 64.0 * DBL_EPSILON;

/* Lengths whose squares keep their digits lie between these. Shorter ones are rounding, whatever
 * the scale; longer ones are summed with care. */
static const double SHORT = 1e-150;
static const double LONG = 1e150;

/* One walk over the tree. */
typedef struct {
    il_search *search;
    size_t space;
    bool moving; /* displacements are not all zero */
    double slack;
    double room; /* what rounding may do to a bound */
    il_search_visit visit;
    void *context;
    il_status status;
    size_t i, j; /* of the least pair so far, whose value is slack */
} walk;

static size_t leaves_of(size_t n) {
    size_t leaves = 1;
    while (leaves * IL_SEARCH_LEAF < n) {
        leaves *= 2;
    }
    return leaves;
}

size_t il_search_bytes_per_body(void) {
    /* leaves < 2 n/IL_SEARCH_LEAF, nodes = 2 leaves */
    return (IL_PAIR_SPACE_MAX + 1) * sizeof(double) + il_morton_bytes_per_point() +
           sizeof(il_search_body) + 4 * sizeof(il_search_node) / IL_SEARCH_LEAF +
           2 * IL_SEARCH_KEPT * sizeof(uint32_t);
}

il_status il_search_create(il_search **out, size_t space, size_t n, il_error *err) {
    *out = NULL;
    if (space < 1 || space > IL_PAIR_SPACE_MAX || n >= UINT32_MAX) {
        return il_fail(err, IL_EINVAL,
                       "a search among %zu bodies in R^%zu; at most 2^32 - 2 in R^3", n, space);
    }
    il_search *w = calloc(1, sizeof *w);
    if (w == NULL) {
        goto fail;
    }
    size_t room = n > 0 ? n : 1;
    w->space = space;
    w->n = n;
    w->leaves = leaves_of(n);
    w->q = malloc(space * room * sizeof *w->q);
    w->r = malloc(room * sizeof *w->r);
    w->morton = il_morton_create(space, n);
    w->bodies = malloc(room * sizeof *w->bodies);
    w->nodes = malloc(2 * w->leaves * sizeof *w->nodes);
    w->pair = malloc(2 * IL_SEARCH_KEPT * room * sizeof *w->pair);
    if (w->q == NULL || w->r == NULL || w->morton == NULL || w->bodies == NULL ||
        w->nodes == NULL || w->pair == NULL) {
        goto fail;
    }
    *out = w;
    return IL_OK;
fail:
    il_search_destroy(w);
    return il_fail(err, IL_ENOMEM, "no memory for a search among %zu bodies", n);
}

void il_search_destroy(il_search *w) {
    if (w == NULL) {
        return;
    }
    free(w->q);
    free(w->r);
    il_morton_destroy(w->morton);
    free(w->bodies);
    free(w->nodes);
    free(w->pair);
    free(w);
}

size_t il_search_tests(const il_search *w) {
    return w->tests;
}

/* ---- the walk ----------------------------------------------------------------------------- */

/* |v|, the root of square unless that is too large to be good. */
static double length_of(const double *v, size_t space, double square) {
    double largest = 0.0;
    double sum = 0.0;
    if (square < LONG * LONG) {
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

/* What a walk does most often is written once, for so many axes and displacements or none, and
 * compiled for each: with loops over axes unrolled it takes three instructions in four. */

/* No pair of the two nodes satisfies the inequality. */
__attribute__((always_inline)) static inline bool apart_in(const walk *w, const il_search_node *a,
                                                           const il_search_node *b, size_t space,
                                                           bool moving) {
    double gap[IL_PAIR_SPACE_MAX];       /* between the two boxes, 0 where they overlap */
    double m[IL_PAIR_SPACE_MAX] = {0.0}; /* approach */
    double away = 0.0;
    double approach = 0.0;
    for (size_t c = 0; c < space; c++) {
        double up = b->low[c] - a->high[c];
        double down = a->low[c] - b->high[c];
        gap[c] = up > down ? up : down;
        gap[c] = gap[c] > 0.0 ? gap[c] : 0.0;
        away += gap[c] * gap[c];
        if (moving) {
            double closing = down >= 0.0 ? 0.0 : a->shigh[c] - b->slow[c]; /* if b is above */
            double opening = up >= 0.0 ? 0.0 : b->shigh[c] - a->slow[c];   /* if b is below */
            m[c] = closing > opening ? closing : opening;
            m[c] = m[c] > 0.0 ? m[c] : 0.0;
            approach += m[c] * m[c];
        }
    }
    double distance = length_of(gap, space, away);
    double reach = (moving ? length_of(m, space, approach) : 0.0) + a->r + b->r;
    /* true for an empty node, whose distance is infinite; false for NaN */
    return distance * (1.0 - ROUNDING) - reach * (1.0 + ROUNDING) > w->slack + w->room;
}

static bool apart(const walk *w, const il_search_node *a, const il_search_node *b) {
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
__attribute__((always_inline)) static inline bool
misses(const walk *w, const il_search_body *a, const il_search_body *b, size_t space, bool moving) {
    double square = 0.0;
    double along = 0.0;
    for (size_t c = 0; c < space; c++) {
        double e = b->q[c] - a->q[c];
        square += e * e;
        along += moving ? e * (b->s[c] - a->s[c]) : 0.0;
    }
    double length = sqrt(square);
    double reach = a->r + b->r;
    bool sized = length > SHORT && length < LONG; /* others are left to their rows */
    return sized &&
           square + along > (reach + w->slack + w->room + ROUNDING * (length + reach)) * length;
}

static void meet(walk *w, const il_search_body *a, const il_search_body *b) {
    size_t i = a->id < b->id ? a->id : b->id;
    size_t j = a->id < b->id ? b->id : a->id;
    w->status = w->visit(w->context, i, j);
}

__attribute__((always_inline)) static inline void
compare_in(walk *w, const il_search_body *a, const il_search_body *b, size_t space, bool moving) {
    if (!misses(w, a, b, space, moving)) {
        meet(w, a, b);
    }
}

static void compare(walk *w, const il_search_body *a, const il_search_body *b) {
    compare_in(w, a, b, w->space, w->moving);
}

__attribute__((always_inline)) static inline void compare_leaves_in(walk *w, size_t a, size_t b,
                                                                    size_t space, bool moving) {
    size_t first = 0;
    size_t last = 0;
    size_t other = 0;
    size_t end = 0;
    il_search_leaf(w->search, a, &first, &last);
    il_search_leaf(w->search, b, &other, &end);
    const il_search_body *bodies = w->search->bodies;
    for (size_t i = first; i < last; i++) {
        for (size_t j = a == b ? i + 1 : other; j < end && w->status == IL_OK; j++) {
            w->search->tests++;
            compare_in(w, &bodies[i], &bodies[j], space, moving);
        }
    }
}

static void compare_leaves(walk *w, size_t a, size_t b) {
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

static void walk_pair(walk *w, size_t a, size_t b) {
    const il_search *search = w->search;
    w->search->tests++;
    if (w->status != IL_OK || apart(w, &search->nodes[a], &search->nodes[b])) {
        return;
    }
    if (a >= search->leaves) {
        compare_leaves(w, a - search->leaves, b - search->leaves);
        return;
    }
    walk_pair(w, 2 * a, 2 * b);
    walk_pair(w, 2 * a, 2 * b + 1);
    walk_pair(w, 2 * a + 1, 2 * b);
    walk_pair(w, 2 * a + 1, 2 * b + 1);
}

static void walk_within(walk *w, size_t a) {
    const il_search *search = w->search;
    if (!(search->nodes[a].low[0] <= search->nodes[a].high[0])) {
        return; /* empty */
    }
    if (a >= search->leaves) {
        compare_leaves(w, a - search->leaves, a - search->leaves);
        return;
    }
    walk_within(w, 2 * a);
    walk_within(w, 2 * a + 1);
    walk_pair(w, 2 * a, 2 * a + 1);
}

/* ---- pairs that are kept ------------------------------------------------------------------ */

static il_status keep_pair(void *context, size_t i, size_t j) {
    il_search *w = context;
    w->crowded = w->crowded || w->pairs == IL_SEARCH_KEPT * w->n;
    if (!w->crowded) {
        w->pair[2 * w->pairs] = (uint32_t)i;
        w->pair[2 * w->pairs++ + 1] = (uint32_t)j;
    }
    return w->crowded ? IL_EUNSUPPORTED : IL_OK; /* which ends the walk */
}

/* Are the pairs that a question reaches among those that are kept? They are sought when the first
 * such question about a configuration comes. */
static bool keeps(il_search *search, double reach) {
    if (!(reach <= search->band) || search->crowded) {
        return false;
    }
    if (!search->kept) {
        walk w = {.search = search,
                  .space = search->space,
                  .slack = search->band,
                  .room = ROUNDING * search->band + SHORT,
                  .visit = keep_pair,
                  .context = search};
        search->pairs = 0;
        walk_within(&w, 1);
        search->kept = !search->crowded;
    }
    return search->kept;
}

/* The walk's answers in the walk's order, from the pairs that are kept. */
static void try_kept(walk *w, const double *q, const double *x, const double *r) {
    const il_search *search = w->search;
    for (size_t k = 0; k < search->pairs && w->status == IL_OK; k++) {
        const uint32_t *pair = search->pair + 2 * k;
        il_search_body two[2];
        for (size_t b = 0; b < 2; b++) {
            two[b].id = pair[b];
            two[b].r = r[pair[b]];
            for (size_t c = 0; c < w->space; c++) {
                size_t at = w->space * pair[b] + c;
                two[b].q[c] = q[at];
                two[b].s[c] = x[at] - q[at];
            }
        }
        w->search->tests++;
        compare(w, &two[0], &two[1]);
    }
}

/* ---- the two questions -------------------------------------------------------------------- */

il_status il_search_near(il_search *search, const double *q, const double *x, const double *r,
                         double slack, il_search_visit visit, void *context) {
    walk w = {.search = search,
              .space = search->space,
              .moving = x != q,
              .slack = slack,
              .visit = visit,
              .context = context};
    double largest = 0.0;
    double spread = 0.0;
    search->tests = 0;
    if (search->n < 2) {
        return il_search_finite(q, search->space * search->n) &&
                       il_search_finite(x, search->space * search->n)
                   ? IL_OK
                   : IL_ENUMERIC;
    }
    w.status = il_search_arrange(search, q, r);
    if (w.status == IL_OK && w.moving) {
        w.status = il_search_measure(search, q, x, &largest, &spread);
    }
    if (w.status != IL_OK) {
        return w.status;
    }
    w.room = ROUNDING * (largest + fabs(slack)) + SHORT;
    if (keeps(search, slack + (spread + w.room) * (1.0 + ROUNDING))) {
        try_kept(&w, q, x, r);
        return w.status;
    }
    if (w.moving) {
        il_search_displace(search, q, x);
    }
    walk_within(&w, 1);
    return w.status;
}

/* The value as il_pair_row computes it; ties go to the smaller number. */
static il_status keep_least(void *context, size_t i, size_t j) {
    walk *w = context;
    double e[IL_PAIR_SPACE_MAX];
    double distance = 0.0;
    const il_search *search = w->search;
    il_status status = il_pair_direction(w->space, search->q, i, j, &distance, e);
    if (status != IL_OK) {
        return status;
    }
    double value = distance - (search->r[i] + search->r[j]);
    if (!isfinite(value)) {
        return IL_ENUMERIC;
    }
    if (value < w->slack ||
        (value == w->slack && (w->j == 0 || il_pair_id(i, j) < il_pair_id(w->i, w->j)))) {
        w->slack = value;
        w->room = ROUNDING * fabs(value) + SHORT;
        w->i = i;
        w->j = j;
    }
    return IL_OK;
}

double il_search_least(il_search *search, const double *q, const double *r, size_t *i, size_t *j) {
    walk w = {.search = search, .space = search->space, .slack = INFINITY, .visit = keep_least};
    w.context = &w;
    search->tests = 0;
    if (search->n < 2) {
        return il_search_finite(q, search->space * search->n) ? INFINITY : NAN;
    }
    w.status = il_search_arrange(search, q, r);
    if (w.status == IL_OK && keeps(search, 0.0)) {
        try_kept(&w, q, q, r);
        if (w.status == IL_OK && w.slack <= search->band) { /* no other pair is nearer */
            *i = w.i;
            *j = w.j;
            return w.slack;
        }
        w.status = IL_OK; /* what could not be told is told below, or passed over as above it */
        w.slack = INFINITY;
    }
    /* neighbours in Morton order: a first bound that prunes almost all */
    for (size_t k = 0; k + 1 < search->n && w.status == IL_OK; k++) {
        search->tests++;
        compare(&w, &search->bodies[k], &search->bodies[k + 1]);
    }
    if (w.status == IL_OK) {
        walk_within(&w, 1);
    }
    if (w.status != IL_OK) {
        return NAN;
    }
    *i = w.i;
    *j = w.j;
    return w.slack;
}
