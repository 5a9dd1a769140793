/*
 * derivatives_make.c - derivatives by extrapolated differences, and the likely cause of a wrong
 * one.
 *
 *     T_{l,0} = (g(x + s_l e) - g(x - s_l e))/(2 s_l),   s_l = s_0 4^-l,
 *     T_{l,m} = T_{l,m-1} + (T_{l,m-1} - T_{l-1,m-1})/(16^m - 1),
 *     error   = max(|T_{l,m} - T_{l,m-1}|, |T_{l,m} - T_{l-1,m-1}|) + rounding.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "harness/study/hypotheses/derivatives_work.h"

enum { LEVELS = 12, DEEP = IL_DERIVATIVES_DEEP };

/* The first step, of the coordinate's size; the relative error at which extrapolation ends, and up
 * to which it goes on past levels that did not help. */
static const double FIRST_STEP = 0x1p-7;
static const double ENOUGH = 1e-12;
static const double POOR = 1e-6;

void il_derivatives_extrapolate(double difference, double rounding, int l, const double *old,
                                double *now, double *best, double *error) {
    double factor = 1.0;
    now[0] = difference;
    for (int m = 1; m <= l && m < DEEP; m++) {
        factor *= 16.0;
        now[m] = now[m - 1] + (now[m - 1] - old[m - 1]) / (factor - 1.0);
        double e = fmax(fabs(now[m] - now[m - 1]), fabs(now[m] - old[m - 1])) + rounding;
        if (e < *error) {
            *error = e;
            *best = now[m];
        }
    }
}

/* One level for all rows, the depth-th in a row that could be computed; true if some row may still
 * gain. */
static bool refine(il_derivatives_work *w, double t, const double *q, size_t k, int l, int *depth,
                   double *D, double *error) {
    double s = il_derivatives_scale(w, k) * ldexp(FIRST_STEP, -2 * l);
    double up = il_derivatives_moved(w, t, q, k, s, w->level[0]);
    double down = il_derivatives_moved(w, t, q, k, -s, w->level[1]);
    bool gain = false;
    double widest = 0.0; /* g is made of terms as large as coordinates, where it vanishes too */
    for (size_t j = 0; j < w->d; j++) {
        widest = fmax(widest, w->scale[j]);
    }
    if (up == 0.0 || down == 0.0) {
        *depth = 0;
        return true;
    }
    for (size_t i = 0; i < w->p; i++) {
        double *old = w->tableau + (2 * i + (size_t)(*depth % 2)) * DEEP;
        double *now = w->tableau + (2 * i + (size_t)((*depth + 1) % 2)) * DEEP;
        double difference = (w->level[0][i] - w->level[1][i]) / (up - down);
        double size = fabs(w->level[0][i]) + fabs(w->level[1][i]) + fabs(difference) * widest;
        double rounding = difference != 0.0 ? DBL_EPSILON * size / (up - down) : 0.0;
        double before = error[i];
        il_derivatives_extrapolate(difference, rounding, *depth, old, now, &D[i], &error[i]);
        bool enough = error[i] <= ENOUGH * fabs(D[i]);
        gain |= *depth == 0 || (!enough && (error[i] < before || error[i] > POOR * fabs(D[i])));
    }
    ++*depth;
    return gain;
}

void il_derivatives_make(il_derivatives_work *w, double t, const double *q, size_t k, double *D,
                         double *error) {
    il_derivatives_scales(w, q);
    for (size_t i = 0; i < w->p; i++) {
        D[i] = NAN;
        error[i] = INFINITY;
    }
    bool gain = true;
    int depth = 0;
    for (int l = 0; gain && l < LEVELS; l++) {
        gain = refine(w, t, q, k, l, &depth, D, error);
    }
}

/* ---- what a mismatch looks like ------------------------------------------------------------- */

/* Two numbers of another cause agree by chance no better than this. */
static const double ALIKE = 1e-3;

static bool alike(double a, double b, double size) {
    return fabs(a - b) <= ALIKE * size;
}

/* max |x| over the coordinates of row i, given or by differences. */
static double size_of(const il_derivatives_work *w, size_t i) {
    double size = 0.0;
    for (size_t v = 0; v + 1 < w->nvariables; v++) {
        const il_derivative *a = &w->at[i * w->room + v];
        size = fmax(size, fmax(fabs(a->given), fabs(a->best)));
    }
    return size;
}

/* Is the given gradient of row i factor times what the differences of row j say? */
static bool is_multiple(const il_derivatives_work *w, size_t i, size_t j, double factor) {
    const il_derivative *a = w->at + i * w->room;
    const il_derivative *b = w->at + j * w->room;
    double size = 0.0; /* of these two alone: beside what row i should be both may be small */
    for (size_t v = 0; v + 1 < w->nvariables; v++) {
        size = fmax(size, fmax(fabs(a[v].given), fabs(factor * b[v].best)));
    }
    bool same = size > 0.0;
    for (size_t v = 0; v + 1 < w->nvariables; v++) {
        same &= alike(a[v].given, factor * b[v].best, size);
    }
    return same;
}

/* Entry v given where the difference of entry e belongs, and the other way round. */
static bool is_moved(const il_derivatives_work *w, size_t i, size_t v, size_t *other) {
    const il_derivative *a = w->at + i * w->room;
    double size = size_of(w, i);
    for (size_t e = 0; e + 1 < w->nvariables; e++) {
        if (e != v && alike(a[e].given, a[v].best, size) && alike(a[v].given, a[e].best, size)) {
            *other = e;
            return true;
        }
    }
    return false;
}

void il_derivatives_explain(const il_derivatives_work *w, size_t i, size_t v, char *cause,
                            size_t capacity) {
    const il_derivative *a = &w->at[i * w->room + v];
    size_t other = 0;
    cause[0] = '\0';
    if (w->variable[v] == IL_COMPONENT_RATE) {
        (void)snprintf(cause, capacity, "%s",
                       a->given == 0.0                            ? "dt is forgotten"
                       : alike(a->given, -a->best, fabs(a->best)) ? "the sign of dt is wrong"
                                                                  : "dt is wrong by a factor");
        return;
    }
    for (size_t j = 0; j < w->p; j++) {
        if (j != i && is_multiple(w, i, j, 1.0) && !is_multiple(w, i, i, -1.0)) {
            (void)snprintf(cause, capacity, "this is the gradient of constraint %zu", j + 1);
            return;
        }
    }
    double factor = a->best != 0.0 ? a->given / a->best : 0.0;
    int digits = fabs(factor - 1.0) < 0.01 ? 7 : 4; /* not "the factor 1" */
    if (is_multiple(w, i, i, -1.0)) {
        (void)snprintf(cause, capacity, "the sign of the gradient is wrong");
    } else if (factor != 0.0 && is_multiple(w, i, i, factor)) {
        (void)snprintf(cause, capacity, "the gradient is wrong by the factor %.*g", digits, factor);
    } else if (is_moved(w, i, v, &other)) {
        (void)snprintf(cause, capacity,
                       "the entries %zu and %zu stand at each other's place: a wrong index",
                       w->variable[v] + 1, w->variable[other] + 1);
    } else if (a->best == 0.0 || a->given == 0.0) {
        (void)snprintf(cause, capacity, "an entry is %s, or stands at a wrong index",
                       a->given == 0.0 ? "missing" : "too many");
    } else if (alike(a->given, -a->best, fabs(a->best))) {
        (void)snprintf(cause, capacity, "the sign of this entry is wrong");
    } else {
        (void)snprintf(cause, capacity, "this entry is wrong by the factor %.*g", digits, factor);
    }
}

const char *il_derivatives_tell(const il_derivatives *found, char *out, size_t capacity) {
    char name[32] = "dt";
    if (found->component != IL_COMPONENT_RATE) {
        (void)snprintf(name, sizeof name, "grad[%zu]", found->component + 1);
    }
    (void)snprintf(out, capacity,
                   "constraint %zu: %s is %.10g, but differences of g give %.10g (+- %.1g) at t = "
                   "%.6g%s%s",
                   found->id + 1, name, found->given, found->difference, found->error, found->t,
                   found->cause[0] != '\0' ? ": " : "", found->cause);
    return out;
}
