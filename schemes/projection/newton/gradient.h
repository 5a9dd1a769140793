/*
 * gradient.h - projected gradients on the dual, accelerated: to where the active rows are told,
 * without a factor.
 */
#ifndef IL_PROJECTION_GRADIENT_H
#define IL_PROJECTION_GRADIENT_H

#include "schemes/projection/newton/dual.h"

/* From lambda[p] >= 0 until the natural residual (in the units of the gaps) is at most `tolerance`,
 * in at most `most` passes over the rows, each a product with B and one with B'. IL_ESTALLED where
 * that does not do, IL_ENUMERIC where a gap is not finite: lambda is then a point on the way;
 * IL_EINTERRUPTED; IL_ENOMEM. After il_dual_begin. The same bits with any team. Overwrites what
 * phases keep in w, but for w->kept and w->best. */
il_status il_gradient_run(il_dual *w, const il_qp *qp, double tolerance, size_t most,
                          double *lambda);

#endif
