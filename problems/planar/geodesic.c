/*
 * geodesic.c - the ways from a point: straight to the exit, or along a tangent onto a circle of the
 * graph and on from there,
 *
 *     D(x) = min over circles and both ways round of |x - t| + r (angle from t to a node) + D_node.
 */
#include "problems/planar/geodesic.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "problems/planar/way_graph.h"

il_status il_geodesic_create(il_geodesic **out, const il_plan *plan, double rho, const double *exit,
                             il_error *err) {
    *out = NULL;
    double e[2] = {exit[2] - exit[0], exit[3] - exit[1]};
    double width = il_hypot(e[0], e[1]);
    if (!(width > 2.0 * rho)) {
        return il_fail(err, IL_EINVAL,
                       "the exit is %.10g wide; a disc of radius %.10g needs more than %.10g",
                       width, rho, 2.0 * rho);
    }
    il_way_graph *g = calloc(1, sizeof *g);
    if (g == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for ways to the exit");
    }
    g->plan = plan;
    g->rho = rho;
    for (int i = 0; i < 2; i++) {
        g->A[i] = exit[i] + rho * e[i] / width;
        g->B[i] = exit[i + 2] - rho * e[i] / width;
    }
    g->out[0] = e[1] / width;
    g->out[1] = -e[0] / width;
    il_status status = il_way_graph_build(g);
    if (status != IL_OK) {
        il_geodesic_destroy(g);
        return il_fail(err, status, "no memory for ways to the exit");
    }
    *out = g;
    return IL_OK;
}

void il_geodesic_destroy(il_geodesic *g) {
    if (g != NULL) {
        il_way_graph_free(g);
    }
    free(g);
}

/* ---- ways --------------------------------------------------------------------------------- */

/* D from the point of c at angle, going round counterclockwise (turn = 1) or clockwise (-1); *arc
 * is how far it goes round. */
static double way_around(const il_way_graph *g, const il_way_circle *c, double angle, int turn,
                         double *arc) {
    size_t low = 0;
    size_t high = c->n;
    if (high == 0) {
        return INFINITY;
    }
    const il_way_node *list = g->node + c->first;
    while (low < high) { /* low: the first node beyond angle */
        size_t middle = (low + high) / 2;
        if (list[middle].angle <= angle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t before = (low + c->n - 1) % c->n;
    size_t after = low % c->n;
    if (c->r > 0.0 && !g->clear[c->first + before]) {
        double stop = list[turn > 0 ? after : before].angle; /* at the very end of a free arc */
        if (fabs(remainder(stop - angle, 2.0 * M_PI)) * c->r > g->graze) {
            return INFINITY;
        }
    }
    const il_way_node *next = &list[turn > 0 ? after : before];
    double way = fmod(turn * (next->angle - angle), 2.0 * M_PI);
    *arc = c->r * (way < 0.0 ? way + 2.0 * M_PI : way);
    return next->way + *arc;
}

/* The best way so far. */
typedef struct {
    double way, leg; /* its length; that of the piece on whose direction it sets out */
    double e[2];
} best_way;

/* Is a way better? Of two that are as long but for rounding, one that sets out on an arc of
 * rounding's length has no direction, and is not. */
static bool is_better(const il_way_graph *g, double way, double leg, const best_way *best) {
    bool alike = fabs(way - best->way) <= g->graze;
    bool none = leg <= g->graze;
    return alike && none != (best->leg <= g->graze) ? !none : way < best->way;
}

/* The two ways from x by circle c; a better one replaces *best. */
static void by_circle(const il_way_graph *g, const il_way_circle *c, const double *x,
                      const double *room, best_way *best) {
    double w[2] = {x[0] - c->c[0], x[1] - c->c[1]};
    double d = il_hypot(w[0], w[1]);
    if (!(d > 0.0)) {
        return;
    }
    bool inside = d <= c->r;
    double length = inside ? c->r - d : sqrt((d - c->r) * (d + c->r));
    double cosine = inside ? 1.0 : c->r / d; /* of the angle from w to where the way touches */
    double sine = inside ? 0.0 : length / d;
    double half = inside ? 0.0 : il_acos(cosine);
    double middle = il_atan2(w[1], w[0]);
    for (int turn = -1; turn <= 1; turn += 2) {
        double phi = remainder(middle + turn * half, 2.0 * M_PI);
        double arc = 0.0;
        double way = length + way_around(g, c, phi, turn, &arc);
        double leg = length + arc;
        if (!(way < INFINITY) || !is_better(g, way, leg, best)) {
            continue;
        }
        /* w/d turned to there */
        double n[2] = {(cosine * w[0] - turn * sine * w[1]) / d,
                       (cosine * w[1] + turn * sine * w[0]) / d};
        double t[2] = {c->c[0] + c->r * n[0], c->c[1] + c->r * n[1]};
        if (inside || il_way_graph_sees(g, x, t, room)) {
            best->way = way;
            best->leg = leg;
            best->e[0] = c->r > 0.0 ? -turn * n[1] : -w[0] / d;
            best->e[1] = c->r > 0.0 ? turn * n[0] : -w[1] / d;
        }
    }
}

double il_geodesic_way(const il_geodesic *g, const double *x, double *e) {
    double beyond = il_way_graph_beyond(g, x);
    if (beyond >= 0.0) {
        memcpy(e, g->out, sizeof g->out);
        return -beyond;
    }
    double room[IL_PLAN_MAX];
    for (size_t k = 0; k < g->plan->n; k++) {
        room[k] = il_capsule_between(&g->plan->shape[k], x, x);
    }
    double at[2];
    il_way_graph_to_exit(g, x, at);
    double w[2] = {at[0] - x[0], at[1] - x[1]};
    double straight = il_hypot(w[0], w[1]);
    if (il_way_graph_sees(g, x, at, room)) { /* nothing is shorter than straight */
        e[0] = w[0] / straight;
        e[1] = w[1] / straight;
        return straight;
    }
    best_way best = {.way = INFINITY};
    for (size_t i = 0; i < g->circles; i++) {
        if (g->circle[i].useful) {
            by_circle(g, &g->circle[i], x, room, &best);
        }
    }
    memcpy(e, best.e, sizeof best.e);
    return best.way;
}

double il_geodesic_beyond(const il_geodesic *g, const double *x) {
    return il_way_graph_beyond(g, x);
}
