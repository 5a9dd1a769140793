/*
 * ballistic.c - exact solutions less what flight differs by from straight motion.
 */
#include "harness/judge/ballistic.h"

#include <stdlib.h>

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

il_status il_ballistic_init(il_ballistic *w, const il_problem *problem,
                            const il_trajectory *samples, il_error *err) {
    size_t d = problem->d;
    *w = (il_ballistic){.samples = samples, .n = problem->nexact};
    w->a = calloc(samples->nodes * d, sizeof *w->a);
    w->seen = calloc(w->n + 1, sizeof *w->seen);
    w->inner = calloc(w->n + 1, sizeof *w->inner);
    if (w->a == NULL || w->seen == NULL || w->inner == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu samples", samples->nodes);
    }
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
        w->seen[k].impulse = problem->exact[k].impulse != NULL ? impulse : NULL;
    }
    return IL_OK;
}

void il_ballistic_free(il_ballistic *w) {
    free(w->a);
    free(w->seen);
    free(w->inner);
}
