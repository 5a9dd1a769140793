/*
 * snapshot_run.h - a run of maury that is kept whole, as snapshots, history and trajectory, and a
 * folder for what is written of it.
 */
#ifndef IL_TESTS_SNAPSHOT_RUN_H
#define IL_TESTS_SNAPSHOT_RUN_H

#include "harness/data/history.h"
#include "harness/data/snapshots.h"
#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/scratch.h"

typedef struct {
    il_test_problem made;
    il_run_spec spec;
    il_record record;
    il_trajectory trajectory;
    il_snapshots snapshots;
    il_history history;
    il_observer observers[2];
    char dir[IL_SCRATCH_ROOM];
    il_error err;
} il_snapshot_run;

/* steps of h, every `every`-th of them among the snapshots; asserts that the run succeeds. b stays
 * where it is until it is closed: the observers point into it. */
void il_snapshot_run_start(il_snapshot_run *b, const char *problem, const char *const *sets,
                           double h, size_t steps, size_t every);
void il_snapshot_run_close(il_snapshot_run *b);

/* How many files are in folder `name` of the run's own. */
size_t il_snapshot_run_files(const il_snapshot_run *b, const char *name);

#endif
