/*
 * jumps.c - the impulses of jumps, as multipliers of a projection: u(b+) is the nearest to u(b-) in
 * {x : <grad g_i, x> >= <grad g_i, u(b+)>} where impulses P >= 0 lead from one to the other, and P
 * are its multipliers.
 */
#include "harness/measure/jumps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

void il_jumps_open(il_jumps *w, const il_problem *problem, const il_projector_type *projector) {
    size_t d = problem->d;
    il_projector_options options = {0};
    w->problem = problem;
    w->type = projector;
    il_rows_init(&w->rows);
    w->q = il_alloc_zero(5 * d, sizeof *w->q);
    w->v = w->q + d;
    w->x = w->v + d;
    w->before = w->x + d;
    w->after = w->before + d;
    (void)projector->create(&w->projector, &options, NULL);
}

void il_jumps_close(il_jumps *w) {
    if (w->projector != NULL) {
        w->type->destroy(w->projector);
    }
    if (w->problem != NULL) {
        il_rows_free(&w->rows);
    }
    free(w->q);
    free(w->t);
    free(w->impulse);
    free(w->a);
    free(w->lambda);
}

/* A jump this small, of the terms that velocities are sums of, is their rounding: as for positions
 * where pieces meet (il_motion_check). */
static const double ROUNDING = 1e-11;

/* The largest term of velocities on piece j. */
static double terms_of(const il_motion *motion, double t0, size_t j) {
    double most = 0.0;
    double length = motion->end[j] - (j > 0 ? motion->end[j - 1] : t0);
    const double *c = motion->c + j * (motion->degree + 1) * motion->d;
    for (size_t k = 1; k <= motion->degree; k++) {
        for (size_t i = 0; i < motion->d; i++) {
            most = fmax(most, (double)k * fabs(c[k * motion->d + i]) / length);
        }
    }
    return most;
}

static bool jumps(const il_jumps *w, double terms) {
    double most = 0.0;
    for (size_t k = 0; k < w->problem->d; k++) {
        most = fmax(most, fabs(w->after[k] - w->before[k]));
    }
    return most > ROUNDING * terms;
}

/* Room for so many jumps and contacts, all impulses zero. */
static void reserve(il_jumps *w, size_t breaks, size_t contacts) {
    if (breaks > w->breaks || contacts > w->room) {
        size_t room = contacts > w->room ? 2 * contacts : w->room;
        size_t most = breaks > w->breaks ? 2 * breaks : w->breaks;
        il_memory_grow(&w->t, most, sizeof *w->t);
        il_memory_grow(&w->impulse, most * room, sizeof *w->impulse);
        il_memory_grow(&w->a, room, sizeof *w->a);
        il_memory_grow(&w->lambda, room, sizeof *w->lambda);
        w->room = room;
        w->breaks = most;
    }
    memset(w->impulse, 0, w->breaks * w->room * sizeof *w->impulse);
}

/* The impulses at t, where u jumps from before to after. False where there are none to be had. */
static bool explain(il_jumps *w, double t, size_t from, size_t to, double *impulse) {
    const il_problem *problem = w->problem;
    il_status status = IL_OK;
    il_rows_clear(&w->rows);
    for (size_t k = from; status == IL_OK && k < to; k++) {
        status = problem->type->row(problem, t, w->q, w->run->contacts[k].id, &w->rows);
    }
    if (status != IL_OK) {
        return false;
    }
    for (size_t i = 0; i < w->rows.p; i++) {
        w->a[i] = -il_rows_dot(&w->rows, i, w->after);
        w->lambda[i] = 0.0;
    }
    il_projection_info info = {0};
    il_qp qp = {.d = problem->d,
                .mass = problem->mass,
                .target = w->before,
                .rows = &w->rows,
                .a = w->a,
                .scale = 1.0};
    if (w->type->refuses(w->projector, &qp) != NULL) {
        return false;
    }
    status = w->type->solve(w->projector, &qp, w->x, w->lambda, &info);
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        impulse[i] = w->lambda[i];
    }
    return status == IL_OK;
}

size_t il_jumps_find(il_jumps *w, size_t step, size_t from, size_t to) {
    const il_trajectory *run = w->run;
    size_t d = w->problem->d;
    il_motion motion;
    il_motion next;
    double t0 = run->t[step - 1];
    w->n = 0;
    if (w->projector == NULL || !il_trajectory_motion(run, step, &motion)) {
        return 0;
    }
    reserve(w, motion.n, to - from);
    bool goes_on = step + 1 < run->nodes && il_trajectory_motion(run, step + 1, &next);
    for (size_t j = 0; j < motion.n; j++) {
        double t = motion.end[j];
        double terms = terms_of(&motion, t0, j);
        il_motion_eval(&motion, t0, j, t, w->q, w->before);
        if (j + 1 < motion.n) {
            terms = fmax(terms, terms_of(&motion, t0, j + 1));
            il_motion_eval(&motion, t0, j + 1, t, NULL, w->after);
        } else if (goes_on) {
            terms = fmax(terms, terms_of(&next, t, 0));
            il_motion_eval(&next, t, 0, t, NULL, w->after);
        } else {
            memcpy(w->after, run->u + step * d, d * sizeof *w->after);
        }
        if (!jumps(w, terms)) {
            continue;
        }
        w->t[w->n] = t;
        w->n += explain(w, t, from, to, w->impulse + w->n * w->room);
    }
    return w->n;
}
