/*
 * curvature.c - the second derivative of a gap in time.
 */
#include "schemes/stepping/curvature.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

struct il_curvature {
    const il_problem *problem;
    double from, until; /* between which constraints are smooth in time */
    double *x;          /* [d] */
    il_rows work;
};

il_curvature *il_curvature_create(const il_problem *problem) {
    il_curvature *w = il_alloc_zero(1, sizeof *w);
    w->problem = problem;
    w->from = -INFINITY;
    w->until = INFINITY;
    w->x = il_alloc_zero(problem->d, sizeof *w->x);
    return w;
}

void il_curvature_destroy(il_curvature *w) {
    if (w != NULL) {
        il_rows_free(&w->work);
        free(w->x);
        free(w);
    }
}

void il_curvature_window(il_curvature *w, double from, double until) {
    w->from = from;
    w->until = until;
}

/* d_t g_i + <grad g_i, u> at (t, q). NaN if the row cannot be had. */
static double rate_at(il_curvature *w, double t, const double *q, const double *u, size_t id) {
    il_rows_clear(&w->work);
    if (w->problem->type->row(w->problem, t, q, id, &w->work) != IL_OK) {
        return NAN;
    }
    return w->work.rate[0] + il_rows_dot(&w->work, 0, u);
}

/* The derivative at s of the polynomial that is 1 at k and 0 at the other nodes of 0 ... 4. */
static double slope_of_lagrange(int k, double s) {
    double sum = 0.0;
    for (int left = 0; left < 5; left++) {
        double product = left == k ? 0.0 : 1.0 / (k - left);
        for (int j = 0; j < 5; j++) {
            product *= j == k || j == left ? 1.0 : (s - j) / (k - j);
        }
        sum += product;
    }
    return sum;
}

/* d^2 g_i/dt^2 along q + s u: the problem's own word, else differences of fourth order on
 * the side of a kink on which t is. */
double il_curvature_at(il_curvature *w, double t, const double *q, const double *u, size_t id) {
    const il_problem *problem = w->problem;
    if (problem->type->curvature != NULL) {
        return problem->type->curvature(problem, t, q, u, id);
    }
    if ((problem->traits & IL_ROWS_AFFINE) != 0 && (problem->traits & IL_ROWS_FIXED) != 0) {
        return 0.0;
    }
    double e = fmin(2e-4 * problem->horizon, 0.25 * (w->until - w->from));
    double first = fmin(fmax(t - 2.0 * e, w->from), w->until - 4.0 * e);
    double shift = first == t - 2.0 * e ? -2.0 : (first - t) / e;
    double rates[5];
    for (int k = 0; k < 5; k++) {
        double s = (shift + k) * e;
        for (size_t j = 0; j < w->problem->d; j++) {
            w->x[j] = q[j] + s * u[j];
        }
        rates[k] = rate_at(w, t + s, w->x, u, id);
    }
    if (shift == -2.0) {
        return (8.0 * (rates[3] - rates[1]) - (rates[4] - rates[0])) / (12.0 * e);
    }
    double sum = 0.0;
    for (int k = 0; k < 5; k++) {
        sum += rates[k] * slope_of_lagrange(k, -shift);
    }
    return sum / e;
}
