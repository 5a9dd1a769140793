/*
 * geodesic.c - the graph that shortest ways of a disc among capsules run over, and the ways from a
 * point.
 *
 * Circles have radius R + rho about tips and discs, and radius 0 about the two ends of the exit.
 * Nodes stand on them: where a free tangent of two circles ends, where a tangent leads squarely to
 * the exit, and where the circle enters or leaves the reach of an obstacle, so that an arc between
 * neighbours is free as a whole or not at all. For circles i < j with centres w apart, at the angle
 * omega, tangents touch both at omega +- acos((r_i - r_j)/|w|) where the circles lie on one side,
 * and at omega +- acos((r_i + r_j)/|w|) on i, half a turn on from there on j, where they lie on
 * both. The ways solve D_a = min over neighbours b of D_b + length_ab, D = distance to the exit
 * where a node sees it squarely (Bellman and Ford).
 *
 * From a point the way goes straight to the exit, or along a tangent onto a circle and on from
 * there,
 *
 *     D(x) = min over circles and both ways round of |x - t| + r (angle from t to a node) + D_node.
 *
 * Angles are in (-pi, pi].
 */
#include "problems/planar/geodesic.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"

typedef struct {
    double angle, way;    /* on its circle; D from there, INFINITY without a way */
    size_t circle, index; /* its circle, and its number before nodes were sorted */
} way_node;

/* Nodes node[first .. first + n) stand on the circle, by angle; arc k leads from node k to the
 * next (the last to the first), clear[first + k] says if it is free. */
typedef struct {
    double c[2], r;
    size_t first, n;
    bool useful; /* some node has a way */
} way_circle;

/* Between two nodes, along a common tangent. */
typedef struct {
    size_t i, j;
    double length;
} way_edge;

struct il_geodesic {
    const il_plan *plan;
    double rho, graze; /* graze: by how much a way may miss rho of an obstacle, by rounding */
    double A[2], B[2], out[2]; /* where centres pass, and the unit normal that leads out */
    size_t circles, nodes, edges;
    way_circle *circle; /* [circles] */
    way_node *node;     /* [nodes] */
    bool *clear;        /* [nodes] */
    way_edge *edge;     /* [edges] */
};

/* A way may come nearer to an obstacle than it should by this part of the room's size: what tangent
 * points miss by rounding, with room to spare. */
static const double GRAZE = 1e-10;

/* ---- what is free ------------------------------------------------------------------------- */

/* Is the straight way from p[2] to q[2] free? room[k] (NULL: rho of all) is what p has around
 * obstacle k's axis: less than R_k + rho is then enough. */
static bool sees(const il_geodesic *g, const double *p, const double *q, const double *room) {
    for (size_t k = 0; k < g->plan->n; k++) {
        const il_capsule *shape = &g->plan->shape[k];
        double reach = shape->R + g->rho;
        double asked = room != NULL ? fmin(reach, room[k]) : reach;
        if (!(il_capsule_between(shape, p, q) >= asked - g->graze)) {
            return false;
        }
    }
    return true;
}

static void at_angle(const way_circle *c, double angle, double *x) {
    x[0] = c->c[0] + c->r * il_cos(angle);
    x[1] = c->c[1] + c->r * il_sin(angle);
}

/* The point of AB nearest to x[2], into at[2]. */
static void to_exit(const il_geodesic *g, const double *x, double *at) {
    double e[2] = {g->B[0] - g->A[0], g->B[1] - g->A[1]};
    double s = ((x[0] - g->A[0]) * e[0] + (x[1] - g->A[1]) * e[1]) / (e[0] * e[0] + e[1] * e[1]);
    s = fmax(0.0, fmin(1.0, s));
    at[0] = g->A[0] + s * e[0];
    at[1] = g->A[1] + s * e[1];
}

double il_geodesic_beyond(const il_geodesic *g, const double *x) {
    return (x[0] - g->A[0]) * g->out[0] + (x[1] - g->A[1]) * g->out[1];
}

/* ---- the graph ---------------------------------------------------------------------------- */

/* One node more; its number into *k, which may be NULL. */
static void add_node(il_geodesic *g, size_t circle, double angle, double way, size_t *k) {
    il_memory_append(&g->node, g->nodes, sizeof *g->node);
    g->node[g->nodes] = (way_node){remainder(angle, 2.0 * M_PI), way, circle, g->nodes};
    if (k != NULL) {
        *k = g->nodes;
    }
    g->nodes++;
}

/* The common tangents of circles i < j: from angle phi on i to the same angle on j where they lie
 * on one side of it, to phi + pi where they lie on both. */
static void add_tangents(il_geodesic *g, size_t i, size_t j) {
    const way_circle *ci = &g->circle[i];
    const way_circle *cj = &g->circle[j];
    double w[2] = {cj->c[0] - ci->c[0], cj->c[1] - ci->c[1]};
    double d = il_hypot(w[0], w[1]);
    for (int kind = 0; kind < 4; kind++) {
        bool inner = kind >= 2;
        double cosine = (inner ? ci->r + cj->r : ci->r - cj->r) / d;
        if (!(fabs(cosine) <= 1.0 + GRAZE)) {
            continue;
        }
        double half = il_acos(fmax(-1.0, fmin(1.0, cosine)));
        double phi = il_atan2(w[1], w[0]) + (kind % 2 == 0 ? half : -half);
        double p[2];
        double q[2];
        at_angle(ci, phi, p);
        at_angle(cj, inner ? phi + M_PI : phi, q);
        if (!sees(g, p, q, NULL)) {
            continue;
        }
        way_edge edge = {.length = il_hypot(q[0] - p[0], q[1] - p[1])};
        add_node(g, i, phi, INFINITY, &edge.i);
        add_node(g, j, inner ? phi + M_PI : phi, INFINITY, &edge.j);
        il_memory_append(&g->edge, g->edges, sizeof edge);
        g->edge[g->edges++] = edge;
    }
}

/* Tangents of circle i that meet the exit squarely; and the ends of the exit themselves, which are
 * circles of radius 0. */
static void add_exits(il_geodesic *g, size_t i) {
    const way_circle *c = &g->circle[i];
    double middle = il_atan2(g->out[1], g->out[0]);
    for (int side = -1; side <= 1; side += 2) {
        double phi = middle + side * 0.5 * M_PI;
        double p[2];
        double at[2];
        at_angle(c, phi, p);
        to_exit(g, p, at);
        double length = -il_geodesic_beyond(g, p);
        double slip = fabs((at[0] - p[0]) * g->out[1] - (at[1] - p[1]) * g->out[0]);
        if (slip > g->graze || length < -g->graze || !sees(g, p, at, NULL)) {
            continue;
        }
        add_node(g, i, phi, fmax(0.0, length), NULL);
    }
}

/* Where circle i enters or leaves the reach of obstacles, so that an arc between two nodes is free
 * as a whole or not at all. */
static void add_crossings(il_geodesic *g, size_t i) {
    for (size_t k = 0; k < g->plan->n && g->circle[i].r > 0.0; k++) {
        double angle[IL_CAPSULE_CROSSINGS_MAX + 2];
        const il_capsule *shape = &g->plan->shape[k];
        size_t n =
            il_capsule_crossings(shape, shape->R + g->rho, g->circle[i].c, g->circle[i].r, angle);
        double e[2] = {shape->b[0] - shape->a[0], shape->b[1] - shape->a[1]};
        if (e[0] != 0.0 || e[1] != 0.0) { /* sides of its own wall are tangent there */
            angle[n++] = il_atan2(e[0], -e[1]);
            angle[n++] = il_atan2(-e[0], e[1]);
        }
        for (size_t a = 0; a < n; a++) {
            add_node(g, i, angle[a], INFINITY, NULL);
        }
    }
}

/* ---- sorting, arcs, ways ------------------------------------------------------------------ */

static int by_place(const void *x, const void *y) {
    const way_node *a = x;
    const way_node *b = y;
    if (a->circle != b->circle) {
        return a->circle < b->circle ? -1 : 1;
    }
    if (a->angle != b->angle) {
        return a->angle < b->angle ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Nodes by circle and angle; edges follow. */
static void sort_nodes(il_geodesic *g) {
    size_t *now = il_alloc(g->nodes, sizeof *now);
    if (g->nodes > 0) {
        qsort(g->node, g->nodes, sizeof *g->node, by_place);
    }
    for (size_t k = 0; k < g->nodes; k++) {
        way_circle *c = &g->circle[g->node[k].circle];
        c->first = c->n == 0 ? k : c->first;
        c->n++;
        now[g->node[k].index] = k;
    }
    for (size_t e = 0; e < g->edges; e++) {
        g->edge[e].i = now[g->edge[e].i];
        g->edge[e].j = now[g->edge[e].j];
    }
    free(now);
}

/* From node k of c to the next: the angle. */
static double arc_angle(const il_geodesic *g, const way_circle *c, size_t k) {
    double from = g->node[c->first + k].angle;
    double to = g->node[c->first + (k + 1) % c->n].angle;
    return k + 1 == c->n ? to - from + 2.0 * M_PI : to - from;
}

static void find_arcs(il_geodesic *g) {
    for (size_t i = 0; i < g->circles; i++) {
        const way_circle *c = &g->circle[i];
        for (size_t k = 0; k < c->n; k++) {
            double x[2];
            at_angle(c, g->node[c->first + k].angle + 0.5 * arc_angle(g, c, k), x);
            g->clear[c->first + k] = sees(g, x, x, NULL);
        }
    }
}

/* way[i] = min(way[i], way[j] + length) and the reverse; true if one became shorter. */
static bool relax(double *a, double *b, double length) {
    double before = *a + *b;
    *a = fmin(*a, *b + length);
    *b = fmin(*b, *a + length);
    return *a + *b < before;
}

/* Bellman and Ford: rooms have few nodes. */
static void find_ways(il_geodesic *g) {
    bool shorter = true;
    for (size_t pass = 0; shorter && pass <= g->nodes; pass++) {
        shorter = false;
        for (size_t e = 0; e < g->edges; e++) {
            shorter |=
                relax(&g->node[g->edge[e].i].way, &g->node[g->edge[e].j].way, g->edge[e].length);
        }
        for (size_t i = 0; i < g->circles; i++) {
            const way_circle *c = &g->circle[i];
            for (size_t k = 0; k < c->n; k++) {
                if (g->clear[c->first + k]) {
                    shorter |=
                        relax(&g->node[c->first + k].way, &g->node[c->first + (k + 1) % c->n].way,
                              c->r * arc_angle(g, c, k));
                }
            }
        }
    }
    for (size_t i = 0; i < g->circles; i++) {
        way_circle *c = &g->circle[i];
        for (size_t k = 0; k < c->n; k++) {
            c->useful |= g->node[c->first + k].way < INFINITY;
        }
    }
}

/* ---- creation ----------------------------------------------------------------------------- */

/* A circle unless it is there. */
static void add_circle(il_geodesic *g, const double *c, double r) {
    for (size_t i = 0; i < g->circles; i++) {
        const way_circle *other = &g->circle[i];
        if (other->c[0] == c[0] && other->c[1] == c[1] && other->r == r) {
            return;
        }
    }
    g->circle[g->circles++] = (way_circle){.c = {c[0], c[1]}, .r = r};
}

static void add_circles(il_geodesic *g) {
    double far = il_hypot(g->A[0], g->A[1]);
    assert(g->plan->n <= IL_PLAN_MAX);
    g->circle = il_alloc_zero(2 * g->plan->n + 2, sizeof *g->circle);
    add_circle(g, g->A, 0.0);
    add_circle(g, g->B, 0.0);
    for (size_t k = 0; k < g->plan->n; k++) {
        const il_capsule *shape = &g->plan->shape[k];
        add_circle(g, shape->a, shape->R + g->rho);
        add_circle(g, shape->b, shape->R + g->rho);
        far = fmax(far, il_hypot(shape->a[0], shape->a[1]) + shape->R);
        far = fmax(far, il_hypot(shape->b[0], shape->b[1]) + shape->R);
    }
    g->graze = GRAZE * (far + g->rho);
}

/* Everything behind out, from plan, rho, A, B and out; the rest is 0. */
static void build(il_geodesic *g) {
    add_circles(g);
    for (size_t i = 0; i < g->circles; i++) {
        add_crossings(g, i);
        add_exits(g, i);
        for (size_t j = i + 1; j < g->circles; j++) {
            add_tangents(g, i, j);
        }
    }
    sort_nodes(g);
    g->clear = il_alloc_zero(g->nodes, sizeof *g->clear);
    find_arcs(g);
    find_ways(g);
}

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
    il_geodesic *g = il_alloc_zero(1, sizeof *g);
    g->plan = plan;
    g->rho = rho;
    for (int i = 0; i < 2; i++) {
        g->A[i] = exit[i] + rho * e[i] / width;
        g->B[i] = exit[i + 2] - rho * e[i] / width;
    }
    g->out[0] = e[1] / width;
    g->out[1] = -e[0] / width;
    build(g);
    *out = g;
    return IL_OK;
}

void il_geodesic_destroy(il_geodesic *g) {
    if (g != NULL) {
        free(g->circle);
        free(g->node);
        free(g->clear);
        free(g->edge);
    }
    free(g);
}

/* ---- ways --------------------------------------------------------------------------------- */

/* D from the point of c at angle, going round counterclockwise (turn = 1) or clockwise (-1); *arc
 * is how far it goes round. */
static double way_around(const il_geodesic *g, const way_circle *c, double angle, int turn,
                         double *arc) {
    size_t low = 0;
    size_t high = c->n;
    if (high == 0) {
        return INFINITY;
    }
    const way_node *list = g->node + c->first;
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
    const way_node *next = &list[turn > 0 ? after : before];
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
static bool is_better(const il_geodesic *g, double way, double leg, const best_way *best) {
    bool alike = fabs(way - best->way) <= g->graze;
    bool none = leg <= g->graze;
    return alike && none != (best->leg <= g->graze) ? !none : way < best->way;
}

/* The two ways from x by circle c; a better one replaces *best. */
static void by_circle(const il_geodesic *g, const way_circle *c, const double *x,
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
        if (inside || sees(g, x, t, room)) {
            best->way = way;
            best->leg = leg;
            best->e[0] = c->r > 0.0 ? -turn * n[1] : -w[0] / d;
            best->e[1] = c->r > 0.0 ? turn * n[0] : -w[1] / d;
        }
    }
}

double il_geodesic_way(const il_geodesic *g, const double *x, double *e) {
    double beyond = il_geodesic_beyond(g, x);
    if (beyond >= 0.0) {
        memcpy(e, g->out, sizeof g->out);
        return -beyond;
    }
    double room[IL_PLAN_MAX];
    for (size_t k = 0; k < g->plan->n; k++) {
        room[k] = il_capsule_between(&g->plan->shape[k], x, x);
    }
    double at[2];
    to_exit(g, x, at);
    double w[2] = {at[0] - x[0], at[1] - x[1]};
    double straight = il_hypot(w[0], w[1]);
    if (sees(g, x, at, room)) { /* nothing is shorter than straight */
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
