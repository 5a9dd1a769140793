/*
 * ensemble.h - `impactlab run --ensemble K [--perturb E]`: the members, run by workers.
 */
#ifndef IL_CLI_ENSEMBLE_H
#define IL_CLI_ENSEMBLE_H

#include "harness/run/case.h"
#include "harness/study/ensemble.h"

typedef struct {
    size_t runs;    /* 0: not asked for */
    double perturb; /* 0: last places */
    bool perturbs;  /* --perturb was given */
    il_ensemble *ensemble;
} il_cli_ensemble;

/* True for ensemble and perturb. */
bool il_cli_ensemble_option(const char *name);

/* Read the value of one of them, name being with its dashes. The exit status. */
int il_cli_ensemble_parse(il_cli_ensemble *w, const char *name, const char *value);

/* Whether what was given fits together. */
int il_cli_ensemble_check(const il_cli_ensemble *w);

/* Before case c runs: *observer is to watch it. */
il_status il_cli_ensemble_begin(il_cli_ensemble *w, const il_case *c, il_observer *observer,
                                il_error *err);

/* After it: run the members and put field "ensemble" into its record. */
il_status il_cli_ensemble_run(il_cli_ensemble *w, const il_case *c, json_t *record, il_error *err);

void il_cli_ensemble_free(il_cli_ensemble *w);

#endif
