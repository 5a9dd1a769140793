/*
 * checkpoint.h - a run that was killed goes on from where it was not long before.
 *
 * Every so many seconds of a run all that the steps to come depend on is put into a file
 * (harness/io/store/state_file.h): positions, velocities and contacts of the last node, what
 * measures and observers have seen by then, and the nodes where the whole run is kept. A scheme,
 * its projector and the problem carry nothing from step to step beside that (scheme.h,
 * projector.h), so that a run that goes on from it has the bits of one that was left alone. What
 * they keep to save work is as it was where the last step made it: that step is made once more,
 * which also shows that its end is the one that was left. An analysis of a sparse factor that was
 * kept for more steps than that is made anew: work.analyses may be larger.
 *
 * None is left by a run that is watched by an observer without `archive`, nor after a step of which
 * something is kept that no archive has: its multipliers, its projection.
 */
#ifndef IL_CHECKPOINT_H
#define IL_CHECKPOINT_H

#include <stdbool.h>

#include "harness/data/trajectory.h"

/* Seconds between two, unless it is said. */
#define IL_CHECKPOINT_EVERY 60.0

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
    /* A state of a run of so many steps was left, or gone on from, with these nodes (NULL: not
     * kept); or NULL. */
    void (*left)(void *files, size_t steps, const il_trajectory *nodes);
    void *files;
    double due; /* the checkpoint's own */
} il_checkpoint;

/* The run has come to its end: the file goes. */
void il_checkpoint_remove(const il_checkpoint *c);

#endif
