/*
 * snapshot_run.c - snapshots and history are observers of the run.
 */
#include "tests/support/snapshot_run.h"

#include <stdlib.h>

#include "tests/support/suite.h"

void il_snapshot_run_start(il_snapshot_run *b, const char *problem, const char *const *sets,
                           double h, size_t steps, size_t every) {
    *b = (il_snapshot_run){.snapshots.every = every};
    b->made = il_test_problem_new(problem, 0.0, sets);
    b->observers[0] = il_snapshots_observer(&b->snapshots);
    b->observers[1] = il_history_observer(&b->history);
    b->spec.problem = b->made.problem->type;
    b->spec.params = b->made.params;
    b->spec.h = h;
    b->spec.steps = steps;
    b->spec.observers = b->observers;
    b->spec.nobservers = 2;
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &b->spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &b->spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_run(&b->spec, &b->record, &b->trajectory, &b->err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(b->record.status, IL_OK);
    il_scratch_open(b->dir);
}

void il_snapshot_run_close(il_snapshot_run *b) {
    il_scratch_close(b->dir, 1);
    il_snapshots_free(&b->snapshots);
    il_history_free(&b->history);
    il_trajectory_free(&b->trajectory);
    il_record_free(&b->record);
    il_test_problem_free(&b->made);
    (void)unsetenv("IMPACTLAB_GNUPLOT");
}

size_t il_snapshot_run_files(const il_snapshot_run *b, const char *name) {
    char path[2 * IL_SCRATCH_ROOM];
    il_scratch_path(b->dir, name, path);
    return il_scratch_count(path);
}
