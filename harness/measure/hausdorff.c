/*
 * hausdorff.c - the distance of two filled-in graphs (graph.h):
 *
 *     sup_{a in A} min_{b in B} |a - b|,   |(t,u)| = max ( |t|, |u|_2 ) in scaled coordinates,
 *
 * by branch and bound over the segments of A, with a tree of boxes over those of B. What lies side
 * by side in A has its nearest segments side by side in B: these are looked at before the tree, and
 * as soon as one is near enough the point cannot raise the supremum.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/graph.h"

enum { LEAF = 8, DEEP = 64, STRIDE = 64 };

/* Bounds closer than this are taken to be equal. Graphs have size about one. */
static const double PRECISION = 1e-12;

/* A scaled polygon, and boxes over blocks of its segments: node k has children 2k+1 and 2k+2 and
 * covers its half of its parent's segments. */
typedef struct {
    size_t row; /* 1 + d */
    size_t segments;
    size_t nodes;
    double *p;   /* [segments+1][row] */
    double *box; /* [nodes][2][row] least and largest coordinates */
    size_t last; /* the segment that was nearest when a distance was asked for last */
} tree;

/* A segment of A, or a point of it twice. */
typedef struct {
    const double *a, *b; /* [row] */
} chord;

/* Of numbers that are not NaN; fmin and fmax are calls. */
static inline double least(double x, double y) {
    return y < x ? y : x;
}

static inline double most(double x, double y) {
    return y > x ? y : x;
}

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
    return most(gap(x[0], low[0], high[0]), sqrt(sum));
}

static double box_bound(const tree *w, size_t node, chord s) {
    double first = box_distance(w, node, s.a);
    return s.a == s.b ? first : most(first, box_distance(w, node, s.b));
}

/* The root of A s^2 + 2 B s + C between low and high, where the sign is known to change. */
static double root_between(double A, double B, double C, double low, double high) {
    double q = -(B + copysign(sqrt(most(0.0, B * B - A * C)), B));
    double first = A != 0.0 ? q / A : INFINITY;
    double second = q != 0.0 ? C / q : INFINITY;
    double middle = 0.5 * (low + high);
    double s = fabs(first - middle) <= fabs(second - middle) ? first : second;
    return least(high, most(low, s));
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
    double st = T > 0.0 ? least(1.0, most(0.0, e / T)) : 0.0;
    double su = dd > 0.0 ? least(1.0, most(0.0, ed / dd)) : st;
    st = T > 0.0 ? st : su;
    double at[3] = {st, su, 0.5 * (st + su)};
    double value[3];
    for (int i = 0; i < 3; i++) {
        if (i == 2) { /* |x_0 - t|^2 = |x_u - u|^2 */
            at[2] = root_between(T * T - dd, ed - e * T, e * e - ee, least(st, su), most(st, su));
        }
        double sum = 0.0;
        for (size_t k = 1; k < row; k++) {
            double off = x[k] - (a[k] + at[i] * (b[k] - a[k]));
            sum += off * off;
        }
        double ft = fabs(e - at[i] * T);
        double fu = sqrt(sum);
        value[i] = most(ft, fu);
        if ((i == 0 && fu <= ft) || (i == 1 && ft <= fu) || st == su) {
            return value[i];
        }
    }
    return value[2];
}

static double chord_distance(const tree *w, size_t segment, chord s) {
    const double *a = w->p + segment * w->row;
    double first = segment_distance(s.a, a, a + w->row, w->row);
    return s.a == s.b ? first : most(first, segment_distance(s.b, a, a + w->row, w->row));
}

/* Lowers best to the least chord_distance among segments [from, to) of node, if that is lower; no
 * further than enough. */
static double nearest(tree *w, size_t node, size_t from, size_t to, chord s, double best,
                      double enough) {
    if (to - from <= LEAF) {
        for (size_t k = from; k < to && best > enough; k++) {
            double distance = chord_distance(w, k, s);
            w->last = distance < best ? k : w->last;
            best = least(best, distance);
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
            best = least(best, distance);
        }
    }
    return best > enough ? nearest(w, 0, 0, w->segments, s, best, enough) : best;
}

/* ---- building ------------------------------------------------------------------------------- */

static void make_box(tree *w, size_t node, size_t from, size_t to) {
    double *low = w->box + 2 * node * w->row;
    double *high = low + w->row;
    memcpy(low, w->p + from * w->row, w->row * sizeof *low);
    memcpy(high, low, w->row * sizeof *low);
    if (to - from <= LEAF) {
        for (size_t i = from + 1; i <= to; i++) {
            for (size_t k = 0; k < w->row; k++) {
                low[k] = least(low[k], w->p[i * w->row + k]);
                high[k] = most(high[k], w->p[i * w->row + k]);
            }
        }
        return;
    }
    size_t half = from + (to - from) / 2;
    make_box(w, 2 * node + 1, from, half);
    make_box(w, 2 * node + 2, half, to);
    for (size_t child = 2 * node + 1; child <= 2 * node + 2; child++) {
        const double *box = w->box + 2 * child * w->row;
        for (size_t k = 0; k < w->row; k++) {
            low[k] = least(low[k], box[k]);
            high[k] = most(high[k], box[w->row + k]);
        }
    }
}

/* False if memory ran out. *finite: are all points. */
static bool build(tree *w, const il_graph *g, double tau, double V, bool *finite) {
    w->row = 1 + g->d;
    w->segments = g->n - 1;
    w->nodes = 1;
    for (size_t n = w->segments; n > LEAF; n = n - n / 2) {
        w->nodes = 2 * w->nodes + 1;
    }
    w->p = malloc(g->n * w->row * sizeof *w->p);
    w->box = malloc(2 * w->nodes * w->row * sizeof *w->box);
    if (w->p == NULL || w->box == NULL) {
        return false;
    }
    for (size_t i = 0; i < g->n; i++) {
        for (size_t k = 0; k < w->row; k++) {
            double x = g->p[i * w->row + k] / (k == 0 ? tau : V);
            w->p[i * w->row + k] = x;
            *finite = *finite && isfinite(x);
        }
    }
    make_box(w, 0, 0, w->segments);
    return true;
}

static void release(tree *w) {
    free(w->p);
    free(w->box);
}

/* ---- branch and bound ----------------------------------------------------------------------- */

/* Raises best to sup over the segment s of A of the distance to B, halving it as long as that may
 * pay. room holds a point a level. */
static double raise(tree *w, chord s, double best, double *room, int levels) {
    double bound = distance_to(w, s, best + PRECISION);
    if (bound <= best + PRECISION || levels == 0) {
        return best;
    }
    for (size_t k = 0; k < w->row; k++) {
        room[k] = 0.5 * (s.a[k] + s.b[k]);
    }
    best = most(best, distance_to(w, (chord){room, room}, best));
    best = raise(w, (chord){s.a, room}, best, room + w->row, levels - 1);
    return raise(w, (chord){room, s.b}, best, room + w->row, levels - 1);
}

/* sup over A of the distance to B, or best if that is more. Points far apart come first: the sooner
 * best is large, the less is left to look at. */
static double directed(const tree *a, tree *b, double best, double *room) {
    for (size_t first = 0; first < STRIDE; first++) {
        for (size_t k = first; k <= a->segments; k += STRIDE) {
            const double *x = a->p + k * a->row;
            best = most(best, distance_to(b, (chord){x, x}, best));
        }
    }
    for (size_t k = 0; k < a->segments; k++) {
        const double *x = a->p + k * a->row;
        best = raise(b, (chord){x, x + a->row}, best, room, DEEP);
    }
    return best;
}

il_status il_graph_distance(const il_graph *a, const il_graph *b, double tau, double V,
                            double *distance, il_error *err) {
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
    double *room = malloc(DEEP * (1 + a->d) * sizeof *room);
    il_status status = IL_OK;
    if (room == NULL || !build(&ta, a, tau, V, &finite) || !build(&tb, b, tau, V, &finite)) {
        status = il_fail(err, IL_ENOMEM, "no memory to compare graphs of %zu and %zu points", a->n,
                         b->n);
    } else if (finite) {
        *distance = directed(&tb, &ta, directed(&ta, &tb, 0.0, room), room);
    }
    release(&ta);
    release(&tb);
    free(room);
    return status;
}
