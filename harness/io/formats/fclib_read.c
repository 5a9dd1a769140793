/*
 * fclib_read.c - a problem of FCLib, global or local, as rows, a metric and a target.
 */
#include "harness/io/formats/fclib_file.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/io/formats/fclib_local.h"
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

static il_status refuse(const file *w, const char *format, ...) {
    char why[300];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return il_fail(w->err, IL_EINVAL, "'%s': %s", w->path, why);
}

static const char *name_of(const file *w, size_t k) {
    return names[w->local ? ARRAYS + k : k];
}

/* Array k is there. */
static il_status need(const file *w, size_t k) {
    const il_hdf5_numbers *a = &w->read[k];
    return a->n != SIZE_MAX ? IL_OK
           : a->head.why[0] != '\0'
               ? refuse(w, "'%s' cannot be read: %s", name_of(w, k), a->head.why)
               : refuse(w, "there is no '%s'", name_of(w, k));
}

/* Array k holds so many numbers, which are those of `whose`. */
static il_status need_length(const file *w, size_t k, size_t n, const char *whose) {
    il_status status = need(w, k);
    return status != IL_OK || w->read[k].n == n
               ? status
               : refuse(w, "'%s' has %zu numbers; allowed: %zu, %s", name_of(w, k), w->read[k].n, n,
                        whose);
}

/* Number e of array k is a whole one of least to most. */
static il_status need_whole(const file *w, size_t k, size_t e, double least, double most) {
    double x = w->read[k].x[e];
    return x >= least && x <= most && x == floor(x)
               ? IL_OK
               : refuse(w, "number %zu of '%s' is %.10g; allowed: a whole number, %.0f to %.0f",
                        e + 1, name_of(w, k), x, least, most);
}

static il_status need_finite(const file *w, size_t k) {
    for (size_t e = 0; e < w->read[k].n; e++) {
        if (!isfinite(w->read[k].x[e])) {
            return refuse(w, "number %zu of '%s' is %g; allowed: a finite number", e + 1,
                          name_of(w, k), w->read[k].x[e]);
        }
    }
    return IL_OK;
}

/* The integer that array k holds. */
static il_status take_integer(const file *w, size_t k, int least, int *out) {
    il_status status = need_length(w, k, 1, "a size");
    status = status == IL_OK ? need_whole(w, k, 0, least, INT_MAX) : status;
    *out = status == IL_OK ? (int)w->read[k].x[0] : 0;
    return status;
}

/* The arrays of a matrix, which begin with array k, belong together: p has the starts of lines
 * (compressed columns, nz = -1, or rows, -2) or columns entry by entry, i the other index. */
static il_status check_entries(const file *w, size_t k, int nz, const matrix *m) {
    const il_hdf5_numbers *p = &w->read[k + M_P];
    size_t lines = nz == -1 ? m->n : m->m;
    il_status status = IL_OK;
    for (size_t e = 0; status == IL_OK && nz < 0 && e <= lines; e++) {
        status = need_whole(w, k + M_P, e, e > 0 ? p->x[e - 1] : 0.0,
                            e > 0 ? (double)w->read[k + M_X].n : 0.0);
    }
    size_t count = nz >= 0 ? (size_t)nz : status == IL_OK ? (size_t)p->x[lines] : 0;
    double most = (double)(nz == -2 ? m->n : m->m) - 1.0;
    for (size_t e = 0; status == IL_OK && e < count; e++) {
        status = need_whole(w, k + M_I, e, 0.0, most);
        if (status == IL_OK && nz >= 0) {
            status = need_whole(w, k + M_P, e, 0.0, (double)m->n - 1.0);
        }
    }
    return status == IL_OK ? need_finite(w, k + M_X) : status;
}

/* Rows, columns and values of the entries. */
static void take_entries(const file *w, size_t k, int nz, matrix *m) {
    const double *p = w->read[k + M_P].x;
    const double *index = w->read[k + M_I].x;
    size_t at = 0;
    m->count = nz >= 0 ? (size_t)nz : (size_t)p[nz == -1 ? m->n : m->m];
    m->entry = il_alloc(3 * m->count, sizeof *m->entry);
    for (size_t e = 0; e < m->count; e++) {
        while (nz < 0 && (double)e >= p[at + 1]) {
            at++;
        }
        double major = nz < 0 ? (double)at : p[e];
        m->entry[3 * e] = nz == -2 ? major : index[e];
        m->entry[3 * e + 1] = nz == -2 ? index[e] : major;
        m->entry[3 * e + 2] = w->read[k + M_X].x[e];
    }
}

/* The matrix whose seven arrays begin with array k + M_M. */
static il_status take_matrix(const file *w, size_t k, matrix *m) {
    int size[4] = {0};
    il_status status = IL_OK;
    for (size_t part = 0; status == IL_OK && part < 4; part++) {
        status = take_integer(w, k + M_M + part, part == 3 ? -2 : 0, &size[part]);
    }
    int nz = size[3];
    m->m = (size_t)size[0];
    m->n = (size_t)size[1];
    size_t entries = (size_t)(nz >= 0 ? nz : size[2]);
    size_t starts = nz >= 0 ? (size_t)nz : (nz == -1 ? m->n : m->m) + 1;
    const size_t least[] = {starts, entries, entries};
    for (size_t part = 0; status == IL_OK && part < 3; part++) {
        status = need(w, k + M_P + part);
        if (status == IL_OK && w->read[k + M_P + part].n < least[part]) {
            status = refuse(w, "'%s' has %zu numbers; allowed: %zu at least",
                            name_of(w, k + M_P + part), w->read[k + M_P + part].n, least[part]);
        }
    }
    if (status == IL_OK) {
        status = need_length(w, k + M_I, w->read[k + M_X].n, "as many as the entries");
    }
    status = status == IL_OK ? check_entries(w, k, nz, m) : status;
    if (status == IL_OK) {
        take_entries(w, k, nz, m);
    }
    return status;
}

/* ---- is it consistent? ---------------------------------------------------------------------- */

static size_t contacts_of(const file *w) {
    return (w->local ? w->M.n : w->H.n) / w->spacedim;
}

static il_status check(const file *w) {
    size_t p = contacts_of(w);
    size_t m = w->local ? w->M.n : w->H.n;
    const char *whose = w->local ? "a row of W each" : "a column of H each";
    if (w->M.m != w->M.n || (!w->local && w->H.m != w->M.n)) {
        return refuse(w, "'%s' is %zu x %zu; allowed: %zu x %zu", name_of(w, M_M), w->M.m, w->M.n,
                      w->local ? w->M.n : w->H.m, w->local ? w->M.n : w->H.m);
    }
    if (p == 0 || p * w->spacedim != m) {
        return refuse(w, "there are %zu components of contacts; allowed: %zu of each, one at least",
                      m, w->spacedim);
    }
    il_status status = w->local ? IL_OK : need_length(w, F, w->M.n, "a row of M each");
    status = status == IL_OK ? need_length(w, w->local ? F : W, m, whose) : status;
    status = status == IL_OK ? need_length(w, MU, p, "one of each contact") : status;
    status = status == IL_OK ? need_finite(w, F) : status;
    status = status == IL_OK && !w->local ? need_finite(w, W) : status;
    status = status == IL_OK ? need_finite(w, MU) : status;
    for (size_t i = 0; status == IL_OK && i < p; i++) {
        if (w->mu->x[i] < 0.0) {
            status = refuse(w, "number %zu of '%s' is %g; allowed: 0 and more", i + 1,
                            name_of(w, MU), w->mu->x[i]);
        }
    }
    return status;
}

/* ---- to a projection ------------------------------------------------------------------------ */

/* The dense matrix of entries, [n n]. */
static double *dense(const matrix *m) {
    double *out = il_alloc_zero(m->n * m->n, sizeof *out);
    for (size_t e = 0; e < m->count; e++) {
        out[(size_t)m->entry[3 * e] * m->n + (size_t)m->entry[3 * e + 1]] += m->entry[3 * e + 2];
    }
    return out;
}

static il_status make_mass(const file *w, il_step_problem *out) {
    size_t d = w->M.n;
    double *diagonal = il_alloc_zero(d, sizeof *diagonal);
    bool is_diagonal = true;
    for (size_t e = 0; e < w->M.count; e++) {
        size_t row = (size_t)w->M.entry[3 * e];
        bool on = row == (size_t)w->M.entry[3 * e + 1];
        is_diagonal = is_diagonal && (on || w->M.entry[3 * e + 2] == 0.0);
        diagonal[row] += on ? w->M.entry[3 * e + 2] : 0.0;
    }
    il_status status = IL_OK;
    if (is_diagonal) {
        status = il_metric_diagonal(&out->mass, d, diagonal, w->err);
    } else if (d > IL_FCLIB_DENSE_MAX) {
        status = il_fail(w->err, IL_EUNSUPPORTED,
                         "'%s' has a mass matrix of %zu unknowns that is not diagonal; allowed: at "
                         "most %d",
                         w->path, d, IL_FCLIB_DENSE_MAX);
    } else {
        double *full = dense(&w->M);
        status = il_metric_dense(&out->mass, d, full, w->err);
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
static void make_rows(file *w, il_step_problem *out) {
    size_t p = contacts_of(w);
    size_t *col = il_alloc(w->M.n, sizeof *col);
    double *coef = il_alloc(w->M.n, sizeof *coef);
    size_t e = 0;
    qsort(w->H.entry, w->H.count, 3 * sizeof(double), by_place);
    for (size_t i = 0; i < p; i++) {
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
        il_rows_append(&out->rows, i, w->w->x[i * w->spacedim], 0.0, n, col, coef);
    }
    free(col);
    free(coef);
}

/* W_NN, [p p] as read, and its factor as rows. */
static il_status make_local_rows(file *w, il_fclib_problem *out) {
    size_t p = contacts_of(w);
    size_t step = w->spacedim;
    out->W = il_alloc_zero(p * p, sizeof *out->W);
    for (size_t e = 0; e < w->M.count; e++) {
        size_t row = (size_t)w->M.entry[3 * e];
        size_t column = (size_t)w->M.entry[3 * e + 1];
        if (row % step == 0 && column % step == 0) {
            out->W[row / step * p + column / step] += w->M.entry[3 * e + 2];
        }
    }
    il_error why = {IL_OK, ""};
    il_status status = il_fclib_factor(out->W, w->f->x, step, p, &out->problem.rows, &why);
    return status == IL_OK ? IL_OK : il_fail(w->err, status, "'%s': %s", w->path, why.message);
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
        double *force = il_alloc(problem->d, sizeof *force);
        il_projection_from_multipliers(&qp, problem->lambda, force, problem->x);
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
    /* one room, as it is freed */
    problem->target = il_alloc_zero(2 * d + 2 * p, sizeof *problem->target);
    problem->x = problem->target + d;
    problem->a = problem->x + d;
    problem->lambda = problem->a + p;
    il_status status = IL_OK;
    if (w->local) {
        for (size_t k = 0; k < d; k++) {
            problem->x[k] = 1.0;
        }
        status = il_metric_diagonal(&problem->mass, d, problem->x, w->err);
        status = status == IL_OK ? make_local_rows(w, out) : status;
    } else {
        status = make_mass(w, problem);
        if (status == IL_OK) {
            make_rows(w, problem);
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
    int spacedim = 0;
    il_status status = take_integer(w, SPACEDIM, 2, &spacedim);
    if (status == IL_OK && spacedim > 3) {
        status = refuse(w, "'%s' is %d; allowed: 2, 3", name_of(w, SPACEDIM), spacedim);
    }
    if (status == IL_OK && read[BILATERAL].n != SIZE_MAX) {
        status = refuse(w, "there is '%s', of bilateral constraints; allowed: contacts alone",
                        name_of(w, BILATERAL));
    }
    if (status != IL_OK) {
        return status;
    }
    out->local = w->local;
    w->spacedim = (size_t)spacedim;
    w->f = &read[F];
    w->w = &read[W];
    w->mu = &read[MU];
    w->v = &read[V];
    w->r = &read[R];
    status = take_matrix(w, 0, &w->M);
    status = status == IL_OK && !w->local ? take_matrix(w, H_M - M_M, &w->H) : status;
    status = status == IL_OK ? check(w) : status;
    return status == IL_OK ? convert(w, out) : status;
}

/* Is anything of the global problem there, or of the local one? */
static bool has(const il_hdf5_numbers *read) {
    for (size_t k = 0; k < V; k++) {
        if (read[k].n != SIZE_MAX || read[k].head.why[0] != '\0') {
            return true;
        }
    }
    return false;
}

il_status il_fclib_read(il_fclib_problem *out, const char *path, il_error *err) {
    il_error own = {IL_OK, ""};
    il_hdf5_numbers read[2 * ARRAYS];
    file w = {.path = path, .err = err != NULL ? err : &own};
    memset(out, 0, sizeof *out);
    il_status status = il_hdf5_file_read(path, names, 2 * ARRAYS, read, w.err);
    w.local = has(read + ARRAYS);
    w.read = w.local ? read + ARRAYS : read;
    if (status == IL_OK && w.local == has(read)) {
        status = refuse(&w, "there is %s; allowed: /fclib_global or /fclib_local of FCLib",
                        w.local ? "a global and a local problem" : "no problem");
    }
    status = status == IL_OK ? take(&w, out) : status;
    il_hdf5_numbers_free(read, 2 * ARRAYS);
    free(w.M.entry);
    free(w.H.entry);
    return status;
}

void il_fclib_problem_free(il_fclib_problem *problem) {
    il_step_problem_free(&problem->problem);
    free(problem->W);
}
