/*
 * order_cause.h - why errors stop falling, other than for want of convergence.
 *
 * Three causes have a size that can be computed from the runs themselves. Each step rounds every
 * coordinate some eight times, and leaves a constraint violated by the projector's tolerance at
 * most, which the next step may make good with a jump: both add up over the steps,
 *
 *     rounding <= 8 steps 2^-52 size,    tolerance <= steps max(tolerance, violation),
 *
 * with the size of what a norm measures. And an error is a distance to the reference, which errs
 * itself: what lies between the reference's own error and ten times that is not told from it, and
 * what lies below says nothing.
 */
#ifndef IL_ORDER_CAUSE_H
#define IL_ORDER_CAUSE_H

/* Why errors stop falling. */
typedef enum {
    IL_PLATEAU_NONE,
    IL_PLATEAU_ROUNDING,
    IL_PLATEAU_TOLERANCE,
    IL_PLATEAU_REFERENCE,
    IL_PLATEAU_BELOW_REFERENCE, /* lower than the reference's own error: nothing is told */
    IL_PLATEAU_UNEXPLAINED
} il_plateau;

/* How large errors are that other causes make; 0: that cause is excluded. */
typedef struct {
    double rounding, tolerance;
    double reference; /* the reference's own error */
} il_order_causes;

/* What is known of the runs of a study: steps of the longest, size of what the norm measures, the
 * projector's tolerance, the deepest violation (>= 0), and the reference's error in the norm.
 * Whatever is NaN or negative counts as 0, steps as 1 at least, a size that is 0 as 1. */
il_order_causes il_order_causes_of(double steps, double size, double tolerance, double violation,
                                   double reference);

/* The cause of a plateau of the given height: of those that reach it the one whose size is nearest;
 * UNEXPLAINED where none does. */
il_plateau il_order_cause(const il_order_causes *causes, double height);

/* Up to this height errors may be the reference's. */
double il_order_reference_reach(const il_order_causes *causes);

/* "none", "rounding", "projector tolerance", "reference", "below the reference's error",
 * "no convergence". */
const char *il_plateau_name(il_plateau cause);

#endif
