/*
 * pairs.h - the constraint between two spheres, Maury (1); Bernicot & Lefebvre-Lepot, section 4.
 *
 *     D_ij(t,q) = |q_j - q_i| - (r_i(t) + r_j(t)) >= 0,      e_ij = (q_j - q_i)/|q_j - q_i|,
 *     grad D_ij = (..., -e_ij, ..., +e_ij, ...),   |grad D_ij| = sqrt 2,   d_t D_ij = -(r_i' +
 * r_j').
 *
 * D_ij is convex in q and smooth where the centres differ.
 */
#ifndef IL_SPHERES_PAIRS_H
#define IL_SPHERES_PAIRS_H

#include <stddef.h>

#include "harness/base/rows.h"
#include "harness/base/status.h"

/* Bodies live in R^space with space at most this. */
enum { IL_PAIR_SPACE_MAX = 3 };

/* A pair i < j. */
typedef struct {
    size_t i, j;
} il_pair;

/* A callback for pairs. Any status but IL_OK ends the enumeration. */
typedef il_status (*il_pair_visit)(void *context, const il_pair *pair);

/* The pairs i < j of n bodies in all: n (n - 1)/2. */
size_t il_pair_count(size_t n);

/* The number of the pair i < j: j (j - 1)/2 + i. It does not depend on how many bodies there are;
 * the pairs of n bodies are 0 .. il_pair_count(n) - 1. */
size_t il_pair_id(size_t i, size_t j);

/* The pair i < j with that number; exact for ids below 2^52. */
void il_pair_of(size_t id, size_t *i, size_t *j);

/* The pair with that number in words, counting from 1: "spheres 3 and 7" for body "sphere". */
void il_pair_describe(const char *body, size_t id, char *out, size_t capacity);

/* |q_j - q_i| into *distance and e_ij into e[space]; q[space * body + c]. IL_ENUMERIC when the
 * centres coincide, or their distance is not finite: there is no gradient then. */
il_status il_pair_direction(size_t space, const double *q, size_t i, size_t j, double *distance,
                            double *e);

/* Append D_ij under the name id for bodies i < j; radii = r_i + r_j, growth = r_i' + r_j' (0 for
 * fixed radii). IL_ENUMERIC as above or where D_ij is not finite; rows is then as it was. */
il_status il_pair_row(size_t space, const double *q, size_t i, size_t j, double radii,
                      double growth, size_t id, il_rows *rows);

/* A scan asks this of pairs: rows linearised at q[space N] that are at most slack at x. */
typedef struct {
    size_t space;
    const double *q, *x;
    double slack;
    il_rows *rows;
} il_pair_scan;

/* Append D_ij under its number if its linearisation at q, taken at x as il_rows_at() does, is at
 * most slack, which may be INFINITY. Errors as above. */
il_status il_pair_offer(const il_pair_scan *scan, const il_pair *pair, double radii, double growth);

/* d^2/ds^2 |q_j - q_i + s (u_j - u_i)| at s = 0, the square of the relative velocity across e_ij
 * over the distance; NAN when the centres coincide. */
double il_pair_curvature(size_t space, const double *q, const double *u, size_t i, size_t j);

#endif
