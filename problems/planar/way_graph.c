/*
 * way_graph.c - common tangents, the arcs between their ends, and the way from each node.
 *
 * For circles i < j with centres w apart, at the angle omega, tangents touch both at omega +-
 * acos((r_i - r_j)/|w|) where the circles lie on one side, and at omega +- acos((r_i + r_j)/|w|) on
 * i, half a turn on from there on j, where they lie on both. The ways solve D_a = min over
 * neighbours b of D_b + length_ab, D = distance to the exit where a node sees it squarely (Bellman
 * and Ford).
 */
#include "problems/planar/way_graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"

/* A way may come nearer to an obstacle than it should by this part of the room's size: what tangent
 * points miss by rounding, with room to spare. */
static const double GRAZE = 1e-10;

/* ---- what is free ------------------------------------------------------------------------- */

bool il_way_graph_sees(const il_way_graph *g, const double *p, const double *q,
                       const double *room) {
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

static void at_angle(const il_way_circle *c, double angle, double *x) {
    x[0] = c->c[0] + c->r * il_cos(angle);
    x[1] = c->c[1] + c->r * il_sin(angle);
}

void il_way_graph_to_exit(const il_way_graph *g, const double *x, double *at) {
    double e[2] = {g->B[0] - g->A[0], g->B[1] - g->A[1]};
    double s = ((x[0] - g->A[0]) * e[0] + (x[1] - g->A[1]) * e[1]) / (e[0] * e[0] + e[1] * e[1]);
    s = fmax(0.0, fmin(1.0, s));
    at[0] = g->A[0] + s * e[0];
    at[1] = g->A[1] + s * e[1];
}

double il_way_graph_beyond(const il_way_graph *g, const double *x) {
    return (x[0] - g->A[0]) * g->out[0] + (x[1] - g->A[1]) * g->out[1];
}

/* ---- the graph ---------------------------------------------------------------------------- */

/* One node more; its number into *k, which may be NULL. */
static il_status add_node(il_way_graph *g, size_t circle, double angle, double way, size_t *k) {
    if (!il_memory_append(&g->node, g->nodes, sizeof *g->node)) {
        return IL_ENOMEM;
    }
    g->node[g->nodes] = (il_way_node){remainder(angle, 2.0 * M_PI), way, circle, g->nodes};
    if (k != NULL) {
        *k = g->nodes;
    }
    g->nodes++;
    return IL_OK;
}

/* The common tangents of circles i < j: from angle phi on i to the same angle on j where they lie
 * on one side of it, to phi + pi where they lie on both. */
static il_status add_tangents(il_way_graph *g, size_t i, size_t j) {
    const il_way_circle *ci = &g->circle[i];
    const il_way_circle *cj = &g->circle[j];
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
        if (!il_way_graph_sees(g, p, q, NULL)) {
            continue;
        }
        il_way_edge edge = {.length = il_hypot(q[0] - p[0], q[1] - p[1])};
        if (add_node(g, i, phi, INFINITY, &edge.i) != IL_OK ||
            add_node(g, j, inner ? phi + M_PI : phi, INFINITY, &edge.j) != IL_OK ||
            !il_memory_append(&g->edge, g->edges, sizeof edge)) {
            return IL_ENOMEM;
        }
        g->edge[g->edges++] = edge;
    }
    return IL_OK;
}

/* Tangents of circle i that meet the exit squarely; and the ends of the exit themselves, which are
 * circles of radius 0. */
static il_status add_exits(il_way_graph *g, size_t i) {
    const il_way_circle *c = &g->circle[i];
    double middle = il_atan2(g->out[1], g->out[0]);
    for (int side = -1; side <= 1; side += 2) {
        double phi = middle + side * 0.5 * M_PI;
        double p[2];
        double at[2];
        at_angle(c, phi, p);
        il_way_graph_to_exit(g, p, at);
        double length = -il_way_graph_beyond(g, p);
        double slip = fabs((at[0] - p[0]) * g->out[1] - (at[1] - p[1]) * g->out[0]);
        if (slip > g->graze || length < -g->graze || !il_way_graph_sees(g, p, at, NULL)) {
            continue;
        }
        if (add_node(g, i, phi, fmax(0.0, length), NULL) != IL_OK) {
            return IL_ENOMEM;
        }
    }
    return IL_OK;
}

/* Where circle i enters or leaves the reach of obstacles, so that an arc between two nodes is free
 * as a whole or not at all. */
static il_status add_crossings(il_way_graph *g, size_t i) {
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
            if (add_node(g, i, angle[a], INFINITY, NULL) != IL_OK) {
                return IL_ENOMEM;
            }
        }
    }
    return IL_OK;
}

/* ---- sorting, arcs, ways ------------------------------------------------------------------ */

static int by_place(const void *x, const void *y) {
    const il_way_node *a = x;
    const il_way_node *b = y;
    if (a->circle != b->circle) {
        return a->circle < b->circle ? -1 : 1;
    }
    if (a->angle != b->angle) {
        return a->angle < b->angle ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Nodes by circle and angle; edges follow. */
static il_status sort_nodes(il_way_graph *g) {
    size_t *now = malloc((g->nodes + 1) * sizeof *now);
    if (now == NULL) {
        return IL_ENOMEM;
    }
    if (g->nodes > 0) {
        qsort(g->node, g->nodes, sizeof *g->node, by_place);
    }
    for (size_t k = 0; k < g->nodes; k++) {
        il_way_circle *c = &g->circle[g->node[k].circle];
        c->first = c->n == 0 ? k : c->first;
        c->n++;
        now[g->node[k].index] = k;
    }
    for (size_t e = 0; e < g->edges; e++) {
        g->edge[e].i = now[g->edge[e].i];
        g->edge[e].j = now[g->edge[e].j];
    }
    free(now);
    return IL_OK;
}

/* From node k of c to the next: the angle. */
static double arc_angle(const il_way_graph *g, const il_way_circle *c, size_t k) {
    double from = g->node[c->first + k].angle;
    double to = g->node[c->first + (k + 1) % c->n].angle;
    return k + 1 == c->n ? to - from + 2.0 * M_PI : to - from;
}

static void find_arcs(il_way_graph *g) {
    for (size_t i = 0; i < g->circles; i++) {
        const il_way_circle *c = &g->circle[i];
        for (size_t k = 0; k < c->n; k++) {
            double x[2];
            at_angle(c, g->node[c->first + k].angle + 0.5 * arc_angle(g, c, k), x);
            g->clear[c->first + k] = il_way_graph_sees(g, x, x, NULL);
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
static void find_ways(il_way_graph *g) {
    bool shorter = true;
    for (size_t pass = 0; shorter && pass <= g->nodes; pass++) {
        shorter = false;
        for (size_t e = 0; e < g->edges; e++) {
            shorter |=
                relax(&g->node[g->edge[e].i].way, &g->node[g->edge[e].j].way, g->edge[e].length);
        }
        for (size_t i = 0; i < g->circles; i++) {
            const il_way_circle *c = &g->circle[i];
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
        il_way_circle *c = &g->circle[i];
        for (size_t k = 0; k < c->n; k++) {
            c->useful |= g->node[c->first + k].way < INFINITY;
        }
    }
}

/* ---- creation ----------------------------------------------------------------------------- */

/* A circle unless it is there. */
static void add_circle(il_way_graph *g, const double *c, double r) {
    for (size_t i = 0; i < g->circles; i++) {
        const il_way_circle *other = &g->circle[i];
        if (other->c[0] == c[0] && other->c[1] == c[1] && other->r == r) {
            return;
        }
    }
    g->circle[g->circles++] = (il_way_circle){.c = {c[0], c[1]}, .r = r};
}

static il_status add_circles(il_way_graph *g) {
    double far = il_hypot(g->A[0], g->A[1]);
    assert(g->plan->n <= IL_PLAN_MAX);
    g->circle = calloc(2 * g->plan->n + 2, sizeof *g->circle);
    if (g->circle == NULL) {
        return IL_ENOMEM;
    }
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
    return IL_OK;
}

il_status il_way_graph_build(il_way_graph *g) {
    il_status status = add_circles(g);
    for (size_t i = 0; i < g->circles && status == IL_OK; i++) {
        status = add_crossings(g, i);
        if (status == IL_OK) {
            status = add_exits(g, i);
        }
        for (size_t j = i + 1; j < g->circles && status == IL_OK; j++) {
            status = add_tangents(g, i, j);
        }
    }
    if (status == IL_OK) {
        status = sort_nodes(g);
    }
    if (status == IL_OK) {
        g->clear = calloc(g->nodes + 1, sizeof *g->clear);
        status = g->clear != NULL ? IL_OK : IL_ENOMEM;
    }
    if (status == IL_OK) {
        find_arcs(g);
        find_ways(g);
    }
    return status;
}

void il_way_graph_free(il_way_graph *g) {
    free(g->circle);
    free(g->node);
    free(g->clear);
    free(g->edge);
}
