/*
 * checkpoint.h - a run that was killed goes on from where it was not long before.
 *
 * Every so many seconds of a run all that the steps to come depend on is put into a file
 * (harness/io/store/state_file.h): positions, velocities and contacts of the last node, what measures and
 * observers have seen by then, and the nodes where the whole run is kept. A scheme, its projector
 * and the problem carry nothing from step to step beside that (scheme.h, projector.h), so that a
 * run that goes on from it has the bits of one that was left alone. What they keep to save work is
 * as it was where the last step made it: that step is made once more, which also shows that its end
 * is the one that was left. An analysis of a sparse factor that was kept for more steps than that
 * is made anew: work.analyses may be larger.
 *
 * None is left by a run that is watched by an observer without `archive`, nor after a step of which
 * something is kept that no archive has: its multipliers, its projection.
 */
#ifndef IL_CHECKPOINT_H
#define IL_CHECKPOINT_H

#include <stdbool.h>

#include "harness/data/observer.h"
#include "harness/data/step_problem.h"
#include "harness/data/trajectory.h"
#include "harness/measure/deviation.h"
#include "harness/measure/measure.h"
#include "harness/measure/wall_forces.h"
#include "harness/run/gap_watch.h"
#include "harness/run/patience.h"
#include "harness/run/record.h"

/* Seconds between two, unless it is said. */
#define IL_CHECKPOINT_EVERY 60.0

struct il_run_state;

typedef struct il_checkpoint {
    const char *path;    /* the file */
    const char *results; /* the folder of results that it is in, of which it has one of its own
                            (harness/io/store/state_file.h); NULL: the user named it */
    const char *key;     /* what the run depends on: a state of another key is none of it */
    double every;        /* seconds; longer where writing one takes more than a fiftieth of that */
    size_t at;           /* one is left after this step too, whatever the time; 0: none */
    bool (*holds)(void *self); /* does the key still say what the run depends on? NULL: it does */
    void (*went)(void *self, size_t step); /* the run goes on after that step; NULL: not asked */
    void *self;
    void (*left)(void *files, const struct il_run_state *run); /* a state was left,
                                                                   or gone on from; or NULL */
    void *files;
    double due; /* the checkpoint's own */
} il_checkpoint;

/* All that changes from step to step. */
typedef struct il_run_state {
    const il_scheme_type *scheme;
    void *self;       /* the scheme's */
    double t0;        /* where the last step began */
    il_state *before; /* and its state there */
    il_state *state;  /* where it ended */
    size_t d, glued;  /* lengths of q and of gamma */
    il_record *record;
    il_measure *measure;      /* NULL: the run is not measured */
    il_wall_forces *walls;    /* or NULL */
    il_deviation **deviation; /* [record->ndistances] */
    il_gap_watch *gap_watch;
    il_trajectory *trajectory; /* or NULL */
    const il_observer *observers;
    size_t nobservers;
    const il_step_problem *keep; /* or NULL */
    const il_patience *patience; /* knows how long the steps took, */
    double seconds;              /* besides those that were made before */
} il_run_state;

/* Go on from the file, if it has a state of the run: *went says so. What is damaged, or of
 * something else, counts as none. IL_ENOMEM; IL_EINTERNAL where the bytes are those that were
 * written for this key and do not fit, or the step made once more ends elsewhere: the file goes. */
il_status il_checkpoint_load(il_checkpoint *c, il_run_state *run, bool *went, il_error *err);

/* After a step that began at t0: leave a state if it is time. That none can be written is no reason
 * to end a run. Nothing happens for NULL, and after the last step. */
void il_checkpoint_step(il_checkpoint *c, il_run_state *run, double t0);

/* The run has come to its end: the file goes. */
void il_checkpoint_remove(const il_checkpoint *c);

#endif
