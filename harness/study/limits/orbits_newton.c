/*
 * orbits_newton.c - Newton's method on F(x) = Phi^p(x) - x,
 *
 *     x <- x - (DPhi^p - I)^{-1} F(x),   DPhi^p the product of the derivatives along the orbit,
 *
 * in doubles, and one step of it in rational numbers: where the motion over the orbit is affine
 * with rational numbers that step ends in the orbit itself, and Phi^p(x) = x is then checked
 * exactly.
 */
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/study/limits/orbits.h"

enum { STEPS = 40, SQUARE_MAX = IL_ORBITS_DIM_MAX * IL_ORBITS_DIM_MAX };

/* A step that changes states, which are of order one, by roundings ends the iteration. */
static const double CONVERGED = 1e-15;

/* An orbit misses its start by some ten roundings of numbers of order one an octave. */
static const double CLOSES = 1e-13;

/* A pivot below it: an eigenvalue of DPhi^p next to 1, where all states near by nearly close. */
static const double SINGULAR = 1e-6;

/* ---- the map: the flow over one octave, in the scale of the first --------------------------- */

void il_orbits_step(const il_problem *problem, const double *x, double *next, double *derivative) {
    const il_scaling *s = problem->type->scaling;
    int position = s->position(problem);
    size_t d = problem->d;
    s->flow(problem, 1.0, x, ldexp(1.0, s->time), next, derivative);
    for (size_t i = 0; i < 2 * d; i++) {
        int e = i < d ? -position : s->time - position;
        next[i] = ldexp(next[i], e);
        for (size_t j = 0; derivative != NULL && j < 2 * d; j++) {
            derivative[i * 2 * d + j] = ldexp(derivative[i * 2 * d + j], e);
        }
    }
}

int il_orbits_periods(const il_problem *problem, double t) {
    int time = problem->type->scaling->time;
    int e = 0;
    double m = frexp(t, &e);
    e -= m == 0.5; /* t <= 2^e, and not t <= 2^{e-1} */
    return e >= 0 ? (e + time - 1) / time : -(-e / time);
}

int il_orbits_arrive(const il_problem *problem, double t, const double *q, const double *u,
                     double *x) {
    const il_scaling *s = problem->type->scaling;
    int position = s->position(problem);
    size_t d = problem->d;
    double z[IL_ORBITS_DIM_MAX];
    int k = il_orbits_periods(problem, t);
    memcpy(z, q, d * sizeof *z);
    memcpy(z + d, u, d * sizeof *z);
    s->flow(problem, t, z, ldexp(1.0, s->time * k), x, NULL);
    for (size_t i = 0; i < 2 * d; i++) {
        x[i] = ldexp(x[i], -k * (i < d ? position : position - s->time));
    }
    return k;
}

/* ---- Newton's method ------------------------------------------------------------------------ */

/* Phi^period(x) into y and, unless NULL, its derivative. */
static void power(const il_problem *problem, int period, const double *x, double *y, double *D) {
    size_t dim = 2 * problem->d;
    double from[IL_ORBITS_DIM_MAX];
    double one[SQUARE_MAX] = {0.0};
    double product[SQUARE_MAX];
    memcpy(y, x, dim * sizeof *y);
    for (int k = 0; k < period; k++) {
        memcpy(from, y, dim * sizeof *from);
        il_orbits_step(problem, from, y, D != NULL ? one : NULL);
        if (D == NULL) {
            continue;
        }
        for (size_t ij = 0; ij < dim * dim; ij++) {
            product[ij] = k == 0 ? one[ij] : 0.0;
            for (size_t l = 0; k > 0 && l < dim; l++) {
                product[ij] += one[ij / dim * dim + l] * D[l * dim + ij % dim];
            }
        }
        memcpy(D, product, dim * dim * sizeof *D);
    }
}

/* A x = b by elimination with pivoting, in place; false when A is singular or nearly so. */
static bool solve(double *A, double *b, size_t n) {
    double x[IL_ORBITS_DIM_MAX];
    size_t order[IL_ORBITS_DIM_MAX];
    int sign = 0;
    gsl_matrix_view m = gsl_matrix_view_array(A, n, n);
    gsl_vector_view right = gsl_vector_view_array(b, n);
    gsl_vector_view left = gsl_vector_view_array(x, n);
    gsl_permutation p = {.size = n, .data = order};
    if (gsl_linalg_LU_decomp(&m.matrix, &p, &sign) != 0) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(A[i * n + i]) > SINGULAR)) {
            return false;
        }
    }
    if (gsl_linalg_LU_solve(&m.matrix, &p, &right.vector, &left.vector) != 0) {
        return false;
    }
    memcpy(b, x, n * sizeof *b);
    return true;
}

bool il_orbits_newton(const il_problem *problem, int period, double *x) {
    double low[IL_ORBITS_DIM_MAX];
    double high[IL_ORBITS_DIM_MAX];
    double F[IL_ORBITS_DIM_MAX];
    double D[SQUARE_MAX];
    size_t dim = 2 * problem->d;
    problem->type->scaling->box(problem, low, high);
    for (int k = 0; k < STEPS; k++) {
        double change = 0.0;
        double missed = 0.0;
        power(problem, period, x, F, D);
        for (size_t i = 0; i < dim; i++) {
            F[i] -= x[i];
            D[i * dim + i] -= 1.0;
            missed = fmax(missed, fabs(F[i]));
        }
        if (!solve(D, F, dim)) {
            return false;
        }
        for (size_t i = 0; i < dim; i++) {
            x[i] -= F[i];
            change = fmax(change, fabs(F[i]));
            if (!(x[i] >= low[i] - (high[i] - low[i]) && x[i] <= high[i] + (high[i] - low[i]))) {
                return false; /* NaN too */
            }
        }
        if (change <= CONVERGED || (k == STEPS - 1 && missed <= CLOSES)) {
            power(problem, period, x, F, NULL);
            for (size_t i = 0; i < dim; i++) {
                if (!(fabs(F[i] - x[i]) <= CLOSES && x[i] >= low[i] && x[i] <= high[i])) {
                    return false;
                }
            }
            return true;
        }
    }
    return false;
}

il_status il_orbits_measure(const il_problem *problem, il_orbit *orbit, il_error *err) {
    double y[IL_ORBITS_DIM_MAX];
    double D[SQUARE_MAX];
    size_t dim = 2 * problem->d;
    power(problem, orbit->period, orbit->states, y, D);
    orbit->residual = 0.0;
    for (size_t i = 0; i < dim; i++) {
        orbit->residual = fmax(orbit->residual, fabs(y[i] - orbit->states[i]));
    }
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(dim);
    gsl_vector_complex *values = gsl_vector_complex_alloc(dim);
    il_status status = IL_OK;
    gsl_matrix_view m = gsl_matrix_view_array(D, dim, dim);
    if (gsl_eigen_nonsymm(&m.matrix, values, work) != 0) {
        status = il_fail(err, IL_ENUMERIC, "the eigenvalues of an orbit did not converge");
    }
    orbit->multiplier = 0.0;
    for (size_t i = 0; i < dim && status == IL_OK; i++) {
        gsl_complex z = gsl_vector_complex_get(values, i);
        double size = sqrt(GSL_REAL(z) * GSL_REAL(z) + GSL_IMAG(z) * GSL_IMAG(z));
        if (size > fabs(orbit->multiplier)) {
            orbit->multiplier = GSL_IMAG(z) == 0.0 && GSL_REAL(z) < 0.0 ? -size : size;
        }
    }
    gsl_eigen_nonsymm_free(work);
    gsl_vector_complex_free(values);
    return status;
}

/* ---- rational numbers ----------------------------------------------------------------------- */

/* Numbers of a Newton step for states of two numbers; all in one array. */
typedef struct {
    il_rational **x, **y;           /* [2] a state, and Phi^period of it */
    il_rational **D, **one, **last; /* [4] derivatives: of Phi^period, of Phi, of what is before */
    il_rational **from, **work;     /* [2], [8] */
} numbers;

static numbers numbers_of(il_rational **all) {
    return (numbers){all, all + 2, all + 4, all + 8, all + 12, all + 16, all + 18};
}

enum { NUMBERS = 26 };

static void copy(il_rational **to, il_rational **from, size_t n) {
    for (size_t i = 0; i < n; i++) {
        il_rational_set(to[i], from[i]);
    }
}

/* r = a b + c d, or with a minus sign a b - c d; r is none of them. */
static void combine(il_rational *r, const il_rational *a, const il_rational *b, char sign,
                    const il_rational *c, const il_rational *d, il_rational *work) {
    il_rational_mul(r, a, b);
    il_rational_mul(work, c, d);
    (sign == '+' ? il_rational_add : il_rational_sub)(r, r, work);
}

/* y = Phi^period(x) and its derivative; false where they are not rational. */
static bool power_exact(const il_problem *problem, const il_exact_model *model, int period,
                        const numbers *w) {
    copy(w->y, w->x, 2);
    for (int k = 0; k < period; k++) {
        copy(w->from, w->y, 2);
        copy(w->last, w->D, 4);
        if (!problem->type->scaling->flow_exact(model, w->from, w->y, w->one, w->work)) {
            return false;
        }
        copy(w->D, w->one, 4);
        for (size_t ij = 0; ij < 4 && k > 0; ij++) {
            combine(w->D[ij], w->one[ij / 2 * 2], w->last[ij % 2], '+', w->one[ij / 2 * 2 + 1],
                    w->last[2 + ij % 2], w->work[0]);
        }
    }
    return true;
}

/* x - (D - I)^{-1} (y - x) into x, by Cramer's rule; false when D - I is singular. */
static bool newton_exact(const numbers *w) {
    il_rational *const *D = w->D;
    il_rational *const *F = w->y;
    il_rational *det = w->work[1];
    il_rational *step = w->work[2];
    il_rational_set_fraction(w->work[3], 1, 1);
    for (size_t i = 0; i < 2; i++) {
        il_rational_sub(F[i], F[i], w->x[i]);
        il_rational_sub(D[3 * i], D[3 * i], w->work[3]);
    }
    combine(det, D[0], D[3], '-', D[1], D[2], w->work[0]);
    if (il_rational_sign(det) == 0) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        combine(step, D[3 - 3 * i], F[i], '-', D[1 + i], F[1 - i], w->work[0]);
        il_rational_div(step, step, det);
        il_rational_sub(w->x[i], w->x[i], step);
    }
    return true;
}

void il_orbits_prove(const il_problem *problem, const il_exact_model *model, il_orbit *orbit) {
    size_t n = 2 * (size_t)orbit->period;
    il_rational **all = il_rational_array(NUMBERS);
    il_rational **states = il_rational_array(n);
    numbers w = numbers_of(all);
    il_rational_set_double(w.x[0], orbit->states[0]);
    il_rational_set_double(w.x[1], orbit->states[1]);
    bool closes = power_exact(problem, model, orbit->period, &w) && newton_exact(&w) &&
                  power_exact(problem, model, orbit->period, &w) &&
                  il_rational_compare(w.x[0], w.y[0]) == 0 &&
                  il_rational_compare(w.x[1], w.y[1]) == 0;
    for (size_t k = 0; k < n && closes; k += 2) {
        copy(states + k, w.x, 2);
        (void)problem->type->scaling->flow_exact(model, w.x, w.y, w.one, w.work);
        copy(w.x, w.y, 2);
    }
    orbit->rational = closes ? states : NULL;
    il_rational_free(closes ? NULL : states);
    il_rational_free(all);
}
