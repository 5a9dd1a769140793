/*
 * motion.c - polynomials between the breaks of a step (motion.h).
 */
#include "harness/base/motion.h"

#include <math.h>

/* What pieces may be apart, of the size of the numbers that meet: sums of at most eight terms each,
 * and what made them. */
static const double APART = 1e-11;

size_t il_motion_piece(const il_motion *w, double t, int side) {
    size_t j = 0;
    while (j + 1 < w->n && (side < 0 ? t > w->end[j] : t >= w->end[j])) {
        j++;
    }
    return j;
}

static const double *piece_of(const il_motion *w, size_t j) {
    return w->c + j * (w->degree + 1) * w->d;
}

void il_motion_eval(const il_motion *w, double t0, size_t j, double t, double *q, double *u) {
    const double *c = piece_of(w, j);
    double a = j > 0 ? w->end[j - 1] : t0;
    double length = w->end[j] - a;
    double s = t == w->end[j] ? 1.0 : (t - a) / length;
    for (size_t i = 0; i < w->d; i++) {
        double value = 0.0;
        double slope = 0.0;
        for (size_t k = w->degree + 1; k-- > 0;) { /* Horner's rule, with its derivative */
            slope = slope * s + value;
            value = value * s + c[k * w->d + i];
        }
        if (q != NULL) {
            q[i] = value;
        }
        if (u != NULL) {
            u[i] = slope / length;
        }
    }
}

/* Coordinate i where piece j begins, or where it ends; *size grows to that of its terms. */
static double value_at(const il_motion *w, size_t j, size_t i, bool at_end, double *size) {
    const double *c = piece_of(w, j);
    double sum = c[i];
    *size = fmax(*size, fabs(c[i]));
    for (size_t k = 1; at_end && k <= w->degree; k++) {
        sum += c[k * w->d + i];
        *size = fmax(*size, fabs(c[k * w->d + i]));
    }
    return sum;
}

/* q where piece j begins against where the one before ended, q0 for the first; j = n: where the
 * last one ends against q1. */
static il_status check_joint(const il_motion *w, size_t j, double t, const double *q0,
                             const double *q1, il_error *err) {
    for (size_t i = 0; i < w->d; i++) {
        double size = 1.0;
        double before = j > 0 ? value_at(w, j - 1, i, true, &size) : q0[i];
        double after = j < w->n ? value_at(w, j, i, false, &size) : q1[i];
        if (!isfinite(before) || !isfinite(after)) {
            return il_fail(err, IL_ENUMERIC,
                           "the motion inside the step is not finite in piece %zu, t = %.10g",
                           j < w->n ? j + 1 : j, t);
        }
        if (fabs(before - after) > APART * size) {
            return il_fail(err, IL_ENUMERIC,
                           "the motion inside the step jumps by %.3g in coordinate %zu where piece "
                           "%zu begins, t = %.10g; allowed: %.0e of its size",
                           after - before, i + 1, j + 1, t, APART);
        }
    }
    return IL_OK;
}

il_status il_motion_check(const il_motion *w, double t0, double t1, const double *q0,
                          const double *q1, il_error *err) {
    double a = t0;
    if (w->n == 0 || w->degree < 1 || w->degree > IL_MOTION_DEGREE_MAX) {
        return il_fail(err, IL_ENUMERIC,
                       "the motion inside the step has %zu pieces of degree %zu; allowed: one or "
                       "more, of degree 1 to %d",
                       w->n, w->degree, IL_MOTION_DEGREE_MAX);
    }
    for (size_t j = 0; j < w->n; j++) {
        double b = w->end[j];
        if (!(b > a) || b > t1 || (j + 1 == w->n && b != t1)) {
            return il_fail(err, IL_ENUMERIC,
                           "piece %zu of %zu of the motion inside the step goes from t = %.17g to "
                           "%.17g; allowed: ascending times, the last one %.17g",
                           j + 1, w->n, a, b, t1);
        }
        il_status status = check_joint(w, j, a, q0, q1, err);
        if (status != IL_OK) {
            return status;
        }
        a = b;
    }
    return check_joint(w, w->n, t1, q0, q1, err);
}
