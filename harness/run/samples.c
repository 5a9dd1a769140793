/*
 * samples.c - states between nodes.
 */
#include "harness/run/samples.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/data/bodies.h"

/* A sample this close to a node, relative, is taken at the node. */
static const double NODE = 4.0 * DBL_EPSILON;

void il_samples_take(il_record *record, size_t k, double t, const double *q, const double *u) {
    il_sample *s = &record->samples[k];
    s->t = t;
    memcpy(s->q, q, record->d * sizeof *q);
    memcpy(s->u, u, record->d * sizeof *u);
}

void il_samples_step(il_record *record, const double *times, const il_problem *problem,
                     const il_watched *now) {
    double t0 = now->t0;
    double t1 = now->t1;
    bool last = now->n == record->steps;
    for (size_t k = 0; k < record->nsamples; k++) {
        double t = times[k];
        /* a time typed as 1 may be a rounding above the node n h that it names */
        bool here = t > t0 * (1.0 + NODE) && (t <= t1 * (1.0 + NODE) || last);
        if (!here) {
            continue;
        }
        double theta = fmin(1.0, (t - t0) / (t1 - t0));
        il_samples_take(record, k, t, now->out->q, now->out->u);
        for (size_t i = 0; theta < 1.0 && i < record->d; i++) {
            record->samples[k].q[i] = now->in->q[i] + theta * (now->out->q[i] - now->in->q[i]);
        }
        if (record->samples[k].load != NULL) {
            memset(record->samples[k].load, 0, record->bodies * sizeof(double));
            il_bodies_add_loads(problem, now->report, t1 - t0, record->samples[k].load);
        }
    }
}

static void spoil(double *x, size_t n) {
    for (size_t k = 0; x != NULL && k < n; k++) {
        x[k] = NAN;
    }
}

void il_samples_end(il_record *record) {
    for (size_t k = 0; k < record->nsamples; k++) {
        if (record->samples[k].t > record->t) { /* the run never came there */
            spoil(record->samples[k].q, 2 * record->d);
            spoil(record->samples[k].load, record->bodies);
        }
    }
}

il_status il_samples_bodies(const il_run_spec *spec, const il_problem *problem, size_t *bodies,
                            il_error *err) {
    *bodies = spec->loads ? il_bodies_count(problem) : 0;
    if (spec->loads && *bodies == 0) {
        return il_fail(err, IL_EUNSUPPORTED, "loads are asked for, but '%s' has no bodies in space",
                       spec->problem->name);
    }
    return IL_OK;
}
