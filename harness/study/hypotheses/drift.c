/*
 * drift.c - jumps of a drift, by halving.
 */
#include "harness/study/hypotheses/drift.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/uniform.h"

enum { TIMES = 7, WAYS = 16, PARTS = 16, HALVINGS = 60 };

/* Relative to the scale: how near the two points of a jump are at last, and how far a single body
 * is led, several being led to where others are. */
static const double CLOSE = 1e-9;
static const double ASIDE = 6.0;

/* Relative to the largest drift: less is no jump. A Lipschitz drift would need a constant of a
 * million to change as much over a billionth. */
static const double JUMPS = 1e-3;

typedef struct {
    const il_problem *problem;
    double scale;
    uint64_t random;
    double *centre, *to, *at, *low, *high; /* [d] */
    double largest;
    il_rows rows;
} walk;

/* The point of the way from centre to `to` at s, and the drift there. */
static void drift_at(walk *w, double t, double s, double *f) {
    size_t d = w->problem->d;
    for (size_t k = 0; k < d; k++) {
        w->at[k] = w->centre[k] + s * (w->to[k] - w->centre[k]);
    }
    w->problem->type->force(w->problem, t, w->at, f);
    double sum = 0.0;
    for (size_t k = 0; k < d; k++) {
        sum += f[k] * f[k];
    }
    w->largest = fmax(w->largest, sqrt(sum));
}

static bool is_inside(walk *w, double t, double s) {
    for (size_t k = 0; k < w->problem->d; k++) {
        w->at[k] = w->centre[k] + s * (w->to[k] - w->centre[k]);
    }
    il_rows_clear(&w->rows);
    return il_problem_gap(w->problem, t, w->at, NULL, &w->rows) >= 0.0;
}

static double distance(const double *a, const double *b, size_t d) {
    double sum = 0.0;
    for (size_t k = 0; k < d; k++) {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    return sqrt(sum);
}

/* Where one body, or the point that has no bodies, is led: among the others, or some way off. */
static void choose_way(walk *w) {
    const il_problem *p = w->problem;
    size_t space = p->space > 0 ? p->space : p->d;
    size_t bodies = p->d / space;
    size_t body = (size_t)(il_uniform_next(&w->random) * (double)bodies);
    memcpy(w->to, w->centre, p->d * sizeof *w->to);
    for (size_t c = 0; c < space; c++) {
        double low = w->centre[body * space + c] - ASIDE * w->scale;
        double high = low + 2.0 * ASIDE * w->scale;
        for (size_t i = 0; bodies > 1 && i < bodies; i++) {
            double x = w->centre[i * space + c];
            low = i == 0 ? x : fmin(low, x);
            high = i == 0 ? x : fmax(high, x);
        }
        w->to[body * space + c] = low + (high - low) * il_uniform_next(&w->random);
    }
}

/* The jump along the way, 0 if there is none or it lies outside of Q(t). */
static double follow(walk *w, double t) {
    size_t d = w->problem->d;
    double a = 0.0;
    double most = 0.0;
    drift_at(w, t, 0.0, w->low);
    for (size_t k = 1; k <= PARTS; k++) {
        drift_at(w, t, (double)k / PARTS, w->high);
        double change = distance(w->low, w->high, d);
        a = change > most ? (double)(k - 1) / PARTS : a;
        most = fmax(change, most);
        memcpy(w->low, w->high, d * sizeof *w->low);
    }
    double b = a + 1.0 / PARTS;
    double length = distance(w->centre, w->to, d);
    drift_at(w, t, a, w->low);
    drift_at(w, t, b, w->high);
    double *middle = w->high + d;
    for (size_t k = 0; k < HALVINGS && most > JUMPS * w->largest; k++) {
        if ((b - a) * length <= CLOSE * w->scale) {
            return is_inside(w, t, a) && is_inside(w, t, b) ? most : 0.0;
        }
        double s = 0.5 * (a + b);
        drift_at(w, t, s, middle);
        bool left = distance(w->low, middle, d) >= distance(middle, w->high, d);
        memcpy(left ? w->high : w->low, middle, d * sizeof *middle);
        a = left ? a : s;
        b = left ? s : b;
        most = distance(w->low, w->high, d);
    }
    return 0.0;
}

il_status il_drift_jump(const il_problem *problem, double scale, uint64_t seed, double *jump,
                        il_error *err) {
    size_t d = problem->d;
    *jump = 0.0;
    if (problem->order != 1 || problem->type->force == NULL) {
        return IL_OK;
    }
    double *block = calloc(6 * d, sizeof *block);
    if (block == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to sample a drift in %zu dimensions", d);
    }
    walk w = {.problem = problem,
              .scale = scale,
              .random = seed,
              .centre = block,
              .to = block + d,
              .at = block + 2 * d,
              .low = block + 3 * d,
              .high = block + 4 * d}; /* and 5 * d: the middle of a part */
    il_rows_init(&w.rows);
    for (size_t n = 0; n < TIMES; n++) {
        double t = problem->horizon * (double)n / (TIMES - 1);
        if (problem->nexact > 0) {
            problem->exact[0].eval(&problem->exact[0], t, 1, w.centre, w.at);
        } else {
            memcpy(w.centre, problem->q0, d * sizeof *w.centre);
        }
        for (size_t k = 0; k < WAYS; k++) {
            choose_way(&w);
            *jump = fmax(*jump, follow(&w, t));
        }
    }
    bool starved = w.rows.starved; /* what is not told to be in Q counts as outside */
    il_rows_free(&w.rows);
    free(block);
    return starved ? il_fail(err, IL_ENOMEM, "no memory for the constraints of problem '%s'",
                             problem->type->name)
                   : IL_OK;
}
