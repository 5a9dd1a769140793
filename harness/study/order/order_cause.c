/*
 * order_cause.c - sizes of rounding, of a projector's tolerance and of a reference's error.
 */
#include "harness/study/order/order_cause.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double ROUNDINGS = 8.0;
static const double REFERENCES = 10.0;

const char *il_plateau_name(il_plateau cause) {
    static const char *const names[] = {"none",
                                        "rounding",
                                        "projector tolerance",
                                        "reference",
                                        "below the reference's error",
                                        "no convergence"};
    return (unsigned)cause < sizeof names / sizeof names[0] ? names[cause] : "unknown";
}

il_order_causes il_order_causes_of(double steps, double size, double tolerance, double violation,
                                   double reference) {
    double n = fmax(steps, 1.0); /* fmax passes over NaN */
    return (il_order_causes){.rounding = ROUNDINGS * n * DBL_EPSILON * (size > 0.0 ? size : 1.0),
                             .tolerance = n * fmax(fmax(tolerance, violation), 0.0),
                             .reference = fmax(reference, 0.0)};
}

double il_order_reference_reach(const il_order_causes *causes) {
    return REFERENCES * causes->reference;
}

il_plateau il_order_cause(const il_order_causes *causes, double height) {
    const double reach[] = {0.0, causes->rounding, causes->tolerance,
                            il_order_reference_reach(causes)};
    il_plateau cause = IL_PLATEAU_UNEXPLAINED;
    for (int k = IL_PLATEAU_ROUNDING; k <= IL_PLATEAU_REFERENCE; k++) {
        bool nearer = cause == IL_PLATEAU_UNEXPLAINED || reach[k] < reach[cause];
        cause = height <= reach[k] && nearer ? (il_plateau)k : cause;
    }
    bool below = cause == IL_PLATEAU_REFERENCE && height < causes->reference;
    return below ? IL_PLATEAU_BELOW_REFERENCE : cause;
}
