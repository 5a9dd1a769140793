/*
 * fclib_local.h - the matrix W = L L' of a local problem u = W r + q as rows of a projection.
 */
#ifndef IL_FCLIB_LOCAL_H
#define IL_FCLIB_LOCAL_H

#include <stddef.h>

#include "harness/base/rows.h"
#include "harness/base/status.h"

/* Append p rows with row i of L and the value q[i * step] to rows; W is [p][p]. IL_EINVAL where it
 * is not symmetric or not positive semidefinite. */
il_status il_fclib_factor(const double *W, const double *q, size_t step, size_t p, il_rows *rows,
                          il_error *err);

#endif
