/*
 * wall_forces.c - sums over the run, and a ring of the last steps.
 */
#include "harness/measure/wall_forces.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/sum.h"
#include "harness/data/bodies.h"

struct il_wall_forces {
    const il_problem *problem;
    size_t steps;
    il_sum *total;    /* [nwalls] */
    double *ring;     /* [IL_WALL_FORCES_LAST][nwalls] impulse on each wall, */
    double *pressing; /* [the same] and of the outer force against it */
    double length[IL_WALL_FORCES_LAST];
};

il_status il_wall_forces_create(il_wall_forces **out, const il_problem *problem, il_error *err) {
    size_t n = problem->nwalls;
    *out = NULL;
    if (n == 0 || il_bodies_count(problem) == 0) {
        return IL_OK;
    }
    il_wall_forces *w = calloc(1, sizeof *w);
    if (w != NULL) {
        w->problem = problem;
        w->total = calloc(n, sizeof *w->total);
        w->ring = calloc(2 * n * IL_WALL_FORCES_LAST, sizeof *w->ring);
    }
    if (w == NULL || w->total == NULL || w->ring == NULL) {
        il_wall_forces_destroy(w);
        return il_fail(err, IL_ENOMEM, "no memory for the forces on %zu walls", n);
    }
    w->pressing = w->ring + n * IL_WALL_FORCES_LAST;
    *out = w;
    return IL_OK;
}

void il_wall_forces_destroy(il_wall_forces *w) {
    if (w == NULL) {
        return;
    }
    free(w->total);
    free(w->ring);
    free(w);
}

/* -<n, sum over bodies of f>. */
static double pressing_on(const il_problem *problem, const il_plane *wall, const double *f) {
    il_sum sum = {0.0, 0.0};
    for (size_t k = 0; k < problem->d; k++) {
        il_sum_add(&sum, -wall->n[k % problem->space] * f[k]);
    }
    return il_sum_value(&sum);
}

void il_wall_forces_step(il_wall_forces *w, double t0, double t1, const il_step_report *report) {
    if (w == NULL) {
        return;
    }
    const il_problem *problem = w->problem;
    size_t n = problem->nwalls;
    size_t at = w->steps++ % IL_WALL_FORCES_LAST;
    w->length[at] = t1 - t0;
    il_bodies_wall_impulses(problem, report, t1 - t0, w->ring + at * n);
    for (size_t k = 0; k < n; k++) {
        il_sum_add(&w->total[k], w->ring[at * n + k]);
        w->pressing[at * n + k] =
            (t1 - t0) * pressing_on(problem, &problem->walls[k], report->force);
    }
}

void il_wall_forces_archive(il_wall_forces *w, il_archive *a) {
    if (w == NULL) {
        return;
    }
    size_t n = w->problem->nwalls;
    il_archive_expect(a, n);
    il_archive_count(a, &w->steps);
    il_archive_bytes(a, w->total, n * sizeof *w->total);
    il_archive_bytes(a, w->ring, 2 * n * IL_WALL_FORCES_LAST * sizeof *w->ring);
    il_archive_bytes(a, w->length, sizeof w->length);
}

/* Sum of stride-apart numbers of the ring over the length of its steps. */
static double mean_of(const il_wall_forces *w, const double *x, size_t stride, size_t steps) {
    il_sum sum = {0.0, 0.0};
    il_sum time = {0.0, 0.0};
    for (size_t s = 0; s < steps; s++) {
        il_sum_add(&sum, x[s * stride]);
        il_sum_add(&time, w->length[s]);
    }
    return steps > 0 ? il_sum_value(&sum) / il_sum_value(&time) : NAN;
}

void il_wall_forces_finish(const il_wall_forces *w, il_wall_force *forces) {
    if (w == NULL) {
        return;
    }
    size_t n = w->problem->nwalls;
    size_t steps = w->steps < IL_WALL_FORCES_LAST ? w->steps : IL_WALL_FORCES_LAST;
    for (size_t k = 0; k < n; k++) {
        forces[k] = (il_wall_force){.name = w->problem->walls[k].name,
                                    .impulse_total = il_sum_value(&w->total[k]),
                                    .force_mean = mean_of(w, w->ring + k, n, steps),
                                    .pressing_mean = mean_of(w, w->pressing + k, n, steps),
                                    .last_steps = steps};
    }
}
