/*
 * ensemble.h - `impactlab run --ensemble K [--perturb E]`: the members, run by workers.
 */
#ifndef IL_CLI_ENSEMBLE_H
#define IL_CLI_ENSEMBLE_H

#include "harness/run/case.h"
#include "harness/study/ensemble/ensemble.h"

typedef struct {
    const il_case *what;
    il_ensemble *ensemble;
} il_cli_ensemble;

/* Make an ensemble of the case, if it asks for one: it watches the run, runs the members after it
 * and puts field "ensemble" into the record. w outlives the run; il_cli_ensemble_free is needed
 * after a failure too. */
il_status il_cli_ensemble_begin(il_cli_ensemble *w, il_case *what, il_error *err);
void il_cli_ensemble_free(il_cli_ensemble *w);

#endif
