/*
 * stride.h - steps of which nobody sees a single one.
 */
#ifndef IL_STRIDE_H
#define IL_STRIDE_H

#include "harness/run/record.h"
#include "harness/run/spec.h"

/* What a single step cost into record, be it that it failed. */
void il_run_count(il_record *record, const il_step_report *report);

/* Can some of the steps go unseen? Not where anything is measured, kept or sampled. */
bool il_run_strides(const il_run_spec *spec);

/* From record->steps_done on, in place, as far as the scheme's stride goes and nobody looks, but for
 * one step at least; counted into record. */
void il_run_stride(const il_run_spec *spec, void *scheme, il_record *record, il_state *state);

#endif
