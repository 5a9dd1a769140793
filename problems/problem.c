/*
 * problem.c - creation of problems with its checks, and rows for problems without a search.
 */
#include "problems/problem.h"

#include <assert.h>
#include <math.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/vector.h"

/* A start counts as feasible when no constraint is violated by more than this, relative to the
 * size of the configuration: the rounding of coordinates that were typed or computed. */
static const double FEASIBLE = 1e-12;

const char *il_problem_describe(const il_problem *problem, size_t id, char *out, size_t capacity) {
    if (problem->type->describe != NULL) {
        problem->type->describe(problem, id, out, capacity);
    } else {
        (void)snprintf(out, capacity, "constraint %zu", id + 1);
    }
    return out;
}

/* ", at (0, 0) and (0.5, 0)": where the bodies in constraint id are at the start; "" where there
 * are none. */
static void tell_places(const il_problem *problem, size_t id, char *out, size_t capacity) {
    il_rows row;
    il_rows_init(&row);
    size_t space = problem->space;
    size_t last = SIZE_MAX;
    out[0] = '\0';
    if (space == 0 || problem->type->row(problem, 0.0, problem->q0, id, &row) != IL_OK) {
        il_rows_free(&row);
        return;
    }
    for (size_t e = 0; e < row.nnz; e++) {
        size_t body = row.col[e] / space;
        if (body == last) {
            continue;
        }
        il_text_append(out, capacity, "%s", last == SIZE_MAX ? ", at (" : " and (");
        for (size_t c = 0; c < space; c++) {
            il_text_append(out, capacity, "%s%.10g", c > 0 ? ", " : "",
                           problem->q0[space * body + c]);
        }
        il_text_append(out, capacity, ")");
        last = body;
    }
    il_rows_free(&row);
}

/* Two bodies at one place, of the first BODIES at most. */
static bool find_coincident(const il_problem *problem, size_t *i, size_t *j) {
    enum { BODIES = 20000 };
    size_t space = problem->space;
    size_t n = space > 0 ? problem->d / space : 0;
    n = n < BODIES ? n : BODIES;
    for (*i = 0; *i + 1 < n; (*i)++) {
        for (*j = *i + 1; *j < n; (*j)++) {
            bool same = true;
            for (size_t c = 0; same && c < space; c++) {
                same = problem->q0[space * *i + c] == problem->q0[space * *j + c];
            }
            if (same) {
                return true;
            }
        }
    }
    return false;
}

/* A start with g_id(0,q0) = gap, which is negative or NaN; id is SIZE_MAX where it is unknown. */
static il_status refuse_start(const il_problem *problem, size_t id, double gap, il_error *err) {
    char words[IL_DESCRIPTION_MAX];
    char places[256];
    const char *name = problem->type->name;
    size_t i = 0;
    size_t j = 0;
    if (id == SIZE_MAX && find_coincident(problem, &i, &j)) {
        return il_fail(err, IL_EINVAL,
                       "problem '%s': the start is not feasible: bodies %zu and %zu have one "
                       "centre; centres must not coincide",
                       name, i + 1, j + 1);
    }
    if (id == SIZE_MAX) {
        return il_fail(err, IL_EINVAL,
                       "problem '%s': the start is not feasible: a constraint cannot be computed "
                       "there",
                       name);
    }
    (void)il_problem_describe(problem, id, words, sizeof words);
    tell_places(problem, id, places, sizeof places);
    if (isnan(gap)) {
        return il_fail(err, IL_EINVAL,
                       "problem '%s': the start is not feasible: g of %s cannot be computed%s",
                       name, words, problem->space > 0 ? "; centres must not coincide" : "");
    }
    if (problem->space > 0) {
        return il_fail(err, IL_EINVAL,
                       "problem '%s': the start is not feasible: %s overlap by %.10g%s: "
                       "g(0,q0) = %g; every g must be >= 0",
                       name, words, -gap, places, gap);
    }
    return il_fail(err, IL_EINVAL,
                   "problem '%s': the start is not feasible: %s has g(0,q0) = %g; every g must be "
                   ">= 0",
                   name, words, gap);
}

static il_status check_start(il_problem *problem, il_error *err) {
    for (size_t k = 0; k < problem->d; k++) {
        if (!isfinite(problem->q0[k]) || !isfinite(problem->u0[k])) {
            return il_fail(err, IL_EINVAL,
                           "problem '%s': coordinate %zu of the start is not finite",
                           problem->type->name, k + 1);
        }
    }
    if (!(problem->horizon > 0.0 && isfinite(problem->horizon))) {
        return il_fail(err, IL_EINVAL, "problem '%s': horizon is %g; it must be positive",
                       problem->type->name, problem->horizon);
    }
    il_rows rows;
    il_rows_init(&rows);
    size_t id = SIZE_MAX;
    double gap = il_problem_gap(problem, 0.0, problem->q0, &id, &rows);
    problem->start_gap = gap;
    il_rows_free(&rows);
    if (!(gap >= -FEASIBLE * (1.0 + il_largest(problem->q0, problem->d)))) {
        return refuse_start(problem, id, gap, err);
    }
    return IL_OK;
}

/* The message about a wrong parameter, with the problem's name, which creation leaves out. */
static il_status name_problem(const il_problem_type *type, il_status status, il_error *err) {
    static const char opening[] = "parameter '";
    if (err == NULL || strncmp(err->message, opening, sizeof opening - 1) != 0) {
        return status;
    }
    il_error why = *err;
    return il_fail(err, status, "problem '%s': %.900s", type->name, why.message);
}

struct il_problem_block {
    struct il_problem_block *next;
    alignas(max_align_t) unsigned char room[];
};

void *il_problem_alloc(il_problem *self, size_t n, size_t size) {
    assert(n < SIZE_MAX / 2 / size);
    struct il_problem_block *block = il_alloc_zero(1, sizeof *block + n * size);
    block->next = self->blocks;
    self->blocks = block;
    return block->room;
}

void il_problem_append(il_problem *self, void *list, size_t n, size_t size) {
    enum { LEAST = 16 };
    void *old = NULL;
    if (n > 0 && (n < LEAST || (n & (n - 1)) != 0)) {
        return;
    }
    void *room = il_problem_alloc(self, n > 0 ? 2 * n : LEAST, size);
    if (n > 0) {
        memcpy(&old, list, sizeof old);
        memcpy(room, old, n * size);
    }
    memcpy(list, &room, sizeof room);
}

il_status il_problem_set_masses(il_problem *self, size_t d, const double *m, il_error *err) {
    double *ones = m == NULL ? il_alloc(d, sizeof *ones) : NULL;
    for (size_t k = 0; ones != NULL && k < d; k++) {
        ones[k] = 1.0;
    }
    self->d = d;
    il_status status = il_metric_diagonal(&self->owned, d, m != NULL ? m : ones, err);
    self->mass = self->owned;
    free(ones);
    return status;
}

il_status il_problem_set_matrix(il_problem *self, size_t d, const double *M, il_error *err) {
    self->d = d;
    il_status status = il_metric_dense(&self->owned, d, M, err);
    self->mass = self->owned;
    return status;
}

size_t il_exact_piece(const il_exact *exact, double t, int side) {
    size_t low = 0;
    size_t high = exact->nbreaks - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        bool begun = side < 0 ? exact->breaks[middle] < t : exact->breaks[middle] <= t;
        *(begun ? &low : &high) = middle;
    }
    return low;
}

size_t il_exact_breaks(double *breaks, const double *events, size_t n, double horizon) {
    size_t count = 0;
    breaks[count++] = 0.0;
    for (size_t k = 0; k < n; k++) {
        if (events[k] > breaks[count - 1] && events[k] < horizon) {
            breaks[count++] = events[k];
        }
    }
    breaks[count++] = horizon;
    return count;
}

void il_problem_offer(il_problem *self, il_exact exact) {
    self->offered = exact;
    self->offered.name = exact.name != NULL ? exact.name : "exact";
    self->offered.data = exact.data != NULL ? exact.data : self->data;
    self->nexact = 1;
    self->exact = &self->offered;
}

/* All that the problem owns, and itself. */
static void release(il_problem *problem) {
    il_metric_destroy(problem->owned);
    while (problem->blocks != NULL) {
        struct il_problem_block *block = problem->blocks;
        problem->blocks = block->next;
        free(block);
    }
    free(problem);
}

/* The horizon asked for, which becomes the parameter T of those that have it, or that parameter. */
static void choose_horizon(il_problem *self, il_params *params, double asked) {
    const il_param_spec *spec = self->type->params;
    self->horizon = asked > 0.0 ? asked : 0.0;
    while (spec != NULL && spec->key != NULL && strcmp(spec->key, "T") != 0) {
        spec++;
    }
    if (spec == NULL || spec->key == NULL) {
        return;
    }
    if (self->horizon > 0.0) {
        il_params_derive(params, "T", &self->horizon, 1);
    } else if (il_params_has(params, "T")) {
        self->horizon = il_params_number(params, "T");
    }
}

il_status il_problem_create(il_problem **out, const il_problem_type *type, il_params *params,
                            double horizon, il_error *err) {
    *out = NULL;
    il_problem *problem = il_alloc_zero(1, sizeof *problem);
    problem->type = type;
    problem->data = type->size > 0 ? il_problem_alloc(problem, 1, type->size) : NULL;
    choose_horizon(problem, params, horizon);
    il_status status = type->create(problem, params, err);
    if (status != IL_OK) {
        release(problem);
        return name_problem(type, status, err);
    }
    status = check_start(problem, err);
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
    if (problem->type->destroy != NULL) {
        problem->type->destroy(problem);
    }
    release(problem);
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
        il_rows_trim(rows, q, x, slack);
    }
    return IL_OK;
}

double il_problem_rolling(const il_problem *problem, double t, size_t id) {
    if ((problem->traits & IL_ROWS_AFFINE) != 0) {
        return INFINITY;
    }
    return problem->type->rolling != NULL ? problem->type->rolling(problem, t, id) : NAN;
}

double il_problem_gap(const il_problem *problem, double t, const double *q, size_t *id,
                      il_rows *work) {
    if (problem->type->gap != NULL) {
        return problem->type->gap(problem, t, q, id);
    }
    il_rows_clear(work);
    size_t at = SIZE_MAX;
    double least = INFINITY;
    if (il_problem_scan(problem, t, q, q, INFINITY, work) != IL_OK) {
        least = NAN;
        at = problem->type->scan == NULL ? work->p : SIZE_MAX; /* all rows are evaluated in turn:
                                                                  the next one */
    }
    for (size_t i = 0; i < work->p && !isnan(least); i++) {
        if (isnan(work->value[i]) || work->value[i] < least) {
            least = work->value[i];
            at = work->id[i];
        }
    }
    if (id != NULL && at != SIZE_MAX) {
        *id = at;
    }
    return least;
}

void il_exact_model_init(il_exact_model *model, size_t own) {
    size_t d = model->d;
    size_t gaps = model->chain ? d - 1 : 1;
    model->horizon = il_rational_array(1 + 3 * d + gaps + own);
    model->q0 = model->horizon + 1;
    model->u0 = model->q0 + d;
    model->mass = model->u0 + d;
    model->gap = model->mass + d;
    model->own = model->gap + gaps;
}

void il_exact_model_free(il_exact_model *model) {
    il_rational_free(model->horizon);
    *model = (il_exact_model){.d = 0};
}
