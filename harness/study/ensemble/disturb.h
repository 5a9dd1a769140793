/*
 * disturb.h - a problem with its data moved by little: the same problem to those who run it.
 *
 * Moved are, by random signs times a size between half of E and E,
 *
 *     the start         q_0 + E |q| d,  u_0 + E |u| d   |q|, |u| one size for all coordinates,
 *     masses            M_i (1 + E d)                   of bodies, where M is diagonal,
 *     the force         f_i (1 + E d)                   each coordinate by a factor of its own, and
 *                                                       where its means are known each step too,
 *     the rows' order   at random                       where that is asked for.
 *
 * A start that leaves the feasible set is pulled back into it, constraint by constraint. Its exact
 * solutions are left alone: errors are distances to the solution of the problem as it was.
 */
#ifndef IL_DISTURB_H
#define IL_DISTURB_H

#include <stdbool.h>
#include <stdint.h>

#include "problems/problem.h"

typedef struct {
    il_problem_type type; /* first: what runs; its callbacks find the rest through it */
    const il_problem_type *of;
    double size;           /* E > 0, relative */
    uint64_t seed;         /* of the signs */
    double q_size, u_size; /* what E is relative to: > 0, or 0 to leave q_0 or u_0 alone */
    bool reorder;

    /* Of the one problem that is made of it. */
    const double *q0, *u0; /* the problem's own */
    il_metric *mass;
    double *x;    /* [4d] moved q_0, u_0, factors of the force, scratch */
    void *places; /* [room] scratch: where rows go */
    size_t room;
    il_rows rows; /* scratch */
} il_disturbed;

/* w->type, made from the fields that stand above the line. w must outlive what is made of it; one
 * problem at a time. */
void il_disturb(il_disturbed *w, const il_problem_type *of);

/* What a start is moved relative to: `start`, its largest coordinate, or `most`, the largest that
 * the run comes to, where start is below the square root of eps of that. Then the start has no last
 * place of its own: q_0 = 0 moved by its own last place is still 0. */
double il_disturb_size(double start, double most);

/* The k-th of the numbers drawn from seed: a random sign times uniform in [1/2, 1]. */
double il_disturb_draw(uint64_t seed, uint64_t k);

#endif
