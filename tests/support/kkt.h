/*
 * kkt.h - small projections built from a chosen KKT point: choose x, rows B, multipliers lambda >=
 * 0 and slacks; set a = slack - s B x and target = x - s M^{-1} B' lambda. Then x is the projection
 * by construction, whatever the solver. planted.h has those of many bodies.
 */
#ifndef IL_TESTS_KKT_H
#define IL_TESTS_KKT_H

#include <gsl/gsl_rng.h>

#include "schemes/projection/projector.h"

enum { IL_KKT_D_MAX = 60, IL_KKT_P_MAX = 120 };

typedef struct {
    size_t d, p;
    il_metric *metric;
    il_rows rows;
    double x[IL_KKT_D_MAX], target[IL_KKT_D_MAX], a[IL_KKT_P_MAX], lambda[IL_KKT_P_MAX];
    il_qp qp;
} il_kkt;

/* A mass matrix with d <= IL_KKT_D_MAX: diagonal, between 1 and ratio; dense: plus one of rank one.
 * The caller destroys. */
il_metric *il_kkt_metric(gsl_rng *rng, size_t d, bool dense, double ratio);

/* Close the construction, a, target and qp, once metric, rows, x and lambda stand. slack[i] > 0 for
 * rows that do not push. */
void il_kkt_plant(il_kkt *w, double scale, const double *slack);

/* Sparse random rows, d <= IL_KKT_D_MAX, p <= IL_KKT_P_MAX. dense: the mass matrix; copies: how
 * many rows repeat an earlier one (degenerate); ratio: of the largest mass to the least. The caller
 * frees. */
void il_kkt_random(il_kkt *w, gsl_rng *rng, size_t d, size_t p, bool dense, size_t copies,
                   double ratio);
void il_kkt_free(il_kkt *w);

/* Solve w with one projector and assert that the answer is the planted point. An iterative
 * projector may say that it did not get there: true is returned then, and its iterate must still
 * satisfy all that holds on the way. */
bool il_kkt_check(const il_kkt *w, const il_projector_type *type);

/* Rows x_{i+1} - x_i of d bodies on a line; the caller's to free. */
void il_kkt_line(il_rows *rows, size_t d);

#endif
