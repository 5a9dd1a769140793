/*
 * order.c - the names of verdicts; the fit is order_fit.c.
 */
#include "harness/study/order/order.h"

const char *il_verdict_name(il_verdict verdict) {
    static const char *const names[] = {"PASS", "FAIL", "INCONCLUSIVE", "REPORTED"};
    return (unsigned)verdict < sizeof names / sizeof names[0] ? names[verdict] : "UNKNOWN";
}
