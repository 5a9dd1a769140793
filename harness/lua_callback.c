/*
 * lua_callback.c - the callbacks of a problem written in Lua.
 *
 * Every call into Lua is protected. A callback that fails is noted once, NaN stands for what it did
 * not deliver, no callback is called again, and the run's status becomes script_error.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua_scripted.h"

const char *const il_lua_function_names[IL_LUA_FUNCTIONS + 1] = {"force", "force_mean",
                                                                 "constraints", "exact", NULL};

/* One problem made of it: the rows at the last (t, q), so that asking for them one by one calls the
 * script once. */
typedef struct {
    const il_scripted *w;
    il_rows rows;
    bool valid;
    double t;
    double *q;      /* [d] */
    double *coef;   /* [d] scratch */
    size_t *col;    /* [d] scratch */
    double *breaks; /* with the ends */
    il_exact exact;
} instance;

/* ---- calling Lua ---------------------------------------------------------------------------- */

/* What is asked of the script, and where the answer goes. */
typedef struct {
    il_scripted *w;
    il_lua_function what;
    double t0, t1;
    int side;
    const double *q; /* [d] argument */
    double *x, *y;   /* [d] answers */
    instance *rows;  /* receives constraints */
} request;

/* "ball.lua:12: force": the function by its place. */
static void complain(lua_State *L, const request *r, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void complain(lua_State *L, const request *r, const char *format, ...) {
    lua_Debug where;
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->w->function[r->what]);
    (void)lua_getinfo(L, ">S", &where);
    (void)luaL_error(L, "%s:%d: %s %s", where.short_src, where.linedefined,
                     il_lua_function_names[r->what], text);
}

/* The vector at index into x[d]. */
static void read_vector(lua_State *L, const request *r, int index, const char *what, double *x) {
    size_t d = r->w->d;
    char given[96];
    index = lua_absindex(L, index);
    if (d == 1 && lua_type(L, index) == LUA_TNUMBER) {
        x[0] = lua_tonumber(L, index);
    } else if (!lua_istable(L, index) || lua_rawlen(L, index) != d) {
        il_lua_describe(L, index, given, sizeof given);
        complain(L, r, "gave %s as %s%s; allowed: an array of %zu number%s", what, given,
                 lua_istable(L, index) ? " of another length" : "", d, d == 1 ? "" : "s");
    } else {
        for (size_t k = 0; k < d; k++) {
            if (lua_rawgeti(L, index, (lua_Integer)k + 1) != LUA_TNUMBER) {
                il_lua_describe(L, -1, given, sizeof given);
                complain(L, r, "gave %s[%zu] as %s; allowed: a number", what, k + 1, given);
            }
            x[k] = lua_tonumber(L, -1);
            lua_pop(L, 1);
        }
    }
    for (size_t k = 0; k < d; k++) {
        if (!isfinite(x[k])) {
            complain(L, r, "gave %s[%zu] as %g; it must be finite", what, k + 1, x[k]);
        }
    }
}

static double read_number(lua_State *L, const request *r, size_t i, const char *key) {
    double x = 0.0;
    lua_pushstring(L, key);
    int type = lua_rawget(L, -2);
    if (type == LUA_TNUMBER) {
        x = lua_tonumber(L, -1);
    }
    bool absent_dt = type == LUA_TNIL && strcmp(key, "dt") == 0;
    if (!absent_dt && (type != LUA_TNUMBER || !isfinite(x))) {
        char given[96];
        il_lua_describe(L, -1, given, sizeof given);
        complain(L, r, "gave %s of constraint %zu as %s; allowed: a finite number", key, i + 1,
                 given);
    }
    lua_pop(L, 1);
    return x;
}

/* The row {g =, grad =, dt =} at the top of the stack, appended. */
static void read_row(lua_State *L, const request *r, size_t i) {
    instance *s = r->rows;
    static const char *const known[] = {"g", "grad", "dt", NULL};
    if (!lua_istable(L, -1)) {
        char given[96];
        il_lua_describe(L, -1, given, sizeof given);
        complain(L, r, "gave constraint %zu as %s; allowed: {g =, grad = {...}, dt =}", i + 1,
                 given);
    }
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "[...]";
        bool found = false;
        for (size_t k = 0; known[k] != NULL; k++) {
            found |= strcmp(key, known[k]) == 0;
        }
        if (!found) {
            complain(L, r, "gave constraint %zu the unknown key '%s'; known: g, grad, dt", i + 1,
                     key);
        }
        lua_pop(L, 1);
    }
    char what[64];
    (void)snprintf(what, sizeof what, "grad of constraint %zu", i + 1);
    double g = read_number(L, r, i, "g");
    double rate = read_number(L, r, i, "dt");
    lua_pushliteral(L, "grad");
    (void)lua_rawget(L, -2);
    read_vector(L, r, -1, what, s->coef);
    lua_pop(L, 1);
    size_t n = 0;
    for (size_t k = 0; k < r->w->d; k++) {
        if (s->coef[k] != 0.0) {
            s->coef[n] = s->coef[k];
            s->col[n++] = k;
        }
    }
    if (n == 0) {
        complain(L, r, "gave constraint %zu a gradient that vanishes", i + 1);
    }
    if (il_rows_append(&s->rows, i, g, rate, n, s->col, s->coef) != IL_OK) {
        complain(L, r, "met the end of memory");
    }
}

static void read_rows(lua_State *L, const request *r) {
    if (!lua_istable(L, -1)) {
        char given[96];
        il_lua_describe(L, -1, given, sizeof given);
        complain(L, r, "returned %s; allowed: an array of {g =, grad = {...}, dt =}", given);
    }
    size_t p = (size_t)lua_rawlen(L, -1);
    if (r->w->p != SIZE_MAX && p != r->w->p) {
        complain(L, r,
                 "returned %zu constraints at t = %g and %zu at the start; their number "
                 "must not change",
                 p, r->t0, r->w->p);
    }
    il_rows_clear(&r->rows->rows);
    for (size_t i = 0; i < p; i++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)i + 1);
        read_row(L, r, i);
        lua_pop(L, 1);
    }
}

static void push_vector(lua_State *L, const double *x, size_t d) {
    lua_createtable(L, (int)d, 0);
    for (size_t k = 0; k < d; k++) {
        lua_pushnumber(L, x[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* Runs under pcall: all that can raise an error is in here. */
static int answer(lua_State *L) {
    const request *r = lua_touserdata(L, 1);
    int n = 2;
    luaL_checkstack(L, 16, NULL);
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->w->function[r->what]);
    lua_pushnumber(L, r->t0);
    if (r->what == IL_LUA_FORCE_MEAN) {
        lua_pushnumber(L, r->t1);
        n++;
    }
    if (r->what == IL_LUA_EXACT) {
        lua_pushinteger(L, r->side);
    } else {
        push_vector(L, r->q, r->w->d);
    }
    lua_call(L, n, 2);
    if (r->what == IL_LUA_CONSTRAINTS) {
        lua_pop(L, 1);
        read_rows(L, r);
    } else if (r->what == IL_LUA_EXACT) {
        read_vector(L, r, -2, "q", r->x);
        read_vector(L, r, -1, "u", r->y);
    } else {
        read_vector(L, r, -2, "the force", r->x);
    }
    return 0;
}

/* False, with the failure noted, unless the script answered. */
static bool ask(request *r) {
    il_scripted *w = r->w;
    lua_State *L = w->context->L;
    if (w->failure.code != IL_OK) {
        return false;
    }
    if (lua_checkstack(L, 8) == 0) {
        (void)il_fail(&w->failure, IL_ESCRIPT, "no room on the Lua stack for a callback");
        return false;
    }
    lua_pushcfunction(L, answer);
    lua_pushlightuserdata(L, r);
    int code = lua_pcall(L, 1, 0, 0);
    w->context->L = L; /* the callback may have run things of its own, on other threads */
    if (code != LUA_OK) {
        const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        (void)il_fail(&w->failure, IL_ESCRIPT, "problem '%.60s': %.900s", w->type.name,
                      text != NULL ? text : "a callback raised an error that is not a text");
        lua_pop(L, 1);
        return false;
    }
    return true;
}

/* ---- the problem ---------------------------------------------------------------------------- */

static il_scripted *scripted_of(const il_problem *self) {
    return (il_scripted *)(uintptr_t)self->type;
}

static void fill_nan(double *x, size_t d) {
    for (size_t k = 0; k < d; k++) {
        x[k] = NAN;
    }
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    request r = {.w = scripted_of(self), .what = IL_LUA_FORCE, .t0 = t, .q = q, .x = f};
    if (!ask(&r)) {
        fill_nan(f, self->d);
    }
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    request r = {
        .w = scripted_of(self), .what = IL_LUA_FORCE_MEAN, .t0 = t0, .t1 = t1, .q = q, .x = f};
    if (!ask(&r)) {
        fill_nan(f, self->d);
    }
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const instance *s = exact->data;
    request r = {.w = (il_scripted *)(uintptr_t)s->w,
                 .what = IL_LUA_EXACT,
                 .t0 = t,
                 .side = side,
                 .x = q,
                 .y = u};
    if (!ask(&r)) {
        fill_nan(q, s->w->d);
        fill_nan(u, s->w->d);
    }
}

/* All rows at (t, q). */
static il_status refresh(instance *s, double t, const double *q) {
    size_t bytes = s->w->d * sizeof *q;
    if (s->valid && s->t == t && memcmp(s->q, q, bytes) == 0) {
        return IL_OK;
    }
    request r = {.w = (il_scripted *)(uintptr_t)s->w,
                 .what = IL_LUA_CONSTRAINTS,
                 .t0 = t,
                 .q = q,
                 .rows = s};
    s->valid = false;
    if (!ask(&r)) {
        return IL_ENUMERIC;
    }
    s->valid = true;
    s->t = t;
    memcpy(s->q, q, bytes);
    return IL_OK;
}

static il_status append(const instance *s, size_t i, il_rows *rows) {
    const il_rows *all = &s->rows;
    size_t first = all->start[i];
    return il_rows_append(rows, i, all->value[i], all->rate[i], all->start[i + 1] - first,
                          all->col + first, all->coef + first);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    il_status status = refresh(self->data, t, q);
    return status == IL_OK ? append(self->data, id, rows) : status;
}

static il_status scan(const il_problem *self, double t, const double *q, const double *x,
                      double slack, il_rows *rows) {
    instance *s = self->data;
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
    instance *s = self->data;
    if (s != NULL) {
        il_rows_free(&s->rows);
        free(s->q);
        free(s->coef);
        free(s->col);
        free(s->breaks);
    }
    il_metric_destroy(self->mass);
    free(s);
}

/* The breaks inside (0, T) with both ends. */
static void make_exact(il_problem *self, instance *s) {
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

static il_status create(il_problem *self, il_params *params, double horizon, il_error *err) {
    (void)params;
    il_scripted *w = scripted_of(self);
    size_t d = w->d;
    w->failure = (il_error){IL_OK, ""};
    instance *s = calloc(1, sizeof *s);
    il_status status = IL_OK;
    self->data = s;
    if (s == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for problem '%s'", w->type.name);
    }
    s->w = w;
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
    self->horizon = horizon > 0.0 ? horizon : w->horizon;
    self->restitution = w->restitution;
    bool free_motion =
        w->function[IL_LUA_FORCE] == LUA_NOREF && w->function[IL_LUA_FORCE_MEAN] == LUA_NOREF;
    self->traits = free_motion ? IL_FORCE_FREE | IL_FORCE_OF_TIME : 0u;
    self->q0 = w->q0;
    self->u0 = w->u0;
    self->no_exact = "the script gives none";
    if (w->function[IL_LUA_CONSTRAINTS] != LUA_NOREF) {
        status = refresh(s, 0.0, w->q0); /* their number is what the start has */
        w->p = s->rows.p;
    }
    if (status != IL_OK) {
        status = il_scripted_verdict(w, status, err);
        goto fail;
    }
    self->p = w->p;
    if (w->function[IL_LUA_EXACT] != LUA_NOREF) {
        make_exact(self, s);
    }
    return IL_OK;
fail:
    destroy(self);
    return status;
}

const il_problem_type *il_scripted_type(const il_scripted *problem) {
    return &problem->type;
}

const char *il_scripted_failure(const il_scripted *problem) {
    return problem != NULL && problem->failure.code != IL_OK ? problem->failure.message : NULL;
}

il_status il_scripted_verdict(const il_scripted *problem, il_status status, il_error *err) {
    const char *failure = il_scripted_failure(problem);
    return failure != NULL ? il_fail(err, IL_ESCRIPT, "%s", failure) : status;
}

void il_scripted_bind(il_scripted *w) {
    w->type.create = create;
    w->type.destroy = destroy;
    w->type.row = row;
    w->type.scan = scan;
    w->type.force = w->function[IL_LUA_FORCE] != LUA_NOREF ? force : NULL;
    w->type.force_mean = w->function[IL_LUA_FORCE_MEAN] != LUA_NOREF ? force_mean : NULL;
}

il_status il_scripted_try(il_scripted *w, double *scratch, il_error *err) {
    il_problem *problem = NULL;
    w->p = w->function[IL_LUA_CONSTRAINTS] != LUA_NOREF ? SIZE_MAX : 0;
    il_status status = il_problem_create(&problem, &w->type, NULL, 0.0, err);
    if (status == IL_OK && w->type.force != NULL) {
        force(problem, 0.0, problem->q0, scratch);
    }
    if (status == IL_OK && w->type.force_mean != NULL) {
        force_mean(problem, 0.0, problem->horizon, problem->q0, scratch);
    }
    if (status == IL_OK && problem->nexact > 0) {
        problem->exact->eval(problem->exact, 0.0, 1, scratch, scratch + w->d);
    }
    il_problem_destroy(problem);
    return il_scripted_verdict(w, status, err);
}
