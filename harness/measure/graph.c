/*
 * graph.c - filled-in graphs as polygons.
 */
#include "harness/measure/graph.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/sum.h"
#include "harness/base/vector.h"

enum { DEPTH_MAX = 40, PROBES = 3 };

/* Points of a graph, and its room in doubles, a quarter of a gigabyte. A smooth motion needs some
 * 10^4 points for every unit of its length; one that needs more than this oscillates without end.
 */
static const size_t POINTS_MAX = (size_t)1 << 22;
static const size_t ROOM_MAX = (size_t)1 << 25;

/* How far a chord may be from a smooth graph, in units of the largest |u|: at this size the chords
 * of a curve of length and curvature one are some 10^4. */
static const double CHORD = 1e-9;

static void start(il_graph *g, size_t d, size_t room) {
    *g = (il_graph){.d = d, .room = room + 2};
    g->p = il_alloc(g->room, (1 + d) * sizeof *g->p);
}

/* Bit by bit: -0 and 0 differ. */
static inline bool same(const double *a, const double *b, size_t d) {
    uint64_t one = 0;
    uint64_t two = 0;
    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    return one == two && (d == 1 || memcmp(a, b, d * sizeof *a) == 0);
}

/* A point; one that only goes on where the last two came from replaces the last. */
static void add(il_graph *g, double t, const double *u) {
    size_t row = 1 + g->d;
    double *last = g->p + (g->n > 0 ? g->n - 1 : 0) * row;
    if (g->n > 1 && same(last + 1, u, g->d) && same(last + 1 - row, u, g->d)) {
        last[0] = t;
        return;
    }
    if (g->n == g->room) {
        il_memory_grow(&g->p, 2 * g->room, row * sizeof *g->p);
        g->room *= 2;
    }
    double *p = g->p + g->n * row;
    *p = t;
    for (size_t k = 0; k < g->d; k++) {
        p[k + 1] = u[k];
    }
    g->n++;
}

il_status il_graph_of_run(il_graph *g, const il_trajectory *run, il_error *err) {
    *g = (il_graph){0};
    if (run->nodes < 2) {
        return il_fail(err, IL_EINVAL, "a run of %zu nodes has no graph; at least 2", run->nodes);
    }
    if (run->pieces.n > 0) {
        il_exact motion = il_trajectory_as_exact(run, "run");
        return il_graph_of_exact(g, &motion, run->d, run->t[run->nodes - 1], err);
    }
    start(g, run->d, 2 * run->nodes);
    for (size_t n = 1; n < run->nodes; n++) {
        const double *u = run->u + n * run->d;
        add(g, run->t[n - 1], u);
        add(g, run->t[n], u);
    }
    return IL_OK;
}

/* The halving of chords; its vectors lie behind one another in scratch. */
typedef struct {
    il_graph *g;
    const il_exact *exact;
    double *q;    /* [d] */
    double scale; /* largest |u| met so far */
} tracing;

static void evaluate(tracing *w, double t, int side, double *u) {
    w->exact->eval(w->exact, t, side, w->q, u);
    w->scale = fmax(w->scale, il_length(u, w->g->d));
}

/* Is the chord from (a,ua) to (b,ub) the graph, as far as PROBES points can tell? */
static bool straight(tracing *w, double a, const double *ua, double b, const double *ub,
                     double *middle) {
    size_t d = w->g->d;
    double worst = 0.0;
    for (int i = 1; i <= PROBES; i++) {
        double s = (double)i / (PROBES + 1);
        evaluate(w, a + s * (b - a), 0, middle);
        double off = 0.0;
        for (size_t k = 0; k < d; k++) {
            double e = middle[k] - (ua[k] + s * (ub[k] - ua[k]));
            off += e * e;
        }
        worst = fmax(worst, off);
    }
    return sqrt(worst) <= CHORD * w->scale;
}

/* The points after a up to b, b left out. u holds room for one vector a level. */
static il_status halve(tracing *w, double a, const double *ua, double b, const double *ub,
                       double *room, int depth, il_error *err) {
    if (depth == 0 || straight(w, a, ua, b, ub, room)) {
        return IL_OK;
    }
    double c = 0.5 * (a + b);
    evaluate(w, c, 0, room);
    double *deeper = room + w->g->d;
    if (w->g->n >= POINTS_MAX || w->g->n * (1 + w->g->d) >= ROOM_MAX) {
        return il_fail(err, IL_ESTALLED,
                       "the graph of the solution '%s' is not resolved by %zu points up to t = %g; "
                       "allowed: a motion that is smooth between its breaks (--norms none leaves "
                       "graphs out)",
                       w->exact->name, w->g->n, a);
    }
    if (il_interrupted()) {
        return il_fail(err, IL_EINTERRUPTED, "%s in the graph of the solution '%s'",
                       il_interrupt_reason(), w->exact->name);
    }
    il_status status = halve(w, a, ua, c, room, deeper, depth - 1, err);
    if (status != IL_OK) {
        return status;
    }
    add(w->g, c, room);
    return halve(w, c, room, b, ub, deeper, depth - 1, err);
}

static il_status trace(tracing *w, double end, double *ua, il_error *err) {
    const il_exact *exact = w->exact;
    double *ub = ua + w->g->d;
    il_status status = IL_OK;
    for (size_t k = 0; k + 1 < exact->nbreaks; k++) {
        evaluate(w, fmin(exact->breaks[k], end), 1, ua);
    }
    for (size_t k = 0; status == IL_OK && k + 1 < exact->nbreaks; k++) {
        double a = exact->breaks[k];
        double b = fmin(exact->breaks[k + 1], end);
        if (!(a < b)) {
            break;
        }
        evaluate(w, a, 1, ua);
        evaluate(w, b, -1, ub);
        add(w->g, a, ua);
        if (!exact->quadratic) {
            status = halve(w, a, ua, b, ub, ub + w->g->d, DEPTH_MAX, err);
        }
        if (status == IL_OK) {
            add(w->g, b, ub);
        }
    }
    return status;
}

il_status il_graph_of_exact(il_graph *g, const il_exact *exact, size_t d, double end,
                            il_error *err) {
    start(g, d, 2 * exact->nbreaks);
    double *scratch = il_alloc((DEPTH_MAX + 4) * d, sizeof *scratch);
    tracing w = {.g = g, .exact = exact, .q = scratch};
    il_status status = trace(&w, end, scratch + d, err);
    free(scratch);
    if (status != IL_OK) {
        il_graph_free(g);
    }
    return status;
}

void il_graph_free(il_graph *g) {
    if (g != NULL) {
        free(g->p);
        *g = (il_graph){0};
    }
}

double il_graph_sup(const il_graph *g) {
    double sup = 0.0;
    for (size_t k = 0; k < g->n; k++) {
        double size = il_length(g->p + k * (1 + g->d) + 1, g->d);
        sup = isnan(size) || isnan(sup) ? NAN : fmax(sup, size);
    }
    return sup;
}

double il_graph_variation(const il_graph *g) {
    il_sum sum = {0.0, 0.0};
    size_t row = 1 + g->d;
    for (size_t k = 1; k < g->n; k++) {
        double step = 0.0;
        for (size_t i = 1; i < row; i++) {
            double change = g->p[k * row + i] - g->p[(k - 1) * row + i];
            step += change * change;
        }
        il_sum_add(&sum, sqrt(step));
    }
    return il_sum_value(&sum);
}
