/*
 * walled.h - N spheres of fixed radii among plane walls.
 *
 *     D_ij(q) = |q_j - q_i| - (r_i + r_j) >= 0,      W_ik(q) = <n_k, q_i> - c_k - r_i >= 0,
 *
 * n_k the unit normal of wall k, into the room. Constraints are numbered: the pairs as in pairs.h,
 * then wall k of body i as N (N - 1)/2 + walls i + k.
 */
#ifndef IL_SPHERES_WALLED_H
#define IL_SPHERES_WALLED_H

#include <stddef.h>

#include "harness/base/rows.h"
#include "harness/base/status.h"
#include "problems/problem.h"
#include "problems/spheres/pairs.h"
#include "problems/spheres/search.h"

/* Walls that a room has at most; bodies for which pairs have numbers that pairs.h can take apart
 * (N^2/2 < 2^52). */
enum { IL_WALLS_MAX = 6, IL_WALLED_BODIES_MAX = 50000000 };

typedef struct {
    size_t space, N, walls;
    il_plane wall[IL_WALLS_MAX];
    double *r; /* [N] to be filled in by the problem, then left alone */
    il_search *search;
} il_walled;

/* IL_EINVAL when a run with N bodies in R^space would need more than il_memory_afford allows, by an
 * estimate from above for everything but the projector; the message says how many would do. */
il_status il_walled_afford(size_t space, size_t N, il_error *err);

/* N spheres in R^space, without walls so far; r is allocated. il_walled_free is fine on what is
 * zeroed. */
il_status il_walled_init(il_walled *w, size_t space, size_t N, il_error *err);
void il_walled_free(il_walled *w);

/* Add the wall <n,x> >= c; n[space] is a unit vector, name a text that lasts. At most IL_WALLS_MAX
 * (asserted). */
void il_walled_add(il_walled *w, const char *name, const double *n, double c);

/* The wall that constraint id is about; w->walls for a pair of bodies. */
size_t il_walled_wall(const il_walled *w, size_t id);

/* Constraints in all. */
size_t il_walled_count(const il_walled *w);

/* As il_problem_type's rolling. */
double il_walled_rolling(const il_walled *w, size_t id);

/* As il_problem_type's row, scan and gap. The search is scratch: one thread at a time. */
il_status il_walled_row(const il_walled *w, const double *q, size_t id, il_rows *rows);
il_status il_walled_scan(const il_walled *w, const double *q, const double *x, double slack,
                         il_rows *rows);
double il_walled_gap(const il_walled *w, const double *q, size_t *id);

/* The constraint in words, bodies counted from 1: "discs 3 and 7", "sphere 3 and the floor". */
void il_walled_describe(const il_walled *w, size_t id, char *out, size_t capacity);

#endif
