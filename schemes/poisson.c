/*
 * poisson.c - Poisson's law of impact by two projections, after Anitescu & Potra (1997, Nonlinear
 * Dyn. 14, 231): compression, then the part e of its impulse is given back, then a projection
 * again,
 *
 *     v_c = P^M_T (v),   v = u_n + h M^{-1} fbar_n(q_n),   M (v_c - v) = sum mu_i grad g_i,
 *     u_{n+1} = P^M_T (v_c + e (v_c - v)),      q_{n+1} = q_n + h u_{n+1},
 *     T = { w : d_t g_i + <grad g_i, w> >= 0 },
 *
 * over the contacts that the free motion would close, g_i + h <grad g_i, v> <= 0, rows taken at
 * (t_{n+1}, q_n). The energy never grows by an impact. With one contact this is Newton's law; with
 * several it is a law of its own.
 */
#include "schemes/stepping/velocity.h"

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_velocity *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    double e = w->problem->restitution;
    il_certificate worst = il_certificate_best();
    il_status status = il_velocity_closing(w, t0, t1, in, report, err);
    if (status == IL_OK) {
        status = il_tangent_solve(w->tangent, t1, 0.0, w->v, w->v, w->x, report, err);
    }
    if (status != IL_OK) {
        return status;
    }
    il_velocity_add(w, report, 1.0 + e);
    il_certificate_worsen(&worst, &report->certificate);
    for (size_t k = 0; k < d; k++) {
        w->y[k] = w->x[k] + e * (w->x[k] - w->v[k]);
    }
    status = il_tangent_solve(w->tangent, t1, 0.0, w->y, w->y, out->u, report, err);
    if (status != IL_OK) {
        return status;
    }
    il_velocity_add(w, report, 1.0);
    il_certificate_worsen(&worst, &report->certificate);
    il_velocity_report(w, h, &worst, report);
    for (size_t k = 0; k < d; k++) {
        out->q[k] = in->q[k] + h * out->u[k];
    }
    return IL_OK;
}

static const il_claim claims[] = {{.norm = NULL}};

const il_scheme_type il_scheme_poisson = {
    .name = "poisson",
    .title = "velocity scheme, compression and expansion by two projections",
    .statement =
        "v = u_n + h M^-1 fbar_n(q_n), v_c = P_T (v), u_{n+1} = P_T (v_c + e (v_c - v)),\n"
        "q_{n+1} = q_n + h u_{n+1}, T = { w : d_t g_i + <grad g_i, w> >= 0 for every i with\n"
        "g_i + h <grad g_i, v> <= 0 }, rows taken at (t_{n+1}, q_n).\n"
        "Poisson's law: the impulses of compression are given back, e times as large. With one\n"
        "contact it is Newton's law. A body that rests is thrown up by e times what its weight\n"
        "presses in a step, which vanishes with h. Positions are not corrected; a body stops\n"
        "short of the obstacle by less than one step.",
    .source = "after Anitescu & Potra 1997, whose steps stop at impacts; Glocker 2001",
    .orders = 2u,
    .restitution = true,
    .claims = claims,
    .create = il_velocity_create_alone,
    .step = step,
    .destroy = il_velocity_destroy};
