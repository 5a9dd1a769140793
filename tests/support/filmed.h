/*
 * filmed.h - a run of maury that is kept whole, as film, history and trajectory, and a folder for what
 * is written of it.
 */
#ifndef IL_TESTS_FILMED_H
#define IL_TESTS_FILMED_H

#include "harness/data/film.h"
#include "harness/data/history.h"
#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/scratch.h"

typedef struct {
    il_test_problem made;
    il_run_spec spec;
    il_record record;
    il_trajectory trajectory;
    il_film film;
    il_history history;
    il_observer observers[2];
    char dir[IL_SCRATCH_ROOM];
    il_error err;
} il_filmed;

/* steps of h, every `every`-th of them in the film; asserts that the run succeeds. b stays where it is
 * until it is closed: the observers point into it. */
void il_filmed_run(il_filmed *b, const char *problem, const char *const *sets, double h,
                   size_t steps, size_t every);
void il_filmed_close(il_filmed *b);

/* How many files are in folder `name` of the run's own. */
size_t il_filmed_files(const il_filmed *b, const char *name);

#endif
