/*
 * faults.h - faults in samples, in words: each known explanation is tried on the data, and reported
 * where it reduces the error to a hundredth.
 */
#ifndef IL_JUDGE_FAULTS_H
#define IL_JUDGE_FAULTS_H

#include "harness/judge/fault_list.h"
#include "harness/outside/replay.h"
#include "problems/problem.h"

/* Look at the samples of track, which a replay has gone through with what it found. path names the
 * file in words. IL_ENOMEM. */
il_status il_faults_find(il_faults *faults, const il_problem *problem, const il_track *track,
                         il_between between, const il_residuals *found, il_error *err);

#endif
