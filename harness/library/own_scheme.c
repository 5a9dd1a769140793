/*
 * own_scheme.c - a scheme whose step is a function of the caller. The impulses that explain a step
 * are computed as for other programs: harness/outside/dynamics.h.
 */
#include <stdint.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/library/handles.h"
#include "harness/library/host.h"
#include "harness/outside/dynamics.h"

typedef struct {
    il_own_scheme *of;
    il_dynamics *dynamics;
} own;

static void destroy(void *self) {
    own *w = self;
    if (w != NULL) {
        il_dynamics_destroy(w->dynamics);
        free(w);
    }
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    own *w = il_alloc_zero(1, sizeof *w);
    *self = w;
    w->of = (il_own_scheme *)(uintptr_t)options->type; /* its first member */
    return il_dynamics_create(&w->dynamics, problem, options, err);
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    own *w = self;
    il_explained e;
    il_host_out();
    int failed = w->of->step(w->of->context, t0, t1, in->q, in->u, out->q, out->u);
    il_host_in();
    if (failed != 0) {
        return il_fail(err, IL_ESCRIPT, "the step to t = %.10g failed", t1);
    }
    const il_interval interval = {
        .t0 = t0, .t1 = t1, .q0 = in->q, .u0 = in->u, .q1 = out->q, .u1 = out->u, .force = 1.0};
    return il_dynamics_report(w->dynamics, &interval, &e, report, err);
}

void il_own_scheme_init(il_own_scheme *w, impactlab_step function, void *context) {
    static const il_claim claims[] = {{.norm = NULL}};
    *w = (il_own_scheme){.type = {.name = "own",
                                  .title = "given by a function",
                                  .statement = "given by a function",
                                  .source = "a program",
                                  .orders = 3u,
                                  .restitution = true,
                                  .outside = true,
                                  .claims = claims,
                                  .create = create,
                                  .step = step,
                                  .destroy = destroy},
                         .step = function,
                         .context = context};
}
