/*
 * parametric.h - a parametric active-set method on the augmented Lagrangian: from a guess of which
 * most rows stay to the answer, rows that come and go one after the other or a few at a time, with
 * one factor and a small matrix for what changed since.
 */
#ifndef IL_PROJECTION_PARAMETRIC_H
#define IL_PROJECTION_PARAMETRIC_H

#include "schemes/projection/newton/dual.h"

/* On a dual that outlives it. Buffers grow, to no more numbers than the factor has, and are not
 * given back before destruction. */
typedef struct {
    il_dual *dual;
    double penalty;                        /* sigma_i W_ii */
    size_t breakpoints;                    /* rows that came or went in the last run */
    bool found;                            /* and whether it came to a minimiser at least once */
    size_t room_d, room_p, room_k, room_n; /* of coordinates, rows, changes, numbers */
    bool *on;                              /* [p] active rows */
    double *pull;                          /* [d] what is left to change of M (x - t) = s B' v */
    double *lower;                         /* [d] L^{-1} of the right-hand side */
    double *fresh;                         /* [d] L^{-1} of the row at hand, */
    size_t reached;                        /* which is not 0 in so many places, */
    int *reach;                            /* [reached] these */
    size_t k;                              /* rows that changed since the factor was made, */
    double *number;                        /* [n] L^{-1} of these, without zeros, */
    int *place;                            /* [n] where these stand */
    size_t *start;                         /* [k+1] and where those of a row start */
    double *ldl;                           /* [k (k+1)/2] L_S below D by rows */
    double *along;                         /* [k] F' lower */
    double *y;                             /* [k] scratch */
} il_parametric;

void il_parametric_free(il_parametric *self);

/* From lambda[p] >= 0, a guess, to multipliers whose residual is rounding; x[d] belongs to them.
 * IL_ESTALLED otherwise: where the guess is none, or takes more than it should, lambda and x are of
 * no use; where `found`, the active rows in lambda are mostly those of the answer. IL_ENOMEM;
 * IL_EINTERRUPTED; what the analysis says. */
il_status il_parametric_run(il_parametric *self, const il_qp *qp, double *lambda, double *x);

#endif
