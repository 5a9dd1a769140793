/*
 * problem.c - what all problems share: creation with its checks, and the search for rows.
 */
#include "problems/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A start counts as feasible when no constraint is violated by more than this, relative to the
 * size of the configuration: the rounding of coordinates that were typed or computed. */
static const double FEASIBLE = 1e-12;

static double largest(const double *x, size_t n) {
    double size = 0.0;
    for (size_t k = 0; k < n; k++) {
        size = fmax(size, fabs(x[k]));
    }
    return size;
}

static il_status check_start(const il_problem *problem, il_error *err) {
    for (size_t k = 0; k < problem->d; k++) {
        if (!isfinite(problem->q0[k]) || !isfinite(problem->u0[k])) {
            return il_fail(err, IL_EINVAL,
                           "problem '%s': coordinate %zu of the start is not finite",
                           problem->type->name, k);
        }
    }
    if (!(problem->horizon > 0.0 && isfinite(problem->horizon))) {
        return il_fail(err, IL_EINVAL, "problem '%s': horizon is %g; it must be positive",
                       problem->type->name, problem->horizon);
    }
    il_rows rows;
    il_rows_init(&rows);
    size_t id = 0;
    double gap = il_problem_gap(problem, 0.0, problem->q0, &id, &rows);
    il_rows_free(&rows);
    if (!(gap >= -FEASIBLE * (1.0 + largest(problem->q0, problem->d)))) {
        return il_fail(err, IL_EINVAL,
                       "problem '%s': the start is not feasible: constraint %zu has g(0,q0) = %g; "
                       "every g must be >= 0",
                       problem->type->name, id, gap);
    }
    return IL_OK;
}

il_status il_problem_create(il_problem **out, const il_problem_type *type, il_params *params,
                            double horizon, il_error *err) {
    *out = NULL;
    il_problem *problem = calloc(1, sizeof *problem);
    if (problem == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for problem '%s'", type->name);
    }
    problem->type = type;
    il_status status = type->create(problem, params, horizon, err);
    if (status != IL_OK) {
        free(problem);
        return status;
    }
    /* The record's T is the horizon that was used. */
    for (size_t k = 0; horizon > 0.0 && il_params_spec(params, k) != NULL; k++) {
        if (status == IL_OK && strcmp(il_params_spec(params, k)->key, "T") == 0) {
            status = il_params_derive(params, "T", &problem->horizon, 1);
        }
    }
    if (status == IL_OK) {
        status = check_start(problem, err);
    }
    if (status != IL_OK) {
        il_problem_destroy(problem);
        return status;
    }
    *out = problem;
    return IL_OK;
}

void il_problem_destroy(il_problem *problem) {
    if (problem == NULL) {
        return;
    }
    problem->type->destroy(problem);
    free(problem);
}

/* Row i of rows, linearised at q, taken at x. */
static double linearised(const il_rows *rows, size_t i, const double *q, const double *x) {
    double g = rows->value[i];
    for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        g += rows->coef[k] * (x[rows->col[k]] - q[rows->col[k]]);
    }
    return g;
}

il_status il_problem_scan(const il_problem *problem, double t, const double *q, const double *x,
                          double slack, il_rows *rows) {
    if (problem->type->scan != NULL) {
        return problem->type->scan(problem, t, q, x, slack, rows);
    }
    for (size_t id = 0; id < problem->p; id++) {
        il_status status = problem->type->row(problem, t, q, id, rows);
        if (status != IL_OK) {
            return status;
        }
        if (slack < INFINITY && linearised(rows, rows->p - 1, q, x) > slack) {
            il_rows_pop(rows);
        }
    }
    return IL_OK;
}

double il_problem_gap(const il_problem *problem, double t, const double *q, size_t *id,
                      il_rows *work) {
    if (problem->type->gap != NULL) {
        return problem->type->gap(problem, t, q, id);
    }
    il_rows_clear(work);
    if (il_problem_scan(problem, t, q, q, INFINITY, work) != IL_OK) {
        return NAN;
    }
    double least = INFINITY;
    for (size_t i = 0; i < work->p; i++) {
        if (isnan(work->value[i])) {
            return NAN;
        }
        if (work->value[i] < least) {
            least = work->value[i];
            if (id != NULL) {
                *id = work->id[i];
            }
        }
    }
    return least;
}

il_status il_exact_model_init(il_exact_model *model, size_t own, il_error *err) {
    size_t d = model->d;
    model->horizon = il_rational_array(1);
    model->q0 = il_rational_array(d);
    model->u0 = il_rational_array(d);
    model->mass = il_rational_array(d);
    model->gap = il_rational_array(model->chain ? d - 1 : 1);
    model->own = il_rational_array(own);
    if (model->horizon == NULL || model->q0 == NULL || model->u0 == NULL || model->mass == NULL ||
        model->gap == NULL || model->own == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu exact numbers", 4 * d);
    }
    return IL_OK;
}

void il_exact_model_free(il_exact_model *model) {
    il_rational_free(model->horizon);
    il_rational_free(model->q0);
    il_rational_free(model->u0);
    il_rational_free(model->mass);
    il_rational_free(model->gap);
    il_rational_free(model->own);
    *model = (il_exact_model){.d = 0};
}
