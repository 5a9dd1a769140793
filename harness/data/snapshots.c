/*
 * snapshots.c - stores every k-th node of a run.
 */
#include "harness/data/snapshots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static void frame_make(il_snapshots *w, il_snapshot *f, size_t touches) {
    size_t d = w->bodies * w->space;
    f->q = il_alloc(2 * d + 2 * w->bodies, sizeof *f->q);
    f->touches = il_alloc(touches, sizeof *f->touches);
    f->u = f->q + d;
    f->radius = f->u + d;
    f->load = f->radius + w->bodies;
}

static size_t pushing(const il_step_report *report) {
    size_t n = 0;
    for (size_t i = 0; report != NULL && i < report->rows->p; i++) {
        n += report->lambda[i] != 0.0;
    }
    return n;
}

/* report is NULL at the start. */
static void keep(il_snapshots *w, size_t step, double t, double h, const il_state *state,
                 const il_step_report *report) {
    if (w->n == w->room) {
        size_t room = 2 * w->room + 16;
        il_memory_grow(&w->frames, room, sizeof *w->frames);
        w->room = room;
    }
    il_snapshot *f = &w->frames[w->n];
    *f = (il_snapshot){.step = step, .t = t};
    frame_make(w, f, pushing(report));
    w->n++;
    memcpy(f->q, state->q, w->bodies * w->space * sizeof *f->q);
    memcpy(f->u, state->u, w->bodies * w->space * sizeof *f->u);
    memset(f->load, 0, w->bodies * sizeof *f->load);
    il_bodies_radii(w->problem, t, f->radius);
    if (report == NULL) {
        return;
    }
    il_bodies_add_loads(w->problem, report, h, f->load);
    for (size_t i = 0; i < report->rows->p; i++) {
        if (report->lambda[i] != 0.0) {
            f->touches[f->ntouches++] =
                il_bodies_touch(w->problem, report->rows, i, h * report->lambda[i]);
        }
    }
}

static il_status begin(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err) {
    il_snapshots *w = self;
    w->problem = problem;
    w->bodies = il_bodies_count(problem);
    w->space = problem->space;
    w->steps = steps;
    if (w->bodies == 0) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "pictures of '%s' are asked for, but it has no bodies in space",
                       problem->type->name);
    }
    w->nwalls = problem->nwalls;
    w->walls = il_alloc_copy(problem->walls, w->nwalls, sizeof *w->walls);
    keep(w, 0, 0.0, 0.0, start, NULL);
    return IL_OK;
}

static il_status step(void *self, const il_watched *now, il_error *err) {
    il_snapshots *w = self;
    (void)err;
    if (now->n % w->every == 0 || now->n == w->steps) {
        keep(w, now->n, now->t1, now->t1 - now->t0, now->out, now->report);
    }
    return IL_OK;
}

il_observer il_snapshots_observer(il_snapshots *snapshots) {
    return (il_observer){.self = snapshots, .begin = begin, .step = step};
}

void il_snapshots_free(il_snapshots *w) {
    for (size_t k = 0; k < w->n; k++) {
        free(w->frames[k].q);
        free(w->frames[k].touches);
    }
    free(w->frames);
    free(w->walls);
    *w = (il_snapshots){0};
}

double il_snapshots_at(const il_snapshots *snapshots, const double *x, size_t i, size_t c) {
    return c < snapshots->space ? x[snapshots->space * i + c] : 0.0;
}

double il_snapshot_speed(const il_snapshots *snapshots, const il_snapshot *frame, size_t i) {
    double square = 0.0;
    for (size_t c = 0; c < snapshots->space; c++) {
        square += frame->u[snapshots->space * i + c] * frame->u[snapshots->space * i + c];
    }
    return sqrt(square);
}
