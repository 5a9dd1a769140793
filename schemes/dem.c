/*
 * dem.c - the discrete element method (Cundall & Strack 1979): contacts are springs with dampers of
 * a stiffness that is given, integrated by velocity Verlet at the step that is given,
 *
 *     u_{n+1/2} = u_n + h/2 M^{-1} F_n,            q_{n+1} = q_n + h u_{n+1/2},
 *     u_{n+1} = u_{n+1/2} + h/2 M^{-1} F_{n+1},    F_{n+1} = F(t_{n+1}, q_{n+1}, u_{n+1/2}),
 *     F = fbar_n(q) + sum_i lambda_i grad g_i,     lambda_i >= 0, with y = -g_i > 0 and y' = dy/dt,
 *     F_0 = F(t_0, q_0, u_0): contacts are asked for their forces once a step, as DEM codes do:
 *
 *     linear          lambda = k y + 2 zeta (k m)^(1/2) y',        zeta = -log e/(pi^2 + log^2
 *     e)^(1/2),
 *     hertz           lambda = k y^(3/2) + alpha (k m)^(1/2) y^(1/4) y',           alpha = 5^(1/2)
 *     zeta
 *                     (Tsuji, Tanaka & Ishida 1992; Antypov & Elliott 2011),
 *     hunt_crossley   lambda = k y^(3/2) (1 + c y')                     (Hunt & Crossley 1975),
 *
 * m = 1/<grad g, M^{-1} grad g>. lambda is cut at 0, so a body leaves faster than by e: for the
 * linear spring of e = 0 by 13 % of its speed. The limit h -> 0 is the motion with springs, not
 * with impacts: errors against rigid bodies end at about v (m/k)^(1/2).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "schemes/stepping/velocity.h"

/* A body that enters at speed U is at most h U deep at its first node, where a kick h lambda/m
 * leaves it at most (x - 1) U with x = h (h k + c)/m, k y the spring's and c y' the damper's force:
 * for x > 2 it may leave faster than it came. */
static const double STABLE = 2.0;

typedef struct {
    il_velocity base; /* lambda: at the end; speed: rates of the gaps */
    enum { LINEAR, HERTZ, HUNT_CROSSLEY } law;
    double k, c, zeta;
    const il_contacts
        *before;     /* contacts with forces lambda of the step before, in the first half */
    double stiffest; /* the largest h (h k + c)/m in the step */
} dem;

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    il_status status = il_velocity_create(self, sizeof(dem), problem, options, err);
    if (status == IL_OK) {
        dem *s = *self;
        const char *law = il_params_choice(options->params, "law");
        double l = problem->restitution > 0.0 ? il_log(problem->restitution) : -INFINITY;
        s->law = strcmp(law, "linear") == 0  ? LINEAR
                 : strcmp(law, "hertz") == 0 ? HERTZ
                                             : HUNT_CROSSLEY;
        s->k = il_params_number(options->params, "k");
        s->c = il_params_number(options->params, "c");
        s->zeta = isinf(l) ? 1.0 : -l / sqrt(M_PI * M_PI + l * l);
    }
    return status;
}

/* The force of contact i, of mass m, over which the gap is g < 0 and changes at `rate`. */
static double contact_force(dem *s, double g, double rate, double m, double h) {
    double y = -g;
    double root = sqrt(y);
    double k = s->law == LINEAR ? s->k : s->k * root; /* the force over the overlap */
    double c = s->law == LINEAR  ? 2.0 * s->zeta * sqrt(s->k * m)
               : s->law == HERTZ ? sqrt(5.0 * s->k * m) * s->zeta * sqrt(root)
                                 : s->c * k * y;
    s->stiffest = fmax(s->stiffest, h * (h * k + c) / m);
    return fmax(0.0, k * y - c * rate);
}

/* lambda of contact `id` at the end of the step before, 0 where it was none; looked for from *at
 * on, where the last one was. */
static double known(const il_contacts *before, size_t id, size_t *at) {
    for (size_t k = 0; before != NULL && k < before->n; k++) {
        size_t i = (*at + k) % before->n;
        if (before->id[i] == id) {
            *at = i + 1;
            return before->lambda[i];
        }
    }
    return 0.0;
}

/* sum lambda_i grad g_i at (t, q, u) into push[d]; rows and lambda are left. */
static il_status push(dem *s, double t, double h, const double *q, const double *u, double *push,
                      il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    il_rows_clear(&w->rows);
    il_status status = il_problem_scan(w->problem, t, q, q, 0.0, &w->rows);
    if (status != IL_OK) {
        return il_fail(err, status, "the constraints could not be computed at t = %.10g", t);
    }
    il_velocity_reserve(w);
    report->scans++;
    report->rows_offered += w->rows.p;
    memset(push, 0, d * sizeof *push);
    size_t at = 0;
    for (size_t i = 0; i < w->rows.p; i++) {
        w->lambda[i] = 0.0;
        if (w->rows.value[i] < 0.0) {
            double m = 1.0 / il_velocity_mobility(w, &w->rows, i);
            double rate = w->rows.rate[i] + il_rows_dot(&w->rows, i, u);
            double last = known(s->before, w->rows.id[i], &at);
            w->lambda[i] = last > 0.0
                               ? last
                               : fmax(contact_force(s, w->rows.value[i], rate, m, h), DBL_TRUE_MIN);
            il_rows_axpy(&w->rows, i, w->lambda[i], push);
        }
    }
    return IL_OK;
}

/* u += h/2 M^{-1} (fbar_n(q) + contacts at (t, q, u)); fbar is over [t0, t1]. */
static il_status kick(dem *s, const double range[2], double t, const double *q, double *u,
                      il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    double h = range[1] - range[0];
    il_status status = il_force_mean(w->force, range[0], range[1], q, w->f, err);
    if (status == IL_OK) {
        status = push(s, t, h, q, u, w->x, report, err);
    }
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        w->x[k] += w->f[k];
    }
    il_metric_solve(w->problem->mass, w->x, w->x);
    for (size_t k = 0; k < w->problem->d; k++) {
        u[k] += 0.5 * h * w->x[k];
    }
    return IL_OK;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    dem *s = self;
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    double range[2] = {t0, t1};
    *report = (il_step_report){.force = w->f, .certificate = il_certificate_best()};
    s->stiffest = 0.0;
    memcpy(out->u, in->u, d * sizeof *out->u);
    s->before = in->contacts;
    il_status status = kick(s, range, t0, in->q, out->u, report, err);
    s->before = NULL;
    for (size_t k = 0; status == IL_OK && k < d; k++) {
        out->q[k] = in->q[k] + (t1 - t0) * out->u[k];
    }
    if (status == IL_OK) {
        status = kick(s, range, t1, out->q, out->u, report, err);
    }
    if (status == IL_OK && !(s->stiffest <= STABLE)) {
        status = il_fail(err, IL_ENUMERIC,
                         "a step of h = %.6g at t = %.10g is unstable: h (h k + c)/m is %.3g for a "
                         "contact, k its stiffness and c its damping; allowed: at most 2, so a "
                         "smaller step or a smaller k",
                         t1 - t0, t0, s->stiffest);
    }
    if (status == IL_OK && out->contacts != NULL) {
        il_contacts_set(out->contacts, &w->rows, w->lambda);
    }
    report->rows = &w->rows;
    report->lambda = w->lambda;
    return status;
}

static const il_claim claims[] = {{.norm = NULL}};

static const il_param_spec params[] = {
    {"law", IL_PARAM_CHOICE, "linear", 0.0, 0.0, false, "linear,hertz,hunt_crossley", NULL,
     "how the force grows with the overlap"},
    {"k", IL_PARAM_NUMBER, "20", 0.0, 1e30, true, NULL, "force/length, or force/length^1.5",
     "stiffness of a contact, the same for every h"},
    {"c", IL_PARAM_NUMBER, "1.5", 0.0, 1e6, false, NULL, "time/length",
     "damping of hunt_crossley; about 3 (1-e)/(2 v) for an impact at speed v"},
    {.key = NULL}};

const il_scheme_type il_scheme_dem = {
    .name = "dem",
    .title = "discrete elements: springs of a given stiffness, velocity Verlet",
    .statement =
        "u_{n+1/2} = u_n + h/2 M^-1 F_n, q_{n+1} = q_n + h u_{n+1/2}, u_{n+1} = u_{n+1/2} + h/2\n"
        "M^-1 F_{n+1}, F_{n+1} = F(t_{n+1},q_{n+1},u_{n+1/2}), F = fbar_n + sum lambda_i grad "
        "g_i,\n"
        "as LIGGGHTS and YADE (linear) make their steps, and with y = -g_i > 0, m = 1/<grad g_i, "
        "M^-1 grad g_i>, cut at 0:\n"
        "linear         lambda = k y + 2 zeta sqrt(k m) y', zeta = -log e/sqrt(pi^2 + log^2 e);\n"
        "hertz          lambda = k y^1.5 + sqrt(5 k m) zeta y^0.25 y';\n"
        "hunt_crossley  lambda = k y^1.5 (1 + c y').\n"
        "k does not depend on h: the limit is a motion with springs, whose distance from rigid\n"
        "bodies is about v sqrt(m/k). Above h (h k + c)/m = 2, c the damping, a body may leave\n"
        "faster than it came, and a run ends.",
    .source = "Cundall & Strack 1979; Tsuji, Tanaka & Ishida 1992; Antypov & Elliott 2011; Hunt & "
              "Crossley 1975",
    .orders = 2u,
    .restitution = true,
    .compliant = true,
    .other_limit = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = il_velocity_destroy};
