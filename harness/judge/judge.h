/*
 * judge.h - measures a trajectory of another program like a run of our own.
 */
#ifndef IL_JUDGE_H
#define IL_JUDGE_H

#include <jansson.h>

#include "harness/base/json.h"
#include "harness/judge/faults.h"
#include <stdio.h>

#include "harness/run/case.h"
#include "harness/run/record.h"

typedef struct {
    const il_choice *problem;
    double horizon;                /* of the problem; 0: its own */
    const il_samples_given *given; /* in place of a file, or NULL */
    const char *path;              /* NAME.csv, NAME.npz, NAME.h5 */
    const char *mapping;           /* a file's name, or NULL: track.h */
    const char *name;              /* how the record calls the program; NULL: the path */
    il_between between;
    bool half;         /* velocities are those of half steps, as leapfrog has them */
    bool event_driven; /* as il_run_spec has it */
    unsigned norms;    /* IL_NORM_... */
    bool series;       /* residual and gap of every step too */
    FILE *progress;    /* where long work is shown, or NULL */
} il_judge_query;

typedef struct {
    il_params *params;
    il_record record;
    bool impulses;     /* the file has them */
    double resolution; /* of its numbers, relative, */
    int digits;        /* and by decimal digits; 0: floats (il_track) */
    il_residuals residuals;
    il_faults faults;
    json_t *json; /* the record with `judged`: between, residual, ..., findings */
} il_judgement;

/* Measure. IL_OK when the samples were read to their end, whatever they are; IL_EINVAL for a file
 * that is refused, and what il_run says. The caller frees, also after a failure. */
il_status il_judge(const il_judge_query *query, il_judgement *out, il_error *err);
void il_judgement_free(il_judgement *judgement);

/* [{name, text}]; null where none were looked for. The caller's. */
json_t *il_faults_json(const il_faults *faults);

#endif
