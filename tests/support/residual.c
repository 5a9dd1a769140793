/*
 * residual.c - the residual of the inclusion, of functions of time.
 *
 * In smooth motion M du/dt - f must lie in cone{grad g_i : i active}; at a jump u+ must equal
 * P_C u- - e (u- - P_C u-) with C = {v : d_t g_i + <grad g_i, v> >= 0, i active}. For a moving
 * constraint C is a translated cone and u- - P_C u- is the normal part of the velocity relative to
 * it, so the formula holds as it stands.
 *
 * Norms. Velocities: |a|_M. Forces and momenta: the dual norm |b| = sqrt(b' M^{-1} b), in which
 * |M a| = |a|_M. Positions, and everything of order 1 (where M plays no part): Euclidean. With
 * M = L L', whitening (L^{-1} applied to momenta and gradients, L' to velocities) makes all of
 * them Euclidean.
 *
 * Both projections are solved by non-negative least squares: the distance to a cone directly, the
 * projection onto C as a least distance problem.
 */
#include "tests/support/residual.h"

#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "tests/support/nnls.h"
#include "tests/support/suite.h"
#include "tests/support/vector.h"

/* Central differences at delta, delta/2, delta/4 with delta = STENCIL times the piece leave, after
 * two Richardson steps, u^(7) delta^6 / 322560: 2e-16 for a motion whose time scale is the piece;
 * the rounding is about 1e-16 |u| / delta. */
static const double STENCIL = 0.02;
/* The force of a problem that knows only means is its mean over this part of the piece. */
static const double INSTANT = 1e-5;
/* Shorter pieces, relative to the horizon, are looked at only at their ends. */
static const double SHORT = 1e-6;
enum { GAUSS = 16 };

/* ---- the residual ---------------------------------------------------------------------------- */

enum { Q, Q2, U, U2, RATE, FORCE, WORK, SUM, VECTORS };

typedef struct {
    const il_problem *problem;
    const il_exact *exact;
    size_t d, samples;
    double active;
    double *v[VECTORS]; /* d each, in one block */
    double *gradient;   /* [n][d] whitened gradients of the n active rows */
    double *rate;       /* [n] */
    size_t n, capacity;
    il_rows rows;
    gsl_integration_glfixed_table *gauss;
    il_residual worst;
} residual;

static void measure_init(residual *w, const il_problem *problem, size_t k, size_t samples,
                         double active) {
    *w = (residual){.problem = problem,
                    .exact = &problem->exact[k],
                    .d = problem->d,
                    .samples = samples,
                    .active = active};
    il_rows_init(&w->rows);
    w->gauss = gsl_integration_glfixed_table_alloc(GAUSS);
    w->v[0] = il_alloc_zero(VECTORS * problem->d, sizeof *w->v[0]);
    for (size_t i = 1; i < VECTORS; i++) {
        w->v[i] = w->v[0] + i * problem->d;
    }
}

static void measure_free(residual *w) {
    gsl_integration_glfixed_table_free(w->gauss);
    il_rows_free(&w->rows);
    free(w->gradient);
    free(w->rate);
    free(w->v[0]);
}

static void eval(const residual *w, double t, int side, double *q, double *u) {
    w->exact->eval(w->exact, t, side, q, u);
}

static void whiten(const residual *w, const double *x, double *y) {
    if (w->problem->order == 2) {
        il_metric_whiten(w->problem->mass, x, y);
    } else {
        memmove(y, x, w->d * sizeof *y);
    }
}

static void reserve(residual *w, size_t n) {
    if (n > w->capacity) {
        il_memory_grow(&w->gradient, n * w->d, sizeof *w->gradient);
        il_memory_grow(&w->rate, n, sizeof *w->rate);
        w->capacity = n;
    }
}

/* Gather the active rows at (t,q), whitened, and record feasibility. */
static bool evaluate_gaps(residual *w, double t, const double *q) {
    il_rows_clear(&w->rows);
    w->n = 0;
    if (il_problem_scan(w->problem, t, q, q, INFINITY, &w->rows) != IL_OK) {
        w->worst.infeasible = NAN;
        return false;
    }
    reserve(w, w->rows.p);
    for (size_t i = 0; i < w->rows.p; i++) {
        w->worst.infeasible = il_vector_worse(w->worst.infeasible, -w->rows.value[i]);
        if (!(fabs(w->rows.value[i]) <= w->active)) {
            continue;
        }
        double *gradient = w->gradient + w->n * w->d;
        memset(gradient, 0, w->d * sizeof *gradient);
        il_rows_axpy(&w->rows, i, 1.0, gradient);
        whiten(w, gradient, gradient);
        w->worst.infeasible = il_vector_worse(w->worst.infeasible,
                                              0.0 * il_vector_norm(w->d, gradient)); /* keep NaN */
        w->rate[w->n++] = w->rows.rate[i];
    }
    return true;
}

/* f(t,q) inside the piece (a,b). */
static void force_at(const residual *w, double t, double length, const double *q, double *f) {
    const il_problem_type *type = w->problem->type;
    memset(f, 0, w->d * sizeof *f);
    if (type->force != NULL) {
        type->force(w->problem, t, q, f);
    } else if (type->force_mean != NULL) {
        double eps = INSTANT * length;
        type->force_mean(w->problem, t - eps, t + eps, q, f);
    }
}

/* du/dt at t by central differences and two Richardson steps; the stencil stays within reach. */
static void derivative(residual *w, double t, double length, double reach, double *out) {
    static const double weight[3] = {1.0 / 45.0, -20.0 / 45.0, 64.0 / 45.0};
    double delta = fmin(STENCIL * length, 0.5 * reach);
    memset(out, 0, w->d * sizeof *out);
    for (int level = 0; level < 3; level++, delta *= 0.5) {
        double before = t - delta;
        double after = t + delta;
        eval(w, after, 0, w->v[Q2], w->v[U2]);
        eval(w, before, 0, w->v[Q2], w->v[WORK]);
        for (size_t k = 0; k < w->d; k++) {
            out[k] += weight[level] * (w->v[U2][k] - w->v[WORK][k]) / (after - before);
        }
    }
}

/* One interior point: feasibility, and the inclusion. */
static void measure_point(residual *w, double t, double length, double reach) {
    double *q = w->v[Q];
    double *u = w->v[U];
    double *rate = w->v[RATE];
    double *f = w->v[FORCE];
    eval(w, t, 0, q, u);
    if (!evaluate_gaps(w, t, q)) {
        return;
    }
    force_at(w, t, length, q, f);
    if (w->problem->order == 2) {
        derivative(w, t, length, reach, u);
        il_metric_mul(w->problem->mass, u, rate);
    } else {
        memcpy(rate, u, w->d * sizeof *u);
    }
    whiten(w, rate, rate);
    whiten(w, f, f);
    double scale = 1.0 + il_vector_norm(w->d, rate) + il_vector_norm(w->d, f);
    for (size_t k = 0; k < w->d; k++) {
        rate[k] -= f[k];
    }
    double distance = il_nnls_cone_distance(w->d, w->n, w->gradient, rate);
    w->worst.dynamics = il_vector_worse(w->worst.dynamics, distance / scale);
}

/* q(t) - q(a) against the integral of u, at the end of each of the samples parts of (a,b). */
static void measure_kinematics(residual *w, double a, double b) {
    double *start = w->v[SUM]; /* q(a) + int_a^t u */
    eval(w, a, 1, start, w->v[U]);
    for (size_t k = 0; k < w->samples; k++) {
        double t0 = a + (b - a) * (double)k / (double)w->samples;
        double t1 = k + 1 == w->samples ? b : a + (b - a) * (double)(k + 1) / (double)w->samples;
        for (size_t i = 0; i < GAUSS; i++) {
            double t = 0.0;
            double weight = 0.0;
            gsl_integration_glfixed_point(t0, t1, i, &t, &weight, w->gauss);
            eval(w, t, 0, w->v[Q], w->v[U]);
            for (size_t j = 0; j < w->d; j++) {
                start[j] += weight * w->v[U][j];
            }
        }
        eval(w, t1, -1, w->v[Q], w->v[U]);
        for (size_t j = 0; j < w->d; j++) {
            w->worst.kinematics = il_vector_worse(w->worst.kinematics, fabs(w->v[Q][j] - start[j]));
        }
    }
}

static void measure_piece(residual *w, double a, double b) {
    if (b - a < SHORT * w->problem->horizon) {
        return;
    }
    for (size_t k = 0; k < w->samples; k++) {
        double part = ((double)k + 0.5) / (double)w->samples;
        double t = a + (b - a) * part;
        measure_point(w, t, b - a, fmin(t - a, b - t));
    }
    measure_kinematics(w, a, b);
}

/* The impact law at t, from the velocity before (in U) to the one after (in U2), both at Q. */
static void measure_impact(residual *w, double t) {
    size_t d = w->d;
    const il_problem *problem = w->problem;
    double *y = w->v[WORK];
    double *jump = w->v[RATE];
    if (!evaluate_gaps(w, t, w->v[Q]) || problem->order != 2) {
        return;
    }
    double *h = il_alloc(w->n, sizeof *h);
    /* u = L^{-T} y, so <grad g, u> = <L^{-1} grad g, y> and |u|_M = |y|: y- = L^{-1} M u-. */
    il_metric_mul(problem->mass, w->v[U], y);
    whiten(w, y, y);
    for (size_t j = 0; j < w->n; j++) {
        h[j] = -(w->rate[j] + il_vector_dot(d, w->gradient + j * d, y));
    }
    double *lift = w->v[FORCE]; /* P_C u- - u-, whitened */
    bool found = il_nnls_least_distance(d, w->n, w->gradient, h, lift);
    free(h);
    for (size_t k = 0; k < d; k++) {
        w->v[SUM][k] = w->v[U2][k] - w->v[U][k];
    }
    il_metric_mul(problem->mass, w->v[SUM], jump);
    whiten(w, jump, jump);
    double distance = il_nnls_cone_distance(d, w->n, w->gradient, jump);
    w->worst.momentum = il_vector_worse(w->worst.momentum, distance);
    for (size_t k = 0; k < d; k++) {
        jump[k] -= (1.0 + problem->restitution) * lift[k];
    }
    w->worst.impact = il_vector_worse(w->worst.impact, found ? il_vector_norm(d, jump) : NAN);
}

/* An interior break: q is continuous, the law of impact holds. */
static void measure_break(residual *w, double t) {
    eval(w, t, -1, w->v[Q2], w->v[U]);
    eval(w, t, 1, w->v[Q], w->v[U2]);
    double *gap = w->v[SUM];
    for (size_t k = 0; k < w->d; k++) {
        gap[k] = w->v[Q][k] - w->v[Q2][k];
    }
    w->worst.continuity = il_vector_worse(w->worst.continuity, il_vector_norm(w->d, gap));
    measure_impact(w, t);
}

static void measure_ends(residual *w) {
    double *gap = w->v[SUM];
    eval(w, 0.0, 1, w->v[Q], w->v[U2]);
    for (size_t k = 0; k < w->d; k++) {
        gap[k] = w->v[Q][k] - w->problem->q0[k];
        w->v[U][k] = w->problem->u0[k];
    }
    w->worst.start = il_vector_worse(w->worst.start, il_vector_norm(w->d, gap));
    measure_impact(w, 0.0);
    eval(w, w->problem->horizon, -1, w->v[Q], w->v[U]);
    (void)evaluate_gaps(w, w->problem->horizon, w->v[Q]);
}

il_residual il_residual_of(const il_problem *problem, size_t k, size_t samples, double active) {
    residual w;
    measure_init(&w, problem, k, samples, active);
    measure_ends(&w);
    for (size_t i = 0; i + 1 < w.exact->nbreaks; i++) {
        measure_piece(&w, w.exact->breaks[i], w.exact->breaks[i + 1]);
        if (i > 0) {
            measure_break(&w, w.exact->breaks[i]);
        }
    }
    il_residual worst = w.worst;
    measure_free(&w);
    return worst;
}

il_residual il_residual_of_other(const il_problem *problem,
                                 void (*motion)(const il_exact *, double, int, double *, double *),
                                 void *data, size_t samples, double active) {
    il_exact exact = problem->exact[0];
    il_problem other = *problem;
    exact.eval = motion;
    exact.data = data;
    other.exact = &exact;
    return il_residual_of(&other, 0, samples, active);
}

/* ---- problems for tests ------------------------------------------------------------------- */

il_params *il_test_params_new(const char *name, const char *const *sets,
                              const il_problem_type **type) {
    il_params *params = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_FATAL(il_problem_type_find(name, type, &err) == IL_OK);
    CU_ASSERT_FATAL(il_params_create(&params, (*type)->params, &err) == IL_OK);
    for (size_t k = 0; sets != NULL && sets[k] != NULL; k++) {
        char key[64];
        const char *equals = strchr(sets[k], '=');
        CU_ASSERT_FATAL(equals != NULL && (size_t)(equals - sets[k]) < sizeof key);
        size_t length = (size_t)(equals - sets[k]);
        memcpy(key, sets[k], length);
        key[length] = '\0';
        CU_ASSERT_FATAL(il_params_set_text(params, key, equals + 1, &err) == IL_OK);
    }
    return params;
}

il_test_problem il_test_problem_new(const char *name, double horizon, const char *const *sets) {
    il_test_problem made = {NULL, NULL};
    const il_problem_type *type = NULL;
    il_error err = {IL_OK, ""};
    made.params = il_test_params_new(name, sets, &type);
    CU_ASSERT_FATAL(il_problem_create(&made.problem, type, made.params, horizon, &err) == IL_OK);
    return made;
}

void il_test_problem_free(il_test_problem *made) {
    il_problem_destroy(made->problem);
    il_params_destroy(made->params);
    *made = (il_test_problem){NULL, NULL};
}

double il_test_problem_gap(const il_problem *problem) {
    il_rows work;
    il_rows_init(&work);
    double gap = il_problem_gap(problem, 0.0, problem->q0, NULL, &work);
    il_rows_free(&work);
    return gap;
}
