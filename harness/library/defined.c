/*
 * defined.c - a problem given by functions of the caller.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"
#include "harness/library/handles.h"
#include "harness/library/host.h"

struct il_defined {
    il_problem_type type; /* first: a problem points to it */
    impactlab_definition of;
    char *name;
    double *q0, *u0, *mass;
    bool failed;
};

/* The arrays that one problem has of its own. */
typedef struct {
    il_defined *of;
    double *g, *rate, *gradient; /* [p], [p], [p][d] */
    double *coef;                /* [d] */
    size_t *col;                 /* [d] */
    il_exact exact;
    double breaks[2];
} instance;

static il_defined *defined_of(const il_problem *self) {
    return (il_defined *)(uintptr_t)self->type;
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    il_defined *w = defined_of(self);
    memset(f, 0, self->d * sizeof *f);
    il_host_out();
    int failed = w->of.force != NULL ? w->of.force(w->of.context, t, q, f) : 0;
    il_host_in();
    if (failed != 0) {
        w->failed = true;
        f[0] = NAN;
    }
}

/* All constraints at (t,q) into the instance's rooms. */
static bool evaluate(const il_problem *self, double t, const double *q) {
    instance *i = self->data;
    il_defined *w = i->of;
    memset(i->g, 0, self->p * sizeof *i->g);
    memset(i->rate, 0, self->p * sizeof *i->rate);
    memset(i->gradient, 0, self->p * self->d * sizeof *i->gradient);
    il_host_out();
    bool good = w->of.gaps(w->of.context, t, q, i->g, i->rate, i->gradient) == 0;
    il_host_in();
    w->failed = w->failed || !good;
    return good;
}

static void append(const il_problem *self, size_t id, il_rows *rows) {
    const instance *i = self->data;
    size_t n = 0;
    const double *b = i->gradient + id * self->d;
    for (size_t k = 0; k < self->d; k++) {
        if (b[k] != 0.0) {
            i->col[n] = k;
            i->coef[n++] = b[k];
        }
    }
    il_rows_append(rows, id, i->g[id], i->rate[id], n, i->col, i->coef);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    if (!evaluate(self, t, q)) {
        return IL_ENUMERIC;
    }
    append(self, id, rows);
    return IL_OK;
}

static il_status scan(const il_problem *self, double t, const double *q, const double *x,
                      double slack, il_rows *rows) {
    if (!evaluate(self, t, q)) {
        return IL_ENUMERIC;
    }
    for (size_t id = 0; id < self->p; id++) {
        append(self, id, rows);
        il_rows_trim(rows, q, x, slack);
    }
    return IL_OK;
}

static void eval(const il_exact *exact, double t, int side, double *q, double *u) {
    il_defined *w = (il_defined *)(uintptr_t)exact->data;
    (void)side;
    il_host_out();
    int failed = w->of.exact(w->of.context, t, q, u);
    il_host_in();
    if (failed != 0) {
        w->failed = true;
        q[0] = u[0] = NAN;
    }
}

static void destroy(il_problem *self) {
    instance *i = self->data;
    if (i != NULL) {
        free(i->g); /* and rate, gradient, coef behind it */
        free(i->col);
        free(i);
    }
    il_metric_destroy(self->mass);
    self->mass = NULL;
    self->data = NULL;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    il_defined *w = defined_of(self);
    size_t d = w->of.dimension;
    size_t p = w->of.constraints;
    instance *i = il_alloc_zero(1, sizeof *i);
    (void)params;
    self->data = i;
    i->of = w;
    i->col = il_alloc_zero(d, sizeof *i->col);
    il_status status = il_memory_ask(&i->g, (p + 1) * (d + 2), sizeof *i->g, "numbers", err);
    status = status == IL_OK ? il_metric_diagonal(&self->mass, d, w->mass, err) : status;
    if (status != IL_OK) {
        destroy(self);
        return status;
    }
    i->rate = i->g + p;
    i->gradient = i->rate + p;
    i->coef = i->gradient + p * d;
    self->order = w->of.order;
    self->d = d;
    self->p = p;
    self->horizon = self->horizon > 0.0 ? self->horizon : w->of.horizon;
    self->restitution = w->of.restitution;
    self->traits = IL_ROWS_UNKNOWN | (w->of.force == NULL ? IL_FORCE_FREE : 0u);
    self->q0 = w->q0;
    self->u0 = w->u0;
    if (w->of.exact != NULL) {
        i->breaks[1] = self->horizon;
        i->exact = (il_exact){.name = "exact",
                              .origin = "given",
                              .nbreaks = 2,
                              .breaks = i->breaks,
                              .eval = eval,
                              .data = w};
        self->nexact = 1;
        self->exact = &i->exact;
    }
    return IL_OK;
}

/* x[n], or n times the number `fill` where it is NULL. */
static il_status copy(double **out, const double *x, size_t n, double fill, il_error *err) {
    il_status status = il_memory_ask(out, n, sizeof **out, "coordinates", err);
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        (*out)[k] = x != NULL ? x[k] : fill;
    }
    return status;
}

/* How many numbers create makes room for; 0 where a size_t does not hold their bytes. */
static size_t room_of(size_t d, size_t p) {
    size_t n = 0;
    bool over = d > SIZE_MAX - 2 || p == SIZE_MAX || __builtin_mul_overflow(p + 1, d + 2, &n);
    return over || n > PTRDIFF_MAX / sizeof(double) ? 0 : n;
}

static il_status check(const impactlab_definition *d, il_error *err) {
    if (d->order != 1 && d->order != 2) {
        return il_fail(err, IL_EINVAL, "order is %d; allowed: 1 or 2", d->order);
    }
    if (d->dimension == 0 || d->q0 == NULL) {
        return il_fail(err, IL_EINVAL, "dimension is %zu; allowed: 1 and more, with q0",
                       d->dimension);
    }
    if (room_of(d->dimension, d->constraints) == 0) {
        return il_fail(err, IL_EINVAL,
                       "dimension is %zu with %zu constraints; allowed: what memory can hold",
                       d->dimension, d->constraints);
    }
    if (d->constraints > 0 && d->gaps == NULL) {
        return il_fail(err, IL_EINVAL, "gaps is missing for %zu constraints", d->constraints);
    }
    if (!(d->horizon > 0.0) || !isfinite(d->horizon)) {
        return il_fail(err, IL_EINVAL, "horizon is %g; allowed: a number > 0", d->horizon);
    }
    if (!(d->restitution >= 0.0 && d->restitution <= 1.0)) {
        return il_fail(err, IL_EINVAL, "restitution is %g; allowed: a number in [0, 1]",
                       d->restitution);
    }
    return IL_OK;
}

il_status il_defined_create(il_defined **out, const impactlab_definition *d, il_error *err) {
    static const il_param_spec none[] = {{.key = NULL}};
    *out = NULL;
    il_status status = check(d, err);
    if (status != IL_OK) {
        return status;
    }
    il_defined *w = il_alloc_zero(1, sizeof *w);
    *out = w;
    w->of = *d;
    w->name = il_alloc_text(d->name != NULL ? d->name : "own");
    status = copy(&w->q0, d->q0, d->dimension, 0.0, err);
    status = status == IL_OK ? copy(&w->u0, d->u0, d->dimension, 0.0, err) : status;
    status = status == IL_OK ? copy(&w->mass, d->mass, d->dimension, 1.0, err) : status;
    w->type = (il_problem_type){.name = w->name,
                                .title = "given by functions",
                                .statement = "given by functions",
                                .source = "a program",
                                .params = none,
                                .create = create,
                                .destroy = destroy,
                                .row = d->constraints > 0 ? row : NULL,
                                .scan = d->constraints > 0 ? scan : NULL,
                                .force = d->force != NULL ? force : NULL};
    return status;
}

void il_defined_destroy(il_defined *w) {
    if (w != NULL) {
        free(w->name);
        free(w->q0);
        free(w->u0);
        free(w->mass);
        free(w);
    }
}

const il_problem_type *il_defined_type(const il_defined *w) {
    return &w->type;
}

bool il_defined_failed(il_defined *w) {
    bool failed = w->failed;
    w->failed = false;
    return failed;
}
