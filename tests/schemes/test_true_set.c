/*
 * test_true_set.c - projections onto the true set with many bodies, judged by the inclusion itself,
 *
 *     M (q_{n+1} - 2 q_n + q_{n-1}) = h^2 sum_i lambda_i grad g_i(t_{n+1}, q_{n+1}),
 *     lambda_i >= 0,   g_i >= 0,   lambda_i g_i = 0,
 *
 * with gradients taken anew at q_{n+1} and distances of all pairs by the formula; and the
 * acceleration by itself, on linear maps.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/registry.h"
#include "schemes/scheme.h"
#include "schemes/stepping/anderson.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* A certificate is asked for two numbers: overlap, and stationarity relative to the way a body is
 * moved. */
static const double FEASIBLE = 1e-12;
static const double STATIONARY = 1e-10;

/* The room is of size 1: what pushes is closed to a few hundred roundings, and to the tolerance. */
static const double CLOSED = 1e-13;

/* Sums of two numbers below 2, each rounded. */
static const double ROUNDED = 4.0 * DBL_EPSILON;

enum { STEPS = 4 };
static const double STEP = 0.1;

/* The numbers that a step came to, worst over a run. */
typedef struct {
    double overlap, stationarity, pull, opening;
    double size; /* by how much the certificate's is off */
    double energy_rise;
    size_t pushing; /* most rows at once */
} worst;

static double kinetic(const il_problem *p, const double *u) {
    return 0.5 * il_metric_inner(p->mass, u, u);
}

/* All pairs and the plane by the formulas, radii from the masses. */
static double overlap(const il_problem *p, const double *q) {
    size_t n = p->d / p->space;
    double most = 0.0;
    for (size_t j = 0; j < n; j++) {
        double rj = 0.015 * cbrt(il_metric_masses(p->mass)[p->space * j]);
        most = fmax(most, rj - q[p->space * j + p->space - 1]);
        for (size_t i = 0; i < j; i++) {
            double square = 0.0;
            for (size_t c = 0; c < p->space; c++) {
                double w = q[p->space * j + c] - q[p->space * i + c];
                square += w * w;
            }
            double ri = 0.015 * cbrt(il_metric_masses(p->mass)[p->space * i]);
            most = fmax(most, ri + rj - sqrt(square));
        }
    }
    return most;
}

/* The inclusion at the new node. work[2d] */
static void check_answer(const il_problem *p, const il_state *in, const il_state *out,
                         const il_step_report *report, double *work, worst *w) {
    const double *mass = il_metric_masses(p->mass);
    double *residual = work;
    il_rows row;
    il_rows_init(&row);
    size_t pushing = 0;
    double size = 0.0;
    double farthest = 0.0;
    for (size_t k = 0; k < p->d; k++) {
        farthest = fmax(farthest, fabs(out->q[k]));
        residual[k] = STEP * (out->u[k] - in->u[k]);
        size = fmax(size, fabs(residual[k]));
    }
    for (size_t i = 0; i < report->rows->p; i++) {
        double lambda = report->lambda[i];
        il_rows_clear(&row);
        CU_ASSERT_EQUAL_FATAL(p->type->row(p, 0.0, out->q, report->rows->id[i], &row), IL_OK);
        w->pull = fmax(w->pull, -lambda);
        w->opening = lambda > 0.0 ? fmax(w->opening, fabs(row.value[0])) : w->opening;
        pushing += lambda > 0.0;
        for (size_t e = 0; e < row.nnz; e++) {
            residual[row.col[e]] -= STEP * STEP * lambda * row.coef[e] / mass[row.col[e]];
        }
    }
    for (size_t k = 0; k < p->d; k++) {
        double off = fabs(residual[k]) / size;
        w->stationarity = off <= w->stationarity ? w->stationarity : off;
    }
    double o = overlap(p, out->q);
    w->overlap = o <= w->overlap ? w->overlap : o;
    w->energy_rise = fmax(w->energy_rise, kinetic(p, out->u) - kinetic(p, in->u));
    w->size = fmax(w->size, fabs(report->certificate.size - (1.0 + farthest)));
    w->pushing = pushing > w->pushing ? pushing : w->pushing;
    il_rows_free(&row);
}

/* STEPS steps of impact by paoli. */
static worst run(const char *const *settings, double tolerance) {
    il_test_problem made = il_test_problem_new("impact", 0.0, settings);
    const il_problem *p = made.problem;
    const il_scheme_type *type = NULL;
    il_scheme_options options = {.projection = {.tolerance = tolerance}};
    void *self = NULL;
    worst w = {0};
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("paoli", &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &options.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(type->create(&self, p, &options, NULL), IL_OK);
    double *memory = calloc(6 * p->d, sizeof *memory);
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    il_state in = {.q = memory, .u = memory + p->d};
    il_state out = {.q = memory + 2 * p->d, .u = memory + 3 * p->d};
    memcpy(in.q, p->q0, p->d * sizeof *in.q);
    memcpy(in.u, p->u0, p->d * sizeof *in.u);
    for (int n = 0; n < STEPS; n++) {
        il_step_report report;
        il_status status = type->step(self, n * STEP, (n + 1) * STEP, &in, &out, &report, NULL);
        CU_ASSERT_EQUAL_FATAL(status, IL_OK);
        check_answer(p, &in, &out, &report, memory + 4 * p->d, &w);
        il_state before = in;
        in = out;
        out = before;
    }
    type->destroy(self);
    free(memory);
    il_test_problem_free(&made);
    return w;
}

/* A body moves three diameters in a step, far beyond where the projection is unique. */
static void clusters_are_projected_onto_the_true_set(void) {
    static const char *const plane[] = {"N=200", NULL};
    static const char *const space[] = {"N=120", "space=3", NULL};
    for (int k = 0; k < 2; k++) {
        worst w = run(k == 0 ? plane : space, 0.0);
        CU_ASSERT(w.overlap <= FEASIBLE);
        CU_ASSERT(w.stationarity <= STATIONARY);
        CU_ASSERT(w.pull <= 0.0);
        CU_ASSERT(w.opening <= CLOSED);
        CU_ASSERT(w.energy_rise <= 0.0);
        CU_ASSERT(w.size <= ROUNDED);
        CU_ASSERT(w.pushing > 100); /* or nothing has been tested */
    }
}

/* To a tolerance gaps and gradients are good to that. */
static void a_tolerance_is_kept(void) {
    static const char *const plane[] = {"N=200", NULL};
    static const double tolerance = 1e-4;
    worst w = run(plane, tolerance);
    CU_ASSERT(w.overlap <= tolerance * 2.0); /* in units of one plus the size, at most 1 here */
    CU_ASSERT(w.overlap > FEASIBLE);
    CU_ASSERT(w.opening <= tolerance * 2.0);
    CU_ASSERT(w.pull <= 0.0);
}

/* G(z) = A z + b with A = diag(rates): after as many differences as there are distinct rates the
 * next point is the fixed point b/(1 - rate), as GMRES ends. The plain iteration would have
 * 0.99^8 = 0.92 of its error left. */
static void acceleration_ends_on_linear_maps(void) {
    enum { D = 24, RATES = 6 };
    static const double rate[RATES] = {0.99, 0.9, 0.7, 0.2, -0.5, -0.95};
    static const double ACCURATE = 1e-9; /* rounding over the least 1 - rate, over DEPENDENT */
    double mass[D];
    double z[D];
    double image[D];
    il_metric *metric = NULL;
    for (size_t k = 0; k < D; k++) {
        mass[k] = 1.0 + (double)(k % 5);
        z[k] = 0.0;
    }
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&metric, D, mass, NULL), IL_OK);
    il_anderson *a = il_anderson_create(D, metric);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    for (int n = 0; n < RATES + 2; n++) {
        for (size_t k = 0; k < D; k++) {
            image[k] = rate[k % RATES] * z[k] + (double)k + 1.0;
        }
        il_anderson_next(a, image, z);
    }
    for (size_t k = 0; k < D; k++) {
        double fixed = ((double)k + 1.0) / (1.0 - rate[k % RATES]);
        CU_ASSERT(fabs(z[k] - fixed) <= ACCURATE * fixed);
    }
    il_anderson_restart(a);
    memset(z, 0, sizeof z);
    il_anderson_next(a, image, z);
    CU_ASSERT_EQUAL(memcmp(z, image, sizeof z), 0);
    il_anderson_destroy(a);
    il_metric_destroy(metric);
}

static const il_test tests[] = {
    {"clusters are projected onto the true set", clusters_are_projected_onto_the_true_set},
    {"a tolerance is kept", a_tolerance_is_kept},
    {"acceleration ends on linear maps", acceleration_ends_on_linear_maps},
    {NULL, NULL}};

const il_suite il_suite_true_set = {"true_set", tests};
