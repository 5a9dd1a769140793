/*
 * disturb.c - a problem whose callbacks return perturbed data.
 */
#include "harness/study/ensemble/disturb.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { SWEEPS = 500 };

/* A start that must be pulled back by more than this multiple of its perturbation is another start.
 * A chain of touching bodies adds up the perturbations of each of them. */
static const double FAR = 1e4;

/* Streams of random numbers. */
enum { OF_Q = 1, OF_U = 2, OF_MASS = 3, OF_FORCE = 4, OF_ROWS = 5 };

/* splitmix64 (Steele, Lea & Flood 2014). */
static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

double il_disturb_draw(uint64_t seed, uint64_t k) {
    uint64_t bits = mix(mix(seed) ^ k);
    double uniform = (double)(bits >> 12) * 0x1p-52; /* [0, 1) */
    return (bits & 1u) != 0 ? 0.5 + 0.5 * uniform : -0.5 - 0.5 * uniform;
}

static double draw(const il_disturbed *w, unsigned stream, size_t k) {
    return il_disturb_draw(w->seed, ((uint64_t)stream << 56) + k);
}

double il_disturb_size(double start, double most) {
    return start >= sqrt(DBL_EPSILON) * most ? start : most;
}

static il_disturbed *self_of(const il_problem *self) {
    return (il_disturbed *)(uintptr_t)self->type;
}

/* The rows as the problem itself offers them. */
static il_status scan_in_order(const il_disturbed *w, const il_problem *self, double t,
                               const double *q, const double *x, double slack, il_rows *rows) {
    if (w->of->scan != NULL) {
        return w->of->scan(self, t, q, x, slack, rows);
    }
    for (size_t id = 0; id < self->p; id++) {
        il_status status = w->of->row(self, t, q, id, rows);
        if (status != IL_OK) {
            return status;
        }
        il_rows_trim(rows, q, x, slack);
    }
    return IL_OK;
}

/* ---- the start ------------------------------------------------------------------------------ */

/* A contact that holds keeps its gap at zero from both sides. */
static bool holds(const il_problem *self, size_t id) {
    return self->gamma0 != NULL && self->gamma0[id] < 0.0;
}

/* Project q[d] onto the constraints, one after the other (Kaczmarz). at[d] is scratch. False if
 * that does not converge: the start is refused later, with the constraint that it violates. */
static bool pull(il_disturbed *w, const il_problem *self, double *q, double *at, double size) {
    size_t d = self->d;
    double enough = 2.0 * DBL_EPSILON * fmax(w->q_size, DBL_MIN);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double worst = 0.0;
        il_rows_clear(&w->rows);
        double slack = self->gamma0 != NULL ? 8.0 * size : 0.0;
        if (scan_in_order(w, self, 0.0, q, q, slack, &w->rows) != IL_OK) {
            return false;
        }
        memcpy(at, q, d * sizeof *at);
        for (size_t i = 0; i < w->rows.p; i++) {
            double g = il_rows_at(&w->rows, i, at, q);
            double norm2 = 0.0;
            for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
                norm2 += w->rows.coef[e] * w->rows.coef[e];
            }
            bool off = g < -enough || (holds(self, w->rows.id[i]) && g > enough);
            if (off && norm2 > 0.0) {
                worst = fmax(worst, fabs(g));
                il_rows_axpy(&w->rows, i, -g / norm2, q);
            }
        }
        if (worst == 0.0) {
            return true;
        }
    }
    return false;
}

static void draw_start(const il_disturbed *w, const double *from, double size, unsigned stream,
                       size_t d, double *x) {
    for (size_t k = 0; k < d; k++) {
        x[k] = from[k] + size * draw(w, stream, k);
    }
}

/* Was the start moved farther than perturbations of this size explain? */
static bool is_far(const il_problem *self, const double *q, double size) {
    double most = 0.0;
    for (size_t k = 0; k < self->d; k++) {
        most = fmax(most, fabs(q[k] - self->q0[k]));
    }
    return !(most <= FAR * size);
}

static void move_start(il_disturbed *w, il_problem *self) {
    size_t d = self->d;
    double *q = w->x;
    double *u = w->x + d;
    double size = w->size * w->q_size;
    draw_start(w, self->q0, size, OF_Q, d, q);
    draw_start(w, self->u0, self->order == 2 ? w->size * w->u_size : 0.0, OF_U, d, u);
    if (self->p > 0 && size > 0.0 &&
        (!pull(w, self, q, w->x + 3 * d, size) || is_far(self, q, size))) {
        draw_start(w, self->q0, size, OF_Q, d, q); /* refused, unless it is within rounding */
    }
    w->q0 = self->q0;
    w->u0 = self->u0;
    self->q0 = q;
    self->u0 = u;
}

/* A body's mass moves as one, or momentum along one axis would weigh it otherwise than along
 * another. */
static il_status move_masses(il_disturbed *w, il_problem *self, il_error *err) {
    const double *masses = il_metric_masses(self->mass);
    double *moved = w->x + 3 * self->d;
    size_t space = self->space > 0 ? self->space : 1;
    w->mass = self->mass;
    if (masses == NULL) {
        return IL_OK;
    }
    for (size_t k = 0; k < self->d; k++) {
        moved[k] = masses[k] * (1.0 + w->size * draw(w, OF_MASS, k / space));
    }
    il_metric *mass = NULL;
    il_status status = il_metric_diagonal(&mass, self->d, moved, err);
    self->mass = status == IL_OK ? mass : self->mass;
    return status;
}

/* ---- callbacks ------------------------------------------------------------------------------ */

static void destroy(il_problem *self) {
    il_disturbed *w = self_of(self);
    if (self->mass != w->mass) {
        il_metric_destroy(self->mass);
        self->mass = w->mass;
    }
    self->q0 = w->q0;
    self->u0 = w->u0;
    self->type = w->of;
    if (w->of->destroy != NULL) {
        w->of->destroy(self);
    }
    free(w->x);
    free(w->places);
    il_rows_free(&w->rows);
    w->x = NULL;
    w->places = NULL;
    w->room = 0;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    il_disturbed *w = self_of(self);
    self->type = w->of;
    il_status status = w->of->create(self, params, err);
    self->type = &w->type;
    if (status != IL_OK) {
        return status;
    }
    il_rows_init(&w->rows);
    w->q0 = self->q0;
    w->u0 = self->u0;
    w->mass = self->mass;
    w->x = il_alloc(4 * self->d, sizeof *w->x);
    for (size_t k = 0; k < self->d; k++) {
        w->x[2 * self->d + k] = 1.0 + w->size * draw(w, OF_FORCE, k);
    }
    status = move_masses(w, self, err);
    if (status != IL_OK) {
        destroy(self);
        return status;
    }
    move_start(w, self);
    return IL_OK;
}

static void scale_force(const il_disturbed *w, size_t d, double *f) {
    for (size_t k = 0; k < d; k++) {
        f[k] *= w->x[2 * d + k];
    }
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const il_disturbed *w = self_of(self);
    w->of->force(self, t, q, f);
    scale_force(w, self->d, f);
}

/* Each step's mean by a factor of its own too: a constant one only changes the units of a motion
 * that starts from rest, and a wall forgets where it started. */
static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    const il_disturbed *w = self_of(self);
    uint64_t bits = 0;
    memcpy(&bits, &t0, sizeof bits);
    w->of->force_mean(self, t0, t1, q, f);
    scale_force(w, self->d, f);
    for (size_t k = 0; k < self->d; k++) {
        f[k] *= 1.0 + w->size * il_disturb_draw(mix(w->seed) ^ bits, k);
    }
}

/* ---- the order of rows ---------------------------------------------------------------------- */

typedef struct {
    double key;
    size_t row;
} place;

static int by_key(const void *a, const void *b) {
    const place *x = a;
    const place *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->row > y->row) - (x->row < y->row);
}

/* The rows of a scan in an order of our own: by numbers drawn for their ids, the same in every
 * scan. */
static il_status scan(const il_problem *self, double t, const double *q, const double *x,
                      double slack, il_rows *rows) {
    il_disturbed *w = self_of(self);
    il_rows_clear(&w->rows);
    il_status status = scan_in_order(w, self, t, q, x, slack, &w->rows);
    size_t p = w->rows.p;
    if (status != IL_OK) {
        return status;
    }
    if (p > w->room) {
        il_memory_grow(&w->places, p, sizeof(place));
        w->room = p;
    }
    place *places = w->places;
    for (size_t i = 0; i < p; i++) {
        places[i] = (place){draw(w, OF_ROWS, w->rows.id[i]), i};
    }
    if (p > 1) { /* places is NULL before the first row */
        qsort(places, p, sizeof *places, by_key);
    }
    for (size_t k = 0; k < p; k++) {
        il_rows_append_row(rows, &w->rows, places[k].row);
    }
    return IL_OK;
}

void il_disturb(il_disturbed *w, const il_problem_type *of) {
    w->of = of;
    w->type = *of;
    w->type.create = create;
    w->type.destroy = destroy;
    w->type.force = of->force != NULL ? force : NULL;
    w->type.force_mean = of->force_mean != NULL ? force_mean : NULL;
    if (w->reorder && of->row != NULL) {
        w->type.scan = scan;
    }
}
