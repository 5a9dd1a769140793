/*
 * gauss_seidel.c - projected Gauss-Seidel on the dual (Hildreth 1957; Cottle, Golub & Sacher 1978),
 * the loop of most engines ("sequential impulses") and of Siconos' NSGS: row after row, in their
 * order,
 *
 *     lambda_i <- max(0, lambda_i - (a_i + s <b_i, x>)/W_ii),   W_ii = s^2 <b_i, M^{-1} b_i>,
 *     x <- x + s M^{-1} b_i (change of lambda_i).
 *
 * Each row is closed exactly at its turn, and opened again by its neighbours: impulses travel one
 * contact a sweep against the order of the rows, a whole row of contacts along it; in a random
 * order, another one in every sweep, some of both. Converges for any positive W_ii, linearly; far
 * slower than the default where bodies are stacked. It ends where the natural residual,
 * max_i |min(lambda_i W_ii, gap_i)|, is at most the tolerance. Warm, it begins with the multipliers
 * that the caller gives, in a step those of the step before.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/uniform.h"
#include "schemes/projection/projector.h"

enum { SWEEPS = 100000 };

/* Every call draws the same orders: an answer depends on no earlier call. */
static const uint64_t SEED = 1;

typedef struct {
    il_projector_options options;
    size_t room_d, room_p;
    double *force; /* [d] scratch: s B' lambda, or a row as a vector */
    double *w;     /* [p] W_ii */
    size_t *order; /* [p] in which rows are taken */
} gauss_seidel;

static const char *refuses(void *self, const il_qp *qp) {
    (void)self;
    (void)qp;
    return NULL;
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    gauss_seidel *w = il_alloc_zero(1, sizeof *w);
    (void)err;
    *self = w;
    w->options = *options;
    if (w->options.tolerance <= 0.0) {
        w->options.tolerance = IL_PROJECTOR_TOLERANCE;
    }
    if (w->options.max_iterations == 0) {
        w->options.max_iterations = SWEEPS;
    }
    return IL_OK;
}

static void destroy(void *self) {
    gauss_seidel *w = self;
    if (w != NULL) {
        free(w->force);
        free(w->w);
        free(w->order);
    }
    free(w);
}

static void reserve(gauss_seidel *w, size_t d, size_t p) {
    if (d > w->room_d) {
        il_memory_grow(&w->force, d, sizeof(double));
        w->room_d = d;
    }
    if (p > w->room_p) {
        il_memory_grow(&w->w, 2 * p, sizeof(double));
        il_memory_grow(&w->order, 2 * p, sizeof(size_t));
        w->room_p = 2 * p;
    }
}

/* M^{-1} b_i into w->force, for a mass matrix that is not diagonal. */
static void accelerate(gauss_seidel *w, const il_qp *qp, size_t i) {
    memset(w->force, 0, qp->d * sizeof *w->force);
    il_rows_axpy(qp->rows, i, 1.0, w->force);
    il_metric_solve(qp->mass, w->force, w->force);
}

static void delassus(gauss_seidel *w, const il_qp *qp) {
    const double *mass = il_metric_masses(qp->mass);
    if (mass != NULL) {
        il_projection_delassus(qp, mass, w->w);
        return;
    }
    for (size_t i = 0; i < qp->rows->p; i++) {
        accelerate(w, qp, i);
        double own = qp->scale * qp->scale * il_rows_dot(qp->rows, i, w->force);
        w->w[i] = own > 0.0 ? own : 1.0;
    }
}

/* x += s c M^{-1} b_i. */
static void push(gauss_seidel *w, const il_qp *qp, size_t i, double c, double *x) {
    const il_rows *rows = qp->rows;
    const double *mass = il_metric_masses(qp->mass);
    if (mass == NULL) {
        accelerate(w, qp, i);
        for (size_t k = 0; k < qp->d; k++) {
            x[k] += qp->scale * c * w->force[k];
        }
        return;
    }
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        x[rows->col[e]] += qp->scale * c * rows->coef[e] / mass[rows->col[e]];
    }
}

/* One order after another: Fisher and Yates. */
static void shuffle(size_t *order, size_t p, uint64_t *state) {
    for (size_t i = p; i > 1; i--) {
        size_t k = (size_t)(il_uniform_next(state) * (double)i);
        size_t other = order[k];
        order[k] = order[i - 1];
        order[i - 1] = other;
    }
}

/* All rows once. Returns the largest change that a row made to its gap; NaN where one is. */
static double sweep(gauss_seidel *w, const il_qp *qp, double *x, double *lambda) {
    double most = 0.0;
    for (size_t k = 0; k < qp->rows->p; k++) {
        size_t i = w->order[k];
        double g = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, x);
        double next = fmax(0.0, lambda[i] - g / w->w[i]);
        double change = fabs(next - lambda[i]) * w->w[i];
        if (isnan(g)) {
            return NAN;
        }
        if (next != lambda[i]) {
            push(w, qp, i, next - lambda[i], x);
            lambda[i] = next;
        }
        most = fmax(most, change);
    }
    return most;
}

/* max_i |min(lambda_i W_ii, gap_i)|; NaN where a gap is. */
static double residual(const gauss_seidel *w, const il_qp *qp, const double *x,
                       const double *lambda) {
    double most = 0.0;
    for (size_t i = 0; i < qp->rows->p; i++) {
        double g = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, x);
        if (isnan(g)) {
            return NAN;
        }
        most = fmax(most, fabs(fmin(lambda[i] * w->w[i], g)));
    }
    return most;
}

/* x and lambda before the first sweep. */
static void begin(gauss_seidel *w, const il_qp *qp, double *x, double *lambda) {
    for (size_t i = 0; i < qp->rows->p; i++) {
        bool warm = w->options.warm && lambda[i] > 0.0 && isfinite(lambda[i]);
        lambda[i] = warm ? lambda[i] : 0.0;
        w->order[i] = i;
    }
    memcpy(x, qp->target, qp->d * sizeof *x);
    if (w->options.warm) {
        il_projection_from_multipliers(qp, lambda, w->force, x);
    }
}

static il_status iterate(void *self, const il_qp *qp, double *x, double *lambda,
                         il_projection_info *info) {
    gauss_seidel *w = self;
    *info = (il_projection_info){.method = "gauss_seidel"};
    reserve(w, qp->d, qp->rows->p);
    delassus(w, qp);
    double tolerance = w->options.tolerance;
    uint64_t state = SEED;
    begin(w, qp, x, lambda);
    double left = residual(w, qp, x, lambda);
    bool done = left <= tolerance;
    if (!isfinite(left)) {
        return IL_ENUMERIC;
    }
    while (!done && info->iterations < w->options.max_iterations && !il_interrupted()) {
        if (w->options.shuffled) {
            shuffle(w->order, qp->rows->p, &state);
        }
        double change = sweep(w, qp, x, lambda);
        if (!isfinite(change)) {
            return IL_ENUMERIC;
        }
        info->iterations++;
        if (change <= tolerance) { /* x without the roundings of the sweeps */
            il_projection_from_multipliers(qp, lambda, w->force, x);
            done = residual(w, qp, x, lambda) <= tolerance;
        }
    }
    il_projection_from_multipliers(qp, lambda, w->force, x);
    return done ? IL_OK : il_interrupted() ? IL_EINTERRUPTED : IL_ESTALLED;
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    return il_projection_finite(qp, x, lambda, iterate(self, qp, x, lambda, info));
}

const il_projector_type il_projector_gauss_seidel = {
    .name = "gauss_seidel",
    .title = "projected Gauss-Seidel, contact after contact: the loop of most engines",
    .statement =
        "lambda_i <- max(0, lambda_i - (a_i + s <b_i,x>)/W_ii), x <- x + s M^-1 b_i times its\n"
        "change, row after row in their order, sweep after sweep. Stops when the natural\n"
        "residual is at most --tol (default 1e-12, in the units of the gaps). An engine's ten or "
        "fifty sweeps are\n"
        "--max-iterations 10 --accept-stalled: the record counts what they leave undone.\n"
        "--sweep-order random takes the rows in a new random order in every sweep; --warm starts\n"
        "from the multipliers of the step before, with schemes that keep them (maury, venel).",
    .source = "Hildreth 1957; Cottle, Golub & Sacher 1978",
    .finite = false,
    .swept = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .destroy = destroy};
