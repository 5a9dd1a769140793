/*
 * derivatives_survey.c - checks derivatives before a run: at the start and near the boundary, which
 * is found from around the start along the gradient of one constraint after the other,
 *
 *     x(tau) = x_0 - tau S^2 grad g_i(t, x_0),   S the sizes of the coordinates,
 *
 * doubling tau on both sides until g_i changes its sign (a gradient of the wrong sign points away)
 * and bisecting. The points avoid symmetries of the start, which could hide a wrong factor.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/study/hypotheses/derivatives_work.h"

/* Constraints whose boundaries are looked for, points at each if there are few, and values of all
 * constraints together that a survey may take: a second of a slow script. */
enum { BOUNDARIES = 24, FEW = 4, EACH = 3, CALLS = 20000, VALUES = 2000000, DOUBLINGS = 8 };
enum { HALVINGS = 40 };

static const double GOLDEN = 0.6180339887498949;

/* The k-th of a sequence that fills [0,1). */
static double turn(size_t k) {
    return fmod((double)k * GOLDEN, 1.0);
}

typedef struct {
    il_derivatives_work *w;
    double t;
    size_t i;
    const double *from, *way; /* [d] */
    double *x, *g;            /* [d], [p] */
} line;

/* g_i at from + tau way; NAN where it cannot be computed. */
static double along(const line *l, double tau) {
    for (size_t k = 0; k < l->w->d; k++) {
        l->x[k] = l->from[k] + tau * l->way[k];
    }
    return il_derivatives_values(l->w, l->t, l->x, l->g) ? l->g[l->i] : NAN;
}

/* l->x is moved to where g_i = 0, or is left at from. */
static void find_boundary(const line *l) {
    double inner = along(l, 0.0);
    for (int k = 0; k < 2 * DOUBLINGS && isfinite(inner); k++) {
        double a = 0.0;
        double b = (k % 2 == 0 ? 1.0 : -1.0) * ldexp(1.0, k / 2 - 1);
        double other = along(l, b);
        if (!isfinite(other) || (other > 0.0) == (inner > 0.0)) {
            continue;
        }
        for (int n = 0; n < HALVINGS; n++) {
            double middle = along(l, 0.5 * (a + b));
            *((middle > 0.0) == (inner > 0.0) ? &a : &b) = 0.5 * (a + b);
        }
        (void)along(l, 0.5 * (a + b));
        return;
    }
    (void)along(l, 0.0);
}

/* The direction to the boundary by the gradient as it is given; tau = 1 is where an affine g_i
 * vanishes. False where there is none. */
static bool aim(const il_derivatives_work *w, size_t i, double *way) {
    const il_rows *rows = &w->rows;
    double sum = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        way[k] = 0.0;
    }
    for (size_t e = rows->start[w->place[i]]; e < rows->start[w->place[i] + 1]; e++) {
        double scale = w->scale[rows->col[e]];
        way[rows->col[e]] = rows->coef[e] * scale * scale;
        sum += rows->coef[e] * rows->coef[e] * scale * scale;
    }
    double tau = w->here[i] != 0.0 ? -w->here[i] / sum : -1.0 / sqrt(sum);
    for (size_t k = 0; k < w->d; k++) {
        way[k] *= tau;
    }
    return sum > 0.0 && isfinite(tau);
}

/* Around the start, by half its size. */
static void leave(const il_derivatives_work *w, size_t n, double *from) {
    const double *q0 = w->query.problem->q0;
    double all = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        all = fmax(all, w->scale[k]);
    }
    for (size_t k = 0; k < w->d; k++) {
        double size = fmax(w->scale[k], q0[k] == 0.0 ? all : 0.0);
        from[k] = q0[k] + (turn(n * w->d + k + 1) - 0.5) * size;
    }
}

static size_t boundary_points(const il_derivatives_work *w) {
    size_t rows = w->p < BOUNDARIES ? w->p : BOUNDARIES;
    size_t wish = w->p <= FEW ? EACH * w->p : rows;
    size_t calls = VALUES / (w->p + 1) < CALLS ? VALUES / (w->p + 1) : CALLS;
    size_t each = HALVINGS + 2 * DOUBLINGS + 5 * w->room;
    size_t most = calls / each > 0 ? calls / each : 1;
    return wish < most ? wish : most;
}

void il_derivatives_survey(il_derivatives_work *w, il_derivatives *out) {
    const il_problem *problem = w->query.problem;
    size_t d = w->d;
    double *room = il_alloc_zero(3 * d + w->p, sizeof *room);
    double *from = room;
    double *way = room + d;
    double *x = room + 2 * d;
    il_derivatives_compare(w, 0.0, problem->q0, NULL, out);
    if (!out->mismatch) {
        il_derivatives_compare(w, GOLDEN * problem->horizon, problem->q0, NULL, out);
    }
    size_t points = boundary_points(w);
    for (size_t n = 0; n < points && !out->mismatch && !il_interrupted(); n++) {
        size_t i = w->p <= FEW ? n % w->p : n * w->p / points;
        line l = {.w = w,
                  .t = turn(n) * problem->horizon,
                  .i = i,
                  .from = from,
                  .way = way,
                  .x = x,
                  .g = room + 3 * d};
        il_derivatives_scales(w, problem->q0);
        leave(w, n, from);
        if (il_derivatives_look(w, l.t, from) && aim(w, i, way)) {
            find_boundary(&l);
            il_derivatives_compare(w, l.t, x, NULL, out);
        }
    }
    free(room);
}

void il_derivatives_find_moving(il_derivatives_work *w, bool *moves) {
    enum { TIMES = 64 };
    const il_problem *problem = w->query.problem;
    double *from = il_alloc_zero(w->d, sizeof *from);
    il_derivatives_scales(w, problem->q0);
    memset(moves, 0, w->p * sizeof *moves);
    for (size_t n = 0; n < TIMES && !il_interrupted(); n++) {
        if (n % 2 == 0) {
            leave(w, n / 2, from);
        } else {
            memcpy(from, problem->q0, w->d * sizeof *from);
        }
        double t = (double)(n + 1) / TIMES * problem->horizon;
        if (!il_derivatives_values(w, 0.0, from, w->level[0]) ||
            !il_derivatives_values(w, t, from, w->level[1])) {
            continue;
        }
        for (size_t i = 0; i < w->p; i++) {
            moves[i] |= w->level[0][i] != w->level[1][i];
        }
    }
    free(from);
}
