/*
 * apgd.c - accelerated projected gradient ascent on the dual (Nesterov 1983; Beck & Teboulle 2009)
 * with adaptive restart (O'Donoghue & Candes 2015), as SCoPI uses it for granular media:
 *
 *     lambda_{k+1} = max(0, y_k - rho g(x(y_k))),        x(y) = t + s M^{-1} B' y,
 *     y_{k+1} = lambda_{k+1} + beta_k (lambda_{k+1} - lambda_k),
 *
 * with one step rho_i = 1/(L W_ii) a row, W = s^2 B M^{-1} B', so that masses in any ratio do not
 * slow it down more than the contacts do; L = |D^{-1/2} W D^{-1/2}|_2, D = diag(W), by power
 * iteration. The momentum is dropped when it points downhill. g is affine in lambda, so its value
 * at y is extrapolated and an iteration costs one product with B and one with B'.
 *
 * It stops when the natural residual max_i |min(lambda_i W_ii, g_i)| is at most the tolerance, in
 * the units of a.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/worse.h"
#include "schemes/projection/projector.h"

enum { DEFAULT_ITERATIONS = 200000, POWER_ITERATIONS = 60 };

/* Power iteration approaches the norm from below, by a few per cent after sixty products. Should
 * that not do, the residual grows, and L is doubled. */
static const double SAFETY = 1.1;
static const double GROWTH = 1e4;

/* A gap is known to this many roundings of the largest lambda_i W_ii. */
static const double ROUNDING = 8.0 * 2.2e-16;

typedef struct {
    il_projector_options options;
    size_t room_d, room_p;
    double *force;    /* [d] s B' lambda */
    double *v;        /* [p] power iteration, then y */
    double *delassus; /* [p] W_ii */
    double *g;        /* [p] gaps at x(lambda) */
    double *gy;       /* [p] gaps at x(y) */
    double *best;     /* [p] lambda with the least residual */
} apgd;

static const char *refuses(void *self, const il_qp *qp) {
    (void)self;
    return il_metric_masses(qp->mass) != NULL ? NULL : "the mass matrix is not diagonal";
}

static void destroy(void *self) {
    apgd *w = self;
    if (w == NULL) {
        return;
    }
    double *numbers[] = {w->force, w->v, w->delassus, w->g, w->gy, w->best};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        free(numbers[i]);
    }
    free(w);
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    apgd *w = il_alloc_zero(1, sizeof *w);
    (void)err;
    *self = w;
    w->options = *options;
    if (!(w->options.tolerance > 0.0)) {
        w->options.tolerance = IL_PROJECTOR_TOLERANCE;
    }
    if (w->options.max_iterations == 0) {
        w->options.max_iterations = DEFAULT_ITERATIONS;
    }
    return IL_OK;
}

static void reserve(apgd *w, size_t d, size_t p) {
    if (d > w->room_d) {
        il_memory_grow(&w->force, d, sizeof(double));
        w->room_d = d;
    }
    if (p > w->room_p) {
        void *const of_p[] = {&w->v, &w->delassus, &w->g, &w->gy, &w->best, NULL};
        il_memory_grow_all(of_p, 2 * p, sizeof(double));
        w->room_p = 2 * p;
    }
}

/* L, from a fixed start that is no eigenvector of a regular arrangement. */
static double scaled_norm(apgd *w, const il_qp *qp) {
    size_t p = qp->rows->p;
    double s = qp->scale;
    double length = 1.0;
    for (size_t i = 0; i < p; i++) {
        w->v[i] = 1.0 + 0.5 * il_sin(1.0 + 2.0 * (double)i) * (i % 2 == 0 ? 1.0 : -3.0);
    }
    for (int k = 0; k <= POWER_ITERATIONS; k++) {
        double sum = 0.0;
        for (size_t i = 0; i < p; i++) {
            sum += w->v[i] * w->v[i];
        }
        length = sqrt(sum);
        if (k == POWER_ITERATIONS || !(length > 0.0)) {
            break;
        }
        memset(w->force, 0, qp->d * sizeof *w->force);
        for (size_t i = 0; i < p; i++) {
            il_rows_axpy(qp->rows, i, s * w->v[i] / length / sqrt(w->delassus[i]), w->force);
        }
        il_metric_solve(qp->mass, w->force, w->force);
        for (size_t i = 0; i < p; i++) {
            w->v[i] = s * il_rows_dot(qp->rows, i, w->force) / sqrt(w->delassus[i]);
        }
    }
    return length > 0.0 ? length : 1.0;
}

/* x(lambda), then g = g(x(lambda)); returns the natural residual, NaN if a gap is. */
static double evaluate(apgd *w, const il_qp *qp, const double *lambda, double *x, double *g) {
    double residual = 0.0;
    il_projection_from_multipliers(qp, lambda, w->force, x);
    for (size_t i = 0; i < qp->rows->p; i++) {
        g[i] = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, x);
        double off = fabs(il_lesser(lambda[i] * w->delassus[i], g[i]));
        if (isnan(g[i])) {
            return NAN;
        }
        residual = off > residual ? off : residual;
    }
    return residual;
}

/* lambda <- max(0, y - rho g(y)); the old lambda goes to y. Returns whether the momentum went
 * downhill: (y - lambda_new) . (lambda_new - lambda_old), weighed by W_ii, is positive. */
static bool advance(apgd *w, size_t p, double norm, double *lambda) {
    double along = 0.0;
    for (size_t i = 0; i < p; i++) {
        double y = w->v[i];
        double next = il_greater(y - w->gy[i] / (norm * w->delassus[i]), 0.0);
        along += (y - next) * (next - lambda[i]) * w->delassus[i];
        w->v[i] = lambda[i];
        lambda[i] = next;
    }
    return along > 0.0;
}

/* y = lambda + beta (lambda - old) and its gaps; v holds the old lambda, gy receives the gaps. */
static void extrapolate(apgd *w, size_t p, double beta, const double *lambda, const double *old_g) {
    for (size_t i = 0; i < p; i++) {
        w->v[i] = lambda[i] + beta * (lambda[i] - w->v[i]);
        w->gy[i] = w->g[i] + beta * (w->g[i] - old_g[i]);
    }
}

/* Make lambda a guess that can be used: none at all where that leaves less undone, or where
 * multipliers that balance each other would drown the tolerance. Returns the residual; x and w->g
 * are there. */
static double admit(apgd *w, const il_qp *qp, double tolerance, double *x, double *lambda) {
    size_t p = qp->rows->p;
    double scaled = 0.0;
    for (size_t i = 0; i < p; i++) {
        lambda[i] = lambda[i] > 0.0 && lambda[i] < INFINITY ? lambda[i] : 0.0;
        scaled = fmax(scaled, lambda[i] * w->delassus[i]);
    }
    double residual = evaluate(w, qp, lambda, x, w->g);
    if (scaled == 0.0 ||
        (residual <= il_projection_violation(qp, qp->target) && ROUNDING * scaled <= tolerance)) {
        return residual;
    }
    memset(lambda, 0, p * sizeof *lambda);
    return evaluate(w, qp, lambda, x, w->g);
}

static il_status iterate(apgd *w, const il_qp *qp, double tolerance, double *x, double *lambda,
                         il_projection_info *info) {
    size_t p = qp->rows->p;
    double norm = SAFETY * scaled_norm(w, qp);
    double theta = 1.0;
    double best = admit(w, qp, tolerance, x, lambda);
    double first = best;
    memcpy(w->best, lambda, p * sizeof *lambda);
    memcpy(w->v, lambda, p * sizeof *lambda);
    memcpy(w->gy, w->g, p * sizeof *lambda);
    for (double residual = best; residual > tolerance; info->iterations++) {
        if (info->iterations >= w->options.max_iterations) {
            memcpy(lambda, w->best, p * sizeof *lambda);
            (void)evaluate(w, qp, lambda, x, w->g);
            return IL_ESTALLED;
        }
        if (il_interrupted()) {
            return IL_EINTERRUPTED;
        }
        bool downhill = advance(w, p, norm, lambda);
        double *old_g = w->gy; /* the gaps at y are used up */
        memcpy(old_g, w->g, p * sizeof *old_g);
        residual = evaluate(w, qp, lambda, x, w->g);
        if (!isfinite(residual)) {
            return IL_ENUMERIC;
        }
        if (residual < best) {
            best = residual;
            memcpy(w->best, lambda, p * sizeof *lambda);
        } else if (residual > GROWTH * first) {
            norm *= 2.0;
            downhill = true;
            memcpy(lambda, w->best, p * sizeof *lambda);
            residual = evaluate(w, qp, lambda, x, w->g);
        }
        double next = downhill ? 1.0 : 0.5 * (1.0 + sqrt(1.0 + 4.0 * theta * theta));
        extrapolate(w, p, downhill ? 0.0 : (theta - 1.0) / next, lambda, old_g);
        theta = next;
    }
    return isnan(best) ? IL_ENUMERIC : IL_OK;
}

static il_status run(apgd *w, const il_qp *qp, double tolerance, double *x, double *lambda,
                     il_projection_info *info) {
    const double *mass = il_metric_masses(qp->mass);
    *info = (il_projection_info){.method = "apgd"};
    if (mass == NULL) {
        return IL_EUNSUPPORTED;
    }
    reserve(w, qp->d, qp->rows->p);
    if (qp->rows->p == 0) {
        memcpy(x, qp->target, qp->d * sizeof *x);
        return il_projection_finite(qp, x, lambda, IL_OK);
    }
    il_projection_delassus(qp, mass, w->delassus);
    return il_projection_finite(qp, x, lambda, iterate(w, qp, tolerance, x, lambda, info));
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    apgd *w = self;
    return run(w, qp, w->options.tolerance, x, lambda, info);
}

static il_status approximate(void *self, const il_qp *qp, double tolerance, double *x,
                             double *lambda, il_projection_info *info) {
    apgd *w = self;
    il_status status = run(w, qp, fmax(tolerance, w->options.tolerance), x, lambda, info);
    info->inexact = tolerance > w->options.tolerance;
    return status;
}

const il_projector_type il_projector_apgd = {
    .name = "apgd",
    .title = "accelerated projected gradient on the dual, with restart: for many bodies",
    .statement =
        "lambda_{k+1} = max(0, y_k - rho g(x(y_k))),\n"
        "y_{k+1} = lambda_{k+1} + beta_k (lambda_{k+1} - lambda_k),  x(y) = t + s M^-1 B' y,\n"
        "rho_i = 1/(L W_ii) with W = s^2 B M^-1 B' and L the norm of W scaled by its diagonal;\n"
        "the momentum is dropped when it points downhill. Starts from the multipliers of the\n"
        "round or step before. M diagonal. Stops when the natural residual is at most --tol\n"
        "(default 1e-12, in the units of the gaps).",
    .source = "Nesterov 1983; Beck & Teboulle 2009; O'Donoghue & Candes 2015",
    .finite = false,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .approximate = approximate,
    .destroy = destroy};
