/*
 * multipliers.h - the set of all multipliers of one projection, by linear programming.
 *
 *     Lambda = { lambda >= 0 : B' lambda = F },   B the gradients of the active constraints,
 *
 * F = M (u_{n+1} - u_n)/h - fbar_n the reaction of a step, which is unique while lambda need not be
 * (Maury 2006, section 4). For spheres Lambda is bounded (Lemma 1, Proposition 5), because a
 * dilation opens every contact: some v has <b_i, v> >= 1 for all i, and then
 *
 *     sum_i lambda_i <= <F, v> <= C |F|_1,   C = max { sum_i lambda_i : lambda >= 0,
 *                                                       |B' lambda|_1 <= 1 }.
 *
 * C is the least constant in that bound. It is infinite exactly where some Lambda is unbounded:
 * where contact forces can balance with zero resultant, as between two opposite walls.
 */
#ifndef IL_MULTIPLIERS_H
#define IL_MULTIPLIERS_H

#include <jansson.h>
#include <stddef.h>

#include "problems/problem.h"
#include "schemes/scheme.h"

typedef struct {
    size_t step;                      /* from 1; 0 where there is no run */
    double t;                         /* end of the step */
    size_t contacts;                  /* active constraints, p */
    size_t unknowns;                  /* d */
    size_t rank;                      /* of B */
    size_t dimension;                 /* of the affine hull of Lambda */
    size_t *id;                       /* [p] constraints, as the rows are; increasing for a step */
    char (*name)[IL_DESCRIPTION_MAX]; /* [p] in words; NULL where there is no problem */
    double *min;                      /* [p] of each multiplier over Lambda, forces */
    double *max;                      /* [p] INFINITY where there is no largest */
    double *chosen;                   /* [p] what the projector picked */
    double extent;    /* largest max - min: the diameter of Lambda in the sup norm */
    double total_min; /* of sum_i lambda_i */
    double total_max;
    double force;    /* |F|_1 */
    double constant; /* C */
    double bound;    /* C |F|_1; 0 where F = 0 and C is finite */
    double residual; /* the worst of all linear programs, recomputed from the data and relative to
                        the largest |F_k|: equations, signs, reduced costs, duality gap */
} il_multipliers;

/* Constraints that are analysed at most: the rank takes a dense matrix, the extent two linear
 * programs a constraint. */
enum { IL_MULTIPLIERS_MAX = 3000 };

/* Lambda for rows (distinct ids) in R^d with F = B' chosen, chosen[rows->p] >= 0. Fills *out but
 * for step, t and names; il_multipliers_free in any case. IL_EUNSUPPORTED for too many rows;
 * IL_ENUMERIC where a number is not finite; IL_ESTALLED where a linear program is not solved;
 * IL_EINTERRUPTED. */
il_status il_multipliers_compute(il_multipliers *out, size_t d, const il_rows *rows,
                                 const double *chosen, il_error *err);

/* Lambda of step n (from 1), from `in` at t - h to `out` at t with its report: B holds every
 * constraint of the problem whose linearisation vanishes at the end of the step (to 1e-10 of the
 * size of the configuration), not only the rows that were passed to the projector. IL_EUNSUPPORTED
 * for a scheme that projects onto another set. */
il_status il_multipliers_of_step(il_multipliers *out, const il_problem *problem, size_t n, double t,
                                 const il_state *in, const il_state *end,
                                 const il_step_report *report, il_error *err);

/* As the record has it. */
json_t *il_multipliers_json(const il_multipliers *m);

/* Free what *m owns and zero it. */
void il_multipliers_free(il_multipliers *m);

#endif
