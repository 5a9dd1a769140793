/*
 * modes.c - the generalised eigenproblem by GSL, and what a mode does in time.
 */
#include "problems/modal/modal.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"
#include "harness/base/metric.h"

/* A mode whose stiffness is this part of the largest is rounding of one without. */
static const double SLACK = 1e-13;

/* Below this argument s - sin(s) is summed as its series: the difference loses a digit there. */
static const double SERIES = 1.0;

double il_modal_row_times(const double *A, size_t n, size_t i, const double *x) {
    double sum = 0.0;
    for (size_t j = 0; j < n; j++) {
        sum += A[i * n + j] * x[j];
    }
    return sum;
}

il_swing il_swing_after(double omega, double s) {
    double x = omega * s;
    double half = x == 0.0 ? 1.0 : il_sin(0.5 * x) / (0.5 * x);
    il_swing w = {.S = x == 0.0 ? s : il_sin(x) / omega, .C = 0.5 * s * s * half * half};
    if (fabs(x) >= SERIES) {
        w.D = (s - w.S) / (omega * omega);
        return w;
    }
    /* s^3 (1/3! - x^2/5! + x^4/7! - ...) */
    double term = s * s * s / 6.0;
    for (int n = 5; fabs(term) > DBL_EPSILON * fabs(w.D); n += 2) {
        w.D += term;
        term *= -x * x / (double)(n * (n - 1));
    }
    return w;
}

/* A without row and column k, for k < d; all of it for k = d. */
static void restrict_to(gsl_matrix *out, const double *A, size_t d, size_t k) {
    for (size_t i = 0; i < out->size1; i++) {
        for (size_t j = 0; j < out->size1; j++) {
            gsl_matrix_set(out, i, j, A[(i + (i >= k)) * d + j + (j >= k)]);
        }
    }
}

/* gsl_eigen_gensymmv in its three parts; all that its iteration meets is of order one, by powers of
 * two that change no other bit. */
static bool diagonalise(gsl_matrix *K, gsl_matrix *M, gsl_vector *values, gsl_matrix *vectors,
                        gsl_eigen_symmv_workspace *work) {
    int of_K = 0;
    int of_M = 0;
    int of_both = 0;
    if (!il_symmetric_level(K, &of_K) || !il_symmetric_level(M, &of_M) ||
        gsl_linalg_cholesky_decomp1(M) != GSL_SUCCESS ||
        gsl_eigen_gensymm_standardize(K, M) != GSL_SUCCESS || !il_symmetric_level(K, &of_both)) {
        return false;
    }
    il_symmetric_flush(K);
    if (gsl_eigen_symmv(K, values, vectors, work) != GSL_SUCCESS) {
        return false;
    }
    for (size_t j = 0; j < values->size; j++) {
        gsl_vector_view v = gsl_matrix_column(vectors, j);
        gsl_vector_set(values, j, ldexp(gsl_vector_get(values, j), of_K + of_both - of_M));
        (void)gsl_blas_dtrsv(CblasLower, CblasTrans, CblasNonUnit, M, &v.vector);
        gsl_blas_dscal(1.0 / gsl_blas_dnrm2(&v.vector), &v.vector);
    }
    return true;
}

/* The modes from GSL's, whose vectors have Euclid's length 1. */
static void take_modes(il_modes *m, const il_modal_system *of, size_t k, const gsl_vector *values,
                       const gsl_matrix *vectors) {
    size_t d = of->d;
    for (size_t j = 0; j < m->n; j++) {
        double v[IL_MODAL_MAX] = {0.0};
        double length = 0.0;
        for (size_t i = 0; i < m->n; i++) {
            v[i + (i >= k)] = gsl_matrix_get(vectors, i, j);
        }
        for (size_t i = 0; i < d; i++) {
            length += v[i] * il_modal_row_times(of->M, d, i, v);
        }
        for (size_t i = 0; i < d; i++) {
            m->V[i * m->n + j] = v[i] / sqrt(length);
        }
        m->omega[j] = gsl_vector_get(values, j); /* squared, until it is checked */
    }
}

il_status il_modes_find(il_modes *m, const il_modal_system *of, size_t k, il_error *err) {
    if (m->n == 0) {
        return IL_OK;
    }
    size_t n = m->n;
    double *room = il_alloc(3 * n * n + n, sizeof *room);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n);
    gsl_matrix_view K = gsl_matrix_view_array(room, n, n);
    gsl_matrix_view M = gsl_matrix_view_array(room + n * n, n, n);
    gsl_matrix_view vectors = gsl_matrix_view_array(room + 2 * n * n, n, n);
    gsl_vector_view values = gsl_vector_view_array(room + 3 * n * n, n);
    il_status status = IL_OK;
    restrict_to(&K.matrix, of->K, of->d, k);
    restrict_to(&M.matrix, of->M, of->d, k);
    if (!diagonalise(&K.matrix, &M.matrix, &values.vector, &vectors.matrix, work)) {
        status = il_fail(err, IL_ENUMERIC, "the normal modes could not be computed");
        goto done;
    }
    take_modes(m, of, k, &values.vector, &vectors.matrix);
    double largest =
        fmax(fabs(gsl_vector_max(&values.vector)), fabs(gsl_vector_min(&values.vector)));
    for (size_t j = 0; j < n; j++) {
        if (m->omega[j] < -SLACK * (double)n * largest) {
            status = il_fail(err, IL_EINVAL,
                             "parameter 'stiffness' is not positive semidefinite: a mode has "
                             "omega^2 = %g; allowed: >= 0",
                             m->omega[j]);
            goto done;
        }
        m->omega[j] = m->omega[j] <= SLACK * largest ? 0.0 : sqrt(m->omega[j]);
    }
done:
    gsl_eigen_symmv_free(work);
    free(room);
    return status;
}
