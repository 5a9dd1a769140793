/*
 * search.h - neighbour search among spheres in R^1, R^2 or R^3, of any sizes, moving or not.
 *
 * A step needs the pairs whose linearised distance, taken at x, is at most slack (Maury, Remark 7):
 * with w = q_j - q_i, e = w/|w| and the displacements s_i = x_i - q_i,
 *
 *     |w| + <e, s_j - s_i> - (r_i + r_j) <= slack.
 *
 * Only relative motion matters: bodies that travel together are as cheap as bodies at rest, however
 * far they travel, and a body at rest under a falling crowd widens the search of its own neighbours
 * only. The bodies are put in Morton order, blocks of them are the leaves of a balanced binary
 * tree, and every node has the box of its centres, the box of its displacements and its largest
 * radius. Two nodes are apart when
 *
 *     dist - |m| - r - r' > slack,    m_c the largest speed of approach along axis c,
 *
 * where an axis along which the two boxes of centres do not overlap counts approach only, not
 * separation. Sorting is by radix, the tree is written once from the leaves up: memory is O(N), and
 * so is time while the number of bodies within the reach of one is bounded, also with large bodies
 * among small ones: bodies that do not overlap leave no room for many.
 */
#ifndef IL_SPHERES_SEARCH_H
#define IL_SPHERES_SEARCH_H

#include <stddef.h>

#include "harness/base/status.h"
#include "harness/base/team.h"
#include "problems/spheres/pairs.h"

typedef struct il_search il_search;

/* The memory that il_search_create allocates for each body, in bytes, at most. */
size_t il_search_bytes_per_body(void);

/* A search among n bodies in R^space, 1 <= space <= 3, n < 2^32. All memory it will ever use is
 * allocated here. The creator destroys; one search serves one thread. */
il_status il_search_create(il_search **out, size_t space, size_t n, il_error *err);
void il_search_destroy(il_search *search);

/* Searches among many bodies are made by the team from now on, visits still by the caller and in
 * the same order; the memory needed is allocated at the first search. NULL: no team. The team
 * outlives its use. */
void il_search_share(il_search *search, il_team *team);

/* Visit every pair i < j that satisfies the inequality above, once, and some that miss it by
 * rounding: the caller computes the row and decides. q[space n] and x[space n] body by body,
 * r[n] >= 0; slack of any sign, INFINITY for all pairs there are, in the order
 * of their numbers. The order of the visits depends on q and r alone, not on
 * earlier calls. IL_ENUMERIC for a coordinate or radius that is not finite, or a displacement
 * beyond DBL_MAX/4; else what visit returned. */
il_status il_search_near(il_search *search, const double *q, const double *x, const double *r,
                         double slack, il_pair_visit visit, void *context);

/* min over pairs of |q_j - q_i| - (r_i + r_j), exactly the least of the values that il_pair_row
 * computes, and a pair i < j that attains it: of several the one with the smallest number. INFINITY
 * for fewer than two bodies, NaN where a number is not finite, or two centres coincide whose
 * overlap no other exceeds (*i and *j are then left alone). */
double il_search_least(il_search *search, const double *q, const double *r, size_t *i, size_t *j);

/* The work of the last call: pairs of bodies and pairs of nodes that were compared. */
size_t il_search_tests(const il_search *search);

#endif
