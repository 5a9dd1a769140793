/*
 * cubic.c - cubic motions of steps (cubic.h).
 */
#include "schemes/stepping/cubic.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"

/* An approach below that part of one plus the largest speed is none. */
static const double STILL = 1e-9;

void il_cubic_create(il_cubic *w, size_t d) {
    w->c = il_alloc_zero(4 * d, sizeof *w->c);
    w->motion = (il_motion){.d = d, .n = 1, .degree = 3, .end = &w->end, .c = w->c};
}

void il_cubic_free(il_cubic *w) {
    free(w->c);
}

void il_cubic_describe(il_cubic *w, double t0, double t1, const il_state *in, const il_state *out,
                       il_step_report *report) {
    size_t d = w->motion.d;
    double h = t1 - t0;
    for (size_t k = 0; k < d; k++) {
        double way = out->q[k] - in->q[k];
        w->c[k] = in->q[k];
        w->c[d + k] = h * in->u[k];
        w->c[2 * d + k] = 3.0 * way - h * (2.0 * in->u[k] + out->u[k]);
        w->c[3 * d + k] = -2.0 * way + h * (in->u[k] + out->u[k]);
    }
    w->end = t1;
    report->motion = &w->motion;
}

bool il_cubic_strikes(const il_rows *before, const il_rows *of, const double *u, size_t d) {
    double still = STILL * (1.0 + il_largest(u, d));
    size_t i = 0;
    for (size_t k = 0; k < of->p; k++) {
        while (i < before->p && before->id[i] != of->id[k]) {
            i++;
        }
        if (i < before->p && before->rate[i] + il_rows_dot(before, i, u) < -still) {
            return true;
        }
    }
    return false;
}
