/*
 * derivatives_compare.c - compares given derivatives with one-sided differences on a ladder of
 * steps.
 */
#include "harness/study/hypotheses/derivatives.h"

#include <float.h>
#include <math.h>

#include "harness/base/interrupt.h"
#include "harness/study/hypotheses/derivatives_work.h"

/* Steps of the ladder are scale 16^-level. The first pair, then finer ones, then coarser ones, then
 * the finest: where g is smooth over its own size the first pair decides. */
enum { FIRST = 5, FINER = 8, COARSEST = -2, FINEST = 18 };

/* Differences over such steps are worth comparing: relative to the derivative. */
static const double KNOWN = 1e-5;

/* A derivative that was computed has this many digits at least, near coincidences too. */
static const double AGREE = 1e-6;

/* An interval this narrow, whose width is not rounding, overrules any wider step: g has features
 * that long steps miss. */
static const double LOCAL = 0.05;

/* Units in the last place of the terms of g. */
static const double ROUNDING = 32.0;

/* Multiples of the least change that g was seen to make, which large terms that cancel make coarse.
 */
static const double QUANTA = 16.0;

/* ---- one pair of steps ---------------------------------------------------------------------- */

/* g on both sides: g[side] over step[side], 0 where it cannot be computed. */
typedef struct {
    double step[2];
    double *g[2];
} sides;

static void look(il_derivatives_work *w, double t, const double *q, size_t k, int level,
                 sides *out) {
    double s = ldexp(il_derivatives_scale(w, k), -4 * level);
    out->step[0] = il_derivatives_moved(w, t, q, k, s, out->g[0]);
    out->step[1] = il_derivatives_moved(w, t, q, k, -s, out->g[1]);
    for (size_t i = 0; i < 2 * w->p; i++) {
        double change = fabs(out->g[i % 2][i / 2] - w->here[i / 2]);
        if (out->step[i % 2] != 0.0 && change > 0.0 && change < w->least[i / 2]) {
            w->least[i / 2] = change;
        }
    }
}

/* Where the derivative of g_i lies by two steps of the ladder: [low, high] +- m, of which rounding
 * is a part. */
typedef struct {
    double low, high, m;
    double rounding, step;
} range;

/* Is a wrong, by all that is known? */
static bool refuted(const il_derivative *a) {
    return !a->confirmed && a->refuted_at < INFINITY && !(a->inside_at < a->refuted_at);
}

static il_derivative open_at(double given, bool judged) {
    return (il_derivative){.judged = judged,
                           .given = given,
                           .error = INFINITY,
                           .refuted_at = INFINITY,
                           .inside_at = INFINITY};
}

static bool bracket(const il_derivatives_work *w, size_t i, const sides *coarse, const sides *fine,
                    range *r) {
    double size = fabs(w->here[i]) + w->terms[i];
    *r = (range){.low = INFINITY, .high = -INFINITY};
    for (int side = 0; side < 2; side++) {
        if (coarse->step[side] == 0.0 || fine->step[side] == 0.0) {
            continue;
        }
        double D = (fine->g[side][i] - w->here[i]) / fine->step[side];
        double wide = (coarse->g[side][i] - w->here[i]) / coarse->step[side];
        double last = ROUNDING * DBL_EPSILON * (size + fabs(fine->g[side][i])) + w->noise[i];
        double rounding = last / fabs(fine->step[side]);
        r->rounding = fmax(r->rounding, rounding);
        r->step = fabs(fine->step[side]);
        r->m = fmax(r->m, 4.0 * fabs(D - wide) + rounding);
        r->low = fmin(r->low, D);
        r->high = fmax(r->high, D);
    }
    return r->low <= r->high && isfinite(r->low) && isfinite(r->high) && isfinite(r->m);
}

static void judge(const il_derivatives_work *w, size_t i, size_t k, const range *r,
                  il_derivative *a) {
    double largest = fmax(fabs(a->given), fmax(fabs(r->low), fabs(r->high)));
    double error = r->m + (r->high - r->low);
    double outside = fmax(0.0, fmax(r->low - a->given, a->given - r->high));
    double row = w->row_size[i] / il_derivatives_scale(w, k);
    bool inside = outside <= r->m + AGREE * largest;
    if (!(error >= a->error)) {
        a->error = error;
        a->best = 0.5 * (r->low + r->high);
    }
    a->outside = outside > r->m + 0.5 * error + AGREE * largest ? a->outside + 1 : 0;
    if (a->outside >= 2) {
        a->refuted_at = fmin(a->refuted_at, r->step);
    }
    if (inside && error <= LOCAL * largest && r->rounding <= LOCAL * error) {
        a->inside_at = fmin(a->inside_at, r->step);
    }
    a->confirmed |= inside && error <= KNOWN * largest;
    a->resolved |= inside && error <= KNOWN * fmax(row, largest);
    bool still = a->given == 0.0 && r->low == 0.0 && r->high == 0.0 && a->resolved;
    a->judged = a->confirmed || still;
}

/* Both steps of a pair; false if nothing is left to judge. */
static bool judge_pair(il_derivatives_work *w, size_t v, const sides *coarse, const sides *fine,
                       bool patient) {
    size_t open = 0;
    for (size_t i = 0; i < w->p; i++) {
        il_derivative *a = &w->at[i * w->room + v];
        range r;
        if (!a->judged && bracket(w, i, coarse, fine, &r)) {
            judge(w, i, w->variable[v], &r, a);
        }
        bool weak = !patient && a->resolved && !refuted(a) && a->outside == 0;
        open += !a->judged && !weak;
    }
    return open > 0;
}

/* Variable v of all rows, up and down the ladder. */
static void climb(il_derivatives_work *w, double t, const double *q, size_t v) {
    size_t k = w->variable[v];
    sides a = {.g = {w->level[0], w->level[1]}};
    sides b = {.g = {w->level[2], w->level[3]}};
    const struct {
        int from, to, by; /* the pairs (l, l + by) */
    } parts[] = {{FIRST, FINER, 1}, {FIRST, COARSEST, -1}, {FINER, FINEST, 1}};
    bool open = true;
    for (size_t part = 0; open && part < 3 && !il_interrupted(); part++) {
        for (size_t i = 0; i < w->p; i++) {
            w->at[i * w->room + v].outside = 0; /* in a row */
        }
        look(w, t, q, k, parts[part].from, &a);
        for (int l = parts[part].from; open && l != parts[part].to; l += parts[part].by) {
            look(w, t, q, k, l + parts[part].by, &b);
            bool down = parts[part].by > 0;
            open = judge_pair(w, v, down ? &a : &b, down ? &b : &a, part == 0 && l < FIRST + 2);
            sides swap = a;
            a = b;
            b = swap;
        }
    }
}

/* Rows that are about to be refuted once more, with the noise of g now that the whole ladder was
 * seen. */
static void climb_again(il_derivatives_work *w, double t, const double *q, size_t v) {
    bool again = false;
    for (size_t i = 0; i < w->p; i++) {
        il_derivative *a = &w->at[i * w->room + v];
        bool wrong = refuted(a);
        if (wrong) {
            *a = open_at(a->given, false);
        } else {
            a->judged = true;
        }
        w->noise[i] = wrong && isfinite(w->least[i]) ? QUANTA * w->least[i] : 0.0;
        again |= wrong;
    }
    if (again) {
        climb(w, t, q, v);
    }
}

/* ---- a point -------------------------------------------------------------------------------- */

static double coefficient(const il_rows *rows, size_t i, size_t k) {
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        if (rows->col[e] == k) {
            return rows->coef[e];
        }
    }
    return 0.0;
}

static bool has(const size_t *x, size_t n, size_t k) {
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        found |= x[i] == k;
    }
    return found;
}

/* The coordinates of this point: all, or those of a wanted row and others in turn. Then t. */
static void choose_variables(il_derivatives_work *w, const bool *wanted) {
    size_t n = 0;
    size_t most = w->room - 1;
    size_t row = 0;
    while (wanted != NULL && row + 1 < w->p && !wanted[row]) {
        row++;
    }
    row = wanted != NULL ? row : w->turn % (w->p > 0 ? w->p : 1);
    const il_rows *rows = &w->rows;
    size_t i = w->place[row];
    for (size_t e = rows->start[i]; w->d > most && e < rows->start[i + 1] && n < most; e++) {
        w->variable[n++] = rows->col[e];
    }
    size_t next = w->d > most ? w->turn * most : 0;
    for (; n < most; next++) {
        if (!has(w->variable, n, next % w->d)) {
            w->variable[n++] = next % w->d;
        }
    }
    w->variable[n++] = IL_COMPONENT_RATE;
    w->nvariables = n;
    w->turn++;
}

static void take_given(il_derivatives_work *w, const bool *wanted) {
    for (size_t i = 0; i < w->p; i++) {
        unsigned made = w->query.made != NULL ? w->query.made[i] : 0u;
        for (size_t v = 0; v < w->nvariables; v++) {
            size_t k = w->variable[v];
            bool rate = k == IL_COMPONENT_RATE;
            bool skip = (wanted != NULL && !wanted[i]) ||
                        (made & (rate ? IL_MADE_RATE : IL_MADE_GRADIENT)) != 0;
            w->at[i * w->room + v] = open_at(
                rate ? w->rows.rate[w->place[i]] : coefficient(&w->rows, w->place[i], k), skip);
        }
    }
}

/* The difference of a mismatch as well as it can be made. */
static void sharpen(il_derivatives_work *w, const double *q, il_derivatives *out) {
    double *D = w->level[2]; /* which make does not touch */
    double *error = w->level[3];
    il_derivatives_make(w, out->t, q, out->component, D, error);
    if (error[out->id] < out->error) {
        out->difference = D[out->id];
        out->error = error[out->id];
    }
}

static void count(il_derivatives_work *w, double t, const bool *wanted, il_derivatives *out) {
    for (size_t i = 0; i < w->p; i++) {
        for (size_t v = 0; v < w->nvariables; v++) {
            const il_derivative *a = &w->at[i * w->room + v];
            if ((wanted != NULL && !wanted[i]) || (a->judged && a->error == INFINITY)) {
                continue;
            }
            double largest = fmax(fabs(a->given), fabs(a->best));
            out->compared++;
            out->undecided += !a->confirmed && !a->resolved && !refuted(a);
            if (a->confirmed && largest > 0.0) {
                out->largest = fmax(out->largest, fabs(a->given - a->best) / largest);
            }
            if (refuted(a) && !out->mismatch) {
                out->mismatch = true;
                out->id = i;
                out->component = w->variable[v];
                out->t = t;
                out->given = a->given;
                out->difference = a->best;
                out->error = a->error;
                il_derivatives_explain(w, i, v, out->cause, sizeof out->cause);
            }
        }
    }
}

void il_derivatives_compare(il_derivatives_work *w, double t, const double *q, const bool *wanted,
                            il_derivatives *out) {
    il_derivatives_scales(w, q);
    if (!il_derivatives_look(w, t, q)) {
        return;
    }
    choose_variables(w, wanted);
    take_given(w, wanted);
    if (w->query.values != NULL && !il_derivatives_values(w, t, q, w->here)) {
        return;
    }
    out->points++;
    for (size_t v = 0; v < w->nvariables; v++) {
        bool open = false;
        for (size_t i = 0; i < w->p; i++) {
            open |= !w->at[i * w->room + v].judged;
        }
        for (size_t i = 0; i < w->p; i++) {
            w->least[i] = INFINITY;
            w->noise[i] = 0.0;
        }
        if (open) {
            climb(w, t, q, v);
            climb_again(w, t, q, v);
        }
    }
    bool before = out->mismatch;
    count(w, t, wanted, out);
    if (out->mismatch && !before) {
        sharpen(w, q, out);
    }
}
