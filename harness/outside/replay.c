/*
 * replay.c - replays samples as steps, and computes the impulses that explain them.
 */
#include "harness/outside/replay.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"

typedef struct {
    il_replay *of;
    const il_problem *problem;
    il_dynamics *dynamics;
    size_t n;             /* the step at hand, */
    const double *before; /* [d] the velocity at its beginning, */
    size_t first, end;    /* and its contacts in the track */
    double *between;      /* [d] */
    il_motion motion;     /* on the step */
} replay;

const char *il_between_name(il_between between) {
    static const char *const names[] = {"affine", "constant", "ballistic", "dense"};
    return names[between];
}

static void destroy(void *self) {
    replay *w = self;
    if (w != NULL) {
        il_dynamics_destroy(w->dynamics);
        free(w->between);
        free(w);
    }
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    replay *w = il_alloc_zero(1, sizeof *w);
    *self = w;
    w->between = il_alloc_zero(problem->d, sizeof *w->between);
    w->of = (il_replay *)(uintptr_t)options->type; /* its first member */
    w->problem = problem;
    w->of->found = (il_residuals){.residuals = w->of->found.residuals, .opens = w->of->found.opens};
    return il_dynamics_create(&w->dynamics, problem, options, err);
}

static il_status node(void *self, size_t n, double *t, il_error *err) {
    replay *w = self;
    const il_track *track = w->of->track;
    const il_trajectory *run = &track->run;
    bool has = track->has_u || w->problem->order == 1 || n > 1;
    (void)err;
    w->n = n;
    w->before = has ? run->u + (n - 1) * run->d : w->problem->u0;
    for (w->first = w->end; w->first < run->ncontacts && run->contacts[w->first].step < n;) {
        w->first++;
    }
    for (w->end = w->first; w->end < run->ncontacts && run->contacts[w->end].step == n;) {
        w->end++;
    }
    *t = run->t[n];
    return IL_OK;
}

/* How far the mean velocity lies outside those at the ends, and what the force adds; where no
 * contact is near, how far from what the velocities mean. */
static void note_bend(replay *w, const il_state *in, const il_state *out, double h, bool flies) {
    il_residuals *f = &w->of->found;
    il_metric_solve(w->problem->mass, w->between, w->between); /* of the mean force */
    for (size_t k = 0; k < w->problem->d; k++) {
        double mean = (out->q[k] - in->q[k]) / h;
        double low = fmin(w->before[k], out->u[k]);
        double high = fmax(w->before[k], out->u[k]);
        if (flies) {
            low = high = w->of->between == IL_BETWEEN_AFFINE     ? out->u[k]
                         : w->of->between == IL_BETWEEN_CONSTANT ? w->before[k]
                                                                 : 0.5 * (low + high);
        }
        double bent = fmax(low - mean, mean - high) - h * fabs(w->between[k]);
        if (bent > f->bent) {
            f->bent = bent;
            (void)il_track_place(w->of->track, w->n, k, f->bent_place, sizeof f->bent_place);
        }
    }
}

static void note(replay *w, const il_state *out, const il_explained *e) {
    il_residuals *f = &w->of->found;
    f->speed = fmax(f->speed, il_largest(out->u, w->problem->d));
    f->sum += e->residual;
    if (f->residuals != NULL && f->opens != NULL) {
        f->residuals[w->n - 1] = e->residual;
        f->opens[w->n - 1] = e->open;
    }
    if (e->residual > f->largest) {
        f->largest = e->residual;
        f->step = w->n;
    }
    for (size_t i = 0; i < e->rows->p; i++) {
        if (e->lambda[i] < f->pull) {
            f->pull = e->lambda[i];
            f->pull_step = w->n;
            f->pull_id = e->rows->id[i];
        }
    }
    if (e->open > f->open) {
        f->open = e->open;
        f->open_step = w->n;
    }
}

/* The velocity on the way, into w->between, which holds M^{-1} fbar. */
static void move_between(replay *w, double h) {
    for (size_t k = 0; k < w->problem->d; k++) {
        double gained = w->of->between == IL_BETWEEN_CONSTANT ? 0.0 : 0.5 * h * w->between[k];
        w->between[k] = w->before[k] + gained;
    }
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    replay *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    il_explained e;
    const il_track *track = w->of->track;
    memcpy(out->q, track->run.q + w->n * d, d * sizeof *out->q);
    memcpy(out->u, track->run.u + w->n * d, d * sizeof *out->u);
    const il_interval interval = {
        .t0 = t0,
        .t1 = t1,
        .q0 = in->q,
        .u0 = w->before,
        .q1 = out->q,
        .u1 = out->u,
        .given = track->has_impulses,
        .n = w->end - w->first,
        .contacts = track->run.ncontacts > 0 ? &track->run.contacts[w->first] : NULL,
        .both_signs = w->problem->gamma0 != NULL,
        .force = 1.0,
        .resolution = track->resolution, /* what the numbers explain needs no closer look */
        .quantum = track->quantum};
    il_status status = il_dynamics_report(w->dynamics, &interval, &e, report, err);
    if (status != IL_OK) {
        return status;
    }
    note(w, out, &e);
    il_progress *progress = w->of->progress;
    if (progress != NULL && il_progress_due(progress)) {
        char what[64];
        (void)snprintf(what, sizeof what, "step %zu of %zu", w->n, track->run.nodes - 1);
        il_progress_show(progress, (double)w->n / (double)track->run.nodes, what, "measuring");
    }
    if (in->gamma != NULL) { /* gamma' = -lambda */
        memcpy(out->gamma, in->gamma, w->problem->p * sizeof *out->gamma);
        for (size_t i = 0; i < e.rows->p; i++) {
            out->gamma[e.rows->id[i]] -= e.lambda[i];
        }
    }
    if (w->of->between == IL_BETWEEN_DENSE) {
        report->motion = il_trajectory_motion(&track->run, w->n, &w->motion) ? &w->motion : NULL;
    } else if (w->problem->order == 2) {
        memcpy(w->between, e.mean, d * sizeof *w->between);
        note_bend(w, in, out, h, e.rows->p == 0 && !interval.given);
        if (w->of->between != IL_BETWEEN_AFFINE) {
            move_between(w, h);
            report->between = w->between;
        }
    }
    return IL_OK;
}

static const il_claim claims[] = {{.norm = NULL}};

const il_scheme_type il_replay_type = {.name = "replay",
                                       .title = "samples that another program made",
                                       .statement = "given by a file",
                                       .source = "a file",
                                       .orders = 3u,
                                       .restitution = true,
                                       .glue = true,
                                       .outside = true,
                                       .claims = claims,
                                       .create = create,
                                       .node = node,
                                       .step = step,
                                       .destroy = destroy};

void il_replay_init(il_replay *w, const char *name, const il_track *track, il_between between) {
    *w = (il_replay){.type = il_replay_type, .track = track, .between = between};
    w->type.name = name;
    w->type.dense = between == IL_BETWEEN_DENSE;
}
