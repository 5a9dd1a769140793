/*
 * mean_norm.c - int_0^1 |a + s (b - a)| ds.
 */
#include "harness/measure/mean_norm.h"

#include <gsl/gsl_integration.h>

#include "harness/base/elementary.h"

/* A difference of two asinh of doubles is at most 2 asinh(DBL_MAX) = 1421; and half a unit in the
 * last place of a number is at least this part of it. */
static const double ASINH_MOST = 1424.0;
static const double HALF_UNIT = 0x1p-54;

void il_mean_norm_make(il_mean_norm_rule *rule) {
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(IL_MEAN_GAUSS);
    for (size_t i = 0; i < IL_MEAN_GAUSS; i++) {
        double s = 0.0;
        (void)gsl_integration_glfixed_point(0.0, 1.0, i, &s, &rule->weight[i], table);
        double r = 1.0 - s;
        rule->here[0][i] = r * r;
        rule->here[1][i] = 2.0 * r * s;
        rule->here[2][i] = s * s;
    }
    gsl_integration_glfixed_table_free(table);
}

/* The mean norm of vectors that hardly turn, ab >= 0: all squares are nonnegative. */
static double by_rule(const il_mean_norm_rule *rule, double aa, double ab, double bb) {
    double sum = 0.0;
    double term[IL_MEAN_GAUSS];
    for (size_t i = 0; i < IL_MEAN_GAUSS; i++) {
        double square = rule->here[0][i] * aa + rule->here[1][i] * ab + rule->here[2][i] * bb;
        term[i] = rule->weight[i] * sqrt(square);
    }
    for (size_t i = 0; i < IL_MEAN_GAUSS; i++) {
        sum += term[i];
    }
    return sum;
}

/* With A = |b-a|^2, s0 the point nearest zero and D the squared
 * distance there: 1/2 [ x sqrt(A x^2 + D) + D/sqrt(A) asinh(x sqrt(A/D)) ], x from -s0 to 1 - s0.
 * Where the vector hardly turns that form cancels, but sixteen Gauss points are exact to rounding:
 * the nearest branch point is then more than two lengths of the interval away. */
double il_mean_norm(const il_mean_norm_rule *rule, size_t d, const double *a, const double *b,
                    double aa, double ab, double bb) {
    if (d == 1) {
        return il_mean_size(a[0], b[0]);
    }
    double A = aa - 2.0 * ab + bb;
    double middle = 0.25 * (aa + 2.0 * ab + bb);
    if (!(A > 0.0)) {
        return sqrt(aa);
    }
    if (16.0 * A <= middle) {
        return by_rule(rule, aa, ab, bb);
    }
    double s0 = (aa - ab) / A;
    double D = 0.0;
    for (size_t k = 0; k < d; k++) {
        double nearest = a[k] + s0 * (b[k] - a[k]);
        D += nearest * nearest;
    }
    double left = -s0;
    double right = 1.0 - s0;
    double total = right * sqrt(A * right * right + D) - left * sqrt(A * left * left + D);
    if (D > 0.0) {
        double root = sqrt(A / D);
        double factor = D / sqrt(A);
        /* else it is less than half a unit in the last place of total */
        if (isfinite(root) && factor * ASINH_MOST >= HALF_UNIT * total) {
            total += factor * (il_asinh(right * root) - il_asinh(left * root));
        }
    }
    return 0.5 * total;
}
