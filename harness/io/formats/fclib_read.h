/*
 * fclib_read.h - a problem of FCLib as a projection: fclib.h says how the two are one.
 *
 * A local problem, u = W r + q with 0 <= u_N orthogonal to r_N >= 0, is the projection of 0 onto
 * {x : q_i + <b_i, x> >= 0} with M = 1, b_i row i of L and W_NN = L L'.
 */
#ifndef IL_FCLIB_READ_H
#define IL_FCLIB_READ_H

#include <stdbool.h>

#include "harness/base/status.h"
#include "harness/data/step_problem.h"

typedef struct {
    il_step_problem problem; /* its x and lambda are the file's solution, where it has one */
    bool local, solved;
    double friction; /* the largest coefficient */
} il_fclib_problem;

/* At most so many unknowns where the mass matrix is not diagonal, and contacts of a local
 * problem. */
enum { IL_FCLIB_DENSE_MAX = 3000 };

/* Read path. IL_EINVAL where it is no such file, is inconsistent, or has bilateral constraints;
 * friction above zero is dropped, for the caller to look at. IL_EUNSUPPORTED for more than is
 * allowed of dense matrices; IL_EIO, IL_ENOMEM. The caller frees in all cases. */
il_status il_fclib_read(il_fclib_problem *out, const char *path, il_error *err);
void il_fclib_problem_free(il_fclib_problem *problem);

#endif
