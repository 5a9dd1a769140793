/*
 * fclib_file.c - writes a step problem; reads matrices and vectors as rows, a metric and a target.
 */
#include "harness/io/formats/fclib_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/file.h"
#include "harness/io/formats/fclib.h"
#include "harness/io/formats/hdf5_file.h"

/* ---- writing -------------------------------------------------------------------------------- */

il_status il_fclib_write(const il_step_problem *problem, const char *path, const char *title,
                         const char *record, il_error *err) {
    il_fclib w;
    il_status status = il_fclib_create(&w, problem, err);
    if (status != IL_OK) {
        return status;
    }
    w.title = title;
    status = il_hdf5_file_write("il_hdf5_write_fclib", &w, path, record, err);
    il_fclib_free(&w);
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

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct {
    size_t m, n, count;
    double *entry; /* [3 count] row, column, value */
} matrix;

typedef struct {
    size_t n; /* SIZE_MAX: not there */
    double *x;
} vector;

typedef struct {
    const char *path;
    FILE *in;
    bool local, bilateral;
    size_t spacedim;
    matrix M, H; /* M is W of a local problem */
    vector f, w, mu, v, r;
    il_error *err;
} file;

static il_status refuse(const file *w, const char *why) {
    return il_fail(w->err, IL_EINVAL, "'%s' %s", w->path, why);
}

static il_status starved(const file *w) {
    return il_fail(w->err, IL_ENOMEM, "no memory for the problem of '%s'", w->path);
}

static double number(file *w) {
    double x = NAN;
    return fread(&x, sizeof x, 1, w->in) == 1 ? x : NAN;
}

static il_status read_numbers(file *w, double **x, size_t n) {
    *x = malloc((n + 1) * sizeof **x);
    if (*x == NULL) {
        return starved(w);
    }
    return fread(*x, sizeof **x, n, w->in) == n ? IL_OK : refuse(w, "is cut off");
}

static il_status read_matrix(file *w, matrix *m) {
    m->m = (size_t)number(w);
    m->n = (size_t)number(w);
    m->count = (size_t)number(w);
    return read_numbers(w, &m->entry, 3 * m->count);
}

static il_status read_vector(file *w, vector *v) {
    double n = number(w);
    v->n = n >= 0.0 ? (size_t)n : SIZE_MAX;
    return n >= 0.0 ? read_numbers(w, &v->x, v->n) : IL_OK;
}

static il_status read_all(file *w) {
    w->local = number(w) != 0.0;
    w->spacedim = (size_t)number(w);
    w->bilateral = number(w) != 0.0;
    il_status status = read_matrix(w, &w->M);
    status = status == IL_OK && !w->local ? read_matrix(w, &w->H) : status;
    vector *const vectors[] = {&w->f, &w->w, &w->mu, &w->v, &w->r};
    for (size_t k = 0; status == IL_OK && k < 5; k++) {
        bool left_out = w->local && k == 1;
        status = left_out ? IL_OK : read_vector(w, vectors[k]);
    }
    w->w.n = w->local ? SIZE_MAX : w->w.n;
    return status;
}

static void release(file *w) {
    free(w->M.entry);
    free(w->H.entry);
    free(w->f.x);
    free(w->w.x);
    free(w->mu.x);
    free(w->v.x);
    free(w->r.x);
}

/* ---- is it consistent? ---------------------------------------------------------------------- */

static size_t contacts_of(const file *w) {
    return (w->local ? w->M.n : w->H.n) / w->spacedim;
}

static il_status check(const file *w) {
    if (w->spacedim != 2 && w->spacedim != 3) {
        return refuse(w, "has another spacedim than 2 or 3");
    }
    if (w->bilateral) {
        return refuse(w, "has bilateral constraints; allowed: contacts alone");
    }
    size_t p = contacts_of(w);
    size_t m = p * w->spacedim;
    bool sizes = w->M.m == w->M.n && w->mu.n == p &&
                 (w->local ? w->M.n == m && w->f.n == m
                           : w->H.m == w->M.n && w->H.n == m && w->f.n == w->M.n && w->w.n == m);
    if (!sizes || p == 0) {
        return refuse(w,
                      "has matrices and vectors whose sizes do not fit each other, or no contact");
    }
    const vector *const all[] = {&w->f, &w->w, &w->mu};
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
        status = il_rows_append(&out->rows, i, w->w.x[i * w->spacedim], 0.0, n, col, coef);
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
        status = il_rows_append(&out->rows, i, w->f.x[i * w->spacedim], 0.0, i + 1, col, L + i * p);
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
    out->solved = w->r.n == p * w->spacedim;
    for (size_t i = 0; out->solved && i < p; i++) {
        problem->lambda[i] = w->r.x[i * w->spacedim];
    }
    il_qp qp = il_step_problem_qp(problem);
    if (out->solved && w->v.n == problem->d && !w->local) {
        memcpy(problem->x, w->v.x, problem->d * sizeof *problem->x);
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
            il_metric_solve(problem->mass, w->f.x, problem->target);
        }
    }
    for (size_t i = 0; status == IL_OK && i < p; i++) {
        problem->a[i] = problem->rows.value[i];
        out->friction = fmax(out->friction, w->mu.x[i]);
    }
    if (status == IL_OK) {
        take_solution(w, out);
    }
    return status;
}

il_status il_fclib_read(il_fclib_problem *out, const char *path, il_error *err) {
    il_error own = {IL_OK, ""};
    file w = {.path = path, .err = err != NULL ? err : &own};
    memset(out, 0, sizeof *out);
    il_status status = il_hdf5_file_read("il_hdf5_read_fclib", path, &w.in, w.err);
    if (status == IL_OK) {
        status = read_all(&w);
        (void)fclose(w.in);
    }
    status = status == IL_OK ? check(&w) : status;
    out->local = w.local;
    status = status == IL_OK ? convert(&w, out) : status;
    release(&w);
    return status;
}

void il_fclib_problem_free(il_fclib_problem *problem) {
    il_step_problem_free(&problem->problem);
}
