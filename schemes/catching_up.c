/*
 * catching_up.c - Moreau's catching-up algorithm for the sweeping process (1977), as Venel (2011)
 * recalls it beside her own scheme:
 *
 *     q_{n+1} in P^M_{Q(t_{n+1})} (q_n + h f(t_n, q_n)).
 *
 * The projection is onto the true set, a fixed point of linearised projections that is certified
 * for the original problem; that it stays within the prox-regularity radius of Q(t) where it is
 * unique is a matter of h (Venel, Proposition 2.9).
 *
 * On an order-2 problem the prediction is inertial, q_n + h (u_n + h M^{-1} fbar_n(q_n)), and the
 * scheme is Paoli's without restitution.
 */
#include "schemes/stepping/true_set.h"

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_true_set *s = self;
    il_linear *w = &s->linear;
    double h = t1 - t0;
    il_status status = il_linear_predict(w, t0, t1, in, report, err);
    if (status != IL_OK) {
        return status;
    }
    status = il_true_set_project(s, t1, in->q, report, err);
    if (status == IL_OK) {
        il_linear_displace(w, h, in, out, report);
    }
    return status;
}

/* As for Venel's scheme the order is a bound: what is seen is mostly 1. */
static const il_claim claims[] = {
    {.norm = "q_Linf",
     .kind = IL_CLAIM_BOUND,
     .order = 0.5,
     .orders = 1u,
     .hypothesis = "Q(t) uniformly prox-regular and Lipschitz in t; f bounded, Lipschitz in q, of "
                   "bounded variation in t",
     .source = "scripts/claims, The order of catching-up, after Moreau 1977",
     .theorem = "CU-order"},
    {.norm = "q_Linf",
     .kind = IL_CLAIM_CONVERGES,
     .orders = 1u,
     .hypothesis = "Q(t) uniformly prox-regular and Lipschitz in t",
     .source = "Moreau 1977; Venel 2011, section 1",
     .theorem = "Moreau-1977"},
    {.norm = NULL}};

const il_scheme_type il_scheme_catching_up = {
    .name = "catching_up",
    .title = "catching-up algorithm, projection onto the true feasible set",
    .statement =
        "q_{n+1} in P_Q(t_{n+1}) (q_n + h f(t_n,q_n)): a fixed point of linearised projections,\n"
        "certified for the original problem. On order-2 problems the prediction is\n"
        "q_n + h (u_n + h M^-1 fbar_n) and u_{n+1} = (q_{n+1} - q_n)/h: paoli without\n"
        "restitution. Inelastic only.",
    .source = "Moreau 1977; Venel 2011, section 1",
    .orders = 3u,
    .restitution = false,
    .holds_positions = true,
    .feasible_nodes = true,
    .claims = claims,
    .create = il_true_set_create,
    .step = step,
    .destroy = il_true_set_destroy};
