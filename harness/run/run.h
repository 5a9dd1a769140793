/*
 * run.h - one run: a problem, a scheme, a projector and a step size, giving a record.
 */
#ifndef IL_RUN_H
#define IL_RUN_H

#include "harness/run/record.h"
#include "harness/run/spec.h"

/* Default limit of the command line on the duration of a run, in seconds. */
#define IL_PATIENCE_HOUR 3600.0

/* Run. Returns IL_OK when something ran, however it ended (see record->status); else nothing ran:
 * IL_EINVAL or IL_EUNSUPPORTED for input that is refused, IL_ENOMEM for so many steps. trajectory
 * may be NULL; else a zeroed structure that receives all nodes and contacts, the caller frees.
 * record is filled either way and freed by il_record_free.
 *
 * Steps: steps alone divides the horizon; h alone makes floor(T/h + 1e-9) steps of h; both make
 * steps steps of h, whatever the problem's horizon. t_n = n h, and the last node of a divided
 * horizon is the horizon itself. */
il_status il_run(const il_run_spec *spec, il_record *record, il_trajectory *trajectory,
                 il_error *err);

#endif
