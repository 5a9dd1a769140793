/*
 * fclib_read.c - a problem of FCLib, global or local, as rows, a metric and a target.
 */
#include "harness/io/formats/fclib_file.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/formats/hdf5_file.h"

/* ---- reading -------------------------------------------------------------------------------- */

/* The arrays of a file, those of a matrix being seven in this order. */
enum {
    SPACEDIM,
    BILATERAL,
    M_M,
    M_N,
    M_NZMAX,
    M_NZ,
    M_P,
    M_I,
    M_X,
    H_M,
    H_X = H_M + 6,
    F,
    W,
    MU,
    V,
    R,
    ARRAYS
};

static const char *const names[2 * ARRAYS] = {
    "fclib_global/spacedim", "fclib_global/G/m", "fclib_global/M/m", "fclib_global/M/n",
    "fclib_global/M/nzmax", "fclib_global/M/nz", "fclib_global/M/p", "fclib_global/M/i",
    "fclib_global/M/x", "fclib_global/H/m", "fclib_global/H/n", "fclib_global/H/nzmax",
    "fclib_global/H/nz", "fclib_global/H/p", "fclib_global/H/i", "fclib_global/H/x",
    "fclib_global/vectors/f", "fclib_global/vectors/w", "fclib_global/vectors/mu", "solution/v",
    "solution/r",
    /* local: there is no H and no w */
    "fclib_local/spacedim", "fclib_local/V/m", "fclib_local/W/m", "fclib_local/W/n",
    "fclib_local/W/nzmax", "fclib_local/W/nz", "fclib_local/W/p", "fclib_local/W/i",
    "fclib_local/W/x", "fclib_local/H/m", "fclib_local/H/n", "fclib_local/H/nzmax",
    "fclib_local/H/nz", "fclib_local/H/p", "fclib_local/H/i", "fclib_local/H/x",
    "fclib_local/vectors/q", "fclib_local/vectors/w", "fclib_local/vectors/mu", "solution/v",
    "solution/r"};

typedef struct {
    size_t m, n, count;
    double *entry; /* [3 count] row, column, value */
} matrix;

typedef struct {
    const char *path;
    const il_hdf5_numbers *read; /* [ARRAYS] */
    bool local;
    size_t spacedim;
    matrix M, H; /* M is W of a local problem */
    const il_hdf5_numbers *f, *w, *mu, *v, *r;
    il_error *err;
} file;

static il_status refuse(const file *w, const char *why) {
    return il_fail(w->err, IL_EINVAL, "'%s' %s", w->path, why);
}

static il_status refuse_all(const file *w) {
    return refuse(w, "is no HDF5 file with a problem of FCLib (/fclib_local)");
}

static il_status starved(const file *w) {
    return il_fail(w->err, IL_ENOMEM, "no memory for the problem of '%s'", w->path);
}

/* The integer in an array, which is not less than least; INT_MIN where there is none. */
static int integer(const il_hdf5_numbers *of, int least) {
    bool good = of->n != SIZE_MAX && of->n > 0 && of->x[0] >= least && of->x[0] <= INT_MAX &&
                of->x[0] == floor(of->x[0]);
    return good ? (int)of->x[0] : INT_MIN;
}

/* Rows, columns and values of the entries of a matrix of seven arrays: by compressed columns
 * (nz = -1), compressed rows (-2), or entry by entry. */
static bool take_entries(const il_hdf5_numbers *of, int nz, matrix *m) {
    const double *p = of[M_P - M_M].x;
    const double *index = of[M_I - M_M].x;
    size_t lines = nz == -1 ? m->n : m->m;
    size_t at = 0;
    for (size_t k = 0; nz < 0 && k < lines; k++) {
        if (!(p[0] == 0.0 && p[k] <= p[k + 1] && p[k + 1] <= (double)of[M_X - M_M].n)) {
            return false;
        }
    }
    m->count = nz < 0 ? (size_t)p[lines] : (size_t)nz;
    m->entry = malloc((3 * m->count + 1) * sizeof *m->entry);
    for (size_t e = 0; m->entry != NULL && e < m->count; e++) {
        while (nz < 0 && (double)e >= p[at + 1]) {
            at++;
        }
        double major = nz < 0 ? (double)at : p[e];
        double row = nz == -2 ? major : index[e];
        double column = nz == -2 ? index[e] : major;
        if (!(row >= 0.0 && row < (double)m->m && column >= 0.0 && column < (double)m->n)) {
            return false;
        }
        m->entry[3 * e] = floor(row);
        m->entry[3 * e + 1] = floor(column);
        m->entry[3 * e + 2] = of[M_X - M_M].x[e];
    }
    return true;
}

static il_status take_matrix(const file *w, const il_hdf5_numbers *of, matrix *m) {
    int rows = integer(&of[0], 0);
    int columns = integer(&of[M_N - M_M], 0);
    int most = integer(&of[M_NZMAX - M_M], 0);
    int nz = integer(&of[M_NZ - M_M], -2);
    size_t starts = of[M_P - M_M].n;
    size_t entries = of[M_X - M_M].n;
    if (rows < 0 || columns < 0 || most < 0 || nz < -2 || starts == SIZE_MAX ||
        entries == SIZE_MAX || of[M_I - M_M].n != entries ||
        entries < (size_t)(nz >= 0 ? nz : most) ||
        starts < (size_t)(nz >= 0 ? nz : (nz == -1 ? columns : rows) + 1)) {
        return refuse_all(w);
    }
    m->m = (size_t)rows;
    m->n = (size_t)columns;
    return !take_entries(of, nz, m) ? refuse_all(w) : m->entry != NULL ? IL_OK : starved(w);
}

/* ---- is it consistent? ---------------------------------------------------------------------- */

static size_t contacts_of(const file *w) {
    return (w->local ? w->M.n : w->H.n) / w->spacedim;
}

static il_status check(const file *w) {
    if (w->spacedim != 2 && w->spacedim != 3) {
        return refuse(w, "has another spacedim than 2 or 3");
    }
    if (w->read[BILATERAL].n != SIZE_MAX) {
        return refuse(w, "has bilateral constraints; allowed: contacts alone");
    }
    size_t p = contacts_of(w);
    size_t m = p * w->spacedim;
    bool sizes = w->M.m == w->M.n && w->mu->n == p &&
                 (w->local ? w->M.n == m && w->f->n == m
                           : w->H.m == w->M.n && w->H.n == m && w->f->n == w->M.n && w->w->n == m);
    if (!sizes || p == 0) {
        return refuse(w,
                      "has matrices and vectors whose sizes do not fit each other, or no contact");
    }
    const il_hdf5_numbers *const all[] = {w->f, w->w, w->mu};
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; all[k]->n != SIZE_MAX && i < all[k]->n; i++) {
            if (!isfinite(all[k]->x[i])) {
                return refuse(w, "has a number that is not finite");
            }
        }
    }
    return IL_OK;
}

/* ---- to a projection ------------------------------------------------------------------------ */

/* The dense matrix of entries, [n n]; NULL without memory. */
static double *dense(const matrix *m) {
    double *out = calloc(m->n * m->n, sizeof *out);
    for (size_t e = 0; out != NULL && e < m->count; e++) {
        out[(size_t)m->entry[3 * e] * m->n + (size_t)m->entry[3 * e + 1]] += m->entry[3 * e + 2];
    }
    return out;
}

static il_status make_mass(const file *w, il_step_problem *out) {
    size_t d = w->M.n;
    double *diagonal = calloc(d, sizeof *diagonal);
    bool is_diagonal = true;
    for (size_t e = 0; diagonal != NULL && e < w->M.count; e++) {
        size_t row = (size_t)w->M.entry[3 * e];
        bool on = row == (size_t)w->M.entry[3 * e + 1];
        is_diagonal = is_diagonal && (on || w->M.entry[3 * e + 2] == 0.0);
        diagonal[row] += on ? w->M.entry[3 * e + 2] : 0.0;
    }
    il_status status = diagonal != NULL ? IL_OK : starved(w);
    if (status == IL_OK && is_diagonal) {
        status = il_metric_diagonal(&out->mass, d, diagonal, w->err);
    } else if (status == IL_OK && d > IL_FCLIB_DENSE_MAX) {
        status = il_fail(w->err, IL_EUNSUPPORTED,
                         "'%s' has a mass matrix of %zu unknowns that is not diagonal; allowed: at "
                         "most %d",
                         w->path, d, IL_FCLIB_DENSE_MAX);
    } else if (status == IL_OK) {
        double *full = dense(&w->M);
        status = full != NULL ? il_metric_dense(&out->mass, d, full, w->err) : starved(w);
        free(full);
    }
    free(diagonal);
    return status;
}

static int by_place(const void *a, const void *b) {
    const double *x = a;
    const double *y = b;
    return x[1] != y[1] ? (x[1] > y[1]) - (x[1] < y[1]) : (x[0] > y[0]) - (x[0] < y[0]);
}

/* Normal columns of H as rows. */
static il_status make_rows(file *w, il_step_problem *out) {
    size_t p = contacts_of(w);
    size_t *col = malloc((w->M.n + 1) * sizeof *col);
    double *coef = malloc((w->M.n + 1) * sizeof *coef);
    il_status status = IL_OK;
    size_t e = 0;
    if (col == NULL || coef == NULL) {
        free(col);
        free(coef);
        return starved(w);
    }
    qsort(w->H.entry, w->H.count, 3 * sizeof(double), by_place);
    for (size_t i = 0; status == IL_OK && i < p; i++) {
        size_t n = 0;
        double column = (double)(i * w->spacedim);
        while (e < w->H.count && w->H.entry[3 * e + 1] < column) {
            e++;
        }
        for (; e < w->H.count && w->H.entry[3 * e + 1] == column; e++) {
            size_t row = (size_t)w->H.entry[3 * e];
            if (n > 0 && col[n - 1] == row) {
                coef[n - 1] += w->H.entry[3 * e + 2];
            } else {
                col[n] = row;
                coef[n++] = w->H.entry[3 * e + 2];
            }
        }
        status = il_rows_append(&out->rows, i, w->w->x[i * w->spacedim], 0.0, n, col, coef);
        status = status == IL_OK ? IL_OK : starved(w);
    }
    free(col);
    free(coef);
    return status;
}

/* L of W_NN = L L' into rows, for a matrix that is positive semidefinite: a pivot at rounding and
 * its column are zero. */
static il_status make_local_rows(file *w, il_step_problem *out) {
    size_t p = contacts_of(w);
    double *L = calloc(p * p, sizeof *L);
    double *full = dense(&w->M);
    size_t *col = malloc((p + 1) * sizeof *col);
    il_status status = IL_OK;
    double size = 0.0;
    if (L == NULL || full == NULL || col == NULL) {
        free(L);
        free(full);
        free(col);
        return starved(w);
    }
    for (size_t i = 0; i < p; i++) {
        col[i] = i;
        size = fmax(size, full[i * w->spacedim * (w->M.n + 1)]);
    }
    for (size_t k = 0; status == IL_OK && k < p; k++) {
        for (size_t i = k; i < p; i++) {
            double sum = full[i * w->spacedim * w->M.n + k * w->spacedim];
            for (size_t j = 0; j < k; j++) {
                sum -= L[i * p + j] * L[k * p + j];
            }
            if (i == k) {
                L[k * p + k] = sum > 1e-13 * size ? sqrt(sum) : 0.0;
                if (!(sum > -1e-9 * size)) {
                    status = refuse(w, "has a matrix W that is not positive semidefinite");
                    break;
                }
            } else {
                L[i * p + k] = L[k * p + k] > 0.0 ? sum / L[k * p + k] : 0.0;
            }
        }
    }
    for (size_t i = 0; status == IL_OK && i < p; i++) {
        status =
            il_rows_append(&out->rows, i, w->f->x[i * w->spacedim], 0.0, i + 1, col, L + i * p);
        status = status == IL_OK ? IL_OK : starved(w);
    }
    free(L);
    free(full);
    free(col);
    return status;
}

/* Multipliers and x of the solution, which is exact where the file's is. */
static void take_solution(const file *w, il_fclib_problem *out) {
    il_step_problem *problem = &out->problem;
    size_t p = contacts_of(w);
    out->solved = w->r->n == p * w->spacedim;
    for (size_t i = 0; out->solved && i < p; i++) {
        problem->lambda[i] = w->r->x[i * w->spacedim];
    }
    il_qp qp = il_step_problem_qp(problem);
    if (out->solved && w->v->n == problem->d && !w->local) {
        memcpy(problem->x, w->v->x, problem->d * sizeof *problem->x);
    } else if (out->solved) {
        double *force = malloc(problem->d * sizeof *force);
        out->solved = force != NULL;
        if (force != NULL) {
            il_projection_from_multipliers(&qp, problem->lambda, force, problem->x);
        }
        free(force);
    }
}

static il_status convert(file *w, il_fclib_problem *out) {
    il_step_problem *problem = &out->problem;
    size_t p = contacts_of(w);
    size_t d = w->local ? p : w->M.n;
    if (w->local && p > IL_FCLIB_DENSE_MAX) {
        return il_fail(w->err, IL_EUNSUPPORTED,
                       "'%s' is a local problem of %zu contacts; allowed: at most %d", w->path, p,
                       IL_FCLIB_DENSE_MAX);
    }
    il_rows_init(&problem->rows);
    problem->d = d;
    problem->scale = 1.0;
    problem->kept = true;
    problem->target = calloc(2 * d + 2 * p, sizeof *problem->target); /* one room, as it is freed */
    if (problem->target == NULL) {
        return starved(w);
    }
    problem->x = problem->target + d;
    problem->a = problem->x + d;
    problem->lambda = problem->a + p;
    il_status status = IL_OK;
    if (w->local) {
        for (size_t k = 0; k < d; k++) {
            problem->x[k] = 1.0;
        }
        status = il_metric_diagonal(&problem->mass, d, problem->x, w->err);
        status = status == IL_OK ? make_local_rows(w, problem) : status;
    } else {
        status = make_mass(w, problem);
        status = status == IL_OK ? make_rows(w, problem) : status;
        if (status == IL_OK) {
            il_metric_solve(problem->mass, w->f->x, problem->target);
        }
    }
    for (size_t i = 0; status == IL_OK && i < p; i++) {
        problem->a[i] = problem->rows.value[i];
        out->friction = fmax(out->friction, w->mu->x[i]);
    }
    if (status == IL_OK) {
        take_solution(w, out);
    }
    return status;
}

static il_status take(file *w, il_fclib_problem *out) {
    const il_hdf5_numbers *read = w->read;
    int spacedim = integer(&read[SPACEDIM], INT_MIN + 1);
    if (spacedim == INT_MIN) {
        return refuse_all(w);
    }
    out->local = w->local;
    w->spacedim = spacedim > 0 ? (size_t)spacedim : 0;
    w->f = &read[F];
    w->w = &read[W];
    w->mu = &read[MU];
    w->v = &read[V];
    w->r = &read[R];
    il_status status = take_matrix(w, &read[M_M], &w->M);
    status = status == IL_OK && !w->local ? take_matrix(w, &read[H_M], &w->H) : status;
    status = status == IL_OK ? check(w) : status;
    return status == IL_OK ? convert(w, out) : status;
}

il_status il_fclib_read(il_fclib_problem *out, const char *path, il_error *err) {
    il_error own = {IL_OK, ""};
    il_hdf5_numbers read[2 * ARRAYS];
    file w = {.path = path, .err = err != NULL ? err : &own};
    memset(out, 0, sizeof *out);
    il_status status = il_hdf5_file_read(path, names, 2 * ARRAYS, read, w.err);
    w.local = read[ARRAYS + SPACEDIM].n != SIZE_MAX;
    w.read = w.local ? read + ARRAYS : read;
    status = status == IL_OK ? take(&w, out) : status == IL_EINVAL ? refuse_all(&w) : status;
    il_hdf5_numbers_free(read, 2 * ARRAYS);
    free(w.M.entry);
    free(w.H.entry);
    return status;
}

void il_fclib_problem_free(il_fclib_problem *problem) {
    il_step_problem_free(&problem->problem);
}
