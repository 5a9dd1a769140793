/*
 * whole.h - the norms that need the whole run.
 */
#ifndef IL_WHOLE_H
#define IL_WHOLE_H

#include "harness/run/record.h"
#include "harness/run/spec.h"

/* Which of them the run is to be compared in; 0 where there is nothing to compare with. */
unsigned il_whole_norms(const il_run_spec *spec, const il_record *record);

/* Put them into the record, against every reference known[record->ndistances]. IL_ENOMEM. */
il_status il_whole_compare(const il_run_spec *spec, const il_problem *problem,
                           const il_exact *known, unsigned norms, const il_trajectory *trajectory,
                           il_record *record, il_error *err);

#endif
