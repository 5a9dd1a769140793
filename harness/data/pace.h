/*
 * pace.h - an observer that tells how many steps a run has made: to who waits for it, or, from a
 * worker, to its parent. It looks at the clock some twenty times a second, whatever a step costs.
 */
#ifndef IL_PACE_H
#define IL_PACE_H

#include "harness/base/progress.h"
#include "harness/data/observer.h"

typedef struct {
    il_progress *progress; /* shown; or NULL */
    volatile double
        *share;         /* of the steps, kept up to date in memory that processes share; or NULL */
    size_t steps, look; /* the observer's own */
    size_t before;      /* steps that the run did not make again, as it went on from a state */
    double began;
} il_pace;

il_observer il_pace_observer(il_pace *pace);

#endif
