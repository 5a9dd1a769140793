/*
 * failure.h - the consequences of a projector's answer, refusal or failure for the step
 * (correct.c).
 */
#ifndef IL_STEPPING_FAILURE_H
#define IL_STEPPING_FAILURE_H

#include "schemes/scheme.h"

/* One more call of the projector into the counts of report. */
void il_step_count(const il_projection_info *info, il_step_report *report);

/* The status that a step at t goes on with after its projector `self` answered qp with `status` in
 * so many iterations: IL_OK, also for a stall (noted in report) if the options accept it; else
 * status, with the message that names the projector and why. */
il_status il_step_projected(const il_scheme_options *options, void *self, const il_qp *qp, double t,
                            il_status status, size_t iterations, il_step_report *report,
                            il_error *err);

#endif
