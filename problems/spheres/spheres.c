/*
 * spheres.c - spheres among walls as a problem: creation, masses, weight, and the calls handed on
 * to walled.c.
 */
#include "problems/spheres/spheres.h"

#include <stdlib.h>
#include <string.h>

il_status il_spheres_create(il_problem *self, size_t space, size_t N, il_error *err) {
    il_spheres *w = self->data;
    il_status status = il_walled_afford(space, N, err);
    if (status != IL_OK) {
        return status;
    }
    self->d = space * N;
    w->q0 = il_problem_alloc(self, 2 * self->d, sizeof *w->q0, err);
    if (w->q0 == NULL) {
        return IL_ENOMEM;
    }
    w->u0 = w->q0 + self->d;
    self->order = 2;
    self->space = space;
    self->traits = IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME;
    self->q0 = w->q0;
    self->u0 = w->u0;
    return il_walled_init(&w->spheres, space, N, err);
}

void il_spheres_destroy(il_problem *self) {
    il_spheres *w = self->data;
    il_walled_free(&w->spheres);
}

/* One mass a coordinate: masses[N], or by the rule of il_spheres_set_masses where that is NULL. */
static il_status spread_masses(il_problem *self, const double *masses, double density, double unit,
                               int power, il_error *err) {
    const il_spheres *w = self->data;
    double *mass = malloc(self->d * sizeof *mass);
    if (mass == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu masses", self->d);
    }
    for (size_t k = 0; k < self->d; k++) {
        size_t i = k / self->space;
        mass[k] = masses != NULL ? masses[i] : density;
        for (int n = 0; masses == NULL && n < power; n++) {
            mass[k] *= w->spheres.r[i] / unit;
        }
    }
    il_status status = il_problem_set_masses(self, self->d, mass, err);
    free(mass);
    self->p = il_walled_count(&w->spheres);
    self->nwalls = w->spheres.walls;
    self->walls = w->spheres.wall;
    return status;
}

il_status il_spheres_set_masses(il_problem *self, double density, double unit, int power,
                                il_error *err) {
    return spread_masses(self, NULL, density, unit, power, err);
}

il_status il_spheres_finish(il_problem *self, const double *masses, il_error *err) {
    return spread_masses(self, masses, 1.0, 1.0, 0, err);
}

il_status il_spheres_row(const il_problem *self, double t, const double *q, size_t id,
                         il_rows *rows) {
    const il_spheres *w = self->data;
    (void)t;
    return il_walled_row(&w->spheres, q, id, rows);
}

il_status il_spheres_scan(const il_problem *self, double t, const double *q, const double *x,
                          double slack, il_rows *rows) {
    const il_spheres *w = self->data;
    (void)t;
    il_search_share(w->spheres.search, self->team);
    return il_walled_scan(&w->spheres, q, x, slack, rows);
}

double il_spheres_gap(const il_problem *self, double t, const double *q, size_t *id) {
    const il_spheres *w = self->data;
    (void)t;
    return il_walled_gap(&w->spheres, q, id);
}

void il_spheres_each_radius(const il_problem *self, double t, double *r) {
    const il_spheres *w = self->data;
    (void)t;
    memcpy(r, w->spheres.r, w->spheres.N * sizeof *r);
}

double il_spheres_rolling(const il_problem *self, double t, size_t id) {
    const il_spheres *w = self->data;
    (void)t;
    return il_walled_rolling(&w->spheres, id);
}

size_t il_spheres_wall_of(const il_problem *self, size_t id) {
    const il_spheres *w = self->data;
    return il_walled_wall(&w->spheres, id);
}

void il_spheres_describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    const il_spheres *w = self->data;
    il_walled_describe(&w->spheres, id, out, capacity);
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
