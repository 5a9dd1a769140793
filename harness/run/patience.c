/*
 * patience.c - seconds so far, times steps in all, over steps so far.
 */
#include "harness/run/patience.h"

#include <stdbool.h>

#include "harness/base/clock.h"
#include "harness/base/progress.h"

/* Seconds that show how fast steps are; where fewer than FEW steps fit into them, the first of
 * which is dearer than others, more seconds. */
static const double ENOUGH = 1.0;
static const double SLOW = 30.0;
enum { FEW = 8 };

void il_patience_begin(il_patience *p, double limit) {
    *p = (il_patience){.limit = limit, .began = il_clock_seconds(), .look = 1};
}

double il_patience_passed(const il_patience *p) {
    return il_clock_seconds() - p->began;
}

il_status il_patience_step(il_patience *p, size_t done, size_t steps, il_error *err) {
    if (p->limit == 0.0 || done < p->look) {
        return IL_OK;
    }
    double passed = il_patience_passed(p);
    p->look = done >= FEW ? 2 * done : done + 1;
    bool shown = passed >= SLOW || (passed >= ENOUGH && done >= FEW);
    if (!shown) {
        return IL_OK;
    }
    double limit = p->limit;
    double all = passed / (double)done * (double)steps;
    p->limit = 0.0;
    return all <= limit
               ? IL_OK
               : il_fail(err, IL_ETOOLONG,
                         "%zu steps would take about %.2g hours (%zu took %.2g s); allowed: %.2g "
                         "h, longer with --long, or --max-time",
                         steps, all / 3600.0, done, passed, limit / 3600.0);
}
