/*
 * ballistic.c - exact solutions minus the difference between free flight and straight motion.
 */
#include "harness/judge/ballistic.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

struct il_ballistic_reference {
    const il_ballistic *of;
    const il_exact *exact;
};

/* The interval n that holds t: t_n < t <= t_{n+1} for side < 0, t_n <= t < t_{n+1} else. */
static size_t interval(const il_trajectory *s, double t, int side) {
    size_t low = 0;
    size_t high = s->nodes - 1;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        bool before = side < 0 ? s->t[mid] < t : s->t[mid] <= t;
        low = before ? mid : low;
        high = before ? high : mid;
    }
    return low;
}

static void eval(const il_exact *self, double t, int side, double *q, double *u) {
    const struct il_ballistic_reference *w = self->data;
    const il_trajectory *s = w->of->samples;
    w->exact->eval(w->exact, t, side, q, u);
    size_t n = interval(s, t, side);
    double since = t - s->t[n];
    double left = t - s->t[n + 1];
    for (size_t k = 0; k < s->d; k++) {
        double a = w->of->a[n * s->d + k];
        q[k] -= 0.5 * a * since * left;
        u[k] -= 0.5 * a * (since + left);
    }
}

static void impulse(const il_exact *self, double t, int side, double *Lambda) {
    const struct il_ballistic_reference *w = self->data;
    w->exact->impulse(w->exact, t, side, Lambda);
}

/* The breaks of a solution and the samples, each once, into the list that the wrapper has. */
static void merge_breaks(il_exact *seen, const il_exact *exact, const il_trajectory *samples,
                         double **list) {
    size_t n = 0;
    size_t i = 0;
    size_t k = 0;
    *list = il_alloc(exact->nbreaks + samples->nodes, sizeof **list);
    while (i < exact->nbreaks || k < samples->nodes) {
        double a = i < exact->nbreaks ? exact->breaks[i] : INFINITY;
        double b = k < samples->nodes ? samples->t[k] : INFINITY;
        i += a <= b;
        k += b <= a;
        (*list)[n++] = a < b ? a : b;
    }
    seen->breaks = *list;
    seen->nbreaks = n;
}

void il_ballistic_init(il_ballistic *w, const il_problem *problem, const il_trajectory *samples) {
    size_t d = problem->d;
    *w = (il_ballistic){.samples = samples, .n = problem->nexact};
    w->a = il_alloc_zero(samples->nodes * d, sizeof *w->a);
    w->seen = il_alloc_zero(w->n, sizeof *w->seen);
    w->inner = il_alloc_zero(w->n, sizeof *w->inner);
    w->breaks = il_alloc_zero(w->n, sizeof *w->breaks);
    for (size_t n = 0; n + 1 < samples->nodes; n++) {
        double t0 = samples->t[n];
        double t1 = samples->t[n + 1];
        double *a = w->a + n * d;
        if (problem->type->force_mean != NULL) {
            problem->type->force_mean(problem, t0, t1, samples->q + n * d, a);
        } else if (problem->type->force != NULL) {
            problem->type->force(problem, 0.5 * (t0 + t1), samples->q + n * d, a);
        }
        il_metric_solve(problem->mass, a, a);
    }
    for (size_t k = 0; k < w->n; k++) {
        w->inner[k] = (struct il_ballistic_reference){w, &problem->exact[k]};
        w->seen[k] = problem->exact[k];
        w->seen[k].eval = eval;
        w->seen[k].data = &w->inner[k];
        merge_breaks(&w->seen[k], &problem->exact[k], samples, &w->breaks[k]);
        w->seen[k].impulse = problem->exact[k].impulse != NULL ? impulse : NULL;
    }
}

void il_ballistic_free(il_ballistic *w) {
    for (size_t k = 0; w->breaks != NULL && k < w->n; k++) {
        free(w->breaks[k]);
    }
    free(w->breaks);
    free(w->a);
    free(w->seen);
    free(w->inner);
}
