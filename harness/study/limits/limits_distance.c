/*
 * limits_distance.c - the distance of two runs, exactly between the union of their nodes. See
 * limits.h.
 */
#include <math.h>

#include "harness/base/sum.h"
#include "harness/study/limits/limits.h"

/* |q_a - q_b| at t inside (or at the end of) the steps that end at nodes i and j. */
static double apart_at(const il_trajectory *a, const il_trajectory *b, size_t i, size_t j,
                       double t) {
    double sum = 0.0;
    double x = (t - a->t[i - 1]) / (a->t[i] - a->t[i - 1]);
    double y = (t - b->t[j - 1]) / (b->t[j] - b->t[j - 1]);
    for (size_t k = 0; k < a->d; k++) {
        const double *qa = a->q + (i - 1) * a->d + k;
        const double *qb = b->q + (j - 1) * b->d + k;
        double p = (1.0 - x) * qa[0] + x * qa[a->d];
        double q = (1.0 - y) * qb[0] + y * qb[b->d];
        sum += (p - q) * (p - q);
    }
    return sqrt(sum);
}

static double apart_u(const il_trajectory *a, const il_trajectory *b, size_t i, size_t j) {
    double sum = 0.0;
    for (size_t k = 0; k < a->d; k++) {
        double difference = a->u[i * a->d + k] - b->u[j * b->d + k];
        sum += difference * difference;
    }
    return sqrt(sum);
}

double il_limits_distance(const il_trajectory *a, const il_trajectory *b, double T,
                          il_limits_norm norm) {
    il_sum sum = {0.0, 0.0};
    double sup = 0.0;
    double t = 0.0;
    for (size_t k = 0; k < a->d; k++) { /* both begin at t = 0 */
        sup += (a->q[k] - b->q[k]) * (a->q[k] - b->q[k]);
    }
    sup = sqrt(sup);
    for (size_t i = 1, j = 1; i < a->nodes && j < b->nodes && t < T;) {
        double next = fmin(T, fmin(a->t[i], b->t[j]));
        if (norm == IL_LIMITS_U_L1) {
            il_sum_add(&sum, (next - t) * apart_u(a, b, i, j));
        } else {
            double apart = apart_at(a, b, i, j, next); /* convex on the piece: largest at an end */
            sup = isnan(apart) || isnan(sup) ? NAN : fmax(sup, apart);
        }
        t = next;
        i += a->t[i] <= t;
        j += b->t[j] <= t;
    }
    return norm == IL_LIMITS_U_L1 ? il_sum_value(&sum) : sup;
}
