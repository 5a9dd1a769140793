/*
 * expansion.c - Chebyshev series of a smooth reference: coefficients by the discrete cosine sums,
 * values by the recurrence of Chebyshev's polynomials.
 */
#include "harness/measure/expansion.h"

enum { DEGREE = IL_EXPANSION_DEGREE };

/* Two vectors closer than this, relative to their length, differ by rounding alone. */
static const double NOISE = 2e-15;

/* Where a polynomial is checked: near extrema of the product of (x - point). */
static const double CHECKS[] = {-0.56, 0.19};

il_expansion il_expansion_in(double *room, size_t d) {
    return (il_expansion){
        .d = d, .q = room, .u = room + (DEGREE + 1) * d, .work = room + 2 * (DEGREE + 1) * d};
}

/* cos(k pi/8) */
static double cosine(size_t k) {
    static const double first[] = {1.0, 0.92387953251128674, 0.70710678118654752,
                                   0.38268343236508977, 0.0};
    k %= 16;
    k = k > 8 ? 16 - k : k;
    return k <= 4 ? first[k] : -first[8 - k];
}

/* The coefficients of the series through f_j = f(cos(j pi/8)), in the place of these values:
 *
 *     c_k = 2/8 sum_j f_j cos(j k pi/8), of the first and last term half, and of c_0 and c_8. */
static void expand(double *f, size_t d) {
    for (size_t i = 0; i < d; i++, f += DEGREE + 1) {
        double c[DEGREE + 1];
        for (size_t k = 0; k <= DEGREE; k++) {
            c[k] = 0.5 * (f[0] + cosine(DEGREE * k) * f[DEGREE]);
            for (size_t j = 1; j < DEGREE; j++) {
                c[k] += cosine(j * k) * f[j];
            }
            c[k] *= k == 0 || k == DEGREE ? 1.0 / DEGREE : 2.0 / DEGREE;
        }
        for (size_t k = 0; k <= DEGREE; k++) {
            f[k] = c[k];
        }
    }
}

void il_expansion_sum(const il_expansion *w, const double *series, double t, double *f) {
    double x = (t - w->middle) / w->half;
    double T[DEGREE + 1] = {1.0, x};
    for (size_t k = 2; k <= DEGREE; k++) {
        T[k] = 2.0 * x * T[k - 1] - T[k - 2];
    }
    for (size_t i = 0; i < w->d; i++, series += DEGREE + 1) {
        double sum = series[DEGREE] * T[DEGREE];
        for (size_t k = DEGREE; k-- > 0;) { /* small ones first */
            sum += series[k] * T[k];
        }
        f[i] = sum;
    }
}

/* Is the series y at t, to rounding of what it is over the interval? */
static bool is_sum(const il_expansion *w, const double *series, double t, const double *y) {
    double *x = w->work;
    double off = 0.0;
    double size = 0.0;
    il_expansion_sum(w, series, t, x);
    for (size_t i = 0; i < w->d; i++) {
        double slope = series[i * (DEGREE + 1) + 1];
        off += (x[i] - y[i]) * (x[i] - y[i]);
        size += y[i] * y[i] + slope * slope;
    }
    return off <= NOISE * NOISE * size;
}

bool il_expansion_make(il_expansion *w, const il_exact *reference, double a, double b) {
    bool good = true;
    double *q = w->work + w->d;
    double *u = q + w->d;
    w->middle = 0.5 * (a + b);
    w->half = 0.5 * (b - a);
    for (size_t j = 0; j <= DEGREE; j++) {
        double t = j == 0 ? b : j < DEGREE ? w->middle + w->half * cosine(j) : a;
        int side = j == 0 ? -1 : j < DEGREE ? 0 : 1;
        reference->eval(reference, t, side, q, u);
        for (size_t i = 0; i < w->d; i++) {
            w->q[i * (DEGREE + 1) + j] = q[i];
            w->u[i * (DEGREE + 1) + j] = u[i];
        }
    }
    expand(w->q, w->d);
    expand(w->u, w->d);
    for (size_t i = 0; good && i < sizeof CHECKS / sizeof CHECKS[0]; i++) {
        double t = w->middle + w->half * CHECKS[i];
        reference->eval(reference, t, 0, q, u);
        good = is_sum(w, w->q, t, q) && is_sum(w, w->u, t, u);
    }
    return good;
}
