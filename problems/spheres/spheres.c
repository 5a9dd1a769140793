/*
 * spheres.c - the constraints of spheres among walls, by number, by search and at their least; the
 * masses, and the weight.
 */
#include "problems/spheres/spheres.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"

/* ---- memory ------------------------------------------------------------------------------- */

/* Vectors of d doubles that a problem, a scheme, a run and its measures hold together (28 counted,
 * the metric and a frictionless trajectory's last state included), sets of rows, and contacts of a
 * body: three a disc and six a ball in a dense crowd of equal ones, doubled for storage that grows
 * by doubling. */
enum { VECTORS = 32, ROW_SETS = 2 };

static double bytes_per_body(size_t space) {
    double contacts = 2.0 * (space == 3 ? 6.0 : 3.0);
    double row = 6.0 * sizeof(double) + 2.0 * (double)space * (sizeof(size_t) + sizeof(double));
    return (double)(VECTORS * space * sizeof(double) + il_search_bytes_per_body()) +
           ROW_SETS * contacts * row;
}

il_status il_spheres_afford(size_t space, size_t N, il_error *err) {
    return il_memory_afford(N, bytes_per_body(space), 1, err);
}

il_status il_spheres_init(il_spheres *w, size_t space, size_t N, il_error *err) {
    *w = (il_spheres){.space = space, .N = N};
    w->r = il_alloc(N, sizeof *w->r);
    il_status status = il_search_create(&w->search, space, N, err);
    if (status != IL_OK) {
        il_spheres_free(w);
    }
    return status;
}

void il_spheres_free(il_spheres *w) {
    free(w->r);
    il_search_destroy(w->search);
    w->r = NULL;
    w->search = NULL;
}

void il_spheres_add_wall(il_spheres *w, const char *name, const double *n, double c) {
    assert(w->walls < IL_WALLS_MAX);
    il_plane *wall = &w->wall[w->walls++];
    wall->name = name;
    memcpy(wall->n, n, w->space * sizeof *n);
    wall->c = c;
}

size_t il_spheres_wall_of(const il_problem *self, size_t id) {
    const il_spheres *w = self->data;
    size_t pairs = il_pair_count(w->N);
    return id >= pairs ? (id - pairs) % w->walls : w->walls;
}

double il_spheres_rolling(const il_problem *self, double t, size_t id) {
    const il_spheres *w = self->data;
    (void)t;
    if (id >= il_pair_count(w->N)) {
        return INFINITY;
    }
    size_t i = 0;
    size_t j = 0;
    il_pair_of(id, &i, &j);
    return w->r[i] + w->r[j];
}

size_t il_spheres_count(const il_spheres *w) {
    return il_pair_count(w->N) + w->walls * w->N;
}

/* ---- rows --------------------------------------------------------------------------------- */

static double wall_value(const il_spheres *w, const double *q, size_t i, size_t k) {
    double along = 0.0;
    for (size_t c = 0; c < w->space; c++) {
        along += w->wall[k].n[c] * q[w->space * i + c];
    }
    return along - w->wall[k].c - w->r[i];
}

static il_status wall_row(const il_spheres *w, const double *q, size_t i, size_t k, il_rows *rows) {
    size_t col[IL_PAIR_SPACE_MAX];
    double coef[IL_PAIR_SPACE_MAX];
    size_t n = 0;
    for (size_t c = 0; c < w->space; c++) {
        if (w->wall[k].n[c] != 0.0) {
            col[n] = w->space * i + c;
            coef[n++] = w->wall[k].n[c];
        }
    }
    double value = wall_value(w, q, i, k);
    if (!isfinite(value)) {
        return IL_ENUMERIC;
    }
    il_rows_append(rows, il_pair_count(w->N) + w->walls * i + k, value, 0.0, n, col, coef);
    return IL_OK;
}

static il_status pair_row(const il_spheres *w, const double *q, size_t i, size_t j, il_rows *rows) {
    return il_pair_row(w->space, q, i, j, w->r[i] + w->r[j], 0.0, il_pair_id(i, j), rows);
}

il_status il_spheres_row(const il_problem *self, double t, const double *q, size_t id,
                         il_rows *rows) {
    const il_spheres *w = self->data;
    (void)t;
    size_t pairs = il_pair_count(w->N);
    if (id >= pairs) {
        return wall_row(w, q, (id - pairs) / w->walls, (id - pairs) % w->walls, rows);
    }
    size_t i = 0;
    size_t j = 0;
    il_pair_of(id, &i, &j);
    return pair_row(w, q, i, j, rows);
}

/* ---- search ------------------------------------------------------------------------------- */

typedef struct {
    const il_spheres *w;
    const double *q, *x;
    double slack;
    il_rows *rows;
} scanning;

static il_status offer_pair(void *context, const il_pair *pair) {
    const scanning *s = context;
    const il_pair_scan scan = {s->w->space, s->q, s->x, s->slack, s->rows};
    return il_pair_offer(&scan, pair, s->w->r[pair->i] + s->w->r[pair->j], 0.0);
}

/* All walls of all spheres, in so many axes; a row is appended only where it stays. Most are far:
 * with the loop over axes unrolled that takes a third of the instructions. */
__attribute__((always_inline)) static inline il_status offer_walls_in(const scanning *s,
                                                                      size_t space) {
    const il_spheres *w = s->w;
    il_status status = IL_OK;
    for (size_t i = 0; i < w->N; i++) {
        const double *q = s->q + space * i;
        const double *x = s->x + space * i;
        for (size_t k = 0; k < w->walls && status == IL_OK; k++) {
            const double *n = w->wall[k].n;
            double along = 0.0;
            for (size_t c = 0; c < space; c++) {
                along += n[c] * q[c];
            }
            double value = along - w->wall[k].c - w->r[i];
            double g = value; /* at x, as il_rows_at has it */
            for (size_t c = 0; c < space; c++) {
                g += n[c] != 0.0 ? n[c] * (x[c] - q[c]) : 0.0;
            }
            if (!isfinite(value)) {
                return IL_ENUMERIC;
            }
            if (!(s->slack < INFINITY && g > s->slack)) {
                status = wall_row(w, s->q, i, k, s->rows);
            }
        }
    }
    return status;
}

il_status il_spheres_scan(const il_problem *self, double t, const double *q, const double *x,
                          double slack, il_rows *rows) {
    const il_spheres *w = self->data;
    scanning s = {.w = w, .q = q, .x = x, .slack = slack, .rows = rows};
    (void)t;
    il_search_share(w->search, self->team);
    il_status status = il_search_near(w->search, q, x, w->r, slack, offer_pair, &s);
    if (status != IL_OK) {
        return status;
    }
    return w->space == 2 ? offer_walls_in(&s, 2) : offer_walls_in(&s, w->space);
}

double il_spheres_gap(const il_problem *self, double t, const double *q, size_t *id) {
    const il_spheres *w = self->data;
    (void)t;
    size_t i = 0;
    size_t j = 1;
    double least = il_search_least(w->search, q, w->r, &i, &j);
    size_t at = il_pair_id(i, j);
    if (isnan(least)) {
        return NAN;
    }
    for (i = 0; i < w->N; i++) {
        for (size_t k = 0; k < w->walls; k++) {
            double value = wall_value(w, q, i, k);
            if (!isfinite(value)) {
                return NAN;
            }
            if (value < least) {
                least = value;
                at = il_pair_count(w->N) + w->walls * i + k;
            }
        }
    }
    if (id != NULL && least < INFINITY) {
        *id = at;
    }
    return least;
}

void il_spheres_describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    const il_spheres *w = self->data;
    const char *body = w->space == 2 ? "disc" : "sphere";
    size_t pairs = il_pair_count(w->N);
    if (id < pairs) {
        il_pair_describe(body, id, out, capacity);
        return;
    }
    (void)snprintf(out, capacity, "%s %zu and the %s", body, (id - pairs) / w->walls + 1,
                   w->wall[(id - pairs) % w->walls].name);
}

/* ---- a problem of them ---------------------------------------------------------------------- */

il_status il_spheres_create(il_problem *self, size_t space, size_t N, il_error *err) {
    il_spheres *w = self->data;
    il_status status = il_spheres_afford(space, N, err);
    if (status != IL_OK) {
        return status;
    }
    self->d = space * N;
    status = il_spheres_init(w, space, N, err);
    if (status != IL_OK) {
        return status;
    }
    w->q0 = il_problem_alloc(self, 2 * self->d, sizeof *w->q0);
    w->u0 = w->q0 + self->d;
    self->order = 2;
    self->space = space;
    self->traits = IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_ROWS_BALLS | IL_FORCE_OF_TIME;
    self->q0 = w->q0;
    self->u0 = w->u0;
    return IL_OK;
}

void il_spheres_destroy(il_problem *self) {
    il_spheres_free(self->data);
}

/* One mass a coordinate: masses[N], or by the rule of il_spheres_set_masses where that is NULL. */
static il_status spread_masses(il_problem *self, const double *masses, double density, double unit,
                               int power, il_error *err) {
    const il_spheres *w = self->data;
    double *mass = il_alloc(self->d, sizeof *mass);
    for (size_t k = 0; k < self->d; k++) {
        size_t i = k / self->space;
        mass[k] = masses != NULL ? masses[i] : density;
        for (int n = 0; masses == NULL && n < power; n++) {
            mass[k] *= w->r[i] / unit;
        }
    }
    il_status status = il_problem_set_masses(self, self->d, mass, err);
    free(mass);
    self->p = il_spheres_count(w);
    self->nwalls = w->walls;
    self->walls = w->wall;
    return status;
}

il_status il_spheres_set_masses(il_problem *self, double density, double unit, int power,
                                il_error *err) {
    return spread_masses(self, NULL, density, unit, power, err);
}

il_status il_spheres_finish(il_problem *self, const double *masses, il_error *err) {
    return spread_masses(self, masses, 1.0, 1.0, 0, err);
}

void il_spheres_each_radius(const il_problem *self, double t, double *r) {
    const il_spheres *w = self->data;
    (void)t;
    memcpy(r, w->r, w->N * sizeof *r);
}

void il_spheres_force(const il_problem *self, double t, const double *q, double *f) {
    const il_spheres *w = self->data;
    const double *mass = il_metric_masses(self->mass);
    (void)t;
    (void)q;
    for (size_t k = 0; k < self->d; k++) {
        f[k] = k % self->space == self->space - 1 ? -mass[k] * w->gravity : 0.0;
    }
}

void il_spheres_force_mean(const il_problem *self, double t0, double t1, const double *q,
                           double *f) {
    (void)t1;
    il_spheres_force(self, t0, q, f);
}
