/*
 * roots.c - sign changes by bisection between the zeros of the derivative, where a polynomial is
 * monotone.
 */
#include "problems/spheres/roots.h"

#include <assert.h>

double il_polynomial(const double *c, int degree, double s) {
    double p = 0.0;
    for (int k = degree; k >= 0; k--) {
        p = p * s + c[k];
    }
    return p;
}

/* Where the sign changes between lo and hi, to the last bit. */
static double bisect(const double *c, int degree, double lo, double hi) {
    bool positive = il_polynomial(c, degree, lo) > 0.0;
    for (;;) {
        double mid = lo + 0.5 * (hi - lo);
        if (!(mid > lo && mid < hi)) {
            return hi;
        }
        if ((il_polynomial(c, degree, mid) > 0.0) == positive) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
}

int il_sign_changes(const double *c, int degree, double top, bool falling, double *z) {
    assert(degree >= 0 && degree <= 4);
    if (degree == 0) {
        return 0;
    }
    double slope[4] = {0.0};
    for (int k = 0; k < degree; k++) {
        slope[k] = (k + 1) * c[k + 1];
    }
    double knot[6] = {0.0};
    int n = il_sign_changes(slope, degree - 1, top, false, knot + 1);
    knot[n + 1] = top;
    int count = 0;
    for (int i = 0; i <= n; i++) {
        bool before = il_polynomial(c, degree, knot[i]) > 0.0;
        bool after = il_polynomial(c, degree, knot[i + 1]) > 0.0;
        if (before != after && (before || !falling)) {
            z[count++] = bisect(c, degree, knot[i], knot[i + 1]);
        }
    }
    return count;
}
