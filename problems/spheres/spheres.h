/*
 * spheres.h - problems of many spheres of fixed radii among plane walls: what impact, pile and
 * crystal share.
 *
 *     M u' = -g M e + sum of reactions,
 *     D_ij(q) = |q_j - q_i| - (r_i + r_j) >= 0,      W_ik(q) = <n_k, q_i> - c_k - r_i >= 0,
 *
 * e the last axis, which points up, g >= 0 the gravity, n_k the unit normal of wall k, into the
 * room. Constraints are numbered: the pairs as in pairs.h, then wall k of body i as
 * N (N - 1)/2 + walls i + k.
 *
 * A problem sizes it by il_spheres_create, fills in radii, walls, start and masses, and names the
 * functions below in its table.
 */
#ifndef IL_SPHERES_H
#define IL_SPHERES_H

#include "problems/problem.h"
#include "problems/spheres/pairs.h"
#include "problems/spheres/search.h"

/* Walls that a room has at most; bodies for which pairs have numbers that pairs.h can take apart
 * (N^2/2 < 2^52). */
enum { IL_WALLS_MAX = 6, IL_SPHERES_MAX = 50000000 };

/* The spheres that self->data points to, or that stand first there. */
typedef struct {
    size_t space, N, walls;
    il_plane wall[IL_WALLS_MAX];
    double *r;         /* [N] the problem's to fill in, then left alone */
    double gravity;    /* 0 unless the problem sets it */
    double *q0, *u0;   /* [d] each, zeroed: the problem's to fill in */
    il_search *search; /* scratch: one thread at a time */
} il_spheres;

/* IL_EINVAL when a run with N bodies in R^space would need more than il_memory_afford allows, by an
 * estimate from above for everything but the projector; the message says how many would do. */
il_status il_spheres_afford(size_t space, size_t N, il_error *err);

/* N spheres in R^space, without walls so far; r is allocated. il_spheres_free is fine on what is
 * zeroed. */
il_status il_spheres_init(il_spheres *w, size_t space, size_t N, il_error *err);
void il_spheres_free(il_spheres *w);

/* Add the wall <n,x> >= c; n[space] is a unit vector, name a text that lasts. At most IL_WALLS_MAX
 * (asserted). */
void il_spheres_add_wall(il_spheres *w, const char *name, const double *n, double c);

/* Constraints in all. */
size_t il_spheres_count(const il_spheres *w);

/* ---- a problem of them ---------------------------------------------------------------------- */

/* Everything of self that N spheres in R^space determine: order 2, d, space, the start, the traits
 * of spheres among fixed walls under a force of time. The masses are not there yet, nor p.
 * IL_EINVAL for an N that this machine has no memory for, before anything is allocated. self->data
 * begins with an il_spheres. il_spheres_destroy frees what it made, but not after its own failure.
 */
il_status il_spheres_create(il_problem *self, size_t space, size_t N, il_error *err);
void il_spheres_destroy(il_problem *self);

/* Close what was filled in: p, and the masses m_i = density (r_i/unit)^power. */
il_status il_spheres_set_masses(il_problem *self, double density, double unit, int power,
                                il_error *err);

/* The same with masses [N], one a sphere. */
il_status il_spheres_finish(il_problem *self, const double *masses, il_error *err);

/* Members of il_problem_type, for a self of which data, and team of scan, are read alone, but
 * by the forces. */
il_status il_spheres_row(const il_problem *self, double t, const double *q, size_t id,
                         il_rows *rows);
il_status il_spheres_scan(const il_problem *self, double t, const double *q, const double *x,
                          double slack, il_rows *rows);
double il_spheres_gap(const il_problem *self, double t, const double *q, size_t *id);
void il_spheres_each_radius(const il_problem *self, double t, double *r);
double il_spheres_rolling(const il_problem *self, double t, size_t id);
size_t il_spheres_wall_of(const il_problem *self, size_t id);
void il_spheres_describe(const il_problem *self, size_t id, char *out, size_t capacity);
void il_spheres_force(const il_problem *self, double t, const double *q, double *f);
void il_spheres_force_mean(const il_problem *self, double t0, double t1, const double *q,
                           double *f);

/* All of them but the forces, in the table of a problem. */
#define IL_SPHERES_MEMBERS                                                                         \
    .destroy = il_spheres_destroy, .row = il_spheres_row, .scan = il_spheres_scan,                 \
    .gap = il_spheres_gap, .rolling = il_spheres_rolling, .wall = il_spheres_wall_of,              \
    .radii = il_spheres_each_radius, .describe = il_spheres_describe

#endif
