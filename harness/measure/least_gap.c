/*
 * least_gap.c - the least gap along a step, ends included.
 */
#include "harness/measure/least_gap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/worse.h"

enum { INSIDE = 8, GOLDEN = 30 };

/* The rounding of a distance between coordinates of size one. */
static const double ROUNDING = 1e-14;

void il_least_gap_init(il_least_gap *w, const il_problem *problem) {
    *w = (il_least_gap){.problem = problem};
    w->q = il_alloc(problem->d, sizeof *w->q);
    w->gap = w->nodes_min = w->least = il_problem_gap(problem, 0.0, problem->q0, NULL, &w->rows);
    il_rows swap = w->before;
    w->before = w->rows;
    w->rows = swap;
}

void il_least_gap_free(il_least_gap *w) {
    il_rows_free(&w->rows);
    il_rows_free(&w->low);
    il_rows_free(&w->before);
    free(w->q);
    *w = (il_least_gap){0};
}

/* Which constraints can come below a value inside a step. */
typedef enum { NONE, LOW, ALL } dip;

/* <grad g_i, q_{n+1} - q_n> */
static double slope_of(const il_rows *rows, size_t i, const il_state *in, const il_state *out) {
    double slope = 0.0;
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        slope += rows->coef[e] * (out->q[rows->col[e]] - in->q[rows->col[e]]);
    }
    return slope;
}

/* Along the step, row i of w->low: convex g_i that rises from the start, or falls to the end, is
 * least there. */
static bool least_at_an_end(il_least_gap *w, size_t i, double t1, const il_state *in,
                            const il_state *out) {
    if (slope_of(&w->low, i, in, out) >= 0.0) {
        return true;
    }
    il_rows_clear(&w->rows);
    const il_problem *problem = w->problem;
    return problem->type->row(problem, t1, out->q, w->low.id[i], &w->rows) == IL_OK &&
           slope_of(&w->rows, 0, in, out) <= 0.0;
}

/* Convex fixed constraints lie above their linearisation at the start of the step, whose minimum is
 * at an end. Into w->low those that can come below the least value so far. */
static il_status scan_low(il_least_gap *w, double t1, const il_state *in, const il_state *out) {
    il_rows_clear(&w->low);
    return il_problem_scan(w->problem, t1, in->q, out->q, w->least - ROUNDING, &w->low);
}

/* Only the few that can come below the least value are kept, now that it knows the end of the step;
 * none where all of them are least at an end. */
static dip may_dip(il_least_gap *w, double t1, const il_state *in, const il_state *out) {
    size_t kept = 0;
    for (size_t i = 0; i < w->low.p; i++) {
        if (!(il_rows_at(&w->low, i, in->q, out->q) > w->least - ROUNDING)) {
            il_rows_move(&w->low, i, kept++);
        }
    }
    il_rows_cut(&w->low, kept);
    bool ends = true;
    for (size_t i = 0; ends && i < w->low.p; i++) {
        ends = least_at_an_end(w, i, t1, in, out);
    }
    return ends ? NONE : LOW;
}

/* The least g_i of w->low at (t, w->q), or of all. */
static double least_at(il_least_gap *w, double t, dip which) {
    const il_problem *problem = w->problem;
    double least = INFINITY;
    il_rows_clear(&w->rows);
    for (size_t i = 0; which == LOW && i < w->low.p; i++) {
        if (problem->type->row(problem, t, w->q, w->low.id[i], &w->rows) != IL_OK) {
            which = ALL; /* a gradient that does not exist; its value does */
            break;
        }
        least = il_worse_low(least, w->rows.value[i]);
    }
    return which == ALL ? il_problem_gap(problem, t, w->q, NULL, &w->rows) : least;
}

static double gap_inside(il_least_gap *w, double t0, double t1, const il_state *in,
                         const il_state *out, dip which, double theta) {
    if (w->motion != NULL) {
        double t = theta < 1.0 ? t0 + theta * (t1 - t0) : t1;
        il_motion_eval(w->motion, w->t0, w->part, t, w->q, NULL);
        return least_at(w, t, which);
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        w->q[k] = in->q[k] + theta * (out->q[k] - in->q[k]);
    }
    return least_at(w, t0 + theta * (t1 - t0), which);
}

/* How far below g[at] a parabola through it and its neighbours comes. */
static double dip_below(const double *g, int at) {
    double bend = g[at - 1] - 2.0 * g[at] + g[at + 1];
    double slope = 0.5 * (g[at + 1] - g[at - 1]);
    return slope == 0.0 ? 0.0 : bend > 0.0 ? slope * slope / (2.0 * bend) : INFINITY;
}

/* Is g[at] a local minimum beside which g may come below `least`: inside by four times the dip that
 * a parabola shows, at an end by the rise to its neighbour, since a dip that begins with a small
 * slope there is narrower than any samples. */
static bool may_hide(const double *g, int last, int at, double least) {
    double left = at == 0 ? INFINITY : g[at - 1] - g[at];
    double right = at == last ? INFINITY : g[at + 1] - g[at];
    bool end = at == 0 || at == last;
    double depth = end ? fmin(left, right) : 4.0 * dip_below(g, at);
    return left >= 0.0 && right >= 0.0 && g[at] - depth < least - ROUNDING;
}

/* Golden section between the neighbours of sample point `at`; the least value that it sees. */
static double refine(il_least_gap *w, double t0, double t1, const il_state *in, const il_state *out,
                     dip which, double at) {
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double least = INFINITY;
    double low = fmax(0.0, at - 1.0 / INSIDE);
    double high = fmin(1.0, at + 1.0 / INSIDE);
    for (int i = 0; i < GOLDEN; i++) {
        double x = high - golden * (high - low);
        double y = low + golden * (high - low);
        double gx = gap_inside(w, t0, t1, in, out, which, x);
        double gy = gap_inside(w, t0, t1, in, out, which, y);
        least = il_worse_low(least, il_worse_low(gx, gy));
        if (gx < gy) {
            high = y;
        } else {
            low = x;
        }
    }
    return least;
}

/* min over the step of min_i g_i along the segment: sample points, ends included, refined around
 * the least of them and around all that may hide a lower value: a contact that lasts is 0 at both
 * ends, and may dip beside either. */
static double least_inside(il_least_gap *w, double t0, double t1, const il_state *in,
                           const il_state *out, dip which) {
    double g[INSIDE + 1];
    int at = 0;
    for (int i = 0; i <= INSIDE; i++) {
        g[i] = gap_inside(w, t0, t1, in, out, which, (double)i / INSIDE);
        if (isnan(g[i])) {
            return NAN;
        }
        at = g[i] < g[at] ? i : at;
    }
    double least = il_worse_low(g[at], refine(w, t0, t1, in, out, which, (double)at / INSIDE));
    for (int i = 0; i <= INSIDE; i++) {
        if (i != at && may_hide(g, INSIDE, i, least)) {
            least = il_worse_low(least, refine(w, t0, t1, in, out, which, (double)i / INSIDE));
        }
    }
    return least;
}

/* ---- rows of which nothing is known --------------------------------------------------------- */

/* Do the rows at both ends of the step say that every g_i is affine along it? Their gradients are
 * the same, and lead from one value to the other. */
static bool seems_affine(const il_least_gap *w, double h, const il_state *in, const il_state *out) {
    const il_rows *a = &w->before;
    const il_rows *b = &w->rows;
    if (a->p != b->p || a->nnz != b->nnz || a->p == 0 ||
        memcmp(a->start, b->start, (a->p + 1) * sizeof *a->start) != 0 ||
        memcmp(a->col, b->col, a->nnz * sizeof *a->col) != 0 ||
        memcmp(a->coef, b->coef, a->nnz * sizeof *a->coef) != 0 ||
        memcmp(a->rate, b->rate, a->p * sizeof *a->rate) != 0) {
        return false;
    }
    for (size_t i = 0; i < a->p; i++) {
        double way = h * a->rate[i] + il_rows_dot(a, i, out->q) - il_rows_dot(a, i, in->q);
        double terms = fabs(a->value[i]) + fabs(b->value[i]) + fabs(way);
        for (size_t e = a->start[i]; e < a->start[i + 1]; e++) {
            terms += fabs(a->coef[e] * in->q[a->col[e]]);
        }
        if (!(fabs(b->value[i] - a->value[i] - way) <= ROUNDING * terms)) {
            return false;
        }
    }
    return true;
}

/* May some g_i come below `least` within a quarter of the step from one of its ends, by its slope
 * h d_t g_i + <grad g_i, q_{n+1} - q_n> there? No for convex g_i that do not fall so far. */
static bool falls_from(const il_rows *rows, double h, const il_state *in, const il_state *out,
                       double least) {
    for (size_t i = 0; i < rows->p; i++) {
        double slope =
            h * rows->rate[i] + il_rows_dot(rows, i, out->q) - il_rows_dot(rows, i, in->q);
        if (!(rows->value[i] + 0.25 * slope >= least - ROUNDING)) {
            return true;
        }
    }
    return false;
}

/* The least gap inside the step, from its quarter points, and by the search of least_inside only
 * where a lower one may hide: beside an end only if some gap falls from there. start and end are
 * the gaps at the ends. */
static double least_by_quarters(il_least_gap *w, double t0, double t1, const il_state *in,
                                const il_state *out, double start, double end, bool falls) {
    double g[5] = {[0] = start, [4] = end};
    double sum = start + end;
    double least = fmin(start, end);
    bool safe = true;
    for (int k = 1; k < 4; k++) {
        g[k] = gap_inside(w, t0, t1, in, out, ALL, 0.25 * (double)k);
        sum += g[k];
        least = fmin(least, g[k]);
    }
    for (int k = 0; k <= 4; k++) {
        bool asked = falls || (k != 0 && k != 4);
        safe = safe && !(asked && may_hide(g, 4, k, w->least));
    }
    return isnan(sum) ? NAN : safe ? least : least_inside(w, t0, t1, in, out, ALL);
}

static void look_inside(il_least_gap *w, double t0, double t1, const il_state *in,
                        const il_state *out, double start, double end) {
    bool affine = seems_affine(w, t1 - t0, in, out);
    bool falls = falls_from(&w->before, t1 - t0, in, out, w->least) ||
                 falls_from(&w->rows, t0 - t1, out, in, w->least);
    il_rows swap = w->before; /* the rows at this node are those before the next step */
    w->before = w->rows;
    w->rows = swap;
    if (!affine) {
        w->least = il_worse_low(w->least, least_by_quarters(w, t0, t1, in, out, start, end, falls));
    }
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Each piece of a motion, searched like a step. */
static void look_along(il_least_gap *w, double t0, const il_motion *motion) {
    double a = t0;
    w->motion = motion;
    w->t0 = t0;
    for (w->part = 0; w->part < motion->n; w->part++) {
        double b = motion->end[w->part];
        w->least = il_worse_low(w->least, least_inside(w, a, b, NULL, NULL, ALL));
        a = b;
    }
    w->motion = NULL;
}

void il_least_gap_step(il_least_gap *w, double t0, double t1, const il_state *in,
                       const il_state *out, const il_motion *motion) {
    const unsigned traits = w->problem->traits;
    const unsigned still = IL_ROWS_AFFINE | IL_ROWS_FIXED;
    const unsigned tame = IL_ROWS_CONVEX | IL_ROWS_FIXED;
    if (w->problem->p == 0) {
        return;
    }
    /* where not, the least value is at a node, or not asked for */
    bool inside = !w->nodes_only && (motion != NULL || (traits & still) != still);
    bool straight = inside && motion == NULL && (traits & IL_ROWS_UNKNOWN) == 0;
    dip which = straight ? ALL : NONE;
    /* before the node's gap: the step has left a search's pairs at its start, and the next one asks
     * at its end */
    if (straight && (traits & tame) == tame && scan_low(w, t1, in, out) == IL_OK) {
        which = LOW;
    }
    double gap = il_problem_gap(w->problem, t1, out->q, NULL, &w->rows);
    double start = w->gap;
    w->gap = gap;
    w->nodes_min = il_worse_low(w->nodes_min, gap);
    w->least = il_worse_low(w->least, gap);
    which = which == LOW ? may_dip(w, t1, in, out) : which;
    if (which != NONE) {
        w->least = il_worse_low(w->least, least_inside(w, t0, t1, in, out, which));
    } else if (inside && motion != NULL) {
        look_along(w, t0, motion);
    } else if (inside && !straight) {
        look_inside(w, t0, t1, in, out, start, gap);
    }
}
