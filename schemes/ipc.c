/*
 * ipc.c - incremental potential contact, without friction (Li, Ferguson, Schneider, Langlois,
 * Zorin, Panozzo, Jiang & Kaufman 2020, ACM Trans. Graph. 39(4), 49): implicit Euler, a barrier,
 *
 *     q_{n+1} = argmin E(x),   E(x) = 1/2 |x - q*|_M^2 + h^2 kappa sum_i b(g_i(t_{n+1}, x)),
 *     q* = q_n + h (u_n + h M^{-1} fbar_n(q_n)),                  u_{n+1} = (q_{n+1} - q_n)/h,
 *     b(g) = -(g - dhat)^2 log(g/dhat) where 0 < g < dhat, else 0,
 *
 * by Newton's method with the matrix M + h^2 kappa sum b''(g_i) grad g_i grad g_i', positive
 * definite without the curvature of g_i, and steps that shorten no linearised gap to less than a
 * tenth: where constraints are convex nothing is passed through. As h -> 0 the limit is the motion
 * in the barrier's potential, which keeps energy (schemes/README.md).
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/interrupt.h"
#include "schemes/stepping/velocity.h"

enum { ITERATIONS = 500, SIZE_MAX_DENSE = 600 };

static const double LEAST = 0.1;   /* a step shortens a linearised gap to no less than this part */
static const double STILL = 1e-13; /* of one plus the largest coordinate: Newton's last way */

typedef struct {
    il_velocity base; /* rows: all constraints at x; lambda: forces -kappa b' */
    double dhat, kappa;
    gsl_matrix *hessian; /* [d][d] */
    gsl_vector *way;     /* [d] */
    double *trial;       /* [d] the velocity to come, until it comes; base.v: q* */
} ipc;

static void destroy(void *self) {
    ipc *s = self;
    if (s != NULL) {
        gsl_matrix_free(s->hessian);
        gsl_vector_free(s->way);
    }
    il_velocity_destroy(self);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    size_t d = problem->d;
    *self = NULL;
    if (d > SIZE_MAX_DENSE) {
        return il_fail(
            err, IL_EUNSUPPORTED,
            "scheme 'ipc' is dense: problem '%s' has %zu coordinates; allowed: at most %d",
            problem->type->name, d, SIZE_MAX_DENSE);
    }
    il_status status = il_velocity_create(self, sizeof(ipc), problem, options, err);
    if (status != IL_OK) {
        return status;
    }
    ipc *s = *self;
    s->dhat = il_params_number(options->params, "dhat");
    s->kappa = il_params_number(options->params, "kappa");
    s->hessian = gsl_matrix_alloc(d, d);
    s->way = gsl_vector_alloc(d);
    return IL_OK;
}

/* b, b' and b'' of a gap 0 < g < dhat. */
static void barrier(double g, double dhat, double b[3]) {
    double l = il_log(g / dhat);
    double y = g - dhat;
    b[0] = -y * y * l;
    b[1] = -2.0 * y * l - y * y / g;
    b[2] = -2.0 * l - 4.0 * y / g + y * y / (g * g);
}

/* E at x, into *energy; +INFINITY where a gap is not positive. The rows are left. */
static il_status measure(ipc *s, double t, double h, const double *x, double *energy,
                         il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    il_rows_clear(&w->rows);
    il_status status = il_problem_scan(w->problem, t, x, x, s->dhat, &w->rows);
    if (status != IL_OK) {
        return il_fail(err, status, "the constraints could not be computed at t = %.10g", t);
    }
    il_velocity_reserve(w);
    report->scans++;
    for (size_t k = 0; k < w->problem->d; k++) {
        w->x[k] = x[k] - w->v[k];
    }
    double sum = 0.5 * il_metric_inner(w->problem->mass, w->x, w->x);
    for (size_t i = 0; i < w->rows.p; i++) {
        double b[3] = {INFINITY, 0.0, 0.0};
        if (w->rows.value[i] > 0.0) {
            barrier(fmin(w->rows.value[i], s->dhat), s->dhat, b);
        }
        sum += h * h * s->kappa * b[0];
        w->lambda[i] = -s->kappa * b[1];
    }
    *energy = sum;
    return IL_OK;
}

/* Newton's way from x, at whose rows E was measured last, into s->way, and the slope of E along it.
 * IL_ENUMERIC where the matrix has no factor. */
static il_status newton(ipc *s, double h, const double *x, double *slope, il_error *err) {
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    for (size_t k = 0; k < d; k++) {
        memset(w->y, 0, d * sizeof *w->y);
        w->y[k] = 1.0;
        il_metric_mul(w->problem->mass, w->y, gsl_matrix_ptr(s->hessian, k, 0));
        w->x[k] = x[k] - w->v[k];
    }
    il_metric_mul(w->problem->mass, w->x, w->y); /* the gradient */
    for (size_t i = 0; i < w->rows.p; i++) {
        double b[3];
        barrier(fmin(w->rows.value[i], s->dhat), s->dhat, b);
        il_rows_axpy(&w->rows, i, h * h * s->kappa * b[1], w->y);
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            for (size_t f = w->rows.start[i]; f < w->rows.start[i + 1]; f++) {
                *gsl_matrix_ptr(s->hessian, w->rows.col[e], w->rows.col[f]) +=
                    h * h * s->kappa * b[2] * w->rows.coef[e] * w->rows.coef[f];
            }
        }
    }
    gsl_vector_view gradient = gsl_vector_view_array(w->y, d);
    if (gsl_linalg_cholesky_decomp1(s->hessian) != 0 ||
        gsl_linalg_cholesky_solve(s->hessian, &gradient.vector, s->way) != 0) {
        return il_fail(err, IL_ENUMERIC, "the matrix has no factor at kappa = %g", s->kappa);
    }
    gsl_vector_scale(s->way, -1.0);
    (void)gsl_blas_ddot(&gradient.vector, s->way, slope);
    return IL_OK;
}

/* The part of the way that shortens no linearised gap to less than LEAST of it, of all. */
static il_status limit(ipc *s, double t, const double *x, double *part, il_step_report *report) {
    il_velocity *w = &s->base;
    il_rows_clear(&w->rows);
    for (size_t k = 0; k < w->problem->d; k++) {
        s->trial[k] = x[k] + gsl_vector_get(s->way, k) / (1.0 - LEAST);
    }
    il_status status = il_problem_scan(w->problem, t, x, s->trial, 0.0, &w->rows);
    report->scans++;
    *part = 1.0;
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        double change = il_rows_dot(&w->rows, i, s->way->data);
        if (change < 0.0) {
            *part = fmin(*part, (1.0 - LEAST) * w->rows.value[i] / -change);
        }
    }
    return status;
}

/* One step of Newton from x[d], in place; *moved is how far. */
static il_status descend(ipc *s, double t, double h, double *x, double *energy, double *moved,
                         il_step_report *report, il_error *err) {
    size_t d = s->base.problem->d;
    double slope = 0.0;
    double part = 1.0;
    double now = INFINITY;
    il_status status = newton(s, h, x, &slope, err);
    status = status == IL_OK ? limit(s, t, x, &part, report) : status;
    for (; status == IL_OK; part *= 0.5) {
        *moved = 0.0;
        for (size_t k = 0; k < d; k++) {
            double step = part * gsl_vector_get(s->way, k);
            s->trial[k] = x[k] + step;
            *moved = fmax(*moved, fabs(step));
        }
        status = measure(s, t, h, s->trial, &now, report, err);
        /* Armijo's rule; energies that differ by rounding are equal */
        double enough = *energy + 1e-4 * part * slope + 1e-15 * fabs(*energy);
        if (status != IL_OK || now <= enough || part < 1e-12) {
            break;
        }
    }
    if (status == IL_OK) {
        memcpy(x, s->trial, d * sizeof *x);
        *energy = now;
    }
    return status;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    ipc *s = self;
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    double h = t1 - t0;
    double energy = 0.0;
    double moved = INFINITY;
    double largest = 1.0;
    *report = (il_step_report){.force = w->f, .certificate = il_certificate_best()};
    s->trial = out->u;
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    for (size_t k = 0; k < d; k++) {
        w->v[k] = in->q[k] + h * w->v[k];
        out->q[k] = in->q[k];
        largest = fmax(largest, 1.0 + fabs(in->q[k]));
    }
    status = status == IL_OK ? measure(s, t1, h, out->q, &energy, report, err) : status;
    if (status == IL_OK && !(energy < INFINITY)) {
        status = il_fail(err, IL_ENUMERIC, "a gap is not positive at the start, t = %.10g", t0);
    }
    for (size_t n = 0; status == IL_OK && moved > STILL * largest; n++, report->iterations++) {
        status = il_interrupted() ? il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason())
                 : n == ITERATIONS
                     ? il_fail(err, IL_ESTALLED, "Newton does not settle, t = %.10g", t0)
                     : descend(s, t1, h, out->q, &energy, &moved, report, err);
    }
    for (size_t k = 0; status == IL_OK && k < d; k++) {
        out->u[k] = (out->q[k] - in->q[k]) / h;
    }
    report->rows = &w->rows;
    report->lambda = w->lambda;
    return status;
}

static const il_claim claims[] = {{.norm = NULL}};

static const il_param_spec params[] = {
    {"dhat", IL_PARAM_NUMBER, "1e-3", 0.0, 1e30, true, NULL, "that of g", "gaps below are pushed"},
    {"kappa", IL_PARAM_NUMBER, "1e6", 0.0, 1e30, true, NULL, "energy/that of g^2", "stiffness"},
    {.key = NULL}};

const il_scheme_type il_scheme_ipc = {
    .name = "ipc",
    .title = "incremental potential contact: implicit Euler with a logarithmic barrier",
    .statement =
        "q_{n+1} = argmin 1/2 |x - q*|_M^2 + h^2 kappa sum b(g_i(x)), u_{n+1} the way over h,\n"
        "q* = q_n + h (u_n + h M^-1 fbar_n(q_n)), b(g) = -(g - dhat)^2 log(g/dhat) below dhat,\n"
        "else 0. Gaps stay positive: a start in contact is refused, as are moving constraints.\n"
        "Left out of the paper: friction, adaptive kappa, edges and triangles. kappa and dhat do\n"
        "not depend on h: as h -> 0 an impact returns with all of its speed.",
    .source = "Li et al. 2020, equations (4) to (6)",
    .orders = 2u,
    .compliant = true,
    .other_limit = true,
    .open_start = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = destroy};
