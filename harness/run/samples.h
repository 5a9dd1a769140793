/*
 * samples.h - the state at given times: q_h affine between nodes, u_h the value on the step.
 * Between the files of harness/run only.
 */
#ifndef IL_SAMPLES_H
#define IL_SAMPLES_H

#include "harness/data/observer.h"
#include "harness/run/record.h"
#include "harness/run/spec.h"

/* Sample k is the state (q, u) at t. */
void il_samples_take(il_record *record, size_t k, double t, const double *q, const double *u);

/* Those of times[record->nsamples] that lie in the step (t0, t1]. */
void il_samples_step(il_record *record, const double *times, const il_problem *problem,
                     const il_watched *now);

/* The run failed at record->t: samples after it are NaN. */
void il_samples_end(il_record *record);

/* Bodies whose loads the samples tell; 0 where none are asked for. IL_EUNSUPPORTED where there are
 * none. */
il_status il_samples_bodies(const il_run_spec *spec, const il_problem *problem, size_t *bodies,
                            il_error *err);

#endif
