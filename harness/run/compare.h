/*
 * compare.h - a run and its references as a whole.
 */
#ifndef IL_COMPARE_H
#define IL_COMPARE_H

#include "harness/run/record.h"
#include "harness/run/spec.h"

/* The norms that need the whole run, as bits: those asked for, or, of IL_NORM_AUTO, all of a run
 * that is small. */
unsigned il_run_norms(const il_run_spec *spec, const il_record *record);

/* The norms in bits against known[record->ndistances], into record. IL_ENOMEM, IL_EINTERRUPTED,
 * IL_ESTALLED for a reference that is not resolved. */
il_status il_run_compare(const il_run_spec *spec, const il_problem *problem, const il_exact *known,
                         unsigned norms, const il_trajectory *trajectory, il_record *record,
                         il_error *err);

#endif
