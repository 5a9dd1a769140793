/*
 * step_design.h - step counts for convergence studies.
 *
 * Levels are centred at N_k = from ratio^k, k = 0, 1, ...; in each, jitter distinct integers are
 * drawn uniformly in log N from [N_k / sqrt(ratio), N_k sqrt(ratio)), by GSL's mt19937. The phase
 * of an impact in its step is then random, as the interval of a fitted order assumes; on nested
 * grids it is not (order.h). With jitter 1 the levels are the N_k themselves, rounded.
 */
#ifndef IL_STEP_DESIGN_H
#define IL_STEP_DESIGN_H

#include <stddef.h>

#include "harness/base/status.h"

enum { IL_DESIGN_JITTER_MAX = 1000000 };

typedef struct {
    size_t from;          /* >= 1 */
    double ratio;         /* > 1 */
    size_t count, jitter; /* >= 1 */
    unsigned long seed;
} il_step_design;

/* Can the design be drawn? Checked before memory for its steps is allocated. IL_EINVAL: more than
 * 2^40 steps, or a jitter above IL_DESIGN_JITTER_MAX. */
il_status il_step_design_check(const il_step_design *design, il_error *err);

/* Write the count jitter step counts of a design into steps, each level sorted. IL_EINVAL with the
 * level and what is allowed: as il_step_design_check; a jitter of more than half of the integers of
 * a level; a level that rounds to the one before. */
il_status il_step_design_draw(const il_step_design *design, double *steps, il_error *err);

#endif
