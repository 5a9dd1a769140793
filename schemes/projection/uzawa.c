/*
 * uzawa.c - Maury's own solver (Maury 2006, section 3.3): projected gradient ascent on the dual,
 *
 *     M x_{k+1} = M t + s B' mu_k,       mu_{k+1} = max(0, mu_k - rho (a + s B x_{k+1})),
 *
 * convergent for 0 < rho < rho_max = 2 / |s^2 B M^{-1} B'|_2, which is at least Maury's 2 alpha /
 * |C'C|_2 (Proposition 1; C = -sB, alpha the smallest eigenvalue of M).
 *
 * Two rules for rho:
 *   measured  rho = 0.9 rho_max, the norm by power iteration on B M^{-1} B';
 *   explicit  rho = alpha / (|C|_1 |C|_inf), a bound that needs no iteration. For spheres
 *             |C|_inf <= 2 h sqrt(d) and |C|_1 <= kappa h, so that it is at least Maury's explicit
 *             min m_i / (2 kappa h^2 sqrt d) (Remark 8).
 *
 * It stops when |max(-mu/rho, -(a + sBx))|, the natural residual in the units of a, is at most the
 * tolerance in every row: no row is violated by more, and no row with a positive multiplier has a
 * larger gap.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "schemes/projection/projector.h"

enum {
    DEFAULT_ITERATIONS = 1000000,
    WINDOW = 1000,
    POWER_ITERATIONS = 200,
    POWER_LEAST = 30,
    CALM = 5
};

/* Power iteration approaches the norm from below; 0.9 leaves room for the last digits. A start
 * nearly orthogonal to the top eigenvector is caught by asking for many iterations and several
 * small changes in a row, and afterwards by the residual: when it does not fall, rho is halved. */
static const double SAFETY = 0.9;
static const double POWER_TOLERANCE = 1e-4;

typedef struct {
    il_projector_options options;
    size_t room_d, room_p;
    double *force; /* [d] s B' mu */
    double *sums;  /* [d] column sums */
    double *v;     /* [p] power iteration */
    double *mu;    /* [p] the iterate to come */
} uzawa;

static const char *refuses(void *self, const il_qp *qp) {
    (void)self;
    (void)qp;
    return NULL;
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    uzawa *w = il_alloc_zero(1, sizeof *w);
    (void)err;
    *self = w;
    w->options = *options;
    if (w->options.tolerance <= 0.0) {
        w->options.tolerance = IL_PROJECTOR_TOLERANCE;
    }
    if (w->options.max_iterations == 0) {
        w->options.max_iterations = DEFAULT_ITERATIONS;
    }
    return IL_OK;
}

static void destroy(void *self) {
    uzawa *w = self;
    if (w == NULL) {
        return;
    }
    free(w->force);
    free(w->sums);
    free(w->v);
    free(w->mu);
    free(w);
}

static void reserve(uzawa *w, size_t d, size_t p) {
    if (d > w->room_d) {
        il_memory_grow(&w->force, d, sizeof(double));
        il_memory_grow(&w->sums, d, sizeof(double));
        w->room_d = d;
    }
    if (p > w->room_p) {
        il_memory_grow(&w->v, 2 * p, sizeof(double));
        il_memory_grow(&w->mu, 2 * p, sizeof(double));
        w->room_p = 2 * p;
    }
}

/* y = B M^{-1} B' v in place, through force. */
static void dual_operator(uzawa *w, const il_qp *qp, double *v) {
    memset(w->force, 0, qp->d * sizeof *w->force);
    for (size_t i = 0; i < qp->rows->p; i++) {
        il_rows_axpy(qp->rows, i, v[i], w->force);
    }
    il_metric_solve(qp->mass, w->force, w->force);
    for (size_t i = 0; i < qp->rows->p; i++) {
        v[i] = il_rows_dot(qp->rows, i, w->force);
    }
}

/* alpha^{-1} |B|_1 |B|_inf >= |B M^{-1} B'|_2: row sums and column sums only. */
static double explicit_norm(uzawa *w, const il_qp *qp) {
    double row_max = 0.0;
    double column_max = 0.0;
    memset(w->sums, 0, qp->d * sizeof *w->sums);
    for (size_t i = 0; i < qp->rows->p; i++) {
        double row = 0.0;
        for (size_t k = qp->rows->start[i]; k < qp->rows->start[i + 1]; k++) {
            row += fabs(qp->rows->coef[k]);
            w->sums[qp->rows->col[k]] += fabs(qp->rows->coef[k]);
        }
        row_max = fmax(row_max, row);
    }
    for (size_t k = 0; k < qp->d; k++) {
        column_max = fmax(column_max, w->sums[k]);
    }
    return row_max * column_max / il_metric_smallest(qp->mass);
}

/* |B M^{-1} B'|_2 by power iteration from a fixed start that is no eigenvector of a regular
 * arrangement. */
static double measured_norm(uzawa *w, const il_qp *qp) {
    size_t p = qp->rows->p;
    for (size_t i = 0; i < p; i++) {
        w->v[i] = 1.0 + 0.5 * il_sin(1.0 + 2.0 * (double)i) * (i % 2 == 0 ? 1.0 : -3.0);
    }
    double estimate = 0.0;
    double length = il_length(w->v, p);
    int calm = 0;
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        for (size_t i = 0; i < p; i++) {
            w->v[i] /= length;
        }
        dual_operator(w, qp, w->v);
        length = il_length(w->v, p);
        bool still = fabs(length - estimate) <= POWER_TOLERANCE * length;
        calm = still ? calm + 1 : 0;
        if (!(length > 0.0) || (k >= POWER_LEAST && calm >= CALM)) {
            break;
        }
        estimate = length;
    }
    return fmin(length, explicit_norm(w, qp));
}

static double choose_rho(uzawa *w, const il_qp *qp) {
    double s2 = qp->scale * qp->scale;
    switch (w->options.rho_rule) {
    case IL_RHO_GIVEN:
        return w->options.rho;
    case IL_RHO_EXPLICIT:
        return 1.0 / (s2 * explicit_norm(w, qp));
    case IL_RHO_MEASURED:
        break;
    }
    return SAFETY * 2.0 / (s2 * measured_norm(w, qp));
}

/* The next iterate into mu. Returns the residual of this one, NaN if a gap is. */
static double ascend(uzawa *w, const il_qp *qp, double rho, const double *lambda, const double *x) {
    double residual = 0.0;
    for (size_t i = 0; i < qp->rows->p; i++) {
        double g = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, x);
        w->mu[i] = fmax(0.0, lambda[i] - rho * g);
        double change = fabs(fmax(-lambda[i] / rho, -g));
        if (isnan(g)) {
            return NAN;
        }
        residual = change > residual ? change : residual;
    }
    return residual;
}

/* Has no bit of x moved since the last look? A rho that was given may be so short that all its
 * steps are lost in rounding. */
static bool unmoved(uzawa *w, const il_qp *qp, const double *x) {
    bool same = memcmp(w->sums, x, qp->d * sizeof *x) == 0;
    memcpy(w->sums, x, qp->d * sizeof *x);
    return same;
}

static il_status iterate(void *self, const il_qp *qp, double *x, double *lambda,
                         il_projection_info *info) {
    uzawa *w = self;
    size_t p = qp->rows->p;
    *info = (il_projection_info){.method = "uzawa"};
    reserve(w, qp->d, p);
    for (size_t i = 0; i < p; i++) {
        lambda[i] = 0.0;
    }
    il_projection_from_multipliers(qp, lambda, w->force, x);
    if (p == 0) {
        return IL_OK;
    }
    double rho = choose_rho(w, qp);
    if (rho == INFINITY) { /* no row has a gradient: nothing moves */
        double violation = il_projection_violation(qp, x);
        return isnan(violation)                    ? IL_ENUMERIC
               : violation <= w->options.tolerance ? IL_OK
                                                   : IL_EINFEASIBLE;
    }
    info->rho = rho;
    if (!(rho > 0.0 && isfinite(rho))) {
        return IL_ENUMERIC;
    }
    double before = INFINITY; /* the residual one window ago */
    memcpy(w->sums, x, qp->d * sizeof *x);
    for (;;) {
        double residual = ascend(w, qp, rho, lambda, x);
        if (!isfinite(residual)) {
            return IL_ENUMERIC;
        }
        if (residual <= w->options.tolerance) {
            return IL_OK;
        }
        if (info->iterations >= w->options.max_iterations || il_interrupted()) {
            return il_interrupted() ? IL_EINTERRUPTED : IL_ESTALLED;
        }
        memcpy(lambda, w->mu, p * sizeof *lambda);
        il_projection_from_multipliers(qp, lambda, w->force, x);
        info->iterations++;
        if (info->iterations % WINDOW == 0) {
            if (residual >= before && w->options.rho_rule == IL_RHO_MEASURED) {
                rho *= 0.5;
                info->rho = rho;
            }
            if (w->options.rho_rule == IL_RHO_GIVEN && unmoved(w, qp, x) &&
                il_projection_violation(qp, x) >= residual) {
                return IL_ESTALLED;
            }
            before = residual;
        }
    }
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    return il_projection_finite(qp, x, lambda, iterate(self, qp, x, lambda, info));
}

const il_projector_type il_projector_uzawa = {
    .name = "uzawa",
    .title = "Maury's own solver: projected gradient ascent on the dual",
    .statement =
        "M x_{k+1} = M t + s B' mu_k, mu_{k+1} = max(0, mu_k - rho (a + s B x_{k+1})).\n"
        "Converges for rho < rho_max = 2/|s^2 B M^-1 B'|. --rho measured (default): 0.9 rho_max "
        "by\n"
        "power iteration; --rho explicit: alpha/(|C|_1 |C|_inf), at least Maury's\n"
        "min m/(2 kappa h^2 sqrt d) for spheres; --rho X: that number. Stops when the natural\n"
        "residual is at most --tol (default 1e-12, in the units of the gaps).",
    .source = "Maury 2006, section 3.3, Proposition 1, Remark 8",
    .finite = false,
    .refuses = refuses,
    .create = create,
    .stepped = true,
    .solve = solve,
    .destroy = destroy};
