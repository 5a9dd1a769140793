/*
 * program.h - what is wrong with the motion of a program that made the steps of a run.
 */
#ifndef IL_JUDGE_PROGRAM_H
#define IL_JUDGE_PROGRAM_H

#include <jansson.h>

#include "harness/data/trajectory.h"
#include "harness/run/case.h"

/* The il_case.look of such a run: the findings of il_faults_find on its nodes, as of samples in a
 * file, into record's program.findings; null where there are more than 65536 coordinates over
 * all steps. */
il_status il_judge_program(const il_case *c, const il_trajectory *run, json_t *record,
                           il_error *err);

#endif
