/*
 * impact.c - a cluster of spheres of unequal sizes falls onto a plane (Maury 2006, section 6.3,
 * figures 8-11).
 *
 *     |q_j - q_i| >= r_i + r_j,   z_i >= r_i,   no force,   u_0 = -e_z,   m_i = (r_i/r_0)^3.
 *
 * Radii are uniform in [0.8 r_0, 1.2 r_0]; the paper has N = 2000, r_0 = 0.015 and steps h = 0.1,
 * in which a body moves more than three diameters. With space = 2 the spheres stay in the plane y =
 * 0 and have the coordinates (x,z), as in the paper; with space = 3 they are free.
 *
 * The paper does not say how the cluster was made. Here it is the N points nearest to the centre of
 * a lattice, hexagonal or face-centred cubic, whose nearest points are a = spread 2.4 r_0 apart:
 * the largest two spheres just fit at spread = 1. Each is moved off its point by up to 0.9 (a - 2.4
 * r_0)/2, so that no two meet. Both lattices have squared distances that are whole numbers (times
 * a^2 and a^2/2), so the choice of points does not hang on rounding.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"
#include "problems/spheres/spheres.h"

static const double SMALLEST = 0.8; /* radii, in r_0 */
static const double LARGEST = 1.2;
static const double JITTER = 0.9;    /* of what keeps neighbours apart */
static const double CLEARANCE = 1.0; /* of the lowest body above the plane, in r_0 */

/* ---- the cluster -------------------------------------------------------------------------- */

/* Lattice points i, j (and k) with their squared distance from the origin. */
typedef struct {
    size_t space;
    long reach;        /* |i|, |j|, |k| <= reach */
    long least_square; /* all points with smaller squares are taken, */
    size_t ties;       /* and so many of those with this one */
} ball;

/* The square for point (i,j,k): of i a + j b in the hexagonal lattice, whose axes make 60 degrees;
 * of (i,j,k) in the cubic one, where points with an odd sum do not exist and give -1. */
static long square_of(const ball *w, long i, long j, long k) {
    if (w->space == 2) {
        return i * i + i * j + j * j;
    }
    return (i + j + k) % 2 == 0 ? i * i + j * j + k * k : -1;
}

/* Calls for all points with squares up to limit, in a fixed order: layer by layer from below. */
static void for_points(const ball *w, long limit,
                       void (*visit)(void *context, long square, const long *at), void *context) {
    long depth = w->space == 3 ? w->reach : 0;
    for (long k = -w->reach; k <= w->reach; k++) {
        for (long j = -depth; j <= depth; j++) {
            for (long i = -w->reach; i <= w->reach; i++) {
                long at[3] = {i, w->space == 3 ? j : k, w->space == 3 ? k : 0};
                long square = square_of(w, at[0], at[1], at[2]);
                if (square >= 0 && square <= limit) {
                    visit(context, square, at);
                }
            }
        }
    }
}

static void count_square(void *context, long square, const long *at) {
    size_t *count = context;
    (void)at;
    count[square]++;
}

/* How far the N points nearest to the centre reach. */
static il_status measure_ball(ball *w, size_t N, il_error *err) {
    /* Points with squares up to s: 2 pi s/sqrt 3 = 3.6 s, and 2 pi s^(3/2)/3 = 2.1 s^(3/2), up to
     * a layer; four more units of length are more than a layer. */
    double radius = w->space == 2 ? sqrt((double)N / 3.6) : il_cbrt((double)N / 2.09);
    long limit = (long)((radius + 4.0) * (radius + 4.0));
    /* in the hexagonal lattice |i| <= sqrt(4 s/3) */
    w->reach = (long)ceil(sqrt(4.0 * (double)limit / 3.0));
    size_t *count = il_alloc_zero((size_t)limit + 1, sizeof *count);
    for_points(w, limit, count_square, count);
    size_t inside = 0;
    long s = 0;
    while (s < limit && inside + count[s] < N) {
        inside += count[s++];
    }
    w->least_square = s;
    w->ties = N - inside;
    bool enough = count[s] >= w->ties;
    free(count);
    return enough ? IL_OK : il_fail(err, IL_EINTERNAL, "a lattice without %zu points", N);
}

typedef struct {
    ball ball;
    double spacing, jitter, r0;
    gsl_rng *rng;
    double *q, *r;
    size_t placed, N;
} placing;

/* A vector uniform in the disc or ball of radius 1. */
static void draw_in_ball(gsl_rng *rng, size_t space, double *x) {
    double square = 2.0;
    while (square > 1.0) {
        square = 0.0;
        for (size_t c = 0; c < space; c++) {
            x[c] = 2.0 * gsl_rng_uniform(rng) - 1.0;
            square += x[c] * x[c];
        }
    }
}

static void place(void *context, long square, const long *at) {
    placing *p = context;
    if (p->placed == p->N || (square == p->ball.least_square && p->ball.ties == 0)) {
        return;
    }
    p->ball.ties -= square == p->ball.least_square;
    size_t space = p->ball.space;
    double off[3] = {0.0};
    double *q = p->q + space * p->placed;
    p->r[p->placed] = p->r0 * (SMALLEST + (LARGEST - SMALLEST) * gsl_rng_uniform(p->rng));
    draw_in_ball(p->rng, space, off);
    if (space == 2) {
        q[0] = p->spacing * ((double)at[0] + 0.5 * (double)at[1]);
        q[1] = p->spacing * sqrt(0.75) * (double)at[1];
    } else {
        for (size_t c = 0; c < 3; c++) {
            q[c] = p->spacing * sqrt(0.5) * (double)at[c];
        }
    }
    for (size_t c = 0; c < space; c++) {
        q[c] += p->jitter * off[c];
    }
    p->placed++;
}

/* Positions and radii; the lowest body hangs CLEARANCE r_0 above the plane. */
static il_status make_cluster(il_spheres *w, const il_params *params, il_error *err) {
    double r0 = il_params_number(params, "r0");
    double fit = 2.0 * LARGEST * r0;
    placing p = {.ball = {.space = w->space},
                 .spacing = fit * il_params_number(params, "spread"),
                 .r0 = r0,
                 .q = w->q0,
                 .r = w->r,
                 .N = w->N};
    p.jitter = JITTER * 0.5 * (p.spacing - fit);
    il_status status = measure_ball(&p.ball, w->N, err);
    if (status != IL_OK) {
        return status;
    }
    p.rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(p.rng, il_params_integer(params, "seed"));
    for_points(&p.ball, p.ball.least_square, place, &p);
    gsl_rng_free(p.rng);
    size_t up = w->space - 1;
    double lowest = INFINITY;
    for (size_t i = 0; i < w->N; i++) {
        lowest = fmin(lowest, w->q0[w->space * i + up] - w->r[i]);
    }
    for (size_t i = 0; i < w->N; i++) {
        w->q0[w->space * i + up] += CLEARANCE * r0 - lowest;
    }
    return IL_OK;
}

/* ---- the problem -------------------------------------------------------------------------- */

static il_status create(il_problem *self, il_params *params, il_error *err) {
    static const double up[2][3] = {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    size_t N = il_params_integer(params, "N");
    size_t space = il_params_integer(params, "space");
    il_status status = il_spheres_create(self, space, N, err);
    if (status != IL_OK) {
        return status;
    }
    il_spheres *w = self->data;
    il_spheres_add_wall(w, "floor", up[space - 2], 0.0);
    for (size_t i = 0; i < N; i++) {
        w->u0[space * i + space - 1] = -1.0;
    }
    self->restitution = il_params_number(params, "e");
    self->traits |= IL_FORCE_FREE;
    self->conserved_axes = space == 3 ? 3u : 1u; /* the plane pushes upward only */
    self->no_exact = "many bodies, many impacts at once: no solution is known";
    status = make_cluster(w, params, err);
    if (status == IL_OK) {
        status = il_spheres_set_masses(self, 1.0, il_params_number(params, "r0"), 3, err);
    }
    if (status != IL_OK) {
        il_spheres_destroy(self);
    }
    return status;
}

static const il_param_spec params[] = {
    {"N", IL_PARAM_INTEGER, "2000", 1.0, IL_SPHERES_MAX, false, NULL, "1", "number of spheres"},
    {"r0", IL_PARAM_NUMBER, "0.015", 0.0, INFINITY, true, NULL, "length",
     "mean radius; radii are uniform in [0.8 r0, 1.2 r0]"},
    {"spread", IL_PARAM_NUMBER, "1.05", 1.0, 1e3, false, NULL, "1",
     "how loose the cluster is: distance of lattice neighbours in diameters of the largest sphere"},
    {"seed", IL_PARAM_INTEGER, "1", 0.0, 4294967295.0, false, NULL, "1",
     "seed of radii and positions (Mersenne Twister 19937)"},
    {"space", IL_PARAM_INTEGER, "2", 2.0, 3.0, false, NULL, "1",
     "2: spheres kept in a plane, coordinates (x,z); 3: free"},
    {"e", IL_PARAM_NUMBER, "0", 0.0, 1.0, false, NULL, "1", "restitution"},
    {"T", IL_PARAM_NUMBER, "1", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_impact = {
    .name = "impact",
    .title = "a cluster of spheres of unequal sizes falls onto a plane",
    .statement =
        "M u' = sum of reactions, |q_j - q_i| >= r_i + r_j, z_i >= r_i, u_0 = -e_z, no force.\n"
        "Radii uniform in [0.8 r0, 1.2 r0], masses (r_i/r0)^3. The cluster is the part of a\n"
        "lattice nearest to a point, shaken; its lowest sphere starts r0 above the plane. With\n"
        "h = 0.1 and r0 = 0.015 a sphere moves three diameters a step. No exact solution: nodes\n"
        "are feasible, the energy never grows, the horizontal momentum is kept.",
    .source = "Maury 2006, section 6.3, figures 8-11",
    .hypotheses =
        "BL (A0)-(A5): yes, spheres of fixed radii and a plane. (A6'): yes, by Lemma 4.2, in\n"
        "which a single plane changes nothing: the sphere farthest from it can only be pushed\n"
        "away. Theorem 1.3 applies for e = 0, masses by Remark 4.1; the nu that is known grows\n"
        "very\n"
        "fast with N (Venel, section 4).\n"
        "AT A4 fails as soon as two contacts of a sphere are less than 90 degrees apart. Maury:\n"
        "the start is inside, as he asks; Propositions 2-5 apply, Theorem 1 is for one contact.\n"
        "With e > 0 no theorem of the four papers applies.",
    .params = params,
    .size = sizeof(il_spheres),
    .create = create,
    IL_SPHERES_MEMBERS};
