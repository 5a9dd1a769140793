/*
 * drift.c - finds jumps of a drift, and of gradients and rates of constraints, by bisection.
 */
#include "harness/study/hypotheses/constants.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/uniform.h"
#include "harness/base/vector.h"

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
    double *centre, *to, *at;    /* [d] */
    double *low, *high, *middle; /* [n] what is led along the way */
    size_t n;
    double from, until; /* times at the ends of the way */
    size_t id;          /* the constraint whose (grad g, d_t g) is led; SIZE_MAX: the drift */
    double largest;
    il_rows rows;
} walk;

/* The point of the way from centre to `to` at s, in w->at; returns the time there. */
static double point_at(walk *w, double s) {
    for (size_t k = 0; k < w->problem->d; k++) {
        w->at[k] = w->centre[k] + s * (w->to[k] - w->centre[k]);
    }
    return w->from + s * (w->until - w->from);
}

/* The drift at s, or a constraint's gradient and rate, of which those that cannot be had are 0. */
static void value_at(walk *w, double s, double *f) {
    double t = point_at(w, s);
    if (w->id == SIZE_MAX) {
        w->problem->type->force(w->problem, t, w->at, f);
    } else {
        memset(f, 0, w->n * sizeof *f);
        il_rows_clear(&w->rows);
        il_status status = w->problem->type->row(w->problem, t, w->at, w->id, &w->rows);
        if (status == IL_OK && w->rows.p > 0) {
            il_rows_axpy(&w->rows, 0, 1.0, f);
            f[w->n - 1] = w->rows.rate[0];
        }
    }
    double sum = 0.0;
    for (size_t k = 0; k < w->n; k++) {
        sum += f[k] * f[k];
    }
    w->largest = fmax(w->largest, sqrt(sum));
}

static bool is_inside(walk *w, double s) {
    double t = point_at(w, s);
    il_rows_clear(&w->rows);
    return il_problem_gap(w->problem, t, w->at, NULL, &w->rows) >= 0.0;
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

/* The jump along the way, 0 if there is none or, where that counts, it lies outside of Q(t). */
static double follow(walk *w, bool inside) {
    size_t n = w->n;
    double a = 0.0;
    double most = 0.0;
    value_at(w, 0.0, w->low);
    for (size_t k = 1; k <= PARTS; k++) {
        value_at(w, (double)k / PARTS, w->high);
        double change = il_apart(w->low, w->high, n);
        a = change > most ? (double)(k - 1) / PARTS : a;
        most = fmax(change, most);
        memcpy(w->low, w->high, n * sizeof *w->low);
    }
    double b = a + 1.0 / PARTS;
    double length = il_apart(w->centre, w->to, w->problem->d) / w->scale +
                    fabs(w->until - w->from) / w->problem->horizon;
    value_at(w, a, w->low);
    value_at(w, b, w->high);
    for (size_t k = 0; k < HALVINGS && most > JUMPS * w->largest; k++) {
        if ((b - a) * length <= CLOSE) {
            return !inside || (is_inside(w, a) && is_inside(w, b)) ? most : 0.0;
        }
        double s = 0.5 * (a + b);
        value_at(w, s, w->middle);
        bool left = il_apart(w->low, w->middle, n) >= il_apart(w->middle, w->high, n);
        memcpy(left ? w->high : w->low, w->middle, n * sizeof *w->middle);
        a = left ? a : s;
        b = left ? s : b;
        most = il_apart(w->low, w->high, n);
    }
    return 0.0;
}

/* Where the motion is at t, as far as it is known, into w->centre. */
static void choose_place(walk *w, double t) {
    const il_problem *problem = w->problem;
    w->from = w->until = t;
    if (problem->nexact > 0) {
        problem->exact[0].eval(&problem->exact[0], t, 1, w->centre, w->at);
    } else {
        memcpy(w->centre, problem->q0, problem->d * sizeof *w->centre);
    }
}

static void open_walk(walk *w, const il_problem *problem, double scale, uint64_t seed, size_t n) {
    size_t d = problem->d;
    double *block = il_alloc_zero(3 * d + 3 * n, sizeof *block);
    *w = (walk){.problem = problem, .scale = scale, .random = seed, .n = n, .centre = block};
    w->to = block + d;
    w->at = block + 2 * d;
    w->low = block + 3 * d;
    w->high = w->low + n;
    w->middle = w->high + n;
    il_rows_init(&w->rows);
}

static void close_walk(walk *w) {
    il_rows_free(&w->rows);
    free(w->centre);
}

double il_constraints_jump(const il_problem *problem, double scale, uint64_t seed) {
    walk w;
    double jump = 0.0;
    if (problem->type->row == NULL) {
        return jump;
    }
    open_walk(&w, problem, scale, seed, problem->d + 1);
    for (size_t id = 0; id < problem->p; id++) {
        w.id = id;
        w.largest = 0.0;
        choose_place(&w, 0.0);
        memcpy(w.to, w.centre, problem->d * sizeof *w.to);
        w.until = problem->horizon; /* in time */
        jump = fmax(jump, follow(&w, false));
        for (size_t n = 0; n < TIMES; n++) { /* in space */
            choose_place(&w, problem->horizon * (double)n / (TIMES - 1));
            choose_way(&w);
            jump = fmax(jump, follow(&w, true));
        }
    }
    close_walk(&w);
    return jump;
}

double il_drift_jump(const il_problem *problem, double scale, uint64_t seed) {
    walk w;
    double jump = 0.0;
    if (problem->order != 1 || problem->type->force == NULL) {
        return jump;
    }
    open_walk(&w, problem, scale, seed, problem->d);
    w.id = SIZE_MAX;
    for (size_t n = 0; n < TIMES; n++) {
        choose_place(&w, problem->horizon * (double)n / (TIMES - 1));
        for (size_t k = 0; k < WAYS; k++) {
            choose_way(&w);
            jump = fmax(jump, follow(&w, true));
        }
    }
    close_walk(&w);
    return jump;
}
