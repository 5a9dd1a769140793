/*
 * maury.c - the velocity scheme of Maury (2006), equations (13)-(19); with moving constraints
 * Bernicot & Lefebvre-Lepot (2010), (1.12)-(1.14).
 *
 *     u_{n+1} = P^M_{K_h(t_{n+1}, q_n)} (u_n + h M^{-1} fbar_n(q_n)),    q_{n+1} = q_n + h u_{n+1},
 *     K_h(t,q) = { v : g_i(t,q) + h <grad g_i(t,q), v> >= 0 for all i },
 *     M (u_{n+1} - u_n)/h = fbar_n + sum_i mu_i grad g_i(t_{n+1}, q_n).
 *
 * On an order-1 problem the prediction is the drift f(t_n, q_n) and the scheme is Venel's, written
 * in velocities.
 */
#include "schemes/stepping/linear.h"

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    return il_linear_velocity_step(self, t0, t1, in, NULL, out, report, err);
}

static const il_claim claims[] = {
    {.norm = "u_L1",
     .kind = IL_CLAIM_CONVERGES,
     .orders = 2u,
     .hypothesis = "(A0)-(A6); a subsequence (one contact: Maury 2006, Theorem 1)",
     .source = "Bernicot & Lefebvre-Lepot 2010, Theorem 1.3",
     .theorem = "BL-T1.3"},
    {.norm = "q_Linf",
     .kind = IL_CLAIM_CONVERGES,
     .orders = 2u,
     .hypothesis = "(A0)-(A6); a subsequence (one contact: Maury 2006, Theorem 1)",
     .source = "Bernicot & Lefebvre-Lepot 2010, Theorem 1.3",
     .theorem = "BL-T1.3"},
    {.norm = NULL}};

const il_scheme_type il_scheme_maury = {
    .name = "maury",
    .title = "velocity scheme, projection onto the linearised constraints",
    .statement =
        "u_{n+1} = P_K (u_n + h M^-1 fbar_n(q_n)), q_{n+1} = q_n + h u_{n+1},\n"
        "K = { v : g_i(t_{n+1},q_n) + h <grad g_i(t_{n+1},q_n), v> >= 0 for all i }.\n"
        "Inelastic only. Feasible at nodes when every g_i is convex in q. Without friction the\n"
        "scheme of Stewart & Trinkle (1996), and Chrono's NSC with a gap >= 0, are it. On order-1\n"
        "problems the prediction is the drift f(t_n,q_n).",
    .source = "Maury 2006, (13)-(19); Bernicot & Lefebvre-Lepot 2010, (1.12)-(1.14)",
    .orders = 3u,
    .restitution = false,
    .projects_positions = true,
    .holds_positions = true,
    .dissipates = true,
    .color = "#0072b2",
    .claims = claims,
    .create = il_linear_create,
    .step = step,
    .stride = il_one_wall_stride,
    .destroy = il_linear_destroy};
