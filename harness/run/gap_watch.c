/*
 * gap_watch.c - compares true gaps with linearised ones: are the gradients of a constraint right?
 *
 * Along a step z(s) = (t_0 + s h, q_0 + s (q_1 - q_0)), 0 <= s <= 1, let g(s) = g_i(z(s)), and let
 * G(s) = h d_t g_i + <grad g_i, q_1 - q_0> be its derivative as the problem gives it. If G is
 * right, g(1) - g(0) and G(0) are both slopes of g on [0,1], so that
 *
 *     R = g(1) - g(0) - G(0),   |R| <= sup G - inf G,
 *
 * whatever the scheme did and however large the step is. The right side is estimated twice: by the
 * slopes of g over eighths of the step (its second differences, added up), and by G(1) - G(0),
 * which sees a kink beside an end. For a smooth g either tends to |R| within a factor of 2 as the
 * step shrinks; FACTOR times their sum is allowed. Nothing is assumed of the scheme: one that lets
 * bodies overlap (penalty, moreau_jean) still moves gaps by their gradients.
 *
 * A jump of G within the step explains R too, and is reported, because no theorem covers it.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/run/work.h"

enum { PIECES = 8 };

static const double FACTOR = 4.0;

/* Overlaps of this size, relative to coordinates, are rounding and what projectors leave. */
static const double SMALL = 1e-9;

/* The rounding of a slope, of the terms that it is computed from. */
static const double ROUNDING = 1e-11;

void il_gap_watch_init(il_gap_watch *w, const il_problem *problem) {
    double size = 0.0;
    for (size_t k = 0; k < problem->d; k++) {
        size = fmax(size, fabs(problem->q0[k]));
    }
    w->worst = -SMALL * (size > 0.0 ? size : 1.0);
    w->x = il_alloc_zero(problem->d, sizeof *w->x);
}

void il_gap_watch_free(il_gap_watch *w) {
    il_rows_free(&w->rows);
    free(w->x);
}

/* g(s), G(s) and the size of the terms that make them. */
typedef struct {
    double value, slope, terms;
} at;

static bool look(il_gap_watch *w, const il_problem *problem, const il_watched *now, size_t id,
                 double s, at *out) {
    double h = now->t1 - now->t0;
    for (size_t k = 0; k < problem->d; k++) {
        double way = now->out->q[k] - now->in->q[k];
        w->x[k] = s == 1.0 ? now->out->q[k] : now->in->q[k] + s * way;
    }
    il_rows_clear(&w->rows);
    if (problem->type->row(problem, s == 1.0 ? now->t1 : now->t0 + s * h, w->x, id, &w->rows) !=
        IL_OK) {
        return false;
    }
    *out = (at){.value = w->rows.value[0], .slope = h * w->rows.rate[0]};
    out->terms = fabs(out->value) + fabs(out->slope);
    for (size_t e = 0; e < w->rows.start[1]; e++) {
        size_t k = w->rows.col[e];
        out->slope += w->rows.coef[e] * (now->out->q[k] - now->in->q[k]);
        out->terms += fabs(w->rows.coef[e] * w->x[k]);
    }
    return isfinite(out->value) && isfinite(out->slope) && isfinite(out->terms);
}

/* Does the slope G jump between points k and k + 1? Bisection, always into the half in which G
 * changes more: of a smooth change some 2^-HALVINGS = 6e-8 is left, of a jump all. A jump is
 * reported if what is left exceeds JUMP of the slope, 2 10^5 times as much: a bend within 1e-8 of a
 * step is a jump to every scheme. */
static void find_kink(il_gap_watch *w, const il_problem *problem, const il_watched *now, size_t id,
                      const at *points, int k) {
    enum { HALVINGS = 24 };
    static const double JUMP = 0.01; /* of the largest slope */
    char words[IL_DESCRIPTION_MAX];
    double low = (double)k / PIECES;
    double high = (double)(k + 1) / PIECES;
    double before = points[k].slope;
    double after = points[k + 1].slope;
    double most = fmax(fabs(before), fabs(after));
    for (int i = 0; i < HALVINGS; i++) {
        double s = low + (high - low) / 2.0;
        at middle;
        if (!look(w, problem, now, id, s, &middle)) {
            return;
        }
        bool left = fabs(middle.slope - before) > fabs(after - middle.slope);
        low = left ? low : s;
        before = left ? before : middle.slope;
        high = left ? s : high;
        after = left ? middle.slope : after;
    }
    if (fabs(after - before) > JUMP * most + ROUNDING * points[k].terms) {
        (void)snprintf(w->kink, sizeof w->kink,
                       "at t = %.10g, in step %zu, the gradient of g of %s jumps: its derivative "
                       "along the step goes from %.6g to %.6g; no scheme here is made for "
                       "constraints with kinks: give each smooth piece as a constraint",
                       now->t0 + low * (now->t1 - now->t0), now->n,
                       il_problem_describe(problem, id, words, sizeof words), before, after);
    }
}

static il_status judge(il_gap_watch *w, const il_problem *problem, const il_watched *now, size_t id,
                       il_error *err) {
    at points[PIECES + 1];
    char words[IL_DESCRIPTION_MAX];
    double least = INFINITY;
    double most = -INFINITY;
    double terms = 0.0;
    int steepest = 0;
    for (int k = 0; k <= PIECES; k++) {
        if (!look(w, problem, now, id, (double)k / PIECES, &points[k])) {
            return IL_OK;
        }
        double slope = k > 0 ? PIECES * (points[k].value - points[k - 1].value) : 0.0;
        least = k > 0 ? fmin(least, slope) : least;
        most = k > 0 ? fmax(most, slope) : most;
        terms = fmax(terms, points[k].terms);
        if (k > 0 && fabs(points[k].slope - points[k - 1].slope) >
                         fabs(points[steepest + 1].slope - points[steepest].slope)) {
            steepest = k - 1;
        }
    }
    if (w->kink[0] == '\0') {
        find_kink(w, problem, now, id, points, steepest);
    }
    double moved = points[PIECES].value - points[0].value;
    double bend = most - least + fabs(points[PIECES].slope - points[0].slope);
    if (!(fabs(moved - points[0].slope) > FACTOR * bend + ROUNDING * PIECES * terms)) {
        return IL_OK;
    }
    return il_fail(
        err, IL_EUNEXPLAINED,
        "step %zu, t = %.10g: g of %s goes from %.6g to %.6g, but its derivatives say by "
        "%.6g, not %.6g, and along the step it bends by %.3g only: grad or dt is wrong",
        now->n, now->t1, il_problem_describe(problem, id, words, sizeof words), points[0].value,
        points[PIECES].value, points[0].slope, moved, bend);
}

size_t il_gap_watch_next(size_t done, size_t steps) {
    size_t next = 1;
    while (next <= done) {
        next *= 2;
    }
    return next < steps ? next : steps;
}

il_status il_gap_watch_step(il_gap_watch *w, const il_problem *problem, const il_measure *measure,
                            size_t steps, const il_watched *now, il_error *err) {
    size_t id = SIZE_MAX;
    bool turn = (now->n & (now->n - 1)) == 0 || now->n == steps;
    if (problem->p == 0 || (measure == NULL && !turn)) {
        return IL_OK;
    }
    il_rows_clear(&w->rows);
    double gap = measure != NULL ? il_measure_gap(measure)
                                 : il_problem_gap(problem, now->t1, now->out->q, NULL, &w->rows);
    if (!(gap < 2.0 * w->worst)) {
        return IL_OK;
    }
    w->worst = gap;
    il_rows_clear(&w->rows);
    (void)il_problem_gap(problem, now->t1, now->out->q, &id, &w->rows);
    return id < problem->p ? judge(w, problem, now, id, err) : IL_OK; /* where the search failed */
}
