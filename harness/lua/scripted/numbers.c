/*
 * numbers.c - a force and constraints that a script gives as numbers, not as functions:
 *
 *     f(t,q) = F,   g_i(t,q) = a_i + c_i t + <b_i, q>   from {g = a_i, grad = b_i, dt = c_i}.
 *
 * No step enters Lua for them, and what a problem says of itself is known: its constraints are
 * affine. A row here is a_i, c_i, b_i, one after the other.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/lua/scripted/parts.h"

static const il_scripted *scripted_of(const il_problem *self) {
    const il_lua_instance *s = self->data;
    return s->w;
}

/* ---- what a run asks ------------------------------------------------------------------------ */

static void force(const il_problem *self, double t, const double *q, double *f) {
    (void)t;
    (void)q;
    memcpy(f, scripted_of(self)->constant, self->d * sizeof *f);
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

static double value(const il_scripted *w, size_t i, double t, const double *q) {
    const double *row = w->affine + i * (w->d + 2);
    double g = row[0] + row[1] * t;
    for (size_t k = 0; k < w->d; k++) {
        g += row[2 + k] * q[k];
    }
    return g;
}

void il_scripted_affine_values(const il_scripted *w, double t, const double *q, double *g) {
    for (size_t i = 0; i < w->naffine; i++) {
        g[i] = value(w, i, t, q);
    }
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const il_lua_instance *s = self->data;
    const il_scripted *w = s->w;
    const double *b = w->affine + id * (w->d + 2) + 2;
    size_t n = 0;
    for (size_t k = 0; k < w->d; k++) {
        s->coef[n] = b[k];
        s->col[n] = k;
        n += b[k] != 0.0;
    }
    return il_rows_append(rows, id, value(w, id, t, q), b[-1], n, s->col, s->coef);
}

static il_status scan(const il_problem *self, double t, const double *q, const double *x,
                      double slack, il_rows *rows) {
    il_status status = IL_OK;
    for (size_t i = 0; status == IL_OK && i < self->p; i++) {
        size_t before = rows->p;
        status = row(self, t, q, i, rows);
        if (status == IL_OK && rows->p > before) {
            il_rows_trim(rows, q, x, slack);
        }
    }
    return status;
}

void il_scripted_bind_numbers(il_scripted *w) {
    if (w->constant != NULL) {
        w->type.force = force;
        w->type.force_mean = w->order == 2 ? force_mean : NULL;
    }
    if (w->affine != NULL) {
        w->type.row = row;
        w->type.scan = scan;
    }
}

unsigned il_scripted_traits(const il_scripted *w) {
    unsigned traits = w->affine != NULL ? IL_ROWS_AFFINE | IL_ROWS_CONVEX : IL_ROWS_UNKNOWN;
    bool fixed = w->affine != NULL;
    for (size_t i = 0; i < w->naffine; i++) {
        fixed = fixed && w->affine[i * (w->d + 2) + 1] == 0.0;
    }
    return traits | (fixed ? IL_ROWS_FIXED : 0u) | (w->constant != NULL ? IL_FORCE_OF_TIME : 0u);
}

/* ---- reading -------------------------------------------------------------------------------- */

static _Noreturn void refuse_length(const il_fields *f, const char *what, size_t d) {
    char allowed[80];
    (void)snprintf(allowed, sizeof allowed, "%zu number%s", d, il_lua_plural(d));
    il_fields_refuse(f, what, -1, allowed);
}

void il_scripted_read_force(const il_fields *f, il_scripted *w) {
    size_t n = 0;
    w->constant = il_fields_numbers_at_top(f, "force", true, &n);
    if (n != w->d) {
        refuse_length(f, "force", w->d);
    }
}

/* The constraint at the top of the stack into row[d + 2]. */
static void read_row(const il_fields *f, const char *path, size_t d, double *row) {
    static const char *const known[] = {"g", "grad", "dt", NULL};
    il_fields own = il_fields_open(f->L, f->arena, -1, f->call, path);
    size_t n = 0;
    double size = 0.0;
    il_fields_known(&own, 0, known);
    if (!il_fields_push(&own, "g")) {
        il_fields_miss(&own, "g", "the value at t = 0 and q = 0");
    }
    if (!il_fields_push(&own, "grad")) {
        il_fields_miss(&own, "grad", "an array of as many numbers as q0 has");
    }
    const double *grad = il_fields_numbers_at_top(&own, "grad", true, &n);
    if (n != d) {
        refuse_length(&own, "grad", d);
    }
    for (size_t k = 0; k < d; k++) {
        row[2 + k] = grad[k];
        size = fmax(size, fabs(grad[k]));
    }
    if (size == 0.0) {
        il_fields_refuse(&own, "grad", -1, "a gradient that does not vanish");
    }
    row[0] = il_fields_number(&own, "g", 0.0);
    row[1] = il_fields_number(&own, "dt", 0.0);
    lua_pop(f->L, 2);
}

void il_scripted_read_affine(const il_fields *f, il_scripted *w) {
    size_t p = (size_t)lua_rawlen(f->L, -1);
    il_fields all = il_fields_open(f->L, f->arena, -1, f->call, "constraints");
    bool one = il_fields_push(&all, "g");
    lua_pop(f->L, 1);
    if (one) {
        il_fields_refuse(f, "constraints", -1,
                         "an array of rows, {{g =, grad = {...}, dt =}, ...}");
    }
    il_fields_known(&all, p, (const char *const[]){"1, 2, ...", NULL});
    double *rows = il_lua_take(f->L, f->arena, p * (w->d + 2), sizeof *rows, NULL);
    for (size_t i = 0; i < p; i++) {
        (void)lua_rawgeti(f->L, -1, (lua_Integer)i + 1);
        read_row(f, il_lua_print(f->L, f->arena, "constraints[%zu]", i + 1), w->d,
                 rows + i * (w->d + 2));
        lua_pop(f->L, 1);
    }
    w->affine = rows;
    w->naffine = p;
}
