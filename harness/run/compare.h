/*
 * compare.h - a run and its references as a whole.
 */
#ifndef IL_COMPARE_H
#define IL_COMPARE_H

#include "harness/run/record.h"
#include "harness/run/spec.h"

/* Which of them the run is to be compared in; 0 where there is nothing to compare with. */
unsigned il_run_norms(const il_run_spec *spec, const il_record *record);

/* Put them into the record, against every reference known[record->ndistances]. IL_ENOMEM. */
il_status il_run_compare(const il_run_spec *spec, const il_problem *problem, const il_exact *known,
                         unsigned norms, const il_trajectory *trajectory, il_record *record,
                         il_error *err);

#endif
