/*
 * certify.h - is a step as good as was promised?
 */
#ifndef IL_CERTIFY_H
#define IL_CERTIFY_H

#include <stddef.h>

#include "harness/run/spec.h"
#include "schemes/scheme.h"

/* Does step n, which ended at t and began in q[d], solve what its scheme says, as well as its
 * projector promises (il_certificate_holds) of gaps that were computed from positions?
 * IL_ENOTCERTIFIED with the numbers. Who accepted an early stop accepted its answer. */
il_status il_run_certify(const il_run_spec *spec, size_t n, double t, const double *q,
                         const il_step_report *report, il_error *err);

#endif
