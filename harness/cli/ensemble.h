/*
 * ensemble.h - `impactlab run --ensemble K [--perturb E]`: the members, run by workers.
 */
#ifndef IL_CLI_ENSEMBLE_H
#define IL_CLI_ENSEMBLE_H

#include "harness/study/ensemble.h"

typedef struct {
    size_t runs;    /* 0: not asked for */
    double perturb; /* 0: last places */
    bool perturbs;  /* --perturb was given */
    il_ensemble *ensemble;
} il_cli_ensemble;

/* True for --ensemble and --perturb. */
bool il_cli_ensemble_option(const char *name);

/* Read the value of one of them. The exit status. */
int il_cli_ensemble_parse(il_cli_ensemble *w, const char *name, const char *value);

/* Whether what was given fits together. */
int il_cli_ensemble_check(const il_cli_ensemble *w);

/* Before the run that spec describes: *observer is to watch it, if w asks for an ensemble. */
il_status il_cli_ensemble_begin(il_cli_ensemble *w, const il_run_spec *spec, il_observer *observer,
                                il_error *err);

/* After it: run the members and put field "ensemble" into record. params makes the parameters of a
 * member anew, from data. Nothing if w asks for none. */
il_status il_cli_ensemble_run(il_cli_ensemble *w, const il_run_spec *spec, json_t *record,
                              il_status (*params)(const void *data, il_params **out, il_error *err),
                              const void *data, il_error *err);

void il_cli_ensemble_free(il_cli_ensemble *w);

#endif
