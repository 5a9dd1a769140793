/*
 * metric.c - M x, M^{-1} x and the inner product <a,b>_M = a' M b.
 */
#include "harness/base/metric.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

struct il_metric {
    size_t d;
    double smallest;
    double *mass;      /* [d] diagonal, or NULL */
    double *root;      /* [d] square roots of mass, or NULL */
    gsl_matrix *full;  /* M, or NULL */
    gsl_matrix *lower; /* its Cholesky factor, or NULL */
};

/* Entries of a symmetric matrix may differ by this much of the largest: the rounding of a matrix
 * that was computed, not typed. */
static const double SYMMETRY = 1e-14;

static const double LIGHTEST = 1e-100;
static const double HEAVIEST = 1e100;

/* Its arrays are undefined. */
static il_metric *metric_new(size_t d, bool diagonal) {
    il_metric *metric = il_alloc_zero(1, sizeof *metric);
    metric->d = d;
    metric->mass = diagonal ? il_alloc(d, sizeof *metric->mass) : NULL;
    metric->root = diagonal ? il_alloc(d, sizeof *metric->root) : NULL;
    metric->full = diagonal ? NULL : gsl_matrix_alloc(d, d);
    metric->lower = diagonal ? NULL : gsl_matrix_alloc(d, d);
    return metric;
}

il_status il_metric_diagonal(il_metric **out, size_t d, const double *mass, il_error *err) {
    *out = NULL;
    for (size_t k = 0; k < d; k++) {
        if (!(mass[k] >= LIGHTEST && mass[k] <= HEAVIEST)) {
            return il_fail(
                err, IL_EINVAL,
                "mass %zu is %s; allowed are masses from %g to %g, whose reciprocals and "
                "squares are numbers too",
                k + 1, il_text_numeral(mass[k]).text, LIGHTEST, HEAVIEST);
        }
    }
    il_metric *metric = metric_new(d, true);
    metric->smallest = INFINITY;
    for (size_t k = 0; k < d; k++) {
        metric->mass[k] = mass[k];
        metric->root[k] = sqrt(mass[k]);
        metric->smallest = fmin(metric->smallest, mass[k]);
    }
    *out = metric;
    return IL_OK;
}

static il_status check_symmetric(size_t d, const double *matrix, il_error *err) {
    double largest = 0.0;
    for (size_t k = 0; k < d * d; k++) {
        if (!isfinite(matrix[k])) {
            return il_fail(err, IL_EINVAL, "entry (%zu,%zu) of the mass matrix is not finite",
                           k / d + 1, k % d + 1);
        }
        largest = fmax(largest, fabs(matrix[k]));
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < i; j++) {
            double a = matrix[i * d + j];
            double b = matrix[j * d + i];
            if (!(fabs(a - b) <= SYMMETRY * largest)) {
                return il_fail(err, IL_EINVAL,
                               "the mass matrix is not symmetric: entry (%zu,%zu) is %.17g but "
                               "entry (%zu,%zu) is %.17g",
                               i + 1, j + 1, a, j + 1, i + 1, b);
            }
        }
    }
    return IL_OK;
}

/* A 2^-e, e even, max |A_ij| 2^-e in [1/4, 1); and entries that are nothing beside it. */
bool il_symmetric_level(gsl_matrix *A, int *exponent) {
    double largest = 0.0;
    *exponent = 0;
    for (size_t i = 0; i < A->size1; i++) {
        for (size_t j = 0; j <= i; j++) {
            double x = fabs(gsl_matrix_get(A, i, j));
            if (!isfinite(x)) {
                return false;
            }
            largest = fmax(largest, x);
        }
    }
    (void)frexp(largest, exponent);
    *exponent += *exponent % 2 != 0;
    for (size_t i = 0; i < A->size1; i++) {
        for (size_t j = 0; j <= i; j++) {
            gsl_matrix_set(A, i, j, ldexp(gsl_matrix_get(A, i, j), -*exponent));
        }
    }
    return true;
}

void il_symmetric_flush(gsl_matrix *A) {
    for (size_t i = 0; i < A->size1; i++) {
        for (size_t j = 0; j <= i; j++) {
            if (fabs(gsl_matrix_get(A, i, j)) < 0x1p-200) {
                gsl_matrix_set(A, i, j, 0.0);
            }
        }
    }
}

/* Also 0 where it is lost in the rounding of the largest. */
static il_status smallest_eigenvalue(const gsl_matrix *full, double *smallest) {
    size_t d = full->size1;
    gsl_matrix *copy = gsl_matrix_alloc(d, d);
    gsl_vector *values = gsl_vector_alloc(d);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(d);
    int exponent = 0;
    gsl_matrix_memcpy(copy, full);
    bool found = il_symmetric_level(copy, &exponent);
    il_symmetric_flush(copy);
    found = found && gsl_eigen_symm(copy, values, work) == GSL_SUCCESS;
    il_status status = found ? IL_OK : IL_ENUMERIC;
    double least = found ? gsl_vector_min(values) : NAN;
    bool lost = found && fabs(least) <= (double)d * DBL_EPSILON * gsl_vector_max(values);
    *smallest = lost ? 0.0 : ldexp(least, exponent);
    gsl_eigen_symm_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(copy);
    return status;
}

il_status il_metric_dense(il_metric **out, size_t d, const double *matrix, il_error *err) {
    *out = NULL;
    il_status status = check_symmetric(d, matrix, err);
    if (status != IL_OK) {
        return status;
    }
    il_metric *metric = metric_new(d, false);
    memcpy(metric->full->data, matrix, d * d * sizeof *matrix);
    gsl_matrix_memcpy(metric->lower, metric->full);
    status = smallest_eigenvalue(metric->full, &metric->smallest);
    if (status != IL_OK) {
        (void)il_fail(err, status, "the eigenvalues of the mass matrix could not be computed: %s",
                      il_status_text(status));
        goto fail;
    }
    if (!(metric->smallest > 0.0) || gsl_linalg_cholesky_decomp1(metric->lower) != GSL_SUCCESS) {
        status = il_fail(err, IL_EINVAL,
                         "the mass matrix is not positive definite: its smallest eigenvalue is %g",
                         metric->smallest);
        goto fail;
    }
    *out = metric;
    return IL_OK;
fail:
    il_metric_destroy(metric);
    return status;
}

void il_metric_destroy(il_metric *metric) {
    if (metric == NULL) {
        return;
    }
    free(metric->mass);
    free(metric->root);
    gsl_matrix_free(metric->full);
    gsl_matrix_free(metric->lower);
    free(metric);
}

size_t il_metric_size(const il_metric *metric) {
    return metric->d;
}

const double *il_metric_masses(const il_metric *metric) {
    return metric->mass;
}

double il_metric_smallest(const il_metric *metric) {
    return metric->smallest;
}

void il_metric_mul(const il_metric *metric, const double *x, double *y) {
    if (metric->mass != NULL) {
        for (size_t k = 0; k < metric->d; k++) {
            y[k] = metric->mass[k] * x[k];
        }
        return;
    }
    for (size_t i = 0; i < metric->d; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < metric->d; j++) {
            sum += gsl_matrix_get(metric->full, i, j) * x[j];
        }
        y[i] = sum;
    }
}

static void triangular(const il_metric *metric, bool transposed, double *y) {
    gsl_vector_view view = gsl_vector_view_array(y, metric->d);
    (void)gsl_blas_dtrsv(CblasLower, transposed ? CblasTrans : CblasNoTrans, CblasNonUnit,
                         metric->lower, &view.vector);
}

void il_metric_whiten(const il_metric *metric, const double *x, double *y) {
    if (metric->mass != NULL) {
        for (size_t k = 0; k < metric->d; k++) {
            y[k] = x[k] / metric->root[k];
        }
        return;
    }
    memmove(y, x, metric->d * sizeof *y);
    triangular(metric, false, y);
}

void il_metric_unwhiten(const il_metric *metric, const double *x, double *y) {
    if (metric->mass != NULL) {
        il_metric_whiten(metric, x, y);
        return;
    }
    memmove(y, x, metric->d * sizeof *y);
    triangular(metric, true, y);
}

void il_metric_solve(const il_metric *metric, const double *x, double *y) {
    if (metric->mass != NULL) {
        for (size_t k = 0; k < metric->d; k++) {
            y[k] = x[k] / metric->mass[k];
        }
        return;
    }
    il_metric_whiten(metric, x, y);
    il_metric_unwhiten(metric, y, y);
}

double il_metric_inner(const il_metric *metric, const double *x, const double *y) {
    double sum = 0.0;
    if (metric->mass != NULL) {
        for (size_t k = 0; k < metric->d; k++) {
            sum += metric->mass[k] * x[k] * y[k];
        }
        return sum;
    }
    for (size_t i = 0; i < metric->d; i++) {
        for (size_t j = 0; j < metric->d; j++) {
            sum += x[i] * gsl_matrix_get(metric->full, i, j) * y[j];
        }
    }
    return sum;
}
