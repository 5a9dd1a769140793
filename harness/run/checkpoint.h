/*
 * checkpoint.h - checkpoints: a run that was killed resumes from a recent state.
 *
 * At intervals everything that later steps depend on is written to a file
 * (harness/io/store/state_file.h): positions, velocities and contacts of the last node, the state
 * of measures and observers, and the nodes where the whole run is kept. A scheme, its projector and
 * the problem carry nothing else from step to step (scheme.h, projector.h), so a run that resumes
 * has the same bits as one that was not interrupted. What they cache to save work is restored by
 * repeating the last step, which also checks that its end is the saved one. A cached analysis of a
 * sparse factor that is older than that is made again: work.analyses may be larger.
 *
 * No checkpoint is written by a run with an observer that has no `archive`, nor after a step whose
 * multipliers or projection are kept.
 */
#ifndef IL_CHECKPOINT_H
#define IL_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

/* Default number of seconds between two checkpoints. */
#define IL_CHECKPOINT_EVERY 60.0

typedef struct il_checkpoint {
    const char *path;    /* the file */
    const char *results; /* the results folder if the file is in a folder of it
                            (harness/io/store/state_file.h); NULL: the user named it */
    const char *key;     /* what the run depends on; a checkpoint of another key is not used */
    double every;        /* seconds; longer where writing one takes more than a fiftieth of that */
    size_t at;           /* also write one after this step; 0: none */
    bool (*holds)(void *self);             /* is the key still valid? NULL: it is */
    void (*went)(void *self, size_t step); /* called when the run resumes after that step; or
                                              NULL */
    void *self;
    const char *growing; /* with each checkpoint the nodes so far are written to this trajectory
                            file; NULL: to none */
    double due;          /* private: the time of the next one */
} il_checkpoint;

/* The run has ended: remove the file. */
void il_checkpoint_remove(const il_checkpoint *c);

#endif
