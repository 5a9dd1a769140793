/*
 * patience.c - seconds so far, times steps that are left, over steps so far.
 */
#include "harness/run/patience.h"

#include "harness/base/clock.h"
#include "harness/base/progress.h"

/* Seconds that show how fast steps are; where fewer than FEW steps fit into them, the first of
 * which is dearer than others, more seconds. */
static const double ENOUGH = 1.0;
static const double SLOW = 30.0;
enum { FEW = 8 };

void il_patience_begin(il_patience *p, double limit, size_t from) {
    *p = (il_patience){.limit = limit,
                       .began = il_clock_seconds(),
                       .began_coarse = il_clock_seconds_coarse(),
                       .from = from};
}

bool il_patience_settled(const il_patience *p) {
    return p->limit == 0.0;
}

double il_patience_passed(const il_patience *p) {
    return il_clock_seconds() - p->began;
}

/* The clock is looked at after every step: of steps that are dear all at once, after a thousand
 * that were cheap, not even one more need be waited for. */
il_status il_patience_step(il_patience *p, size_t done, size_t steps, il_error *err) {
    if (il_patience_settled(p)) {
        return IL_OK;
    }
    double passed = il_clock_seconds_coarse() - p->began_coarse;
    size_t made = done - p->from;
    bool shown = passed >= SLOW || (passed >= ENOUGH && made >= FEW);
    if (!shown) {
        return IL_OK;
    }
    double limit = p->limit;
    double all = passed / (double)made * (double)(steps - p->from);
    p->limit = 0.0;
    return all <= limit
               ? IL_OK
               : il_fail(err, IL_ETOOLONG,
                         "%zu steps%s would take about %.2g hours (%zu took %.2g s); allowed: %.2g "
                         "h, longer with --long, or --max-time",
                         steps - p->from, p->from > 0 ? " that are left" : "", all / 3600.0, made,
                         passed, limit / 3600.0);
}
