/*
 * paoli.c - the position scheme of Paoli & Schatzman, as Adly & Thieu (2022) write it, equation
 * (4):
 *
 *     q_{n+1} in argmin_{x in Q(t_{n+1})} |2 q_n - q_{n-1} + h^2 M^{-1} fbar_n(q_n) - x|_M,
 *     q_{-1} = q_0 - h u_0,
 *
 * and with restitution e (Paoli & Schatzman 2002)
 *
 *     q_{n+1} = -e q_{n-1} + (1+e) P^M_{Q(t_{n+1})} ((2 q_n - (1-e) q_{n-1} + h^2 M^{-1} fbar_n)
 *               / (1+e)).
 *
 * With u_n = (q_n - q_{n-1})/h the state is (q_n, u_n), and with displacements from q_n the point
 * to project is ((1-e) h u_n + h^2 M^{-1} fbar_n)/(1+e). For e > 0 it is (q_{n+1} + e
 * q_{n-1})/(1+e) that lies in Q, not q_{n+1}. fbar carries the 1/h that (4) of Adly & Thieu lost in
 * print.
 *
 * On an order-1 problem the prediction is overdamped and the scheme is Moreau's catching-up.
 */
#include "schemes/stepping/true_set.h"

/* The displacement from q_n of the point to project, from the free velocity v and u_n:
 * (h v - e h u_n)/(1+e), which is h v for e = 0. */
static void predict(il_linear *w, double h, double e, const il_state *in) {
    for (size_t k = 0; k < w->problem->d; k++) {
        w->v[k] = e > 0.0 ? h * (w->v[k] - e * in->u[k]) / (1.0 + e) : h * w->v[k];
    }
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_true_set *s = self;
    il_linear *w = &s->linear;
    double h = t1 - t0;
    double e = w->problem->order == 2 ? w->problem->restitution : 0.0;
    *report = (il_step_report){.force = w->f};
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    if (status != IL_OK) {
        return status;
    }
    predict(w, h, e, in);
    status = il_true_set_project(s, t1, in->q, report, err);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        double x = (1.0 + e) * w->x[k] + (e > 0.0 ? e * h * in->u[k] : 0.0);
        out->q[k] = in->q[k] + x;
        out->u[k] = x / h;
    }
    il_linear_scale_lambda(w, report, w->problem->order == 1 ? 1.0 / h : (1.0 + e) / (h * h));
    return IL_OK;
}

static const il_claim claims[] = {{.norm = "q_Linf",
                                   .kind = IL_CLAIM_CONVERGES,
                                   .orders = 2u,
                                   .hypothesis = "A1-A4, e = 0; a subsequence",
                                   .source = "Adly & Thieu 2022, Theorem 4.1",
                                   .theorem = "AT-T4.1-A4"},
                                  {.norm = NULL}};

const il_scheme_type il_scheme_paoli = {
    .name = "paoli",
    .title = "position scheme, projection onto the true feasible set, with restitution",
    .statement =
        "q_{n+1} = -e q_{n-1}\n"
        "          + (1+e) P_Q(t_{n+1}) ((2 q_n - (1-e) q_{n-1} + h^2 M^-1 fbar_n)/(1+e)),\n"
        "q_{-1} = q_0 - h u_0, u_{n+1} = (q_{n+1} - q_n)/h. With e = 0 the nodes are feasible;\n"
        "with e > 0 it is (q_{n+1} + e q_{n-1})/(1+e) that is. The projection onto the true set\n"
        "is a fixed point of linearised projections, certified for the original problem.",
    .source = "Adly & Thieu 2022, (4); Paoli & Schatzman 2002",
    .orders = 3u,
    .restitution = true,
    .projects_positions = true,
    .holds_positions = true,
    .feasible_nodes = true,
    .color = "#d55e00",
    .claims = claims,
    .create = il_true_set_create,
    .step = step,
    .destroy = il_true_set_destroy};
