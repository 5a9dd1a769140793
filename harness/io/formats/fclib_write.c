/*
 * fclib_write.c - a projection as FCLib's global problem: M v = H r + f, u = H' v + w.
 */
#include "harness/io/formats/fclib_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/io/file.h"
#include "harness/io/formats/hdf5_file.h"

enum { SPACEDIM = 3 };

static const char description[] =
    "The projection inside one time step of frictionless contact dynamics: minimise "
    "1/2 (v - M^-1 f)' M (v - M^-1 f) over H_N' v + w_N >= 0. Contacts have three components, "
    "normal first; tangential columns of H are empty and mu = 0. The solution is the one of the "
    "program's own projector.";
static const char math_info[] =
    "v exists and is unique where the constraints can be met; r need not be unique.";

/* Compressed columns: column j holds entries p[j]..p[j+1]-1. */
typedef struct {
    int m, n, nzmax;
    int *p;    /* [n+1] */
    int *i;    /* [nzmax] rows */
    double *x; /* [nzmax] */
} matrix;

typedef struct {
    matrix M;       /* d x d */
    matrix H;       /* d x 3p */
    double *f;      /* [d] */
    double *w, *mu; /* [3p], [p] */
    double *v;      /* [d] the projector's answer */
    double *u, *r;  /* [3p] */
} arrays;

static void free_matrix(matrix *w) {
    free(w->p);
    free(w->i);
    free(w->x);
}

static void release(arrays *w) {
    free_matrix(&w->M);
    free_matrix(&w->H);
    free(w->f);
    free(w->w);
}

static void make_matrix(matrix *w, size_t m, size_t n, size_t entries) {
    w->m = (int)m;
    w->n = (int)n;
    w->nzmax = (int)entries;
    w->p = il_alloc_zero(n + 1, sizeof *w->p);
    w->i = il_alloc(entries, sizeof *w->i);
    w->x = il_alloc(entries, sizeof *w->x);
}

/* M: its diagonal, or every column whole. */
static void fill_mass(arrays *w, const il_step_problem *problem) {
    size_t d = problem->d;
    const double *diagonal = il_metric_masses(problem->mass);
    size_t column = diagonal != NULL ? 1 : d;
    double *unit = il_alloc_zero(d, sizeof *unit);
    make_matrix(&w->M, d, d, d * column);
    for (size_t k = 0; k < d; k++) {
        int *row = w->M.i + k * column;
        w->M.p[k + 1] = (int)((k + 1) * column);
        row[0] = (int)k;
        if (diagonal != NULL) {
            w->M.x[k] = diagonal[k];
            continue;
        }
        unit[k] = 1.0;
        il_metric_mul(problem->mass, unit, w->M.x + k * column);
        unit[k] = 0.0;
        for (size_t j = 0; j < d; j++) {
            row[j] = (int)j;
        }
    }
    free(unit);
}

/* H: row i of the projection is column 3 i; 3 i + 1 and 3 i + 2 are empty. */
static void fill_gradients(arrays *w, const il_rows *rows) {
    make_matrix(&w->H, (size_t)w->M.m, SPACEDIM * rows->p, rows->nnz);
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t c = 1; c <= SPACEDIM; c++) {
            w->H.p[SPACEDIM * i + c] = (int)rows->start[i + 1];
        }
    }
    for (size_t e = 0; e < rows->nnz; e++) {
        w->H.i[e] = (int)rows->col[e];
        w->H.x[e] = rows->coef[e];
    }
}

static void fill_vectors(arrays *w, const il_step_problem *problem) {
    size_t d = problem->d;
    size_t p = problem->rows.p;
    size_t m = SPACEDIM * p;
    w->f = il_alloc_zero(2 * d, sizeof *w->f);
    w->w = il_alloc_zero(3 * m + p, sizeof *w->w);
    w->v = w->f + d;
    w->u = w->w + m;
    w->r = w->u + m;
    w->mu = w->r + m;
    il_metric_mul(problem->mass, problem->target, w->f);
    memcpy(w->v, problem->x, d * sizeof *w->v);
    for (size_t i = 0; i < p; i++) {
        size_t k = SPACEDIM * i;
        w->w[k] = problem->a[i] / problem->scale;
        w->u[k] = w->w[k] + il_rows_dot(&problem->rows, i, problem->x);
        w->r[k] = problem->scale * problem->lambda[i];
    }
}

static il_status check(const il_step_problem *problem, il_error *err) {
    size_t d = problem->d;
    size_t p = problem->rows.p;
    size_t column = il_metric_masses(problem->mass) != NULL ? 1 : d;
    if (p == 0) {
        return il_fail(err, IL_EINVAL,
                       "the projection at t = %.10g has no row, which FCLib cannot hold; choose a "
                       "step with contacts",
                       problem->t);
    }
    return d <= INT_MAX / column && p <= INT_MAX / SPACEDIM - 1 && problem->rows.nnz <= INT_MAX
               ? IL_OK
               : il_fail(err, IL_EINVAL,
                         "the projection has %zu unknowns and %zu rows with %zu entries; FCLib "
                         "counts to %d",
                         d, p, problem->rows.nnz, INT_MAX);
}

static il_status write_arrays(const arrays *w, const char *path, const char *title,
                              const char *record, il_error *err) {
    static const int spacedim = SPACEDIM;
    static const int nz = -1; /* FCLib's mark of compressed columns */
    size_t d = (size_t)w->M.n;
    size_t m = (size_t)w->H.n;
    const il_hdf5_array list[] = {
        {"fclib_global/spacedim", IL_HDF5_INT, 1, {1}, &spacedim},
        {"fclib_global/M/nzmax", IL_HDF5_INT, 1, {1}, &w->M.nzmax},
        {"fclib_global/M/m", IL_HDF5_INT, 1, {1}, &w->M.m},
        {"fclib_global/M/n", IL_HDF5_INT, 1, {1}, &w->M.n},
        {"fclib_global/M/nz", IL_HDF5_INT, 1, {1}, &nz},
        {"fclib_global/M/p", IL_HDF5_INT, 1, {d + 1}, w->M.p},
        {"fclib_global/M/i", IL_HDF5_INT, 1, {(size_t)w->M.nzmax}, w->M.i},
        {"fclib_global/M/x", IL_HDF5_DOUBLE, 1, {(size_t)w->M.nzmax}, w->M.x},
        {"fclib_global/H/nzmax", IL_HDF5_INT, 1, {1}, &w->H.nzmax},
        {"fclib_global/H/m", IL_HDF5_INT, 1, {1}, &w->H.m},
        {"fclib_global/H/n", IL_HDF5_INT, 1, {1}, &w->H.n},
        {"fclib_global/H/nz", IL_HDF5_INT, 1, {1}, &nz},
        {"fclib_global/H/p", IL_HDF5_INT, 1, {m + 1}, w->H.p},
        {"fclib_global/H/i", IL_HDF5_INT, 1, {(size_t)w->H.nzmax}, w->H.i},
        {"fclib_global/H/x", IL_HDF5_DOUBLE, 1, {(size_t)w->H.nzmax}, w->H.x},
        {"fclib_global/vectors/f", IL_HDF5_DOUBLE, 1, {d}, w->f},
        {"fclib_global/vectors/w", IL_HDF5_DOUBLE, 1, {m}, w->w},
        {"fclib_global/vectors/mu", IL_HDF5_DOUBLE, 1, {m / SPACEDIM}, w->mu},
        {"fclib_global/info/title", IL_HDF5_TEXT, 0, {0}, title},
        {"fclib_global/info/description", IL_HDF5_TEXT, 0, {0}, description},
        {"fclib_global/info/math_info", IL_HDF5_TEXT, 0, {0}, math_info},
        {"solution/v", IL_HDF5_DOUBLE, 1, {d}, w->v},
        {"solution/u", IL_HDF5_DOUBLE, 1, {m}, w->u},
        {"solution/r", IL_HDF5_DOUBLE, 1, {m}, w->r},
    };
    return il_hdf5_file_write(list, sizeof list / sizeof list[0], record, path, err);
}

il_status il_fclib_write(const il_step_problem *problem, const char *path, const char *title,
                         const char *record, il_error *err) {
    arrays w = {.f = NULL};
    il_status status = check(problem, err);
    if (status == IL_OK) {
        fill_mass(&w, problem);
        fill_gradients(&w, &problem->rows);
        fill_vectors(&w, problem);
        status = write_arrays(&w, path, title, record, err);
    }
    release(&w);
    return status;
}

/* W, q and the answer, normal components alone: W by columns. */
static void fill_local(arrays *w, const il_fclib_problem *local) {
    const il_step_problem *problem = &local->problem;
    size_t p = problem->rows.p;
    size_t m = SPACEDIM * p;
    int count = 0;
    w->w = il_alloc_zero(3 * m + p, sizeof *w->w);
    make_matrix(&w->M, m, m, p * p);
    w->u = w->w + m;
    w->r = w->u + m;
    w->mu = w->r + m;
    for (size_t j = 0; j < p; j++) {
        w->w[SPACEDIM * j] = w->u[SPACEDIM * j] = problem->a[j];
        w->r[SPACEDIM * j] = problem->lambda[j];
        for (size_t i = 0; i < p; i++) {
            double entry = local->W[i * p + j];
            w->u[SPACEDIM * j] += local->W[j * p + i] * problem->lambda[i];
            w->M.i[count] = (int)(SPACEDIM * i);
            w->M.x[count] = entry;
            count += entry != 0.0;
        }
        for (size_t c = 1; c <= SPACEDIM; c++) {
            w->M.p[SPACEDIM * j + c] = count;
        }
    }
    w->M.nzmax = count;
}

il_status il_fclib_write_local(const il_fclib_problem *local, const char *path, const char *title,
                               const char *record, il_error *err) {
    static const int spacedim = SPACEDIM;
    static const int nz = -1;
    arrays w = {.f = NULL};
    fill_local(&w, local);
    size_t m = (size_t)w.M.n;
    const il_hdf5_array list[] = {
        {"fclib_local/spacedim", IL_HDF5_INT, 1, {1}, &spacedim},
        {"fclib_local/W/nzmax", IL_HDF5_INT, 1, {1}, &w.M.nzmax},
        {"fclib_local/W/m", IL_HDF5_INT, 1, {1}, &w.M.m},
        {"fclib_local/W/n", IL_HDF5_INT, 1, {1}, &w.M.n},
        {"fclib_local/W/nz", IL_HDF5_INT, 1, {1}, &nz},
        {"fclib_local/W/p", IL_HDF5_INT, 1, {m + 1}, w.M.p},
        {"fclib_local/W/i", IL_HDF5_INT, 1, {(size_t)w.M.nzmax}, w.M.i},
        {"fclib_local/W/x", IL_HDF5_DOUBLE, 1, {(size_t)w.M.nzmax}, w.M.x},
        {"fclib_local/vectors/q", IL_HDF5_DOUBLE, 1, {m}, w.w},
        {"fclib_local/vectors/mu", IL_HDF5_DOUBLE, 1, {m / SPACEDIM}, w.mu},
        {"fclib_local/info/title", IL_HDF5_TEXT, 0, {0}, title},
        {"solution/u", IL_HDF5_DOUBLE, 1, {m}, w.u},
        {"solution/r", IL_HDF5_DOUBLE, 1, {m}, w.r},
    };
    il_status status = il_hdf5_file_write(list, sizeof list / sizeof list[0], record, path, err);
    release(&w);
    return status;
}

il_status il_fclib_check_path(const char *path, il_error *err) {
    const char *extension = il_file_extension(path);
    if (strcmp(extension, ".hdf5") != 0 && strcmp(extension, ".h5") != 0) {
        return il_fail(err, IL_EINVAL, "FCLib file '%s': the name must end in .hdf5 or .h5", path);
    }
    il_status status = il_hdf5_file_check(err);
    return status == IL_OK ? il_file_can_write(path, err) : status;
}
