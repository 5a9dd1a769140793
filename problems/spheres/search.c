/*
 * search.c - a balanced tree of boxes over bodies in Morton order, and a walk over pairs of nodes.
 *
 * The tree is the binary heap over 2^k leaves: node 1 is the root, 2n and 2n + 1 are the children
 * of n, and the leaves behind the last body are empty. A pair of nodes is always a pair of one
 * level, since the walk starts from siblings and takes both a level down.
 */
#include "problems/spheres/search.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "problems/spheres/morton.h"
#include "problems/spheres/pairs.h"

/* Bodies in a leaf; pairs that are kept, for each body: more than are near one in a crowd of equal
 * ones, where none is farther off than BAND. */
enum { LEAF = 4, KEPT = 12 };

/* Pairs at most this part of the smallest radius apart are kept for all questions about one
 * configuration; a question that reaches farther takes the walk. */
static const double BAND = 0.25;

/* A bound is a sum of at most ten terms, each good to a few roundings of the largest. */
static const double ROUNDING = 64.0 * DBL_EPSILON;

/* Lengths whose squares keep their digits lie between these. Shorter ones are rounding, whatever
 * the scale; longer ones are summed with care. */
static const double SHORT = 1e-150;
static const double LONG = 1e150;

typedef struct {
    double q[IL_PAIR_SPACE_MAX];
    double s[IL_PAIR_SPACE_MAX]; /* x - q */
    double r;
    size_t id;
} body;

typedef struct {
    double low[IL_PAIR_SPACE_MAX], high[IL_PAIR_SPACE_MAX];   /* of the centres */
    double slow[IL_PAIR_SPACE_MAX], shigh[IL_PAIR_SPACE_MAX]; /* of the displacements */
    double r;                                                 /* the largest radius */
} node;

struct il_search {
    size_t space, n;
    size_t leaves; /* a power of two */
    bool sorted;   /* q, r, bodies and nodes belong together */
    double *q;     /* [space n] what was sorted last */
    double *r;     /* [n] */
    il_morton *morton;
    body *bodies; /* [n] in Morton order */
    node *nodes;  /* [2 leaves] */
    double band;  /* pairs no farther apart than this are kept, in the order of the walk; */
    bool kept;    /* they belong to q and r, */
    bool crowded; /* or there are too many of them */
    size_t pairs;
    uint32_t *pair; /* [2 KEPT n] i < j of each */
    size_t tests;
};

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
    while (leaves * LEAF < n) {
        leaves *= 2;
    }
    return leaves;
}

size_t il_search_bytes_per_body(void) {
    /* leaves < 2 n/LEAF, nodes = 2 leaves */
    return (IL_PAIR_SPACE_MAX + 1) * sizeof(double) + il_morton_bytes_per_point() + sizeof(body) +
           4 * sizeof(node) / LEAF + 2 * KEPT * sizeof(uint32_t);
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
    w->pair = malloc(2 * KEPT * room * sizeof *w->pair);
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

/* The bodies of leaf k are first .. last-1. */
static void leaf_range(const il_search *w, size_t k, size_t *first, size_t *last) {
    *first = LEAF * k < w->n ? LEAF * k : w->n;
    *last = *first + LEAF < w->n ? *first + LEAF : w->n;
}

static void box_centres(il_search *w) {
    for (size_t k = 2 * w->leaves; k-- > 1;) {
        node *a = &w->nodes[k];
        empty_box(a->low, a->high, w->space);
        a->r = 0.0;
        if (k >= w->leaves) {
            size_t first = 0;
            size_t last = 0;
            leaf_range(w, k - w->leaves, &first, &last);
            for (size_t i = first; i < last; i++) {
                widen(a->low, a->high, w->bodies[i].q, w->bodies[i].q, w->space);
                a->r = fmax(a->r, w->bodies[i].r);
            }
            continue;
        }
        for (const node *b = &w->nodes[2 * k]; b <= &w->nodes[2 * k + 1]; b++) {
            widen(a->low, a->high, b->low, b->high, w->space);
            a->r = fmax(a->r, b->r);
        }
    }
}

static void box_displacements(il_search *w) {
    for (size_t k = 2 * w->leaves; k-- > 1;) {
        node *a = &w->nodes[k];
        empty_box(a->slow, a->shigh, w->space);
        if (k >= w->leaves) {
            size_t first = 0;
            size_t last = 0;
            leaf_range(w, k - w->leaves, &first, &last);
            for (size_t i = first; i < last; i++) {
                widen(a->slow, a->shigh, w->bodies[i].s, w->bodies[i].s, w->space);
            }
            continue;
        }
        for (const node *b = &w->nodes[2 * k]; b <= &w->nodes[2 * k + 1]; b++) {
            widen(a->slow, a->shigh, b->slow, b->shigh, w->space);
        }
    }
}

static bool all_finite(const double *x, size_t n) {
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

/* The tree of q and r. A step asks many times about one configuration, so it is kept; what it is
 * depends on q and r alone. */
static il_status arrange(il_search *w, const double *q, const double *r) {
    size_t d = w->space * w->n;
    if (w->sorted && memcmp(w->q, q, d * sizeof *q) == 0 &&
        memcmp(w->r, r, w->n * sizeof *r) == 0) {
        return IL_OK;
    }
    if (!all_finite(q, d) || !all_finite(r, w->n)) {
        return IL_ENUMERIC;
    }
    memcpy(w->q, q, d * sizeof *q);
    memcpy(w->r, r, w->n * sizeof *r);
    double smallest = smallest_radius(w);
    const uint32_t *order = il_morton_order(w->morton, w->q, smallest);
    w->band = BAND * smallest;
    w->kept = w->crowded = false;
    for (size_t k = 0; k < w->n; k++) {
        body *b = &w->bodies[k];
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

/* Displacements of the bodies: *largest is the greatest coordinate of one, *spread bounds how much
 * two differ. */
static il_status measure_displacements(const il_search *w, const double *q, const double *x,
                                       double *largest, double *spread) {
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

static void displace(il_search *w, const double *q, const double *x) {
    for (size_t k = 0; k < w->n; k++) {
        body *b = &w->bodies[k];
        for (size_t c = 0; c < w->space; c++) {
            b->s[c] = x[w->space * b->id + c] - q[w->space * b->id + c];
        }
    }
    box_displacements(w);
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

/* No pair of the two nodes satisfies the inequality. */
static bool apart(const walk *w, const node *a, const node *b) {
    double gap[IL_PAIR_SPACE_MAX];       /* between the two boxes, 0 where they overlap */
    double m[IL_PAIR_SPACE_MAX] = {0.0}; /* approach */
    double away = 0.0;
    double approach = 0.0;
    for (size_t c = 0; c < w->space; c++) {
        double up = b->low[c] - a->high[c];
        double down = a->low[c] - b->high[c];
        gap[c] = up > down ? up : down;
        gap[c] = gap[c] > 0.0 ? gap[c] : 0.0;
        away += gap[c] * gap[c];
        if (w->moving) {
            double closing = down >= 0.0 ? 0.0 : a->shigh[c] - b->slow[c]; /* if b is above */
            double opening = up >= 0.0 ? 0.0 : b->shigh[c] - a->slow[c];   /* if b is below */
            m[c] = closing > opening ? closing : opening;
            m[c] = m[c] > 0.0 ? m[c] : 0.0;
            approach += m[c] * m[c];
        }
    }
    double distance = length_of(gap, w->space, away);
    double reach = length_of(m, w->space, approach) + a->r + b->r;
    /* true for an empty node, whose distance is infinite; false for NaN */
    return distance * (1.0 - ROUNDING) - reach * (1.0 + ROUNDING) > w->slack + w->room;
}

/* The inequality for two bodies, times |w|, with room for rounding. */
static void compare(walk *w, const body *a, const body *b) {
    double square = 0.0;
    double along = 0.0;
    for (size_t c = 0; c < w->space; c++) {
        double e = b->q[c] - a->q[c];
        square += e * e;
        along += w->moving ? e * (b->s[c] - a->s[c]) : 0.0;
    }
    double length = sqrt(square);
    double reach = a->r + b->r;
    bool sized = length > SHORT && length < LONG; /* others are left to their rows */
    if (sized &&
        square + along > (reach + w->slack + w->room + ROUNDING * (length + reach)) * length) {
        return;
    }
    size_t i = a->id < b->id ? a->id : b->id;
    size_t j = a->id < b->id ? b->id : a->id;
    w->status = w->visit(w->context, i, j);
}

static void compare_leaves(walk *w, size_t a, size_t b) {
    size_t first = 0;
    size_t last = 0;
    size_t other = 0;
    size_t end = 0;
    leaf_range(w->search, a, &first, &last);
    leaf_range(w->search, b, &other, &end);
    const body *bodies = w->search->bodies;
    for (size_t i = first; i < last; i++) {
        for (size_t j = a == b ? i + 1 : other; j < end && w->status == IL_OK; j++) {
            w->search->tests++;
            compare(w, &bodies[i], &bodies[j]);
        }
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
    w->crowded = w->crowded || w->pairs == KEPT * w->n;
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
        body two[2];
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
        return all_finite(q, search->space * search->n) && all_finite(x, search->space * search->n)
                   ? IL_OK
                   : IL_ENUMERIC;
    }
    w.status = arrange(search, q, r);
    if (w.status == IL_OK && w.moving) {
        w.status = measure_displacements(search, q, x, &largest, &spread);
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
        displace(search, q, x);
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
        return all_finite(q, search->space * search->n) ? INFINITY : NAN;
    }
    w.status = arrange(search, q, r);
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
