/*
 * reflect.c - generalised reflections (Smith, Kaufman, Vouga, Tamstorf & Grinspun 2012,
 * "Reflections on Simultaneous Impact", ACM Trans. Graph. 31(4), 106), with restitution as in the
 * authors' program SCISim (GROperator, GRROperator): the elastic answer by reflections,
 *
 *     v = u_n + h M^{-1} fbar_n(q_n);
 *     while some contact approaches:   V = { i : a_i(v) < 0 },
 *         v <- P^M (v) onto { w : a_i(w) >= -a_i(v), i in V },        a_i(v) = d_t g_i + <grad
 *         g_i, v>,
 *
 * the inelastic one by one projection onto all contacts, v_0, and
 *
 *     u_{n+1} = (1 - e) v_0 + e v,   q_{n+1} = q_n + h u_{n+1},
 *
 * over the contacts that the free motion would close, g_i + h <grad g_i, v> <= 0, rows taken at
 * (t_{n+1}, q_n). Only those that approach are reflected, so an impulse travels through a row of
 * touching bodies: with e = 1 the last ball of a cradle leaves with the speed of the first. A
 * reflection keeps the energy of v where constraints are fixed.
 */
#include <math.h>
#include <string.h>

#include "schemes/stepping/velocity.h"

enum { REFLECTIONS_MAX = 100000 };

/* Approach speeds up to this part of the first are none. */
static const double NONE = 1e-12;

/* Reflect w->y[d] until no contact approaches; its impulses count e times. */
static il_status reflect(il_velocity *w, double t, il_certificate *worst, il_step_report *report,
                         il_error *err) {
    double none = -NONE * il_velocity_speeds(w, w->y);
    double least = 0.0;
    for (size_t n = 0; (least = il_velocity_speeds(w, w->y)) < -none; n++) {
        if (n == REFLECTIONS_MAX) {
            return il_fail(err, IL_ESTALLED,
                           "%d reflections at t = %.10g leave contacts that approach each other at "
                           "%g",
                           REFLECTIONS_MAX, t, -least);
        }
        il_tangent_take(w->tangent, &w->rows, w->speed, -none);
        il_status status = il_tangent_solve(w->tangent, t, 1.0, w->y, w->y, w->x, report, err);
        if (status != IL_OK) {
            return status;
        }
        il_velocity_add(w, report, w->problem->restitution);
        il_certificate_worsen(worst, &report->certificate);
        memcpy(w->y, w->x, w->problem->d * sizeof *w->y);
    }
    return isnan(least) ? il_fail(err, IL_ENUMERIC, "a velocity at t = %.10g is not a number", t)
                        : IL_OK;
}

/* From the free velocity w->v[d] to u[d]. */
static il_status impact(il_velocity *w, double t, double *u, il_certificate *worst,
                        il_step_report *report, il_error *err) {
    double e = w->problem->restitution;
    size_t d = w->problem->d;
    memset(u, 0, d * sizeof *u);
    if (e < 1.0) {
        il_status status = il_tangent_solve(w->tangent, t, 0.0, w->v, w->v, w->x, report, err);
        if (status != IL_OK) {
            return status;
        }
        il_velocity_add(w, report, 1.0 - e);
        il_certificate_worsen(worst, &report->certificate);
        for (size_t k = 0; k < d; k++) {
            u[k] = (1.0 - e) * w->x[k];
        }
    }
    if (e > 0.0) {
        memcpy(w->y, w->v, d * sizeof *w->y);
        il_status status = reflect(w, t, worst, report, err);
        if (status != IL_OK) {
            return status;
        }
        for (size_t k = 0; k < d; k++) {
            u[k] += e * w->y[k];
        }
    }
    return IL_OK;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_velocity *w = self;
    double h = t1 - t0;
    il_certificate worst = il_certificate_best();
    il_status status = il_velocity_closing(w, t0, t1, in, report, err);
    if (status == IL_OK) {
        status = impact(w, t1, out->u, &worst, report, err);
    }
    if (status != IL_OK) {
        return status;
    }
    il_velocity_report(w, h, &worst, report);
    for (size_t k = 0; k < w->problem->d; k++) {
        out->q[k] = in->q[k] + h * out->u[k];
    }
    return IL_OK;
}

static const il_claim claims[] = {{.norm = NULL}};

const il_scheme_type il_scheme_reflect = {
    .name = "reflect",
    .title = "velocity scheme, contacts that approach are reflected until none does",
    .statement =
        "v = u_n + h M^-1 fbar_n(q_n), v_0 = P (v) onto { w : a_i(w) >= 0 for all i };\n"
        "while some a_i(v) < 0: v <- P (v) onto { w : a_i(w) >= -a_i(v), where a_i(v) < 0 };\n"
        "u_{n+1} = (1-e) v_0 + e v, q_{n+1} = q_n + h u_{n+1}; a_i(v) = d_t g_i + <grad g_i, v>\n"
        "over every i with g_i + h <grad g_i, v> <= 0 for the first v, rows taken at\n"
        "(t_{n+1}, q_n).\n"
        "Only contacts that approach are reflected: impulses travel through rows of touching\n"
        "bodies, which is another law of several contacts than u+ = P_C u- - e P_N u-.\n"
        "Positions are not corrected; a body stops short of the obstacle by less than one step.",
    .source = "Smith, Kaufman, Vouga, Tamstorf & Grinspun 2012; SCISim, GROperator",
    .orders = 2u,
    .restitution = true,
    .claims = claims,
    .create = il_velocity_create_alone,
    .step = step,
    .destroy = il_velocity_destroy};
