/*
 * consistency.c - detection of jumps, and checks of a problem's force.
 */
#include "harness/study/hypotheses/consistency.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

void il_check_add(il_check_lines *lines, const char *name, il_check_outcome outcome,
                  double measured, double allowed, const char *format, ...) {
    if (lines->n == IL_CHECK_LINES_MAX) {
        return;
    }
    il_check_line *line = &lines->line[lines->n++];
    va_list args;
    *line =
        (il_check_line){.name = name, .outcome = outcome, .measured = measured, .allowed = allowed};
    va_start(args, format);
    (void)vsnprintf(line->text, sizeof line->text, format, args);
    va_end(args);
    il_text_make_printable(line->text, false);
}

/* ---- jumps ---------------------------------------------------------------------------------- */

/* Number of intervals that are scanned, of candidates among them, and of bisections of each. */
enum { PIECES = 256, SUSPECTS = 8, HALVINGS = 36 };

/* A change is a jump if this fraction of it remains at the end, and it is this large relative to
 * all changes together. */
static const double KEPT = 0.25;
static const double LARGE = 1e-6;

/* max_k |x(b) - x(a)|; NAN where x cannot be computed. */
static double change(const il_jump_query *query, double a, double b) {
    double *x = query->work;
    double *y = x + query->d;
    double most = 0.0;
    if (!query->eval(query->self, a, x) || !query->eval(query->self, b, y)) {
        return NAN;
    }
    for (size_t k = 0; k < query->d; k++) {
        most = fmax(most, fabs(y[k] - x[k]));
    }
    return most;
}

/* Bisect into the half that changes more. */
static double follow(const il_jump_query *query, double *a, double *b) {
    double now = change(query, *a, *b);
    for (int n = 0; n < HALVINGS; n++) {
        double middle = 0.5 * (*a + *b);
        double left = change(query, *a, middle);
        double right = change(query, middle, *b);
        bool first = left >= right;
        now = first ? left : right;
        *(first ? b : a) = middle;
    }
    return now;
}

size_t il_check_jumps(const il_jump_query *query, double a, double b, size_t most, double *at,
                      double *size) {
    double changes[PIECES];
    double all = 0.0;
    size_t found = 0;
    for (size_t k = 0; k < PIECES; k++) {
        changes[k] =
            change(query, a + (b - a) * (double)k / PIECES, a + (b - a) * (double)(k + 1) / PIECES);
        all += isfinite(changes[k]) ? changes[k] : 0.0;
    }
    for (size_t n = 0; n < SUSPECTS && found < most; n++) {
        size_t worst = 0;
        for (size_t k = 1; k < PIECES; k++) {
            worst = changes[k] > changes[worst] || isnan(changes[worst]) ? k : worst;
        }
        double before = changes[worst];
        double low = a + (b - a) * (double)worst / PIECES;
        double high = a + (b - a) * (double)(worst + 1) / PIECES;
        changes[worst] = 0.0;
        double left = follow(query, &low, &high);
        if (left > KEPT * before && left > LARGE * all) {
            at[found] = high;
            size[found++] = left;
        }
    }
    return found;
}

/* ---- the force ------------------------------------------------------------------------------ */

enum { JUMPS_MAX = 8 };

typedef struct {
    const il_problem *problem;
    const double *q;
    bool finite; /* so far */
    double t;    /* where it first was not */
} field;

static bool force_at(void *self, double t, double *f) {
    field *w = self;
    bool finite = true;
    w->problem->type->force(w->problem, t, w->q, f);
    for (size_t k = 0; k < w->problem->d; k++) {
        finite &= isfinite(f[k]);
    }
    w->t = w->finite && !finite ? t : w->t;
    w->finite &= finite;
    return finite;
}

/* Is there a break of the problem's at t? */
static bool declared(const il_problem *problem, double t) {
    bool found = false;
    for (size_t k = 0; k < problem->nbreaks; k++) {
        found |= fabs(problem->breaks[k] - t) <= 1e-9 * problem->horizon;
    }
    return found;
}

/* The largest jump in (a,b) at which no break of the problem is; false if there is none. */
static bool find_hidden(const il_problem *problem, const il_jump_query *query, double a, double b,
                        double *at, double *size) {
    double where[JUMPS_MAX];
    double jump[JUMPS_MAX];
    size_t n = il_check_jumps(query, a, b, JUMPS_MAX, where, jump);
    size_t k = 0;
    while (k < n && declared(problem, where[k])) {
        k++;
    }
    *at = k < n ? where[k] : *at;
    *size = k < n ? jump[k] : *size;
    return k < n;
}

/* Between two breaks after the other: many declared jumps must not hide another one. */
static bool find_undeclared(const il_problem *problem, const il_jump_query *query, double *at,
                            double *size) {
    bool found = false;
    double a = 0.0;
    for (size_t k = 0; !found && k <= problem->nbreaks; k++) {
        double b =
            k < problem->nbreaks ? fmin(problem->breaks[k], problem->horizon) : problem->horizon;
        found = a < b && find_hidden(problem, query, a, b, at, size);
        a = b;
    }
    return found;
}

static size_t tell_force(const il_problem *problem, const il_jump_query *query, double *at,
                         double *size, il_check_lines *lines) {
    const field *w = query->self;
    size_t n = il_check_jumps(query, 0.0, problem->horizon, JUMPS_MAX, at, size);
    bool mean = problem->order == 1 || problem->type->force_mean != NULL;
    double where = NAN;
    double jump = NAN;
    if (!w->finite) {
        il_check_add(lines, "force", IL_CHECK_FAIL, NAN, NAN,
                     "force is not finite at t = %.6g, q = q0", w->t);
    } else if (!mean && find_undeclared(problem, query, &where, &jump)) {
        il_check_add(
            lines, "force", IL_CHECK_FAIL, jump, 0.0,
            "force is discontinuous: it jumps by %.4g at t = %.9g, which force_breaks does "
            "not name; quadrature of its mean loses digits there",
            jump, where);
    } else {
        il_check_add(lines, "force", IL_CHECK_OK, (double)n, NAN,
                     "finite over the horizon at q0; %zu jump%s in t%s", n, n == 1 ? "" : "s",
                     n == 0 ? ""
                     : mean ? ", which nothing integrates over"
                            : ", in force_breaks");
    }
    return n;
}

/* Mean of component k of force over [a,b] by `panels` panels of three Gauss points, split at jumps.
 */
static void gauss(const il_jump_query *query, const double *at, size_t n, double a, double b,
                  size_t panels, double *mean) {
    static const double X[3] = {-0.7745966692414834, 0.0, 0.7745966692414834};
    static const double W[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    double *f = query->work;
    for (size_t k = 0; k < query->d; k++) {
        mean[k] = 0.0;
    }
    for (double low = a; low < b;) {
        double high = b;
        for (size_t j = 0; j < n; j++) {
            high = at[j] > low + 1e-12 * (b - a) && at[j] < high ? at[j] : high;
        }
        double h = (high - low) / (double)panels;
        for (size_t m = 0; m < 3 * panels; m++) {
            size_t panel = m / 3;
            double middle = low + h * ((double)panel + 0.5);
            (void)query->eval(query->self, middle + 0.5 * h * X[m % 3], f);
            for (size_t k = 0; k < query->d; k++) {
                mean[k] += f[k] * h * W[m % 3] / (b - a);
            }
        }
        low = high;
    }
}

static void tell_mean(const il_problem *problem, const il_jump_query *query, const double *at,
                      size_t n, double *room, il_check_lines *lines) {
    const field *w = query->self;
    size_t d = problem->d;
    double *rough = room;
    double *fine = room + d;
    double *given = room + 2 * d;
    double worst = 0.0;
    double bound = 0.0;
    double where[2] = {0.0, 0.0};
    size_t which = 0;
    for (size_t i = 0; i < 3; i++) {
        double a = (double)i / 4.0 * problem->horizon;
        double b = i == 2 ? problem->horizon : a + 0.01 * problem->horizon;
        gauss(query, at, n, a, b, 64, rough);
        gauss(query, at, n, a, b, 256, fine);
        problem->type->force_mean(problem, a, b, w->q, given);
        for (size_t k = 0; k < d; k++) {
            double allowed = 10.0 * fabs(fine[k] - rough[k]) + 1e-8 * fmax(fabs(fine[k]), 1e-6);
            double off = fabs(given[k] - fine[k]);
            bool more = !(off - allowed <= worst - bound) && !isnan(worst - bound);
            if (more || (i == 0 && k == 0)) { /* the first that is no number stays */
                worst = off;
                bound = allowed;
                where[0] = a;
                where[1] = b;
                which = k;
            }
        }
    }
    bool holds = worst <= bound;
    il_check_add(lines, "force mean", holds ? IL_CHECK_OK : IL_CHECK_FAIL, worst, bound,
                 holds ? "force_mean is the mean of force to %.2g (component %zu over [%.4g, %.4g])"
                       : "force_mean is not the mean of force: off by %.4g in component %zu over "
                         "[%.4g, %.4g]",
                 worst, which + 1, where[0], where[1]);
}

void il_check_force(const il_problem *problem, il_check_lines *lines) {
    double at[JUMPS_MAX];
    double size[JUMPS_MAX];
    if (problem->type->force == NULL) {
        bool mean = problem->type->force_mean != NULL;
        il_check_add(lines, "force", IL_CHECK_NOTE, NAN, NAN, "%s",
                     mean ? "only its means are given: there is nothing to compare them with"
                          : "none");
        return;
    }
    double *work = il_alloc_zero(6 * problem->d, sizeof *work);
    field w = {.problem = problem, .q = problem->q0, .finite = true};
    il_jump_query query = {.eval = force_at, .self = &w, .d = problem->d, .work = work};
    size_t n = tell_force(problem, &query, at, size, lines);
    if (w.finite && problem->type->force_mean != NULL) {
        tell_mean(problem, &query, at, n, work + 3 * problem->d, lines);
    }
    free(work);
}
