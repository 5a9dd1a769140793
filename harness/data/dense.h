/*
 * dense.h - the motions inside the steps of a run as rows of numbers, of files and of other
 * programs.
 *
 * One row a piece (motion.h): t, q[d] and u[d] at its end, u as the limit from the left; the step,
 * from 1, that it lies in, whose last row is the node; and its coefficients,
 *
 *     q_i = sum_k c<k><i> s^k,   s from 0 to 1 over the piece, from where the last one ended.
 *
 * The first row is the start, of step 0, whose coefficients are NaN; so are those of a step without
 * a motion, on which q is affine and u that of its row.
 *
 * Or without coefficients: between two rows q is the cubic through q and u at both. A time that
 * stands twice is a break, u before it and after. Without a step every time that stands once is a
 * node, and breaks are inside of steps.
 */
#ifndef IL_DATA_DENSE_H
#define IL_DATA_DENSE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/data/trajectory.h"

/* The meaning of such rows, in a line, for files. */
extern const char il_dense_text[];

/* Rows of a trajectory; of one without motions its nodes, without steps and coefficients. */
typedef struct {
    size_t n;
    const double *t, *q, *u; /* [n], [n][d], [n][d] */
    const double *step, *c;  /* [n], [n][degree + 1][d]; NULL without motions */
    double *own;
} il_dense;

/* The rows of run, which must outlive them; the caller frees. */
void il_dense_make(il_dense *rows, const il_trajectory *run);
void il_dense_free(il_dense *rows);

/* Rows as they are read, in order. run was made by il_trajectory_init and is empty. */
typedef struct {
    il_trajectory *run;
    size_t coefficients; /* of each coordinate, degree + 1; 0: cubics between rows */
    bool stepped;        /* rows have steps */
    size_t rows, step;   /* read so far; the step of the last */
    size_t n;            /* pieces of the step at hand */
    double *end, *c;     /* of these */
    double *last;        /* [3 d + 1] t, q, u and u after a break, of the last row */
    bool twice;          /* whose time stood twice */
} il_dense_reading;

/* The next row; step and c where there are some. IL_EINVAL: which number is not so, and what is
 * allowed; IL_ENUMERIC: what is wrong with a motion (il_motion_check); IL_ENOMEM for so many
 * steps. */
il_status il_dense_read(il_dense_reading *reading, double t, const double *q, const double *u,
                        double step, const double *c, il_error *err);

/* After the last row: the end of the last step. */
il_status il_dense_end(il_dense_reading *reading, il_error *err);
void il_dense_reading_free(il_dense_reading *reading);

#endif
