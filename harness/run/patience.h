/*
 * patience.h - how long a run is going to take, judged by its first steps.
 */
#ifndef IL_PATIENCE_H
#define IL_PATIENCE_H

#include <stddef.h>

#include "harness/base/status.h"

/* Seconds that a run may take by the command line, unless its user says more. */
#define IL_PATIENCE_HOUR 3600.0

typedef struct {
    double limit; /* seconds that the run may take; 0: as long as it likes */
    double began;
    size_t look; /* steps after which the clock is looked at next */
} il_patience;

void il_patience_begin(il_patience *p, double limit);

/* Seconds since it began. */
double il_patience_passed(const il_patience *p);

/* After step `done` of `steps`. IL_ETOOLONG, once a second has shown how fast steps are, when all
 * of them would take longer than the limit; the message gives the estimate. */
il_status il_patience_step(il_patience *p, size_t done, size_t steps, il_error *err);

#endif
