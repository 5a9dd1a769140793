/*
 * fclib.c - a projection as FCLib's global problem: M v = H r + f, u = H' v + w.
 */
#include "harness/io/formats/fclib.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char description[] =
    "The projection inside one time step of frictionless contact dynamics: minimise "
    "1/2 (v - M^-1 f)' M (v - M^-1 f) over H_N' v + w_N >= 0. Contacts have three components, "
    "normal first; tangential columns of H are empty and mu = 0. The solution is the one of the "
    "program's own projector.";
static const char math_info[] =
    "v exists and is unique where the constraints can be met; r need not be unique.";

static void free_matrix(il_fclib_matrix *w) {
    free(w->p);
    free(w->i);
    free(w->x);
}

void il_fclib_free(il_fclib *w) {
    if (w == NULL) {
        return;
    }
    free_matrix(&w->M);
    free_matrix(&w->H);
    free(w->f);
    free(w->w);
    memset(w, 0, sizeof *w);
}

static bool make_matrix(il_fclib_matrix *w, size_t m, size_t n, size_t entries) {
    w->m = (int)m;
    w->n = (int)n;
    w->nzmax = (int)entries;
    w->p = calloc(n + 1, sizeof *w->p);
    w->i = malloc((entries + 1) * sizeof *w->i);
    w->x = malloc((entries + 1) * sizeof *w->x);
    return w->p != NULL && w->i != NULL && w->x != NULL;
}

/* M: its diagonal, or every column whole. */
static bool fill_mass(il_fclib *w, const il_step_problem *problem) {
    size_t d = problem->d;
    const double *diagonal = il_metric_masses(problem->mass);
    size_t column = diagonal != NULL ? 1 : d;
    double *unit = calloc(d, sizeof *unit);
    if (unit == NULL || !make_matrix(&w->M, d, d, d * column)) {
        free(unit);
        return false;
    }
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
    return true;
}

/* H: row i of the projection is column 3 i; 3 i + 1 and 3 i + 2 are empty. */
static bool fill_gradients(il_fclib *w, const il_rows *rows) {
    if (!make_matrix(&w->H, (size_t)w->M.m, IL_FCLIB_SPACEDIM * rows->p, rows->nnz)) {
        return false;
    }
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t c = 1; c <= IL_FCLIB_SPACEDIM; c++) {
            w->H.p[IL_FCLIB_SPACEDIM * i + c] = (int)rows->start[i + 1];
        }
    }
    for (size_t e = 0; e < rows->nnz; e++) {
        w->H.i[e] = (int)rows->col[e];
        w->H.x[e] = rows->coef[e];
    }
    return true;
}

static bool fill_vectors(il_fclib *w, const il_step_problem *problem) {
    size_t d = problem->d;
    size_t p = problem->rows.p;
    size_t m = IL_FCLIB_SPACEDIM * p;
    w->f = calloc(2 * d, sizeof *w->f);
    w->w = calloc(3 * m + p, sizeof *w->w);
    if (w->f == NULL || w->w == NULL) {
        return false;
    }
    w->v = w->f + d;
    w->u = w->w + m;
    w->r = w->u + m;
    w->mu = w->r + m;
    il_metric_mul(problem->mass, problem->target, w->f);
    memcpy(w->v, problem->x, d * sizeof *w->v);
    for (size_t i = 0; i < p; i++) {
        size_t k = IL_FCLIB_SPACEDIM * i;
        w->w[k] = problem->a[i] / problem->scale;
        w->u[k] = w->w[k] + il_rows_dot(&problem->rows, i, problem->x);
        w->r[k] = problem->scale * problem->lambda[i];
    }
    return true;
}

il_status il_fclib_create(il_fclib *out, const il_step_problem *problem, il_error *err) {
    memset(out, 0, sizeof *out);
    out->title = "";
    out->description = description;
    out->math_info = math_info;
    size_t d = problem->d;
    size_t p = problem->rows.p;
    if (p == 0) {
        return il_fail(err, IL_EINVAL,
                       "the projection at t = %.10g has no row, which FCLib cannot hold; choose a "
                       "step with contacts",
                       problem->t);
    }
    size_t column = il_metric_masses(problem->mass) != NULL ? 1 : d;
    if (d > INT_MAX / column || p > INT_MAX / IL_FCLIB_SPACEDIM - 1 ||
        problem->rows.nnz > INT_MAX) {
        return il_fail(
            err, IL_EINVAL,
            "the projection has %zu unknowns and %zu rows with %zu entries; FCLib counts "
            "to %d",
            d, p, problem->rows.nnz, INT_MAX);
    }
    if (!fill_mass(out, problem) || !fill_gradients(out, &problem->rows) ||
        !fill_vectors(out, problem)) {
        il_fclib_free(out);
        return il_fail(err, IL_ENOMEM, "no memory for a projection of %zu rows", p);
    }
    return IL_OK;
}
