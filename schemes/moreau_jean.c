/*
 * moreau_jean.c - the time-stepping of Moreau (1988) and Jean (1999), with Newton's restitution and
 * the weight theta that implementations give it:
 *
 *     u_{n+1} = P^M_V (u_n + h M^{-1} fbar_n(q_n)),
 *     q_{n+1} = q_n + h (theta u_{n+1} + (1 - theta) u_n),
 *     V = { v : d_t g_i + <grad g_i, v> >= -e (d_t g_i + <grad g_i, u_n>), i predicted active },
 *
 * where i is predicted active if its gap at t_n + gamma h, reached with the velocity at hand, is
 * not above a threshold, 0 unless given: with g_i and its derivatives at (t_{n+1}, q_n), to first
 * order
 *
 *     g_i - (1 - gamma) h d_t g_i + gamma h <grad g_i, u_n> <= threshold.
 *
 * With 0, a body at rest whose gap is +1e-16 by rounding is not seen and falls for a step, to an
 * overlap of h^2 times its acceleration: an error of q and u_L1 of order h^2, which stays.
 *
 * All rows are taken there. Nothing holds the positions: a body that arrives in a step goes
 * on into the obstacle for the rest of it, by at most its normal velocity times h. M (u_{n+1} -
 * u_n)/h = fbar + sum lambda_i grad g_i with h lambda_i the percussion.
 */
#include "schemes/stepping/velocity.h"

typedef struct {
    il_velocity base;
    double theta, gamma, threshold;
} moreau_jean;

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    il_status status = il_velocity_create(self, sizeof(moreau_jean), problem, options, err);
    if (status == IL_OK) {
        moreau_jean *s = *self;
        s->theta = il_params_number(options->params, "theta");
        s->gamma = il_params_number(options->params, "gamma");
        s->threshold = il_params_number(options->params, "threshold");
    }
    return status;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    const moreau_jean *s = self;
    il_velocity *w = self;
    double h = t1 - t0;
    *report = (il_step_report){.force = w->f};
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    if (status == IL_OK) {
        il_prediction prediction = {.t = t1,
                                    .q = in->q,
                                    .u = in->u,
                                    .ahead = s->gamma * h,
                                    .back = (1.0 - s->gamma) * h,
                                    .threshold = s->threshold};
        status = il_tangent_predict(w->tangent, &prediction, report, err);
    }
    if (status == IL_OK) {
        status = il_tangent_solve(w->tangent, t1, w->problem->restitution, in->u, w->v, out->u,
                                  report, err);
    }
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        double u = s->theta == 1.0 ? out->u[k] : s->theta * out->u[k] + (1.0 - s->theta) * in->u[k];
        out->q[k] = in->q[k] + h * u;
    }
    il_tangent_scale_lambda(w->tangent, 1.0 / h);
    return IL_OK;
}

static const il_claim claims[] = {{.norm = "u_L1",
                                   .kind = IL_CLAIM_CONVERGES,
                                   .orders = 2u,
                                   .hypothesis = "one contact; a subsequence",
                                   .source = "Monteiro Marques 1993; Mabrouk 1998",
                                   .theorem = "MM-1993"},
                                  {.norm = NULL}};

static const il_param_spec params[] = {
    {"theta", IL_PARAM_NUMBER, "1", 0.0, 1.0, true, NULL, "1",
     "weight of the new velocity in the position: 1 implicit, 1/2 their mean"},
    {"gamma", IL_PARAM_NUMBER, "1/2", 0.0, 1.0, false, NULL, "1",
     "part of the step that the prediction of contacts looks ahead"},
    {"threshold", IL_PARAM_NUMBER, "0", 0.0, 1e100, false, NULL, "that of g",
     "predicted gaps up to this are contacts; 1e-12 keeps piles at rest whose gaps are rounding"},
    {.key = NULL}};

const il_scheme_type il_scheme_moreau_jean = {
    .name = "moreau_jean",
    .title = "velocity scheme, projection onto the tangent cone of the predicted contacts",
    .statement =
        "u_{n+1} = P_V (u_n + h M^-1 fbar_n(q_n)),\n"
        "q_{n+1} = q_n + h (theta u_{n+1} + (1-theta) u_n),\n"
        "V = { v : d_t g_i + <grad g_i, v> >= -e (d_t g_i + <grad g_i, u_n>) for every i with\n"
        "g_i - (1-gamma) h d_t g_i + gamma h <grad g_i, u_n> <= threshold }, rows taken at\n"
        "(t_{n+1}, q_n): the gap at t_n + gamma h, to first order.\n"
        "Newton's restitution, contact by contact: with several contacts and e > 0 it does not\n"
        "obey u+ = P_C u- - e P_N u- and has no limit (a cradle of 4 balls with e = 1/2 ends with\n"
        "velocities (0,1/8,1/8,3/8,3/8) or (0,1/8,1/4,5/16,5/16), depending on N). Positions are\n"
        "not corrected: an impact leaves an overlap of up to its normal velocity times h. Order 2\n"
        "only: a drift has no velocity to predict with.\n"
        "theta weighs velocities in the position alone, the force is taken at q_n: theta = 1/2\n"
        "is neither Moreau's midpoint, with force and rows at q_n + h/2 u_n, nor Siconos's "
        "scheme,\n"
        "with the force at q_{n+theta}, implicitly; it is Siconos's (gamma = 1/2, threshold = 0)\n"
        "where the force depends on neither t nor q. A spring of frequency w has its (w q)^2 +\n"
        "u^2 multiplied by 1 + (1-theta) (w h)^2 a step: theta < 1 amplifies, by exp((1-theta)\n"
        "w^2 h T) in all.",
    .source = "Moreau 1988; Jean 1999; Acary & Brogliato 2008, chapter 10",
    .orders = 2u,
    .restitution = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = il_velocity_destroy};
