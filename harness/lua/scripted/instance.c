/*
 * instance.c - the problem that a run sees where its parts are functions of a script.
 *
 * NaN stands for what a function did not deliver; the run's status then becomes script_error.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua/scripted/parts.h"

/* Not by its type, which may be that of a problem that stands in for it. */
static il_scripted *scripted_of(const il_problem *self) {
    const il_lua_instance *s = self->data;
    return s->w;
}

static void fill_nan(double *x, size_t d) {
    for (size_t k = 0; k < d; k++) {
        x[k] = NAN;
    }
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    il_lua_request r = {.w = scripted_of(self), .what = IL_LUA_FORCE, .t0 = t, .q = q, .x = f};
    if (!il_scripted_ask(&r)) {
        fill_nan(f, self->d);
    }
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    il_lua_request r = {
        .w = scripted_of(self), .what = IL_LUA_FORCE_MEAN, .t0 = t0, .t1 = t1, .q = q, .x = f};
    if (!il_scripted_ask(&r)) {
        fill_nan(f, self->d);
    }
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const il_lua_instance *s = exact->data;
    il_lua_request r = {.w = s->w, .what = IL_LUA_EXACT, .t0 = t, .side = side, .x = q, .y = u};
    if (!il_scripted_ask(&r)) {
        fill_nan(q, s->w->d);
        fill_nan(u, s->w->d);
    }
}

/* All rows at (t, q). */
static il_status refresh(il_lua_instance *s, double t, const double *q) {
    size_t bytes = s->w->d * sizeof *q;
    if (s->valid && s->t == t && memcmp(s->q, q, bytes) == 0) {
        return IL_OK;
    }
    il_lua_request r = {.w = s->w, .what = IL_LUA_CONSTRAINTS, .t0 = t, .q = q, .rows = s};
    s->valid = false;
    if (!il_scripted_ask(&r)) {
        return IL_ENUMERIC;
    }
    if (s->incomplete && s->w->made != NULL && il_scripted_complete(s, t, q) != IL_OK) {
        return IL_ENUMERIC;
    }
    s->valid = true;
    s->t = t;
    memcpy(s->q, q, bytes);
    return IL_OK;
}

static il_status append(const il_lua_instance *s, size_t i, il_rows *rows) {
    return il_rows_append_row(rows, &s->rows, i);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    il_status status = refresh(self->data, t, q);
    return status == IL_OK ? append(self->data, id, rows) : status;
}

static il_status scan(const il_problem *self, double t, const double *q, const double *x,
                      double slack, il_rows *rows) {
    il_lua_instance *s = self->data;
    il_status status = self->p > 0 ? refresh(s, t, q) : IL_OK;
    for (size_t i = 0; status == IL_OK && i < self->p; i++) {
        double g = s->rows.value[i] + il_rows_dot(&s->rows, i, x) - il_rows_dot(&s->rows, i, q);
        if (!(g > slack)) {
            status = append(s, i, rows);
        }
    }
    return status;
}

static void destroy(il_problem *self) {
    il_lua_instance *s = self->data;
    if (s != NULL) {
        il_rows_free(&s->rows);
        il_derivatives_destroy(s->work);
        free(s->missing);
        free(s->q);
        free(s->coef);
        free(s->col);
        free(s->breaks);
    }
    il_metric_destroy(self->mass);
    free(s);
}

/* The breaks inside (0, T) with both ends. */
static void make_exact(il_problem *self, il_lua_instance *s) {
    const il_scripted *w = s->w;
    size_t n = 0;
    s->breaks[n++] = 0.0;
    for (size_t k = 0; k < w->nbreaks && w->breaks[k] < self->horizon; k++) {
        s->breaks[n++] = w->breaks[k];
    }
    s->breaks[n++] = self->horizon;
    s->exact = (il_exact){.name = "exact",
                          .origin = "given by the script",
                          .nbreaks = n,
                          .breaks = s->breaks,
                          .eval = exact_eval,
                          .data = s};
    self->nexact = 1;
    self->exact = &s->exact;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    (void)params;
    il_scripted *w = (il_scripted *)(uintptr_t)self->type;
    size_t d = w->d;
    w->failure = (il_error){IL_OK, ""};
    il_lua_instance *s = calloc(1, sizeof *s);
    il_status status = IL_OK;
    self->data = s;
    if (s == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for problem '%s'", w->type.name);
    }
    s->w = w;
    s->self = self;
    s->q = calloc(d, sizeof *s->q);
    s->coef = calloc(d, sizeof *s->coef);
    s->col = calloc(d, sizeof *s->col);
    s->breaks = calloc(w->nbreaks + 2, sizeof *s->breaks);
    if (s->q == NULL || s->coef == NULL || s->col == NULL || s->breaks == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for problem '%s'", w->type.name);
        goto fail;
    }
    status = w->dense ? il_metric_dense(&self->mass, d, w->mass, err)
                      : il_metric_diagonal(&self->mass, d, w->mass, err);
    if (status != IL_OK) {
        goto fail;
    }
    self->order = w->order;
    self->d = d;
    self->horizon = self->horizon > 0.0 ? self->horizon : w->horizon;
    self->restitution = w->restitution;
    bool free_motion = w->type.force == NULL && w->type.force_mean == NULL;
    self->traits = il_scripted_traits(w);
    self->traits |= free_motion ? IL_FORCE_FREE | IL_FORCE_OF_TIME : 0u;
    self->q0 = w->q0;
    self->u0 = w->u0;
    self->breaks = w->force_breaks;
    self->nbreaks = w->nforce_breaks;
    self->no_exact = "the script gives none";
    self->p = w->p;
    if (w->function[IL_LUA_CONSTRAINTS] != LUA_NOREF) {
        status = refresh(s, 0.0, w->q0); /* their number is what the start has */
        self->p = w->p = s->rows.p;
    }
    if (status != IL_OK) {
        status = il_scripted_verdict(w, status, err);
        goto fail;
    }
    if (w->function[IL_LUA_EXACT] != LUA_NOREF) {
        make_exact(self, s);
    }
    return IL_OK;
fail:
    destroy(self);
    return status;
}

void il_scripted_bind(il_scripted *w) {
    w->type.create = create;
    w->type.destroy = destroy;
    w->type.row = row;
    w->type.scan = scan;
    w->type.force = w->function[IL_LUA_FORCE] != LUA_NOREF ? force : NULL;
    w->type.force_mean = w->function[IL_LUA_FORCE_MEAN] != LUA_NOREF ? force_mean : NULL;
    il_scripted_bind_numbers(w);
}

il_status il_scripted_try(il_scripted *w, double *scratch, il_error *err) {
    il_problem *problem = NULL;
    w->p = w->function[IL_LUA_CONSTRAINTS] != LUA_NOREF ? SIZE_MAX : w->naffine;
    w->made = w->absent = NULL;
    il_status status = il_problem_create(&problem, &w->type, NULL, 0.0, err);
    if (status == IL_OK && w->type.force != NULL) {
        w->type.force(problem, 0.0, problem->q0, scratch);
    }
    if (status == IL_OK && w->type.force_mean != NULL) {
        w->type.force_mean(problem, 0.0, problem->horizon, problem->q0, scratch);
    }
    if (status == IL_OK && problem->nexact > 0) {
        problem->exact->eval(problem->exact, 0.0, 1, scratch, scratch + w->d);
    }
    status = il_scripted_verdict(w, status, err);
    if (status == IL_OK && w->p > 0) {
        status = il_scripted_survey(w, problem, err);
    }
    il_problem_destroy(problem);
    return status;
}
