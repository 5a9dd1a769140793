/*
 * history.c - numbers of every step.
 */
#include "harness/data/history.h"

#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"
#include "harness/data/bodies.h"

static il_status begin(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err) {
    il_history *w = self;
    (void)start;
    w->problem = problem;
    w->nwalls = problem->nwalls;
    w->inertial = problem->order == 2;
    w->room = steps;
    w->names = il_alloc(w->nwalls, sizeof *w->names);
    for (size_t k = 0; k < w->nwalls; k++) {
        w->names[k] = il_alloc_text(problem->walls[k].name);
    }
    static const char items[] = "steps of a series";
    il_status status = il_memory_ask(&w->steps, steps, sizeof *w->steps, items, err);
    return status == IL_OK
               ? il_memory_ask(&w->force, steps, w->nwalls * sizeof *w->force, items, err)
               : status;
}

static il_status step(void *self, const il_watched *now, il_error *err) {
    il_history *w = self;
    const il_step_report *report = now->report;
    double h = now->t1 - now->t0;
    if (w->n == w->room) {
        return il_fail(err, IL_EINTERNAL, "the series has room for %zu steps, and step %zu comes",
                       w->room, now->n);
    }
    il_history_step *s = &w->steps[w->n];
    *s = (il_history_step){.t = now->t1,
                           .energy =
                               0.5 * il_metric_inner(w->problem->mass, now->out->u, now->out->u),
                           .iterations = report->iterations,
                           .factorisations = report->factorisations,
                           .analyses = report->analyses,
                           .solves = report->solves,
                           .scans = report->scans,
                           .rows_offered = report->rows_offered,
                           .rows_solved = report->rows->p};
    for (size_t i = 0; i < report->rows->p; i++) {
        s->contacts += report->lambda[i] > 0.0;
        s->impulse += h * report->lambda[i];
    }
    w->measured = now->drift != NULL;
    if (w->measured) {
        s->drift = *now->drift;
    }
    double *force = w->force + w->n * w->nwalls;
    if (w->nwalls > 0) {
        il_bodies_wall_impulses(w->problem, report, h, force);
    }
    for (size_t k = 0; k < w->nwalls; k++) {
        force[k] /= h;
    }
    w->n++;
    return IL_OK;
}

il_observer il_history_observer(il_history *history) {
    return (il_observer){.self = history, .begin = begin, .step = step};
}

void il_history_free(il_history *w) {
    for (size_t k = 0; k < w->nwalls; k++) {
        free(w->names[k]);
    }
    free(w->names);
    free(w->steps);
    free(w->force);
    *w = (il_history){0};
}

/* The column of numbers whose first stands at `at` bytes in a step. */
static json_t *reals(const il_history *w, size_t at) {
    json_t *array = json_array();
    for (size_t n = 0; n < w->n; n++) {
        const double *x = (const double *)(const void *)((const char *)&w->steps[n] + at);
        il_json_append(array, il_json_number(*x));
    }
    return array;
}

static json_t *counts(const il_history *w, size_t at) {
    json_t *array = json_array();
    for (size_t n = 0; n < w->n; n++) {
        const size_t *x = (const size_t *)(const void *)((const char *)&w->steps[n] + at);
        il_json_append(array, json_integer((json_int_t)*x));
    }
    return array;
}

static json_t *forces(const il_history *w) {
    json_t *object = json_object();
    for (size_t k = 0; k < w->nwalls; k++) {
        json_t *array = json_array();
        for (size_t n = 0; n < w->n; n++) {
            il_json_append(array, il_json_number(w->force[n * w->nwalls + k]));
        }
        il_json_set(object, w->names[k], array);
    }
    return object;
}

static const struct {
    const char *key;
    size_t at;
} counted[] = {
    {"iterations", offsetof(il_history_step, iterations)},
    {"factorisations", offsetof(il_history_step, factorisations)},
    {"analyses", offsetof(il_history_step, analyses)},
    {"projections", offsetof(il_history_step, solves)},
    {"scans", offsetof(il_history_step, scans)},
    {"rows_offered", offsetof(il_history_step, rows_offered)},
    {"rows_solved", offsetof(il_history_step, rows_solved)},
    {"contacts", offsetof(il_history_step, contacts)},
};

json_t *il_history_json(const il_history *w) {
    json_t *series = json_object();
    il_json_set(series, "t", reals(w, offsetof(il_history_step, t)));
    il_json_set(series, "energy",
                w->inertial ? reals(w, offsetof(il_history_step, energy)) : json_null());
    if (w->measured && w->inertial) {
        il_json_set(series, "balance", reals(w, offsetof(il_history_step, drift.balance)));
    }
    if (w->measured) {
        il_json_set(series, "momentum_drift", reals(w, offsetof(il_history_step, drift.momentum)));
        il_json_set(series, "centre_of_mass_drift",
                    reals(w, offsetof(il_history_step, drift.centre)));
    }
    il_json_set(series, "impulse", reals(w, offsetof(il_history_step, impulse)));
    for (size_t k = 0; k < sizeof counted / sizeof counted[0]; k++) {
        il_json_set(series, counted[k].key, counts(w, counted[k].at));
    }
    il_json_set(series, "force", forces(w));
    return series;
}
