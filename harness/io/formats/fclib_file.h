/*
 * fclib_file.h - files in the format of FCLib, the Frictional Contact Library (Acary et al.): HDF5
 * with one problem and its solution, which other contact solvers read. The projection of a step is
 * written as a global problem, and any problem is read as a projection.
 *
 *     M v = H r + f,   u = H' v + w,   0 <= u_N orthogonal to r_N >= 0,   r_T = 0 (mu = 0),
 *
 * is the optimality system of min 1/2 |x - target|_M^2 over a_i + s <b_i,x> >= 0 with
 *
 *     v = x,   f = M target,   H e_N = b_i,   w_N = a_i / s,   r_N = s lambda_i.
 *
 * Every row is a contact of three components, normal first (spacedim = 3). A row has no tangent
 * plane of its own, and without friction nothing acts along one: the tangential columns of H are
 * empty. u_N is then the rate at which gap i opens; r_N is an impulse when x is a velocity.
 *
 * A local problem, u = W r + q with 0 <= u_N orthogonal to r_N >= 0, is the projection of 0 onto {x
 * : q_i + <b_i, x> >= 0} with M = 1, b_i row i of L and W_NN = L L'.
 */
#ifndef IL_FCLIB_FILE_H
#define IL_FCLIB_FILE_H

#include <stdbool.h>

#include "harness/base/status.h"
#include "harness/data/step_problem.h"

/* Write problem with its answer to path, whole or not at all. title says what it is; record (JSON)
 * becomes the root's attribute "record". IL_EINVAL when it has no row, which FCLib cannot hold, or
 * more entries than its 32-bit integers count; errors of il_hdf5_file_write. */
il_status il_fclib_write(const il_step_problem *problem, const char *path, const char *title,
                         const char *record, il_error *err);

/* IL_OK if path ends in .hdf5 or .h5 and can be written now. */
il_status il_fclib_check_path(const char *path, il_error *err);

typedef struct {
    il_step_problem problem; /* its x and lambda are the file's solution, where it has one */
    bool local, solved;
    double friction; /* the largest coefficient */
    double *W;       /* [p p] of a local problem: W_NN as read, while rows have its factor */
} il_fclib_problem;

/* The same of a local problem, with problem.lambda and W lambda + q as its answer. */
il_status il_fclib_write_local(const il_fclib_problem *local, const char *path, const char *title,
                               const char *record, il_error *err);

/* At most so many unknowns where the mass matrix is not diagonal, and contacts of a local
 * problem. */
enum { IL_FCLIB_DENSE_MAX = 3000 };

/* Read path. IL_EINVAL, with the array and what is allowed, where it is no such file, is
 * inconsistent, W is not symmetric or not semidefinite, or it has bilateral constraints;
 * friction above zero is dropped, and the caller may check for it. IL_EUNSUPPORTED where dense
 * matrices would be too large; IL_EIO. The caller frees in all cases. */
il_status il_fclib_read(il_fclib_problem *out, const char *path, il_error *err);
void il_fclib_problem_free(il_fclib_problem *problem);

#endif
