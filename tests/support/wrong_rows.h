/*
 * wrong_rows.h - a problem whose constraints say something wrong of themselves: a mistake that
 * checks of derivatives are there to catch.
 */
#ifndef IL_TESTS_WRONG_ROWS_H
#define IL_TESTS_WRONG_ROWS_H

#include "problems/problem.h"

typedef struct {
    il_problem_type type; /* first: what is run */
    const il_problem_type *of;
    double factor; /* of the first entry of every gradient */
    double sign;   /* of whole gradients */
    double rate;   /* of d_t g */
} il_wrong_rows;

/* w->type, of `of` with the factors given. w must outlive what is made of it. */
void il_wrong_rows_make(il_wrong_rows *w, const il_problem_type *of, double factor, double sign,
                        double rate);

#endif
