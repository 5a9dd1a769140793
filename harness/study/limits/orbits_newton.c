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
    if (work == NULL || values == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for %zu eigenvalues", dim);
    } else if (gsl_eigen_nonsymm(&m.matrix, values, work) != 0) {
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

/* Numbers of a Newton step; all in one array. */
typedef struct {
    il_rational **x, **y, **from; /* [dim] */
    il_rational **D, **one, **product;
    il_rational **work; /* [8] */
    il_rational **all;
} numbers;

static bool take(numbers *w, size_t dim) {
    w->all = il_rational_array(3 * dim + 3 * dim * dim + 8);
    if (w->all == NULL) {
        return false;
    }
    w->x = w->all;
    w->y = w->x + dim;
    w->from = w->y + dim;
    w->D = w->from + dim;
    w->one = w->D + dim * dim;
    w->product = w->one + dim * dim;
    w->work = w->product + dim * dim;
    return true;
}

/* Phi^period(x) and its derivative, exactly; false where it is not rational. */
static bool power_exact(const il_problem *problem, const il_exact_model *model, int period,
                        numbers *w) {
    size_t dim = 2 * problem->d;
    for (size_t i = 0; i < dim; i++) {
        il_rational_set(w->y[i], w->x[i]);
    }
    for (int k = 0; k < period; k++) {
        for (size_t i = 0; i < dim; i++) {
            il_rational_set(w->from[i], w->y[i]);
        }
        if (!problem->type->scaling->flow_exact(model, w->from, w->y, w->one, w->work)) {
            return false;
        }
        for (size_t ij = 0; ij < dim * dim; ij++) {
            il_rational_set_fraction(w->product[ij], 0, 1);
            for (size_t l = 0; k > 0 && l < dim; l++) {
                il_rational_mul(w->work[0], w->one[ij / dim * dim + l], w->D[l * dim + ij % dim]);
                il_rational_add(w->product[ij], w->product[ij], w->work[0]);
            }
        }
        for (size_t ij = 0; ij < dim * dim; ij++) {
            il_rational_set(w->D[ij], k == 0 ? w->one[ij] : w->product[ij]);
        }
    }
    return true;
}

/* b <- A^{-1} b by Gauss and Jordan, A lost; false when A is singular. */
static bool solve_exact(il_rational **A, il_rational **b, size_t n, il_rational *work) {
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        while (pivot < n && il_rational_sign(A[pivot * n + k]) == 0) {
            pivot++;
        }
        if (pivot == n) {
            return false;
        }
        for (size_t j = 0; j < n && pivot != k; j++) { /* row k gets a pivot */
            il_rational_add(A[k * n + j], A[k * n + j], A[pivot * n + j]);
        }
        if (pivot != k) {
            il_rational_add(b[k], b[k], b[pivot]);
        }
        il_rational_div(b[k], b[k], A[k * n + k]);
        for (size_t j = n; j-- > k;) {
            il_rational_div(A[k * n + j], A[k * n + j], A[k * n + k]);
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t j = n; i != k && j-- > k + 1;) {
                il_rational_mul(work, A[i * n + k], A[k * n + j]);
                il_rational_sub(A[i * n + j], A[i * n + j], work);
            }
            if (i != k) {
                il_rational_mul(work, A[i * n + k], b[k]);
                il_rational_sub(b[i], b[i], work);
                il_rational_set_fraction(A[i * n + k], 0, 1);
            }
        }
    }
    return true;
}

/* One Newton step from the doubles, and then: does it close? */
static bool close_exactly(const il_problem *problem, const il_exact_model *model,
                          const il_orbit *orbit, numbers *w) {
    size_t dim = 2 * problem->d;
    for (size_t i = 0; i < dim; i++) {
        il_rational_set_double(w->x[i], orbit->states[i]);
    }
    if (!power_exact(problem, model, orbit->period, w)) {
        return false;
    }
    il_rational_set_fraction(w->work[1], 1, 1);
    for (size_t i = 0; i < dim; i++) {
        il_rational_sub(w->y[i], w->y[i], w->x[i]);
        il_rational_sub(w->D[i * dim + i], w->D[i * dim + i], w->work[1]);
    }
    if (!solve_exact(w->D, w->y, dim, w->work[0])) {
        return false;
    }
    for (size_t i = 0; i < dim; i++) {
        il_rational_sub(w->x[i], w->x[i], w->y[i]);
    }
    bool closes = power_exact(problem, model, orbit->period, w);
    for (size_t i = 0; i < dim && closes; i++) {
        closes = il_rational_compare(w->x[i], w->y[i]) == 0;
    }
    return closes;
}

il_status il_orbits_prove(const il_problem *problem, const il_exact_model *model, il_orbit *orbit,
                          il_error *err) {
    size_t dim = 2 * problem->d;
    numbers w = {0};
    if (!take(&w, dim)) {
        return il_fail(err, IL_ENOMEM, "no memory for an orbit in rational numbers");
    }
    if (close_exactly(problem, model, orbit, &w)) {
        orbit->rational = il_rational_array((size_t)orbit->period * dim);
        if (orbit->rational == NULL) {
            il_rational_free(w.all);
            return il_fail(err, IL_ENOMEM, "no memory for an orbit in rational numbers");
        }
        for (int k = 0; k < orbit->period; k++) {
            for (size_t i = 0; i < dim; i++) {
                il_rational_set(orbit->rational[(size_t)k * dim + i], w.x[i]);
            }
            (void)problem->type->scaling->flow_exact(model, w.x, w.y, w.D, w.work);
            for (size_t i = 0; i < dim; i++) {
                il_rational_set(w.x[i], w.y[i]);
            }
        }
    }
    il_rational_free(w.all);
    return IL_OK;
}
