/*
 * mabrouk.c - the velocity scheme of Mabrouk (1998, Eur. J. Mech. A/Solids 17, 819), for which
 * Dzonou, Monteiro Marques & Paoli (2009, Nonlinear Dyn. 58, 361) prove convergence:
 *
 *     q_{n+1} = q_n + h u_n,
 *     (u_{n+1} + e u_n)/(1 + e) = P^M_T (u_n + h M^{-1} fbar_n(q_{n+1})/(1 + e)),
 *     T = { v : d_t g_i + <grad g_i, v> >= 0, g_i(t_{n+1}, q_{n+1}) <= 0 },
 *
 * rows and force taken at the new position. The average of the velocities before and after is
 * projected, not the velocity after: with several contacts the step obeys Moreau's impact law
 * u+ = P_C u- - e P_N u-, where Newton's law contact by contact (moreau_jean) has no limit. With
 * impulses h lambda, M (u_{n+1} - u_n)/h = fbar + sum lambda_i grad g_i, lambda = (1 + e) times
 * that of the projection over h.
 */
#include "schemes/stepping/velocity.h"

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_velocity *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    double e = w->problem->restitution;
    *report = (il_step_report){.force = w->f};
    for (size_t k = 0; k < d; k++) {
        out->q[k] = in->q[k] + h * in->u[k];
    }
    il_state ahead = {.q = out->q, .u = in->u};
    il_prediction contacts = {
        .t = t1, .q = out->q, .u = in->u, .threshold = il_tangent_closed(out->q, w->problem->d)};
    il_status status = il_force_predict(w->force, t0, t1, &ahead, w->v, w->f, err);
    if (status == IL_OK) {
        status = il_tangent_predict(w->tangent, &contacts, report, err);
    }
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < d; k++) {
        w->v[k] = e > 0.0 ? (w->v[k] + e * in->u[k]) / (1.0 + e) : w->v[k];
    }
    status = il_tangent_solve(w->tangent, t1, 0.0, in->u, w->v, w->x, report, err);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < d; k++) {
        out->u[k] = e > 0.0 ? (1.0 + e) * w->x[k] - e * in->u[k] : w->x[k];
    }
    il_tangent_scale_lambda(w->tangent, (1.0 + e) / h);
    return IL_OK;
}

static const il_claim claims[] = {{.norm = NULL}};

const il_scheme_type il_scheme_mabrouk = {
    .name = "mabrouk",
    .title = "velocity scheme, projection of the mean of the velocities around an impact",
    .statement =
        "q_{n+1} = q_n + h u_n,\n"
        "(u_{n+1} + e u_n)/(1+e) = P_T (u_n + h M^-1 fbar_n(q_{n+1})/(1+e)),\n"
        "T = { v : d_t g_i + <grad g_i, v> >= 0 for every i with g_i(t_{n+1}, q_{n+1}) <= 0 },\n"
        "rows taken at (t_{n+1}, q_{n+1}).\n"
        "It obeys u+ = P_C u- - e P_N u- with any number of contacts. Positions are not\n"
        "corrected: an impact leaves an overlap of up to its normal velocity times h. q_h\n"
        "moves by u_n: trajectories of it are read by judge --between constant.",
    .source = "Mabrouk 1998; Dzonou, Monteiro Marques & Paoli 2009 (one contact), Paoli 2013 "
              "(several)",
    .orders = 2u,
    .restitution = true,
    .claims = claims,
    .create = il_velocity_create_alone,
    .step = step,
    .destroy = il_velocity_destroy};
