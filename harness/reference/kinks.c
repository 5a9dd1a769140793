/*
 * kinks.c - kinks of rates in time, by bisection with second differences (kinks.h).
 */
#include "harness/reference/kinks.h"

#include <math.h>

/* Second differences of a smooth rate fall by 2^-20 in LEVELS halvings, of one whose slope jumps by
 * 2^-10, of one that jumps itself not: between the first two is a kink. */
enum { LEVELS = 10 };
static const double KINKED = 0x1p-15;
/* Kinks of this part of the rates are none. */
static const double NO_KINK = 1e-9;

/* |d_t g_i(a) - 2 d_t g_i(m) + d_t g_i(b)| at q, m the middle; *size the largest of the three. */
static double second_difference(const il_problem *problem, il_rows *work, const double *q,
                                size_t id, double a, double b, double *size) {
    const double at[3] = {a, 0.5 * (a + b), b};
    double rate[3];
    *size = 1.0;
    for (int k = 0; k < 3; k++) {
        il_rows_clear(work);
        bool known = problem->type->row(problem, at[k], q, id, work) == IL_OK;
        rate[k] = known ? work->rate[work->p - 1] : NAN;
        *size = fmax(*size, fabs(rate[k]));
    }
    return fabs(rate[0] - 2.0 * rate[1] + rate[2]);
}

/* The kink of d_t g_i in [a, b], its right side; b unless there is one. */
static double kink_of(const il_problem *problem, il_rows *work, const double *q, size_t id,
                      double a, double b) {
    double end = b;
    double size;
    double first = second_difference(problem, work, q, id, a, b, &size);
    for (int k = 1; 0.5 * (a + b) > a && 0.5 * (a + b) < b; k++) {
        double middle = 0.5 * (a + b);
        double left = second_difference(problem, work, q, id, a, middle, &size);
        double right = second_difference(problem, work, q, id, middle, b, &size);
        *(left >= right ? &b : &a) = middle;
        double D = fmax(left, right);
        first = k == 1 ? fmax(first, D) : first;
        if (!(first > NO_KINK * size) || (k == LEVELS && !(D > KINKED * first))) {
            return end;
        }
        if (k > LEVELS && !(D > 0x1p-50 * size)) {
            break; /* the rest is rounding: a jump of the slope is located to so much */
        }
    }
    return b;
}

double il_kinks_smooth_until(const il_problem *problem, double t, double until, const double *q,
                             il_rows *work) {
    double first = until;
    if ((problem->traits & IL_ROWS_FIXED) == 0 && problem->type->curvature == NULL) {
        for (size_t id = 0; id < problem->p; id++) {
            first = fmin(first, kink_of(problem, work, q, id, t, first));
        }
    }
    return first;
}
