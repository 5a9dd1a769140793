/*
 * penalty.c - contact by stiff springs and dampers, the Yosida-type approximation of the impact
 * problem (Schatzman 1978; with restitution Paoli & Schatzman 1993), integrated by GSL:
 *
 *     M q'' = f(t,q) + sum_i lambda_i grad g_i,
 *     lambda_i = m_i (-k g_i - 2 zeta sqrt(k) g_i') where g_i < 0, else 0,
 *
 * with g_i' = d_t g_i + <grad g_i, u>, m_i = 1/<grad g_i, M^{-1} grad g_i> the mass that contact i
 * feels, and zeta = -log e / sqrt(pi^2 + log^2 e) (1 for e = 0): a body that strikes one wall with
 * speed v leaves with e v as k grows, or stays. lambda_i may pull while the spring lets go; that is
 * what makes the restitution come out. On an order-1 problem q' = f + M^{-1} sum m_i sqrt(k)
 * (-g_i)^+ grad g_i.
 *
 * The integrator is Runge-Kutta-Prince-Dormand 8(9) with its own steps inside [t_n, t_{n+1}], at
 * most STEPS_MAX.
 * Nothing is projected: there is no certificate, and the overlap, about v/sqrt(k), is what the
 * gaps report. By default sqrt(k) = omega/h, so that the approximation is refined with h.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "schemes/stepping/force.h"

/* The impulse of every constraint is integrated along: this is a yardstick for small problems. */
enum { CONSTRAINTS_MAX = 1024, STEPS_MAX = 1000000 };

typedef struct {
    const il_problem *problem;
    double stiffness; /* 0: (omega/h)^2 */
    double omega, zeta;
    double root;      /* sqrt(k) of the step */
    bool of_position; /* the force depends on q: it is asked in every stage */
    size_t scans;     /* in the step */
    il_force *force;
    il_rows rows;
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver;
    double *y;      /* [2d+p] q, u, int lambda; order 1: [d+p] */
    double *f;      /* [d] mean of the force, or drift */
    double *now;    /* [d] force of a stage, then of all contacts */
    double *work;   /* [d] */
    double *lambda; /* [p] */
} penalty;

static double damping(double e) {
    double l = il_log(e);
    return e == 0.0 ? 1.0 : -l / sqrt(M_PI * M_PI + l * l);
}

/* <grad g_i, M^{-1} grad g_i>. */
static double mobility(penalty *w, size_t i) {
    const il_rows *rows = &w->rows;
    memset(w->work, 0, w->problem->d * sizeof *w->work);
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        w->work[rows->col[e]] = rows->coef[e];
    }
    il_metric_solve(w->problem->mass, w->work, w->work);
    return il_rows_dot(rows, i, w->work);
}

/* The force of contact i on its gap. */
static double contact_force(penalty *w, size_t i, const double *u) {
    double g = w->rows.value[i];
    if (g >= 0.0) {
        return 0.0;
    }
    double m = 1.0 / mobility(w, i);
    if (u == NULL) {
        return -m * w->root * g;
    }
    double rate = w->rows.rate[i] + il_rows_dot(&w->rows, i, u);
    return -m * w->root * (w->root * g + 2.0 * w->zeta * rate);
}

/* y' for y = (q, u, int lambda), or (q, int lambda). */
static int derivative(double t, const double y[], double dy[], void *self) {
    penalty *w = self;
    const il_problem *problem = w->problem;
    size_t d = problem->d;
    const double *u = problem->order == 2 ? y + d : NULL;
    double *moved = problem->order == 2 ? dy + d : dy; /* what M^{-1} of the forces goes to */
    il_rows_clear(&w->rows);
    il_status status = il_problem_scan(problem, t, y, y, 0.0, &w->rows);
    w->scans++;
    if (il_interrupted() || status != IL_OK) {
        return GSL_EBADFUNC;
    }
    const double *f = w->f;
    if (w->of_position) {
        problem->type->force(problem, t, y, w->now);
        f = w->now;
    }
    memcpy(moved, f, d * sizeof *f);
    if (problem->order == 1) {
        il_metric_mul(problem->mass, f, moved); /* a drift is a velocity */
    }
    memset(moved + d, 0, problem->p * sizeof *moved);
    for (size_t i = 0; i < w->rows.p; i++) {
        double lambda = contact_force(w, i, u);
        moved[d + w->rows.id[i]] = lambda;
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            moved[w->rows.col[e]] += lambda * w->rows.coef[e];
        }
    }
    il_metric_solve(problem->mass, moved, moved);
    if (u != NULL) {
        memcpy(dy, u, d * sizeof *u);
    }
    return GSL_SUCCESS;
}

static void destroy(void *self) {
    penalty *w = self;
    if (w == NULL) {
        return;
    }
    gsl_odeiv2_driver_free(w->driver);
    il_force_destroy(w->force);
    il_rows_free(&w->rows);
    free(w->y);
    free(w);
}

static void allocate(penalty *w, double tolerance) {
    size_t d = w->problem->d;
    size_t p = w->problem->p;
    w->system = (gsl_odeiv2_system){
        .function = derivative, .dimension = (w->problem->order == 2 ? 2 * d : d) + p, .params = w};
    w->y = il_alloc_zero(w->system.dimension + 3 * d + p, sizeof *w->y);
    w->driver =
        gsl_odeiv2_driver_alloc_y_new(&w->system, gsl_odeiv2_step_rk8pd, 1.0, tolerance, tolerance);
    w->f = w->y + w->system.dimension;
    w->now = w->f + d;
    w->work = w->now + d;
    w->lambda = w->work + d;
    (void)gsl_odeiv2_driver_set_nmax(w->driver, STEPS_MAX);
    w->force = il_force_create(w->problem);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    *self = NULL;
    if (problem->p > CONSTRAINTS_MAX) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "scheme 'penalty' integrates the impulse of every constraint, and problem "
                       "'%s' has %zu; allowed: at most %d",
                       problem->type->name, problem->p, CONSTRAINTS_MAX);
    }
    penalty *w = il_alloc_zero(1, sizeof *w);
    w->problem = problem;
    w->stiffness = il_params_has(options->params, "stiffness")
                       ? il_params_number(options->params, "stiffness")
                       : 0.0;
    w->omega = il_params_number(options->params, "omega");
    w->zeta = damping(problem->restitution);
    w->of_position = problem->type->force != NULL && (problem->traits & IL_FORCE_OF_TIME) == 0 &&
                     (problem->traits & IL_FORCE_FREE) == 0;
    allocate(w, il_params_number(options->params, "tolerance"));
    *self = w;
    return IL_OK;
}

/* From (q,u) at t0 to w->y at t1. */
static il_status integrate(penalty *w, double t0, double t1, const il_state *in, il_error *err) {
    size_t d = w->problem->d;
    double t = t0;
    memset(w->y, 0, w->system.dimension * sizeof *w->y);
    memcpy(w->y, in->q, d * sizeof *w->y);
    if (w->problem->order == 2) {
        memcpy(w->y + d, in->u, d * sizeof *w->y);
    }
    (void)gsl_odeiv2_driver_reset_hstart(w->driver, 0.1 * (t1 - t0));
    int code = gsl_odeiv2_driver_apply(w->driver, &t, t1, w->y);
    if (il_interrupted()) {
        return il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
    }
    return code == GSL_SUCCESS ? IL_OK
                               : il_fail(err, IL_ENUMERIC,
                                         "the penalised motion could not be integrated past "
                                         "t = %.10g: %s; a smaller stiffness is easier",
                                         t, gsl_strerror(code));
}

static bool is_finite(const double *x, size_t n) {
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(x[k])) {
            return false;
        }
    }
    return true;
}

/* The rows that were active in the step, at its end, with their mean force. */
static il_status report_contacts(penalty *w, double t, const double *q, double h,
                                 il_step_report *report, il_error *err) {
    const double *impulse = w->y + w->system.dimension - w->problem->p;
    il_rows_clear(&w->rows);
    for (size_t id = 0; id < w->problem->p; id++) {
        if (impulse[id] == 0.0) {
            continue;
        }
        w->lambda[w->rows.p] = impulse[id] / h;
        il_status status = w->problem->type->row(w->problem, t, q, id, &w->rows);
        if (status != IL_OK) {
            char words[IL_DESCRIPTION_MAX];
            return il_fail(err, status, "%s could not be computed at t = %.10g",
                           il_problem_describe(w->problem, id, words, sizeof words), t);
        }
    }
    report->rows = &w->rows;
    report->lambda = w->lambda;
    report->scans = w->scans;
    report->rows_offered = w->rows.p;
    return IL_OK;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    penalty *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    *report = (il_step_report){.force = w->f, .certificate = il_certificate_best()};
    if (!is_finite(in->q, d) || (w->problem->order == 2 && !is_finite(in->u, d))) {
        return il_fail(err, IL_ENUMERIC, "the state at t = %.10g is not finite", t0);
    }
    w->scans = 0;
    w->root = w->stiffness > 0.0 ? sqrt(w->stiffness) : w->omega / h;
    /* out->u is free until the end: it takes the velocity that the force alone would give */
    il_status status = il_force_predict(w->force, t0, t1, in, out->u, w->f, err);
    if (status == IL_OK) {
        status = integrate(w, t0, t1, in, err);
    }
    if (status != IL_OK) {
        return status;
    }
    memcpy(out->q, w->y, d * sizeof *w->y);
    for (size_t k = 0; k < d; k++) {
        out->u[k] = w->problem->order == 2 ? w->y[d + k] : (out->q[k] - in->q[k]) / h;
    }
    return report_contacts(w, t1, out->q, h, report, err);
}

static const il_claim claims[] = {
    {.norm = "q_Linf",
     .kind = IL_CLAIM_CONVERGES,
     .orders = 2u,
     .hypothesis = "one contact, as the stiffness grows; a subsequence",
     .source = "Schatzman 1978; Paoli & Schatzman 1993",
     .theorem = "S-1978",
     .unset = "stiffness"},
    {.norm = NULL}};

static const il_param_spec params[] = {
    {"omega", IL_PARAM_NUMBER, "20", 0.0, 1e12, true, NULL, "1",
     "h sqrt(stiffness), where no stiffness is given: refined with h"},
    {"stiffness", IL_PARAM_NUMBER, NULL, 0.0, 1e30, true, NULL, "1/time^2",
     "k, the same for every h; default (omega/h)^2"},
    {"tolerance", IL_PARAM_NUMBER, "1e-8", 1e-14, 1e-2, false, NULL, "1",
     "of the integrator, absolute and relative"},
    {.key = NULL}};

const il_scheme_type il_scheme_penalty = {
    .name = "penalty",
    .title = "contact by stiff damped springs, integrated by Runge-Kutta",
    .statement =
        "M q'' = f + sum lambda_i grad g_i, lambda_i = m_i (-k g_i - 2 zeta sqrt(k) g_i') where\n"
        "g_i < 0, else 0; m_i = 1/<grad g_i, M^-1 grad g_i>, zeta = -log e/sqrt(pi^2 + log^2 e).\n"
        "Order 1: q' = f + M^-1 sum m_i sqrt(k) (-g_i)^+ grad g_i.\n"
        "The classical alternative, for comparison: nothing is projected, there is no\n"
        "certificate, bodies overlap by about v/sqrt(k). sqrt(k) = omega/h unless a stiffness is\n"
        "given. u_{n+1} is the velocity at t_{n+1}, not the mean over the step: what a load F\n"
        "presses a spring in, F/(m_i k), shows in q and not in u_h. At most 1024 constraints.",
    .source = "Schatzman 1978; Paoli & Schatzman 1993; cited by Maury 2006 and Bernicot & "
              "Lefebvre-Lepot 2010",
    .orders = 3u,
    .restitution = true,
    .compliant = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = destroy};
