/*
 * force.c - force means, exact where the problem knows its integral, else by quadrature.
 */
#include "schemes/stepping/force.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { INTERVALS = 1000, POINTS = 15 };
static const double QUADRATURE = 1e-13;
static const double ACCEPTED = 1e-9;

struct il_force {
    const il_problem *problem;
    gsl_integration_workspace *work; /* only without an exact mean */
    double *f;                       /* [POINTS x d] the last evaluations, */
    double t[POINTS];                /* at these times */
    size_t next;                     /* the oldest of them */
};

typedef struct {
    il_force *force;
    const double *q;
    size_t k;
} coordinate;

il_force *il_force_create(const il_problem *problem) {
    il_force *force = il_alloc_zero(1, sizeof *force);
    force->problem = problem;
    if (problem->type->force_mean == NULL && problem->type->force != NULL) {
        force->work = gsl_integration_workspace_alloc(INTERVALS);
        force->f = il_alloc(POINTS * problem->d, sizeof *force->f);
    }
    return force;
}

void il_force_destroy(il_force *force) {
    if (force == NULL) {
        return;
    }
    gsl_integration_workspace_free(force->work);
    free(force->f);
    free(force);
}

/* A rule visits its points in the same order for each coordinate: what the force is there has to be
 * asked for the first one alone. */
static double integrand(double t, void *data) {
    const coordinate *c = data;
    il_force *w = c->force;
    double *f = w->f + w->next * w->problem->d;
    if (w->t[w->next] != t) {
        w->problem->type->force(w->problem, t, c->q, f);
        w->t[w->next] = t;
    }
    w->next = (w->next + 1) % POINTS;
    return f[c->k];
}

/* int_a^b f_k(s,q) ds added to *sum, to 1e-13 of int |f_k|: relative to the integral itself, a
 * force of zero mean could not be had. Rounding, or a jump that was not declared, may keep GSL from
 * that: what it then reports is accepted when its own error estimate is below 1e-9 of int |f_k|. */
static il_status add_piece(il_force *force, coordinate *c, double a, double b, double *sum,
                           il_error *err) {
    gsl_function f = {.function = integrand, .params = c};
    double value = 0.0;
    double estimate = 0.0;
    double size = 0.0;
    double spread = 0.0;
    gsl_integration_qk15(&f, a, b, &value, &estimate, &size, &spread);
    if (size == 0.0) {
        return IL_OK; /* f vanishes at every node */
    }
    int code = gsl_integration_qag(&f, a, b, QUADRATURE * size, 0.0, INTERVALS, GSL_INTEG_GAUSS15,
                                   force->work, &value, &estimate);
    bool hard = code == GSL_EROUND || code == GSL_ESING || code == GSL_EMAXITER;
    bool accepted = code == GSL_SUCCESS || (hard && estimate <= ACCEPTED * size);
    if (!accepted || !isfinite(value)) {
        return il_fail(err, IL_ENUMERIC,
                       "the mean of force %zu over [%.10g, %.10g] could not be computed: %s", c->k,
                       a, b, isfinite(value) ? gsl_strerror(code) : "the force is not finite");
    }
    *sum += value;
    return IL_OK;
}

static il_status quadrature(il_force *force, double t0, double t1, const double *q, double *f,
                            il_error *err) {
    const il_problem *problem = force->problem;
    for (size_t k = 0; k < POINTS; k++) {
        force->t[k] = NAN; /* q is another one */
    }
    for (size_t k = 0; k < problem->d; k++) {
        coordinate c = {.force = force, .q = q, .k = k};
        double sum = 0.0;
        double a = t0;
        for (size_t j = 0; j <= problem->nbreaks && a < t1; j++) {
            double b = j < problem->nbreaks ? fmin(problem->breaks[j], t1) : t1;
            if (b <= a) {
                continue;
            }
            il_status status = add_piece(force, &c, a, b, &sum, err);
            if (status != IL_OK) {
                return status;
            }
            a = b;
        }
        f[k] = sum / (t1 - t0);
    }
    return IL_OK;
}

il_status il_force_mean(il_force *force, double t0, double t1, const double *q, double *f,
                        il_error *err) {
    const il_problem_type *type = force->problem->type;
    if (type->force_mean != NULL) {
        type->force_mean(force->problem, t0, t1, q, f);
        return IL_OK;
    }
    if (type->force != NULL) {
        return quadrature(force, t0, t1, q, f, err);
    }
    memset(f, 0, force->problem->d * sizeof *f);
    return IL_OK;
}

void il_force_at(const il_problem *problem, double t, const double *q, double *f) {
    memset(f, 0, problem->d * sizeof *f);
    if (problem->type->force != NULL) {
        problem->type->force(problem, t, q, f);
    }
}

il_status il_force_known(const il_problem *problem, const char *scheme, il_error *err) {
    if (problem->type->force != NULL || problem->type->force_mean == NULL) {
        return IL_OK;
    }
    return il_fail(
        err, IL_EUNSUPPORTED,
        "scheme '%s' asks for the force at a time, and problem '%s' knows its mean over a "
        "step only",
        scheme, problem->type->name);
}

il_status il_force_predict(il_force *force, double t0, double t1, const il_state *in, double *v,
                           double *f, il_error *err) {
    const il_problem *problem = force->problem;
    if (problem->order == 1) {
        if (problem->type->force != NULL) {
            problem->type->force(problem, t0, in->q, f);
        } else {
            memset(f, 0, problem->d * sizeof *f);
        }
        memcpy(v, f, problem->d * sizeof *v);
        return IL_OK;
    }
    il_status status = il_force_mean(force, t0, t1, in->q, f, err);
    if (status != IL_OK) {
        return status;
    }
    il_metric_solve(problem->mass, f, v);
    for (size_t k = 0; k < problem->d; k++) {
        v[k] = in->u[k] + (t1 - t0) * v[k];
    }
    return IL_OK;
}
