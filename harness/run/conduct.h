/*
 * conduct.h - runs a case: prepares it, runs it, repeats it in exact arithmetic on request, and
 * writes one record and the files.
 */
#ifndef IL_CONDUCT_H
#define IL_CONDUCT_H

#include <jansson.h>

#include "harness/data/history.h"
#include "harness/data/snapshots.h"
#include "harness/data/step_problem.h"
#include "harness/reference/event_driven.h"
#include "harness/reference/proof.h"
#include "harness/run/case.h"
#include "harness/run/record.h"

/* An observer that finds constraints that become active for the first time, and has their
 * derivatives checked there (il_callbacks.contact). It need not see every step: a problem with such
 * callbacks allows no unseen step in which an unchecked constraint becomes active
 * (il_flight.free). */
typedef struct {
    const il_callbacks *callbacks;
    const il_problem *problem;
    bool *seen, *first; /* [p] */
} il_first_contacts;

/* An observer that reports how many steps are done: to the user, or from a worker to its parent. It
 * reads the clock some twenty times a second, whatever a step costs. */
typedef struct {
    il_progress *progress;  /* shown; or NULL */
    volatile double *share; /* of the steps, kept up to date in memory that processes share; or
                               NULL */
    size_t steps, look;     /* the observer's own */
    double began;
} il_pace;

/* The results of a case. */
typedef struct {
    il_params *params; /* as they were used */
    il_record record;
    json_t *json;               /* the record with all that belongs to it */
    bool proved;                /* it was asked for, and was tried: */
    il_proof proof;             /* d is 0 unless it was made */
    il_trajectory states;       /* that a program wrote, where il_case.look is asked for */
    il_trajectory trajectory;   /* empty unless needed and the caller keeps none */
    il_snapshots snapshots;     /* for pictures */
    il_history history;         /* for the series */
    il_pace pace;               /* for the progress display */
    il_step_problem kept;       /* for FCLib */
    il_event_driven *events;    /* the stored reference, if it is one; or NULL */
    il_first_contacts contacts; /* for problems with callbacks */
    il_files unwritten;         /* files of an interrupted run that there was no time to write */
} il_outcome;

/* Run c. IL_OK when something ran, however it ended (see outcome->record.status), and all files
 * were written; else nothing ran, or a file could not be written. trajectory may be NULL, else it
 * is zeroed and receives the run, as il_run takes it. outcome is filled either way and freed by
 * il_outcome_free. */
il_status il_case_conduct(const il_case *c, il_trajectory *trajectory, il_outcome *outcome,
                          il_error *err);
void il_outcome_free(il_outcome *outcome);

/* The same for those who want the record alone: *record is the caller's. */
il_status il_case_run(const il_case *c, il_trajectory *trajectory, json_t **record, il_error *err);

/* A record for a case that could not run at all: status, message, its specification, and null for
 * errors. */
json_t *il_case_lost(const il_case *c, il_status status, const char *message);

#endif
