/*
 * pace.c - steps made, and how long the next look at the clock can wait.
 */
#include "harness/data/pace.h"

#include <math.h>

static const double LOOK = 0.05; /* seconds between looks */

static il_status begin(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err) {
    il_pace *p = self;
    (void)problem;
    (void)start;
    (void)err;
    p->steps = steps;
    p->look = 1;
    p->began = il_progress_now();
    return IL_OK;
}

static void show(const il_pace *p, const il_watched *now) {
    char what[96];
    (void)snprintf(what, sizeof what, "step %zu of %zu, t = %.4g", now->n, p->steps, now->t1);
    bool last = now->n == p->steps; /* what is left then is to measure what was made */
    il_progress_show(p->progress, (double)now->n / (double)p->steps,
                     last ? (double)INFINITY : (double)NAN, what, last ? "measuring" : NULL);
}

static il_status step(void *self, const il_watched *now, il_error *err) {
    il_pace *p = self;
    (void)err;
    if (now->n < p->look && now->n < p->steps) {
        return IL_OK;
    }
    /* as many steps as fit, at the mean pace; few at first, which are dearer than others */
    double passed = il_progress_now() - p->began;
    double fit = passed > 0.0 ? LOOK * (double)now->n / passed : 1.0;
    p->look = now->n + 1 + (size_t)fmin(fit, 0.125 * (double)now->n);
    if (p->share != NULL) {
        *p->share = (double)now->n / (double)p->steps;
    }
    if (p->progress != NULL && il_progress_due(p->progress)) {
        show(p, now);
    }
    return IL_OK;
}

il_observer il_pace_observer(il_pace *pace) {
    return (il_observer){.self = pace, .begin = begin, .step = step, .content = true};
}
