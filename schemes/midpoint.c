/*
 * midpoint.c - Moreau's midpoint rule (Moreau 1999, "Numerical aspects of the sweeping process",
 * Comput. Methods Appl. Mech. Eng. 177, 329; Studer 2009, chapter 4):
 *
 *     q_m = q_n + h/2 u_n,   t_m = t_n + h/2,
 *     u_{n+1} = P^M_V (u_n + h M^{-1} fbar_n(q_m)),      q_{n+1} = q_m + h/2 u_{n+1},
 *     V = { v : d_t g_i + <grad g_i, v> >= -e (d_t g_i + <grad g_i, u_n>), g_i(t_m, q_m) <= 0 },
 *
 * rows taken at (t_m, q_m). Without contact and with a force of position it is the leapfrog rule in
 * another order (drift, kick, drift): symplectic, of order two at the nodes.
 */
#include "schemes/stepping/velocity.h"

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_velocity *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    double middle = t0 + 0.5 * h;
    *report = (il_step_report){.force = w->f};
    for (size_t k = 0; k < d; k++) {
        w->y[k] = in->q[k] + 0.5 * h * in->u[k];
    }
    il_state halfway = {.q = w->y, .u = in->u};
    il_prediction contacts = {
        .t = middle, .q = w->y, .u = in->u, .threshold = il_tangent_closed(w->y, w->problem->d)};
    il_status status = il_force_predict(w->force, t0, t1, &halfway, w->v, w->f, err);
    if (status == IL_OK) {
        status = il_tangent_predict(w->tangent, &contacts, report, err);
    }
    if (status == IL_OK) {
        status = il_tangent_solve(w->tangent, middle, w->problem->restitution, in->u, w->v, out->u,
                                  report, err);
    }
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < d; k++) {
        out->q[k] = w->y[k] + 0.5 * h * out->u[k];
    }
    il_tangent_scale_lambda(w->tangent, 1.0 / h);
    return IL_OK;
}

static const il_claim claims[] = {{.norm = NULL}};

const il_scheme_type il_scheme_midpoint = {
    .name = "midpoint",
    .title = "Moreau's midpoint rule, projection onto the tangent cone of the contacts halfway",
    .statement =
        "q_m = q_n + h/2 u_n, t_m = t_n + h/2, u_{n+1} = P_V (u_n + h M^-1 fbar_n(q_m)),\n"
        "q_{n+1} = q_m + h/2 u_{n+1},\n"
        "V = { v : d_t g_i + <grad g_i, v> >= -e (d_t g_i + <grad g_i, u_n>) for every i with\n"
        "g_i(t_m, q_m) <= 0 (to rounding) }, rows taken at (t_m, q_m).\n"
        "Newton's restitution, contact by contact: with several contacts and e > 0 it has no\n"
        "limit, as moreau_jean. Positions are not corrected: an impact leaves an overlap of up to\n"
        "its normal velocity times h. Without contact it is the leapfrog rule, of order two at\n"
        "the nodes, and its energy stays bounded; moreau_jean:theta=0.5, which takes the force\n"
        "at q_n, is another scheme, whose energy grows.",
    .source = "Moreau 1999; Studer 2009, chapter 4",
    .orders = 2u,
    .restitution = true,
    .claims = claims,
    .create = il_velocity_create_alone,
    .step = step,
    .destroy = il_velocity_destroy};
