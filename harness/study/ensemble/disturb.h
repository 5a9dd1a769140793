/*
 * disturb.h - a problem with slightly perturbed data, used like the problem itself.
 *
 * With random signs times a size between half of E and E as d, these are perturbed:
 *
 *     the start         q_0 + E |q| d,  u_0 + E |u| d   |q|, |u| one size for all coordinates,
 *     masses            M_i (1 + E d)                   of bodies, where M is diagonal,
 *     the force         f_i (1 + E d)                   each coordinate by a factor of its own, and
 *                                                       where its means are known each step too,
 *     the rows' order   at random                       where that is asked for.
 *
 * A start that leaves the feasible set is projected back into it, constraint by constraint. The
 * exact solutions are unchanged: errors are distances to the solution of the unperturbed problem.
 */
#ifndef IL_DISTURB_H
#define IL_DISTURB_H

#include <stdbool.h>
#include <stdint.h>

#include "problems/problem.h"

typedef struct {
    il_problem_type type; /* must be first: the problem that runs; its callbacks find the rest
                             through it */
    const il_problem_type *of;
    double size;           /* E > 0, relative */
    uint64_t seed;         /* of the signs */
    double q_size, u_size; /* what E is relative to: > 0, or 0 to leave q_0 or u_0 alone */
    bool reorder;

    /* The problem made from it: */
    const double *q0, *u0; /* the problem's own */
    il_metric *mass;
    double *x;    /* [4d] moved q_0, u_0, factors of the force, scratch */
    void *places; /* [room] scratch: where rows go */
    size_t room;
    il_rows rows; /* scratch */
} il_disturbed;

/* w->type, made from the fields above the line. w must outlive the problem made from it; one at a
 * time. */
void il_disturb(il_disturbed *w, const il_problem_type *of);

/* The scale of a perturbation: `start`, the start's largest coordinate, or `most`, the largest of
 * the run, where `start` is below sqrt(eps) of that: a perturbation of q_0 = 0 relative to itself
 * would be 0. */
double il_disturb_size(double start, double most);

/* The k-th of the numbers drawn from seed: a random sign times uniform in [1/2, 1]. */
double il_disturb_draw(uint64_t seed, uint64_t k);

#endif
