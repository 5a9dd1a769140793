/*
 * gluey_maury.c - maury.c for contacts that hold (Maury 2007, "A gluey particle model"; Lefebvre
 * 2009; Bernicot & Lefebvre-Lepot 2010, Remark 4.3).
 *
 * Every contact has an adhesion potential gamma_i <= 0 with gamma_i' = -lambda_i. While gamma_i < 0
 * the contact holds, g_i = 0 with lambda_i of either sign; when gamma_i returns to 0 it lets go:
 *
 *     M du = f dt + sum_i lambda_i grad g_i,    g_i >= 0,  gamma_i <= 0,  g_i gamma_i = 0.
 *
 * Taken implicitly, with the linearised gap of the end of the step and gamma_{n+1} there,
 *
 *     M (u_{n+1} - u_n)/h = fbar_n + sum_i lambda_i grad g_i,    gamma_{n+1,i} = gamma_{n,i}
 *                                                                             - h lambda_i,
 *     0 <= g_i + h <grad g_i, u_{n+1}>,  gamma_{n+1,i} <= 0,  their product 0.
 *
 * With mu_i = lambda_i - gamma_{n,i}/h >= 0 this is maury's own projection, of a velocity that the
 * glue pulls back by the impulse it still has to give:
 *
 *     u_{n+1} = P^M_{K_h(t_{n+1},q_n)} (u_n + h M^{-1} fbar_n + M^{-1} sum_i gamma_{n,i} grad g_i),
 *     gamma_{n+1,i} = -h mu_i.
 *
 * So no equality rows are needed and every projector serves. gamma needs no clipping: glue that is
 * used up inside a step gives what it has left and lets go in that step, and M u + sum gamma grad g
 * changes by the impulse of the force alone where grad g is constant. With gamma = 0 a step is one
 * of maury's, bit for bit.
 */
#include <string.h>

#include "schemes/stepping/linear.h"

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    *self = NULL;
    /* the rows of a step must include all that hold */
    if (problem->gamma0 != NULL && problem->p > IL_OFFER_ALL) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "problem '%s' has %zu gluey constraints; allowed: at most %d",
                       problem->type->name, problem->p, IL_OFFER_ALL);
    }
    return il_linear_create(self, problem, options, err);
}

/* M^{-1} sum_i gamma_i grad g_i(t,q_n); *pull stays NULL where no contact holds. */
static il_status pull_of(il_linear *w, double t, const il_state *in, const double **pull,
                         il_error *err) {
    const il_problem *problem = w->problem;
    double *force = w->y;
    memset(force, 0, problem->d * sizeof *force);
    for (size_t id = 0; id < problem->p; id++) {
        if (in->gamma[id] == 0.0) {
            continue;
        }
        il_rows_clear(&w->row);
        il_status status = problem->type->row(problem, t, in->q, id, &w->row);
        if (status != IL_OK) {
            char words[IL_DESCRIPTION_MAX];
            return il_fail(err, status, "%s could not be computed at t = %.10g",
                           il_problem_describe(problem, id, words, sizeof words), t);
        }
        il_rows_axpy(&w->row, 0, in->gamma[id], force);
        *pull = w->z;
    }
    if (*pull != NULL) {
        il_metric_solve(problem->mass, force, w->z);
    }
    return IL_OK;
}

/* gamma_{n+1} = -h mu, and mu becomes the contact force lambda = mu + gamma_n / h. */
static void account(il_linear *w, double h, const il_state *in, il_state *out,
                    const il_step_report *report) {
    double *lambda = il_correct_lambda(w->correct);
    for (size_t i = 0; i < report->rows->p; i++) {
        size_t id = report->rows->id[i];
        out->gamma[id] = 0.0 - h * lambda[i];
        lambda[i] += in->gamma[id] / h;
    }
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_linear *w = self;
    bool glue = w->problem->gamma0 != NULL;
    const double *pull = NULL;
    il_status status = glue ? pull_of(w, t1, in, &pull, err) : IL_OK;
    if (status == IL_OK) {
        status = il_linear_velocity_step(w, t0, t1, in, pull, out, report, err);
    }
    if (status == IL_OK && glue) {
        account(w, t1 - t0, in, out, report);
    }
    return status;
}

static const il_claim claims[] = {{.norm = "u_L1",
                                   .kind = IL_CLAIM_CONVERGES,
                                   .orders = 2u,
                                   .hypothesis = "one contact; a subsequence",
                                   .source = "Lefebvre 2009, of her scheme; BL Remark 4.3",
                                   .theorem = "L-2009"},
                                  {.norm = NULL}};

const il_scheme_type il_scheme_gluey_maury = {
    .name = "gluey_maury",
    .title = "maury with contacts that hold until their glue is used up",
    .statement =
        "u_{n+1} = P_K (u_n + h M^-1 fbar_n(q_n) + M^-1 sum_i gamma_{n,i} grad g_i),\n"
        "q_{n+1} = q_n + h u_{n+1}, K = { v : g_i + h <grad g_i, v> >= 0 for all i }, rows at\n"
        "(t_{n+1},q_n); gamma_{n+1,i} = -h mu_i, mu_i >= 0 the multipliers of the projection.\n"
        "That is gamma_{n+1} = gamma_n - h lambda with lambda = mu + gamma_n/h the contact force,\n"
        "and gamma_{n+1} <= 0, linearised gap >= 0, product 0: implicit, so that no gap is held\n"
        "by an equality and glue that runs out inside a step lets go there. Without glue it is\n"
        "maury, bit for bit.",
    .source = "Maury 2007 (ESAIM Proc. 18); Lefebvre 2009 (M2AN 43); Bernicot & Lefebvre-Lepot "
              "2010, Remark 4.3",
    .orders = 3u,
    .restitution = false,
    .glue = true,
    .holds_positions = true,
    .claims = claims,
    .create = create,
    .step = step,
    .destroy = il_linear_destroy};
