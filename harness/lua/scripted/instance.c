/*
 * instance.c - the problem that a run sees where its parts are functions or numbers of a script.
 *
 * NaN stands for what a function did not deliver; the run's status then becomes script_error. A
 * force and constraints that are numbers,
 *
 *     f(t,q) = F,   g_i(t,q) = a_i + c_i t + <b_i, q>   from {g = a_i, grad = b_i, dt = c_i},
 *
 * never enter Lua, and their problem is known to be affine.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
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

static void constant_force(const il_problem *self, double t, const double *q, double *f) {
    (void)t;
    (void)q;
    memcpy(f, scripted_of(self)->constant, self->d * sizeof *f);
}

static void constant_mean(const il_problem *self, double t0, double t1, const double *q,
                          double *f) {
    (void)t1;
    constant_force(self, t0, q, f);
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const il_lua_instance *s = exact->data;
    il_lua_request r = {.w = s->w, .what = IL_LUA_EXACT, .t0 = t, .side = side, .x = q, .y = u};
    if (!il_scripted_ask(&r)) {
        fill_nan(q, s->w->d);
        fill_nan(u, s->w->d);
    }
}

/* ---- the rows -------------------------------------------------------------------------------- */

static void fill_affine(il_lua_instance *s, double t, const double *q) {
    const il_scripted *w = s->w;
    il_rows_clear(&s->rows);
    for (size_t i = 0; i < w->naffine; i++) {
        const double *b = w->affine + i * (w->d + 2) + 2;
        size_t n = 0;
        for (size_t k = 0; k < w->d; k++) {
            s->coef[n] = b[k];
            s->col[n] = k;
            n += b[k] != 0.0;
        }
        il_rows_append(&s->rows, i, il_scripted_affine_value(w, i, t, q), b[-1], n, s->col,
                       s->coef);
    }
}

static il_status ask_rows(il_lua_instance *s, double t, const double *q) {
    il_lua_request r = {.w = s->w, .what = IL_LUA_CONSTRAINTS, .t0 = t, .q = q, .rows = s};
    bool fine = il_scripted_ask(&r) &&
                (!s->incomplete || s->w->made == NULL || il_scripted_complete(s, t, q) == IL_OK);
    return fine ? IL_OK : IL_ENUMERIC;
}

/* All rows at (t, q). */
static il_status refresh(il_lua_instance *s, double t, const double *q) {
    size_t bytes = s->w->d * sizeof *q;
    if (s->valid && s->t == t && memcmp(s->q, q, bytes) == 0) {
        return IL_OK;
    }
    il_status status = IL_OK;
    if (s->w->affine != NULL) {
        fill_affine(s, t, q);
    } else {
        status = ask_rows(s, t, q);
    }
    s->valid = status == IL_OK;
    s->t = t;
    memcpy(s->q, q, bytes);
    return status;
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    il_lua_instance *s = self->data;
    il_status status = refresh(s, t, q);
    if (status == IL_OK) {
        il_rows_append_row(rows, &s->rows, id);
    }
    return status;
}

static il_status scan(const il_problem *self, double t, const double *q, const double *x,
                      double slack, il_rows *rows) {
    il_lua_instance *s = self->data;
    const il_rows *all = &s->rows;
    il_status status = self->p > 0 ? refresh(s, t, q) : IL_OK;
    for (size_t i = 0; status == IL_OK && i < self->p; i++) {
        double g = s->w->affine != NULL
                       ? il_rows_at(all, i, q, x)
                       : all->value[i] + il_rows_dot(all, i, x) - il_rows_dot(all, i, q);
        if (!(g > slack)) {
            il_rows_append_row(rows, all, i);
        }
    }
    return status;
}

/* ---- making one ------------------------------------------------------------------------------ */

static unsigned traits_of(const il_scripted *w) {
    unsigned traits = w->affine != NULL ? IL_ROWS_AFFINE | IL_ROWS_CONVEX : IL_ROWS_UNKNOWN;
    bool fixed = w->affine != NULL;
    for (size_t i = 0; i < w->naffine; i++) {
        fixed = fixed && w->affine[i * (w->d + 2) + 1] == 0.0;
    }
    bool free_motion = w->type.force == NULL && w->type.force_mean == NULL;
    return traits | (fixed ? IL_ROWS_FIXED : 0u) | (w->constant != NULL ? IL_FORCE_OF_TIME : 0u) |
           (free_motion ? IL_FORCE_FREE | IL_FORCE_OF_TIME : 0u);
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
    il_lua_instance *s = il_alloc_zero(1, sizeof *s);
    self->data = s;
    s->w = w;
    s->self = self;
    s->q = il_alloc_zero(d, sizeof *s->q);
    s->coef = il_alloc_zero(d, sizeof *s->coef);
    s->col = il_alloc_zero(d, sizeof *s->col);
    s->breaks = il_alloc_zero(w->nbreaks + 2, sizeof *s->breaks);
    il_status status = w->dense ? il_metric_dense(&self->mass, d, w->mass, err)
                                : il_metric_diagonal(&self->mass, d, w->mass, err);
    if (status != IL_OK) {
        goto fail;
    }
    self->order = w->order;
    self->d = d;
    self->horizon = self->horizon > 0.0 ? self->horizon : w->horizon;
    self->restitution = w->restitution;
    self->traits = traits_of(w);
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
    if (w->constant != NULL) {
        w->type.force = constant_force;
        w->type.force_mean = w->order == 2 ? constant_mean : NULL;
    }
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
