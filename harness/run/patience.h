/*
 * patience.h - how long a run is going to take, judged by its first steps.
 */
#ifndef IL_PATIENCE_H
#define IL_PATIENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

/* Seconds that a run may take by the command line, unless its user says more. */
#define IL_PATIENCE_HOUR 3600.0

typedef struct {
    double limit; /* seconds that the run may take; 0: as long as it likes */
    double began, began_coarse;
    size_t from; /* steps that were made before */
} il_patience;

/* Now, after `from` steps of the run. */
void il_patience_begin(il_patience *p, double limit, size_t from);

/* False while IL_ETOOLONG may still come. */
bool il_patience_settled(const il_patience *p);

/* Seconds since it began. */
double il_patience_passed(const il_patience *p);

/* After step `done` of `steps`. IL_ETOOLONG, once a second has shown how fast steps are, when all
 * that were left when it began would take longer than the limit; the message gives the estimate. */
il_status il_patience_step(il_patience *p, size_t done, size_t steps, il_error *err);

#endif
