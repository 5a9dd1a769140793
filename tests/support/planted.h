/*
 * planted.h - projections of many discs in a plane, built from a chosen KKT point as in
 * test_projection.c: pick x, rows B, multipliers lambda >= 0 and slacks, set a = slack - s B x and
 * target = x - s M^{-1} B' lambda; x is then the projection by construction, whether or not lambda
 * is the only multiplier.
 */
#ifndef IL_TESTS_PLANTED_H
#define IL_TESTS_PLANTED_H

#include <gsl/gsl_rng.h>

#include "schemes/projection/projector.h"

typedef struct {
    size_t d, p;
    il_metric *metric;
    il_rows rows;
    double *x, *target, *a, *lambda, *slack, *mass;
    il_qp qp;
} il_planted;

typedef struct {
    size_t side;     /* side x side bodies on a hexagonal lattice */
    double jitter;   /* of the directions: 0 is a crystal */
    double closed;   /* part of the contacts that touch */
    double push;     /* part of those that push */
    double ratio;    /* masses between 1 and this */
    double far;      /* largest gap */
    bool walls;      /* floor and two side walls: corners */
    bool duplicates; /* every seventh row twice */
} il_recipe;

double il_uniform(gsl_rng *rng, double low, double high);

/* A recipe at random but for its size. */
il_recipe il_recipe_random(gsl_rng *rng, size_t side);

/* The caller frees. The second has random numbers of its own. */
void il_plant(il_planted *w, gsl_rng *rng, const il_recipe *r);
void il_plant_alone(il_planted *w, il_recipe r);
void il_planted_free(il_planted *w);

/* The answer of a projector to a problem, and its certificate. */
typedef struct {
    double *x, *lambda, *work;
    il_projection_info info;
    il_certificate certificate;
    il_status status;
} il_answer;

/* The projector of that name, which must be there. */
const il_projector_type *il_answer_type(const char *name);

/* Room for an answer on qp, zeros in it; the caller frees. */
void il_answer_init(il_answer *s, const il_qp *qp);
void il_answer_free(il_answer *s);

/* A projector of its own and room for its answer on qp; end certifies what it left there and
 * destroys the projector. */
void *il_answer_begin(const char *name, il_projector_options options, const il_qp *qp,
                      il_answer *s);
void il_answer_end(const char *name, void *self, const il_qp *qp, il_answer *s);

/* The same around one solve from no guess. */
void il_answer_solve(const il_qp *qp, const char *name, double tolerance, il_answer *s);

/* max_k |x_k - y_k|, NaN if one is. */
double il_answer_distance(const double *x, const double *y, size_t n);

/* max_i |min(lambda_i W_ii, g_i)|, from the data. */
double il_answer_residual(const il_qp *qp, const double *x, const double *lambda);

#endif
