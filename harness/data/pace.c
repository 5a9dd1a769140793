/*
 * pace.c - steps made, and how long the next look at the clock can wait.
 */
#include "harness/data/pace.h"

#include <math.h>

#include "harness/base/clock.h"

static const double LOOK = 0.05; /* seconds between looks */

static il_status begin(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err) {
    il_pace *p = self;
    (void)problem;
    (void)start;
    (void)err;
    p->steps = steps;
    p->look = 0;
    p->began = il_clock_seconds();
    return IL_OK;
}

/* Of the steps that there were to make. */
static double share_of(const il_pace *p, size_t n) {
    return (double)(n - p->before) / (double)(p->steps - p->before);
}

static void show(const il_pace *p, const il_watched *now) {
    char what[96];
    (void)snprintf(what, sizeof what, "step %zu of %zu, t = %.4g", now->n, p->steps, now->t1);
    bool last = now->n == p->steps; /* what is left then is to measure what was made */
    il_progress_show(p->progress, share_of(p, now->n), last ? (double)INFINITY : (double)NAN, what,
                     last ? "measuring" : NULL);
}

static il_status step(void *self, const il_watched *now, il_error *err) {
    il_pace *p = self;
    (void)err;
    if (p->look == 0) {
        p->before = now->n - 1;
    }
    if (now->n < p->look && now->n < p->steps) {
        return IL_OK;
    }
    /* as many steps as fit, at the mean pace; few at first, which are dearer than others */
    double passed = il_clock_seconds() - p->began;
    double made = (double)(now->n - p->before);
    double fit = passed > 0.0 ? LOOK * made / passed : 1.0;
    p->look = now->n + 1 + (size_t)fmin(fit, 0.125 * made);
    if (p->share != NULL) {
        *p->share = share_of(p, now->n);
    }
    if (p->progress != NULL && il_progress_due(p->progress)) {
        show(p, now);
    }
    return IL_OK;
}

/* How far the run is stands in the state of the run; the pace is that of this process. */
static void archive(void *self, il_archive *a) {
    (void)self;
    (void)a;
}

il_observer il_pace_observer(il_pace *pace) {
    return (il_observer){
        .self = pace, .begin = begin, .step = step, .archive = archive, .content = true};
}
