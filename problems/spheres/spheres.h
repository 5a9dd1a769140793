/*
 * spheres.h - problems of many spheres among plane walls: what impact, pile and crystal share.
 *
 *     M u' = -g M e + sum of reactions,   |q_j - q_i| >= r_i + r_j,   <n_k, q_i> >= c_k + r_i,
 *
 * e the last axis, which points up, g >= 0 the gravity. A problem sizes it by il_spheres_create,
 * fills in radii, walls, start and masses, and names the functions below in its table.
 */
#ifndef IL_SPHERES_H
#define IL_SPHERES_H

#include "problems/problem.h"
#include "problems/spheres/walled.h"

/* What self->data points to, or what stands first there. */
typedef struct {
    il_walled spheres; /* radii and walls: the problem's to fill in */
    double gravity;    /* 0 unless the problem sets it */
    double *q0, *u0;   /* [d] each, zeroed: the problem's to fill in */
} il_spheres;

/* Everything of self that N spheres in R^space determine: order 2, d, space, the start, the
 * traits of spheres among fixed walls under a force of time.
 * The masses are not there yet, nor p. IL_EINVAL for an N that this machine has no memory for,
 * before anything is allocated. self->data begins with an il_spheres. il_spheres_destroy frees what
 * it made, but not after its own failure. */
il_status il_spheres_create(il_problem *self, size_t space, size_t N, il_error *err);
void il_spheres_destroy(il_problem *self);

/* Close what was filled in: p, and the masses m_i = density (r_i/unit)^power. */
il_status il_spheres_set_masses(il_problem *self, double density, double unit, int power,
                                il_error *err);

/* The same with masses [N], one a sphere. */
il_status il_spheres_finish(il_problem *self, const double *masses, il_error *err);

/* Members of il_problem_type. */
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

#endif
