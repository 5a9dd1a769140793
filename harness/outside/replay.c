/*
 * replay.c - replays samples as steps, and computes the impulses that explain them.
 */
#include "harness/outside/replay.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

typedef struct {
    il_replay *of;
    const il_problem *problem;
    il_dynamics *dynamics;
    const il_track_sample *next;
    size_t n; /* samples read */
    double *between, *u_before;
    double *lambda; /* forces, while dynamics have impulses */
    size_t room;
} replay;

const char *il_between_name(il_between between) {
    static const char *const names[] = {"affine", "constant", "ballistic"};
    return names[between];
}

static void destroy(void *self) {
    replay *w = self;
    if (w != NULL) {
        il_dynamics_destroy(w->dynamics);
        free(w->between);
        free(w->u_before);
        free(w->lambda);
        free(w);
    }
}

static il_status starved(il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for the samples of a step");
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    replay *w = calloc(1, sizeof *w);
    *self = w;
    if (w == NULL) {
        return starved(err);
    }
    w->of = (il_replay *)(uintptr_t)options->type; /* its first member */
    w->problem = problem;
    w->between = calloc(problem->d, sizeof *w->between);
    w->u_before = calloc(problem->d, sizeof *w->u_before);
    if (w->between == NULL || w->u_before == NULL) {
        return starved(err);
    }
    w->of->found = (il_residuals){.residuals = w->of->found.residuals, .opens = w->of->found.opens};
    il_status status = il_dynamics_create(&w->dynamics, problem, options, err);
    status = status == IL_OK ? il_track_rewind(w->of->track, err) : status;
    if (status == IL_OK) { /* the beginning, which the run has */
        status = il_track_next(w->of->track, &w->next, err);
        bool has = il_track_has_velocities(w->of->track) || problem->order == 1;
        memcpy(w->u_before, has ? w->next->u : problem->u0, problem->d * sizeof *w->u_before);
    }
    return status;
}

static il_status node(void *self, size_t n, double *t, il_error *err) {
    replay *w = self;
    il_status status = IL_OK;
    if (w->n < n) {
        if (w->n > 0) {
            memcpy(w->u_before, w->next->u, w->problem->d * sizeof *w->u_before);
        }
        status = il_track_next(w->of->track, &w->next, err);
        w->n++;
    }
    *t = w->next->t;
    return status;
}

/* How far the mean velocity lies outside those at the ends, and what the force adds; where no
 * contact is near, how far from what the velocities mean. */
static void note_bend(replay *w, const il_state *in, const il_state *out, double h, bool flies) {
    il_residuals *f = &w->of->found;
    il_metric_solve(w->problem->mass, w->between, w->between); /* of the mean force */
    for (size_t k = 0; k < w->problem->d; k++) {
        double mean = (out->q[k] - in->q[k]) / h;
        double low = fmin(w->u_before[k], out->u[k]);
        double high = fmax(w->u_before[k], out->u[k]);
        if (flies) {
            low = high = w->of->between == IL_BETWEEN_AFFINE     ? out->u[k]
                         : w->of->between == IL_BETWEEN_CONSTANT ? w->u_before[k]
                                                                 : 0.5 * (low + high);
        }
        double bent = fmax(low - mean, mean - high) - h * fabs(w->between[k]);
        if (bent > f->bent) {
            f->bent = bent;
            f->bent_step = w->n;
            f->bent_coordinate = k;
            (void)il_track_place(w->of->track, k, f->bent_place, sizeof f->bent_place);
        }
    }
}

static void note(replay *w, const il_state *out, const il_explained *e) {
    il_residuals *f = &w->of->found;
    for (size_t k = 0; k < w->problem->d; k++) {
        f->speed = fmax(f->speed, fabs(out->u[k]));
    }
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
        w->between[k] = w->u_before[k] + gained;
    }
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    replay *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    il_explained e;
    memcpy(out->q, w->next->q, d * sizeof *out->q);
    memcpy(out->u, w->next->u, d * sizeof *out->u);
    const il_interval interval = {.t0 = t0,
                                  .t1 = t1,
                                  .q0 = in->q,
                                  .u0 = w->u_before,
                                  .q1 = out->q,
                                  .u1 = out->u,
                                  .given = il_track_has_impulses(w->of->track),
                                  .n = w->next->nimpulses,
                                  .id = w->next->id,
                                  .impulse = w->next->impulse,
                                  .both_signs = w->problem->gamma0 != NULL,
                                  .force = 1.0};
    il_status status = il_dynamics_explain(w->dynamics, &interval, &e, err);
    if (status != IL_OK) {
        return status;
    }
    if (e.rows->p > w->room) {
        if (!il_memory_grow(&w->lambda, 2 * e.rows->p, sizeof *w->lambda)) {
            return starved(err);
        }
        w->room = 2 * e.rows->p;
    }
    note(w, out, &e);
    for (size_t i = 0; i < e.rows->p; i++) {
        w->lambda[i] = e.lambda[i] / h;
    }
    if (in->gamma != NULL) { /* gamma' = -lambda */
        memcpy(out->gamma, in->gamma, w->problem->p * sizeof *out->gamma);
        for (size_t i = 0; i < e.rows->p; i++) {
            out->gamma[e.rows->id[i]] -= e.lambda[i];
        }
    }
    *report = (il_step_report){.rows = e.rows,
                               .lambda = w->lambda,
                               .force = e.mean,
                               .certificate = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
    if (w->problem->order == 2) {
        memcpy(w->between, e.mean, d * sizeof *w->between);
        note_bend(w, in, out, h, e.rows->p == 0 && !interval.given);
        if (w->of->between != IL_BETWEEN_AFFINE) {
            move_between(w, h);
            report->between = w->between;
        }
    }
    return IL_OK;
}

void il_replay_init(il_replay *w, const char *name, il_track *track, il_between between) {
    static const il_claim claims[] = {{.norm = NULL}};
    *w = (il_replay){.type = {.name = name,
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
                              .destroy = destroy},
                     .track = track,
                     .between = between};
}
