/*
 * gap_watch.h - does a step explain the overlap that it leaves? And did a gradient jump in it?
 */
#ifndef IL_GAP_WATCH_H
#define IL_GAP_WATCH_H

#include "harness/data/observer.h"
#include "harness/measure/measure.h"

typedef struct {
    double worst; /* the overlap that was last looked at, or the rounding of the start; < 0 */
    double *x;    /* [d] a point inside a step */
    il_rows rows;
    char kink[IL_MESSAGE_MAX]; /* where a gradient jumped within a step, the first time, or "" */
} il_gap_watch;

/* IL_ENOMEM. il_gap_watch_free is needed then too. */
il_status il_gap_watch_init(il_gap_watch *w, const il_problem *problem, il_error *err);
void il_gap_watch_free(il_gap_watch *w);

/* Without a measure: the first step after `done` that it looks at. */
size_t il_gap_watch_next(size_t done, size_t steps);

/* Whether the step now ends with an overlap that what the constraint says of itself explains.
 * measure has the gap there; where it is NULL the gap is looked at in steps 1, 2, 4, ... and the
 * last of them. Judges only a gap below 0 and twice as deep as when it last judged.
 * IL_EUNEXPLAINED, with the constraint and its numbers; IL_OK where they cannot be computed inside
 * the step. An overlap that a gradient explains which jumps is noted in w->kink. */
il_status il_gap_watch_step(il_gap_watch *w, const il_problem *problem, const il_measure *measure,
                            size_t steps, const il_watched *now, il_error *err);

#endif
