/*
 * hausdorff.c - the Hausdorff distance of two filled-in graphs (graph.h):
 *
 *     sup_{a in A} min_{b in B} |a - b|,   |(t,u)| = max ( |t|, |u|_2 ) in scaled coordinates,
 *
 * by branch and bound over the segments of A, with a tree of bounding boxes over those of B.
 * Neighbours in A have their nearest segments next to each other in B, so these are tried before
 * the tree; as soon as one is close enough the point cannot raise the supremum.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/worse.h"
#include "harness/measure/graph.h"

enum { LEAF = 8, DEEP = 64, STRIDE = 64, LINE = 2 };

/* Bounds closer than this are taken to be equal. Graphs have size about one. */
static const double PRECISION = 1e-12;

/* Roundings of coordinates of size one that stand between `near` and a distance. */
static const double MARGIN = 16.0 * DBL_EPSILON;

/* A scaled polygon, and boxes over blocks of its segments: node k has children 2k+1 and 2k+2 and
 * covers its half of its parent's segments. */
typedef struct {
    size_t row; /* 1 + d */
    size_t segments;
    size_t nodes;
    double *p;    /* [segments+1][row] */
    double *box;  /* [nodes][2][row] least and largest coordinates */
    size_t last;  /* the nearest segment of the last distance */
    size_t here;  /* the segment that `near` evaluated last */
    size_t looks; /* at a segment, or for values at a node */
} tree;

/* A segment of A, or a point of it twice. */
typedef struct {
    const double *a, *b; /* [row] */
} chord;

static double gap(double x, double low, double high) {
    return x < low ? low - x : x > high ? x - high : 0.0;
}

/* No point of the node is nearer to x. */
static double box_distance(const tree *w, size_t node, const double *x) {
    const double *low = w->box + 2 * node * w->row;
    const double *high = low + w->row;
    double sum = 0.0;
    for (size_t k = 1; k < w->row; k++) {
        double off = gap(x[k], low[k], high[k]);
        sum += off * off;
    }
    return il_greater(gap(x[0], low[0], high[0]), sqrt(sum));
}

static double box_bound(const tree *w, size_t node, chord s) {
    double first = box_distance(w, node, s.a);
    return s.a == s.b ? first : il_greater(first, box_distance(w, node, s.b));
}

/* The root of A s^2 + 2 B s + C between low and high, where the sign is known to change. */
static double root_between(double A, double B, double C, double low, double high) {
    double q = -(B + copysign(sqrt(il_greater(0.0, B * B - A * C)), B));
    double first = A != 0.0 ? q / A : INFINITY;
    double second = q != 0.0 ? C / q : INFINITY;
    double middle = 0.5 * (low + high);
    double s = fabs(first - middle) <= fabs(second - middle) ? first : second;
    return il_lesser(high, il_greater(low, s));
}

/* min over s in [0,1] of max(|x_0 - t(s)|, |x_u - u(s)|): where one of the two is least and the
 * other does not exceed it, or where they cross between. */
static double segment_distance(const double *x, const double *a, const double *b, size_t row) {
    double T = b[0] - a[0];
    double e = x[0] - a[0];
    double dd = 0.0;
    double ed = 0.0;
    double ee = 0.0;
    for (size_t k = 1; k < row; k++) {
        double side = b[k] - a[k];
        double off = x[k] - a[k];
        dd += side * side;
        ed += off * side;
        ee += off * off;
    }
    double st = T > 0.0 ? il_lesser(1.0, il_greater(0.0, e / T)) : 0.0;
    double su = dd > 0.0 ? il_lesser(1.0, il_greater(0.0, ed / dd)) : st;
    st = T > 0.0 ? st : su;
    double at[3] = {st, su, 0.5 * (st + su)};
    double value[3];
    for (int i = 0; i < 3; i++) {
        if (i == 2) { /* |x_0 - t|^2 = |x_u - u|^2 */
            at[2] = root_between(T * T - dd, ed - e * T, e * e - ee, il_lesser(st, su),
                                 il_greater(st, su));
        }
        double sum = 0.0;
        for (size_t k = 1; k < row; k++) {
            double off = x[k] - (a[k] + at[i] * (b[k] - a[k]));
            sum += off * off;
        }
        double ft = fabs(e - at[i] * T);
        double fu = sqrt(sum);
        value[i] = il_greater(ft, fu);
        if ((i == 0 && fu <= ft) || (i == 1 && ft <= fu) || st == su) {
            return value[i];
        }
    }
    return value[2];
}

static double chord_distance(tree *w, size_t segment, chord s) {
    w->looks++;
    const double *a = w->p + segment * w->row;
    double first = segment_distance(s.a, a, a + w->row, w->row);
    return s.a == s.b ? first : il_greater(first, segment_distance(s.b, a, a + w->row, w->row));
}

/* Lowers best to the least chord_distance among segments [from, to) of node, if that is lower; no
 * further than enough. */
static double nearest(tree *w, size_t node, size_t from, size_t to, chord s, double best,
                      double enough) {
    if (to - from <= LEAF) {
        for (size_t k = from; k < to && best > enough; k++) {
            double distance = chord_distance(w, k, s);
            w->last = distance < best ? k : w->last;
            best = il_lesser(best, distance);
        }
        return best;
    }
    size_t half = from + (to - from) / 2;
    double bound[2] = {box_bound(w, 2 * node + 1, s), box_bound(w, 2 * node + 2, s)};
    int first = bound[1] < bound[0];
    for (int i = 0; i < 2; i++) {
        int child = i == 0 ? first : !first;
        if (bound[child] < best && best > enough) {
            best = nearest(w, 2 * node + 1 + (size_t)child, child == 0 ? from : half,
                           child == 0 ? half : to, s, best, enough);
        }
    }
    return best;
}

/* The least chord_distance to B, or one that is at most enough. */
static double distance_to(tree *w, chord s, double enough) {
    static const size_t around[] = {1, 2, 3, 0}; /* itself, the two after it, the one before */
    double best = INFINITY;
    size_t last = w->last;
    for (size_t i = 0; i < sizeof around / sizeof *around && best > enough; i++) {
        size_t k = last + around[i];
        if (k >= 1 && k <= w->segments) {
            double distance = chord_distance(w, k - 1, s);
            w->last = distance < best ? k - 1 : w->last;
            best = il_lesser(best, distance);
        }
    }
    return best > enough ? nearest(w, 0, 0, w->segments, s, best, enough) : best;
}

/* ---- building ------------------------------------------------------------------------------- */

static void make_leaf(const tree *w, size_t from, size_t to, double *low, double *high) {
    for (size_t k = 0; k < w->row; k++) {
        const double *x = w->p + from * w->row + k;
        double l = *x;
        double h = *x;
        for (size_t i = from; i < to; i++) {
            x += w->row;
            l = il_lesser(l, *x);
            h = il_greater(h, *x);
        }
        low[k] = l;
        high[k] = h;
    }
}

static void make_box(tree *w, size_t node, size_t from, size_t to) {
    double *low = w->box + 2 * node * w->row;
    double *high = low + w->row;
    if (to - from <= LEAF) {
        make_leaf(w, from, to, low, high);
        return;
    }
    size_t half = from + (to - from) / 2;
    make_box(w, 2 * node + 1, from, half);
    make_box(w, 2 * node + 2, half, to);
    const double *one = w->box + 2 * (2 * node + 1) * w->row;
    const double *two = one + 2 * w->row;
    for (size_t k = 0; k < w->row; k++) {
        low[k] = il_lesser(one[k], two[k]);
        high[k] = il_greater(one[w->row + k], two[w->row + k]);
    }
}

/* *finite becomes false where a point is not. */
static void build(tree *w, const il_graph *g, double tau, double V, bool *finite) {
    w->row = 1 + g->d;
    w->segments = g->n - 1;
    w->nodes = 1;
    for (size_t n = w->segments; n > LEAF; n = n - n / 2) {
        w->nodes = 2 * w->nodes + 1;
    }
    w->p = il_alloc(g->n, w->row * sizeof *w->p);
    w->box = il_alloc(2 * w->nodes, w->row * sizeof *w->box);
    const double *from = g->p;
    double *to = w->p;
    double off = 0.0;
    for (size_t i = 0; i < g->n; i++) {
        to[0] = from[0] / tau;
        off += to[0] - to[0];
        for (size_t k = 1; k < w->row; k++) {
            to[k] = from[k] / V;
            off += to[k] - to[k]; /* NaN for NaN and for infinities */
        }
        from += w->row;
        to += w->row;
    }
    *finite = *finite && off == 0.0;
    make_box(w, 0, 0, w->segments);
}

static void release(tree *w) {
    free(w->p);
    free(w->box);
}

/* ---- one coordinate ------------------------------------------------------------------------- */

/* Values that B takes from t = a to t = b: the least and the largest found, and those that are
 * enough. */
typedef struct {
    double a, b;
    double low, high;
    double enough_low, enough_high;
} reach;

static inline bool reached(const reach *w) {
    return w->low <= w->enough_low && w->high >= w->enough_high;
}

static inline void widen(reach *w, double low, double high) {
    w->low = il_lesser(w->low, low);
    w->high = il_greater(w->high, high);
}

/* The value at t of the segment from x to y, x[0] < t < y[0]. */
static double between(const double *x, const double *y, double t) {
    return x[1] + (t - x[0]) / (y[0] - x[0]) * (y[1] - x[1]);
}

/* Segment k as far as it lies between a and b. */
static inline void look_at_segment(tree *b, size_t k, reach *w) {
    b->looks++;
    const double *x = b->p + LINE * k;
    const double *y = x + LINE;
    if (y[0] >= w->a && x[0] <= w->b) {
        double first = x[0] >= w->a ? x[1] : between(x, y, w->a);
        double last = y[0] <= w->b ? y[1] : between(x, y, w->b);
        widen(w, il_lesser(first, last), il_greater(first, last));
    }
}

static void look_along(tree *b, size_t node, size_t from, size_t to, reach *w) {
    b->looks++;
    const double *box = b->box + 4 * node; /* t, u least; t, u largest */
    if (box[2] < w->a || box[0] > w->b || reached(w)) {
        return;
    }
    if (box[0] >= w->a && box[2] <= w->b) {
        widen(w, box[1], box[3]);
        return;
    }
    if (to - from > LEAF) {
        size_t half = from + (to - from) / 2;
        look_along(b, 2 * node + 1, from, half, w);
        look_along(b, 2 * node + 2, half, to, w);
        return;
    }
    b->here = from;
    for (size_t k = from; k < to; k++) {
        look_at_segment(b, k, w);
    }
}

/* A look at the segments after the one where the last look ended: most questions come in order of
 * time, and most answers lie within two segments. True if that is the answer. */
static bool look_here(tree *b, reach *w) {
    size_t k = b->here;
    size_t end = k + LEAF < b->segments ? k + LEAF : b->segments;
    while (k < end && b->p[LINE * (k + 1)] < w->a) {
        k++;
    }
    b->here = k < end ? k : b->here;
    for (; k < end && b->p[LINE * k] <= w->b; k++) {
        look_at_segment(b, k, w);
        if (reached(w)) {
            return true;
        }
    }
    return false;
}

/* Is all that lies between the corners low and high, (t,u), seen to be within r of B? */
static bool near(tree *b, const double *low, const double *high, double r) {
    reach w = {.a = high[0] - r,
               .b = low[0] + r,
               .low = INFINITY,
               .high = -INFINITY,
               .enough_low = low[1] + r,
               .enough_high = high[1] - r};
    if (!(w.a <= w.b)) {
        return false;
    }
    if (!look_here(b, &w)) {
        look_along(b, 0, 0, b->segments, &w);
    }
    return reached(&w);
}

static bool chord_near(tree *b, chord s, double r) {
    double low[LINE] = {s.a[0], il_lesser(s.a[1], s.b[1])};
    double high[LINE] = {s.b[0], il_greater(s.a[1], s.b[1])};
    return near(b, low, high, r);
}

/* ---- branch and bound ----------------------------------------------------------------------- */

/* Raises best to sup over the segment s of A of the distance to B, halving s as long as that may
 * raise it. room holds a point for each level. margin as in `supremum`. */
static double raise(tree *w, chord s, double best, double margin, double *room, int levels) {
    if (w->row == LINE && chord_near(w, s, best - margin)) {
        return best;
    }
    double bound = distance_to(w, s, best + PRECISION);
    if (bound <= best + PRECISION || levels == 0) {
        return best;
    }
    for (size_t k = 0; k < w->row; k++) {
        room[k] = 0.5 * (s.a[k] + s.b[k]);
    }
    best = il_greater(best, distance_to(w, (chord){room, room}, best));
    best = raise(w, (chord){s.a, room}, best, margin, room + w->row, levels - 1);
    return raise(w, (chord){room, s.b}, best, margin, room + w->row, levels - 1);
}

/* sup over A of the distance to B, best or more: what is near enough that it cannot raise best,
 * roundings included, is left out. */
typedef struct {
    const tree *a;
    tree *b;
    double best;
    double margin; /* MARGIN times the size of coordinates */
    double *room;
    bool points;    /* the points of A, or its segments */
    size_t *doubts; /* [2 n] segments [from, to) of A, of one coordinate, not sifted out */
    size_t n;
} supremum;

static void look_at(supremum *w, size_t k) {
    const double *x = w->a->p + k * w->a->row;
    if (w->points) {
        w->best = il_greater(w->best, distance_to(w->b, (chord){x, x}, w->best));
    } else {
        chord s = {x, x + w->a->row};
        w->best = raise(w->b, s, w->best, w->margin, w->room, DEEP);
    }
}

static void look_between(supremum *w, size_t from, size_t to) {
    for (size_t k = from; k < to + w->points; k++) {
        look_at(w, k);
    }
}

/* The points of segments [from, to) of node, from left to right, but for those near B. */
static void sift(supremum *w, size_t node, size_t from, size_t to) {
    const double *low = w->a->box + 2 * LINE * node;
    if (near(w->b, low, low + LINE, w->best - w->margin)) {
        return;
    }
    if (to - from > LEAF) {
        size_t half = from + (to - from) / 2;
        sift(w, 2 * node + 1, from, half);
        sift(w, 2 * node + 2, half, to);
        return;
    }
    w->doubts[2 * w->n] = from;
    w->doubts[2 * w->n + 1] = to;
    w->n++;
    look_between(w, from, to);
}

/* Points far apart come first: the sooner best is large, the more is pruned. */
static void directed(supremum *w) {
    size_t n = w->a->segments;
    bool line = w->a->row == LINE;
    w->points = true;
    for (size_t first = 0; first < (line ? 1 : STRIDE); first++) {
        for (size_t k = first; k <= n; k += line ? n / STRIDE + 1 : STRIDE) {
            look_at(w, k);
        }
    }
    if (!line) {
        w->points = false;
        look_between(w, 0, n);
        return;
    }
    w->n = 0;
    sift(w, 0, 0, n);
    w->points = false;
    for (size_t i = 0; i < w->n; i++) {
        look_between(w, w->doubts[2 * i], w->doubts[2 * i + 1]);
    }
}

/* The largest coordinate of either. */
static double size_of(const tree *a, const tree *b) {
    double size = 0.0;
    for (size_t k = 0; k < 2 * a->row; k++) {
        size = il_greater(size, il_greater(fabs(a->box[k]), fabs(b->box[k])));
    }
    return size;
}

il_status il_graph_distance(const il_graph *a, const il_graph *b, double tau, double V,
                            double *distance, size_t *looks, il_error *err) {
    *distance = NAN;
    if (a->d != b->d || a->n < 2 || b->n < 2) {
        return il_fail(err, IL_EINVAL,
                       "graphs of %zu and %zu coordinates, %zu and %zu points, cannot be compared",
                       a->d, b->d, a->n, b->n);
    }
    if (!(tau > 0.0 && V > 0.0 && isfinite(tau) && isfinite(V))) {
        return il_fail(err, IL_EINVAL,
                       "graphs are measured by tau = %g and V = %g; both must be "
                       "positive and finite",
                       tau, V);
    }
    tree ta = {0};
    tree tb = {0};
    bool finite = true;
    double *room = il_alloc(DEEP * (1 + a->d), sizeof *room);
    size_t leaves = (a->n > b->n ? a->n : b->n) / (LEAF / 2) + 1;
    size_t *doubts = il_alloc(2 * leaves, sizeof *doubts);
    build(&ta, a, tau, V, &finite);
    build(&tb, b, tau, V, &finite);
    if (finite) {
        supremum w = {.a = &ta,
                      .b = &tb,
                      .room = room,
                      .margin = MARGIN * size_of(&ta, &tb),
                      .doubts = doubts};
        directed(&w);
        w.a = &tb;
        w.b = &ta;
        directed(&w);
        *distance = w.best;
        if (looks != NULL) {
            *looks = ta.looks + tb.looks;
        }
    }
    release(&ta);
    release(&tb);
    free(room);
    free(doubts);
    return IL_OK;
}
