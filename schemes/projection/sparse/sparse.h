/*
 * sparse.h - Cholesky factors of
 *
 *     H = M + sum_i w_i b_i b_i',   M diagonal and positive, w_i >= 0, b_i sparse rows,
 *
 * the matrix of a Newton step on contacts. Its graph is that of the contacts: every row is a clique
 * of the coordinates that it touches.
 *
 * The ordering is SuiteSparse's approximate minimum degree (Amestoy, Davis & Duff 1996), on groups
 * of coordinates that the same rows touch (the two or three of a body). The factorisation is
 * multifrontal (Duff & Reid 1983): rows are added to the dense front of the coordinate among
 * theirs that is eliminated first, as finite elements are, and H itself is never formed.
 * SuiteSparse's own CHOLMOD is not used. On the matrices of the benchmarks with 300 bodies or more,
 * factor and solve take it 1.4 to 2.6 times as long in the plane, 3 and 5 times in space, by the
 * better of its two methods with the better of two BLAS (`make bench`, sparse factors;
 * results/reference/bench.txt); it allocates in every call; and its last bits are those of the BLAS
 * at hand. In the tests it is the judge.
 *
 * Nothing is allocated once the largest pattern has been seen; sums are in a fixed order.
 */
#ifndef IL_PROJECTION_SPARSE_H
#define IL_PROJECTION_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/rows.h"
#include "harness/base/status.h"
#include "harness/base/team.h"

typedef struct il_sparse il_sparse;

/* The creator destroys; NULL is fine there. */
il_sparse *il_sparse_create(void);

/* The same without the instructions that only some processors have: slower, to the same bits. For
 * tests. */
il_sparse *il_sparse_create_portable(void);
void il_sparse_destroy(il_sparse *f);

/* Factors and solves are made by the team from the next analysis on, with the same bits; NULL: by
 * the caller alone. The team outlives them. */
void il_sparse_share(il_sparse *f, il_team *team);

/* Order and lay out the factor of H for rows in R^d. Forgets the factor at hand. What comes of it
 * depends on which coordinates the rows touch: where these are those of the call before, it is
 * still there, and nothing is done. IL_ENOMEM when the factor would have 2^31 indices;
 * IL_EUNSUPPORTED beyond 2^27 - 1 coordinates or entries. */
il_status il_sparse_analyse(il_sparse *f, size_t d, const il_rows *rows);

/* Factorise, and x = H^{-1} x for x[d], whose first half is done on the way, while the numbers are
 * at hand. mass[d] is the diagonal of M, weight[p] the w_i, of which some may be 0. The rows must
 * be those of the analysis. IL_ENUMERIC when a pivot is not positive: x is then lost. */
il_status il_sparse_factor(il_sparse *f, const double *mass, const il_rows *rows,
                           const double *weight, double *x);

/* x = H^{-1} x, x[d], with the factor at hand. */
void il_sparse_solve(il_sparse *f, double *x);

/* The halves of a solve, with H = L L' in some order: x = L^{-1} x, for x[d] mostly zeros, and
 * x = L'^{-1} x. Both for x that is 0 where no row touches. Of L^{-1} x there are numbers only on
 * the way from what x is made of to the roots of the elimination tree. */
void il_sparse_lower(il_sparse *f, double *x);
void il_sparse_upper(il_sparse *f, double *x);

/* The first half for row i of those of the analysis, x = L^{-1} c b_i from x = c b_i, which is 0
 * elsewhere: only the fronts between the row and its root are looked at. Writes into which[d] where
 * x is not 0 then, in increasing order, and returns how many. */
size_t il_sparse_lower_row(il_sparse *f, const il_rows *rows, size_t i, double *x, int *which);

/* Multiplications of one factorisation, from the analysis. */
double il_sparse_work(const il_sparse *f);

/* Numbers in the factor, from the analysis. */
size_t il_sparse_size(const il_sparse *f);

/* Factorisations so far, and analyses but for those that were still there; whatever came of
 * them. */
size_t il_sparse_factorisations(const il_sparse *f);
size_t il_sparse_analyses(const il_sparse *f);

#endif
