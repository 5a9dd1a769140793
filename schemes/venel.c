/*
 * venel.c - the prediction-correction scheme of Venel (2011), equation (22):
 *
 *     q_{n+1} = P^M_{Qtilde(t_{n+1}, q_n)} (prediction),
 *     Qtilde(t,q) = { x : g_i(t,q) + <grad g_i(t,q), x - q> >= 0 for all i },
 *
 * with the prediction q_n + h f(t_n, q_n) on order-1 problems. On order-2 problems the prediction
 * is inertial, q_n + h (u_n + h M^{-1} fbar_n(q_n)), and u_{n+1} = (q_{n+1} - q_n)/h; since Qtilde
 * = q_n + h K_h that equals Maury's scheme in exact arithmetic. It is computed in positions all the
 * same: the unknown is the displacement x - q_n, so that no digit is lost to q_n.
 */
#include "schemes/stepping/linear.h"

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_linear *w = self;
    double h = t1 - t0;
    il_status status = il_linear_predict(w, t0, t1, in, report, err);
    if (status != IL_OK) {
        return status;
    }
    il_correction correction = {.t = t1,
                                .y = in->q,
                                .q = in->q,
                                .scale = 1.0,
                                .target = w->v,
                                .before = in->contacts,
                                .after = out->contacts};
    status = il_correct_solve(w->correct, &correction, w->x, report, err);
    if (status != IL_OK) {
        return status;
    }
    il_linear_displace(w, h, in, out, report);
    return IL_OK;
}

/* Bernicot & Venel prove the order 1/2 where Venel proved convergence. Theirs is a bound: what is
 * seen is mostly 1. */
static const il_claim claims[] = {{.norm = "q_Linf",
                                   .kind = IL_CLAIM_BOUND,
                                   .order = 0.5,
                                   .orders = 1u,
                                   .hypothesis = "finitely many constraints, the sets of which "
                                                 "meet in a metrically qualified way; f Lipschitz",
                                   .source = "Bernicot & Venel 2013, SIAM J. Control Optim. 51, "
                                             "3075",
                                   .theorem = "BV-2013"},
                                  {.norm = "q_Linf",
                                   .kind = IL_CLAIM_CONVERGES,
                                   .orders = 1u,
                                   .hypothesis = "(A0)-(A6); the whole sequence",
                                   .source = "Venel 2011, Theorem 3.4",
                                   .theorem = "V-T3.4"},
                                  {.norm = NULL}};

const il_scheme_type il_scheme_venel = {
    .name = "venel",
    .title = "position scheme, projection onto the linearised constraints",
    .statement =
        "q_{n+1} = P_Q~ (q_n + h f(t_n,q_n)),\n"
        "Q~ = { x : g_i(t_{n+1},q_n) + <grad g_i(t_{n+1},q_n), x - q_n> >= 0 }.\n"
        "On order-2 problems the prediction is q_n + h (u_n + h M^-1 fbar_n) and\n"
        "u_{n+1} = (q_{n+1} - q_n)/h: Maury's scheme, computed in positions. Inelastic only.",
    .source = "Venel 2011, (22)",
    .orders = 3u,
    .restitution = false,
    .projects_positions = true,
    .holds_positions = true,
    .dissipates = true,
    .color = "#009e73",
    .claims = claims,
    .create = il_linear_create,
    .step = step,
    .destroy = il_linear_destroy};
