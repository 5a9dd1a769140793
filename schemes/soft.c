/*
 * soft.c - the velocity step with soft contacts: each may be missed by R_i times its impulse,
 *
 *     M (v - v*) = sum p_i grad g_i,   v* = u_n + h M^{-1} fbar_n(q_n),      q_{n+1} = q_n + h v,
 *     p_i >= 0,   a_i(v) + R_i p_i >= w_i,   p_i (a_i(v) + R_i p_i - w_i) = 0,
 *
 * a_i(v) = d_t g_i + <grad g_i, v> over the contacts with g_i <= 0, rows at (t_n, q_n). Solved as a
 * projection with slacks (stepping/slack.h), and so it has a certificate. With A = <grad g_i,
 * M^{-1} grad g_i>:
 *
 *     mujoco   R = (1 - D)/D A,   w = a(u_n) - h (b a(u_n) + K D g),   b = 2/(dmax T),
 *              K = 1/(dmax T Z)^2,   T = max(time, 2 h),   Z = zeta, and the impedance D growing
 *              from dmin to dmax over an overlap of `width` by a quadratic sigmoid
 *              (engine_core_constraint.c, mj_makeImpedance; defaults solref = .02 1, solimp = .9
 *              .95 .001 .5 2)
 *     sap      R = max(beta^2 A/(4 pi^2), 1/(h (h + tau) k)),   w = -g/(h + tau)      (Castro,
 *     Permenter
 *              & Han 2022; Drake, SapFrictionConeConstraint)
 *     cfm      R = cfm/h,   w = -erp g/h      (ODE, constraint force mixing)
 *     spook    R = 4/(h^2 k (1 + 4 d)),   w = (a(u_n) - 4 (g + skin)/h)/(1 + 4 d),   d = relaxation
 *              (Lacoursiere 2007; cannon-es and p2, ContactEquation)
 *     box2d    contacts with g_i <= 1/50, in substeps whose soft velocity moves positions and is
 *              not kept (stepping/substeps.h; Box2D 3, contact_solver.c)
 *
 * The stiffness does not grow as h falls: the limit is a motion with springs and dampers. mujoco's
 * T is at least 2 h: its springs stiffen as h falls to T/2, and no longer.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "schemes/stepping/slack.h"
#include "schemes/stepping/substeps.h"
#include "schemes/stepping/velocity.h"

typedef enum { MUJOCO, SAP, CFM, SPOOK, BOX2D } model;

/* Box2D's speculative distance. */
static const double AHEAD = 0.02;

enum { TIME, ZETA, DMIN, DMAX, WIDTH, STIFFNESS, TAU, BETA, MIXING, ERP };
enum { RELAXATION = ERP + 1, SKIN, HERTZ, DAMPING, PUSH, SETTINGS };
static const char *const keys[] = {"time",       "zeta", "dmin",  "dmax",    "width",
                                   "k",          "tau",  "beta",  "cfm",     "erp",
                                   "relaxation", "skin", "hertz", "damping", "push"};

typedef struct {
    il_velocity base; /* rows: contacts; lambda: impulses; speed: a(u_n) */
    il_slack *slack;
    model as;
    double set[SETTINGS]; /* in the order of `keys` */
    size_t substeps;
} soft;

static void destroy(void *self) {
    soft *s = self;
    if (s != NULL) {
        il_slack_destroy(s->slack);
    }
    il_velocity_destroy(self);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    il_status status = il_velocity_create(self, sizeof(soft), problem, options, err);
    if (status != IL_OK) {
        return status;
    }
    soft *s = *self;
    const char *as = il_params_choice(options->params, "as");
    static const char *const models[] = {"mujoco", "sap", "cfm", "spook"};
    s->as = MUJOCO;
    while (s->as < BOX2D && strcmp(as, models[s->as]) != 0) {
        s->as++;
    }
    s->substeps = il_params_integer(options->params, "substeps");
    for (size_t k = 0; k < SETTINGS; k++) {
        s->set[k] = il_params_number(options->params, keys[k]);
    }
    status = il_slack_create(&s->slack, problem, options, err);
    if (status != IL_OK) {
        destroy(s);
        *self = NULL;
    }
    return status;
}

/* MuJoCo's impedance at overlap y, solimp's midpoint 1/2 and power 2. */
static double impedance(const soft *s, double y) {
    double x = fmin(y / s->set[WIDTH], 1.0);
    double sigmoid = x <= 0.5 ? 2.0 * x * x : 1.0 - 2.0 * (1.0 - x) * (1.0 - x);
    return s->set[DMIN] + (s->set[DMAX] - s->set[DMIN]) * sigmoid;
}

/* mujoco: one contact takes a speed r to (1 - x) r - y g/h, x = 2 D h/T and y = (D h/(T Z))^2, and
 * a body that enters at speed U is at most h U deep: for x + y > 2 it may leave faster than it
 * came. The others, implicit in the gap, leave at most at U (spook from relaxation 1/2 on). */
static il_status stable(const soft *s, double t, double h, il_error *err) {
    double D = fmax(s->set[DMIN], s->set[DMAX]);
    double x = D * h / (s->set[DMAX] * fmax(s->set[TIME], 2.0 * h));
    double y = x / s->set[ZETA];
    return s->as != MUJOCO || 2.0 * x + y * y <= 2.0
               ? IL_OK
               : il_fail(err, IL_ENUMERIC,
                         "a step of h = %.6g at t = %.10g is unstable: 2 x + (x/zeta)^2 is %.3g, x "
                         "= h/max(time, 2 h); allowed: at most 2, so a larger zeta",
                         h, t, 2.0 * x + y * y);
}

/* R and w of a contact of gap g <= 0, rate r = a(u_n) and mobility A. */
static void model_contact(const soft *s, double g, double r, double A, double h, double *R,
                          double *w) {
    const double *set = s->set;
    if (s->as == MUJOCO) {
        double D = impedance(s, -g);
        double T = set[DMAX] * fmax(set[TIME], 2.0 * h);
        *R = (1.0 - D) / D * A;
        *w = r - h * (2.0 * r / T + D * g / (T * set[ZETA] * T * set[ZETA]));
    } else if (s->as == SAP) {
        double near_rigid = set[BETA] * set[BETA] * A / (4.0 * M_PI * M_PI);
        *R = fmax(near_rigid, 1.0 / (h * (h + set[TAU]) * set[STIFFNESS]));
        *w = -g / (h + set[TAU]);
    } else if (s->as == SPOOK) {
        double d = 1.0 + 4.0 * set[RELAXATION];
        *R = 4.0 / (h * h * set[STIFFNESS] * d);
        *w = (r - 4.0 * (g + set[SKIN]) / h) / d;
    } else {
        *R = set[MIXING] / h;
        *w = -set[ERP] * g / h;
    }
}

/* v into u[d], impulses into base.lambda. */
static il_status project(soft *s, double t, double h, const il_state *in, double *u,
                         il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    double *a = NULL;
    double *R = NULL;
    il_status status = w->rows.p > 0 ? stable(s, t - h, h, err) : IL_OK;
    status = status == IL_OK ? il_slack_begin(s->slack, w->rows.p, &a, &R, err) : status;
    (void)il_velocity_speeds(w, in->u);
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        double wanted = 0.0;
        model_contact(s, fmin(w->rows.value[i], 0.0), w->speed[i],
                      il_velocity_mobility(w, &w->rows, i), h, &R[i], &wanted);
        a[i] = w->rows.rate[i] - wanted;
    }
    return status == IL_OK
               ? il_slack_project(s->slack, t, &w->rows, w->v, u, w->lambda, report, err)
               : status;
}

/* Positions and velocities of the step, from contacts that were collected. */
static il_status make(soft *s, double t0, double h, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    il_certificate worst = il_certificate_best();
    double hertz = fmin(s->set[HERTZ], 0.25 / (h / (double)s->substeps));
    il_substeps how = {s->substeps, hertz, s->set[DAMPING], s->set[PUSH]};
    il_status status =
        s->as == BOX2D ? il_substeps_make(w, s->slack, &how, t0, h, in, out, report, &worst, err)
                       : project(s, t0 + h, h, in, out->u, report, err);
    if (status != IL_OK) {
        return status;
    }
    il_velocity_report(w, h, s->as == BOX2D ? &worst : &report->certificate, report);
    for (size_t k = 0; s->as != BOX2D && k < w->problem->d; k++) {
        out->q[k] = in->q[k] + h * out->u[k];
    }
    return IL_OK;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    soft *s = self;
    il_velocity *w = &s->base;
    /* MuJoCo takes contacts with an overlap; bodies that touch are none. */
    double least = s->as == MUJOCO ? -DBL_TRUE_MIN : s->as == BOX2D ? AHEAD : 0.0;
    il_prediction closed = {.t = t0, .q = in->q, .u = in->u, .threshold = least};
    *report = (il_step_report){.force = w->f};
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    if (status == IL_OK) {
        status = il_tangent_predict(w->tangent, &closed, report, err);
    }
    if (status != IL_OK) {
        return status;
    }
    il_velocity_collect(w);
    return make(s, t0, t1 - t0, in, out, report, err);
}

static const il_claim claims[] = {{.norm = NULL}};

static const il_param_spec params[] = {
    {"as", IL_PARAM_CHOICE, "mujoco", 0.0, 0.0, false, "mujoco,sap,cfm,spook,box2d", NULL,
     "which model"},
    {"time", IL_PARAM_NUMBER, "0.02", 0.0, 1e30, true, NULL, "time", "mujoco: solref[0]"},
    {"zeta", IL_PARAM_NUMBER, "1", 0.0, 1e30, true, NULL, "1", "mujoco: solref[1], damping ratio"},
    {"dmin", IL_PARAM_NUMBER, "0.9", 1e-4, 0.9999, false, NULL, "1", "mujoco: solimp[0]"},
    {"dmax", IL_PARAM_NUMBER, "0.95", 1e-4, 0.9999, false, NULL, "1", "mujoco: solimp[1]"},
    {"width", IL_PARAM_NUMBER, "0.001", 0.0, 1e30, true, NULL, "that of g", "mujoco: solimp[2]"},
    {"k", IL_PARAM_NUMBER, "1e6", 0.0, 1e30, true, NULL, "force/that of g",
     "sap, spook: stiffness"},
    {"tau", IL_PARAM_NUMBER, "0.1", 0.0, 1e30, false, NULL, "time", "sap: dissipation time scale"},
    {"beta", IL_PARAM_NUMBER, "1", 0.0, 1e30, false, NULL, "1", "sap: near-rigid parameter"},
    {"cfm", IL_PARAM_NUMBER, "1e-5", 0.0, 1e30, false, NULL, "that of g/(force time)",
     "cfm: constraint force mixing"},
    {"erp", IL_PARAM_NUMBER, "0.2", 0.0, 1.0, false, NULL, "1",
     "cfm: part of an overlap that is undone in a step"},
    {"relaxation", IL_PARAM_NUMBER, "3", 0.5, 1e30, false, NULL, "1",
     "spook: steps in which an overlap goes"},
    {"skin", IL_PARAM_NUMBER, "0", 0.0, 1e30, false, NULL, "that of g",
     "spook: overlap that is left"},
    {"hertz", IL_PARAM_NUMBER, "30", 0.0, 1e30, true, NULL, "1/time",
     "box2d: contactHertz, at most 1/(4 s); twice that against what is fixed"},
    {"damping", IL_PARAM_NUMBER, "10", 0.0, 1e30, false, NULL, "1", "box2d: contactDampingRatio"},
    {"push", IL_PARAM_NUMBER, "3", 0.0, 1e30, false, NULL, "that of g/time", "box2d: contactSpeed"},
    {"substeps", IL_PARAM_INTEGER, "4", 1.0, 1e6, false, NULL, "1", "box2d: a step"},
    {.key = NULL}};

const il_scheme_type il_scheme_soft = {
    .name = "soft",
    .title = "the velocity step with soft contacts of MuJoCo, Drake, ODE, cannon-es and Box2D",
    .statement =
        "M (v - v*) = sum p_i grad g_i, v* = u_n + h M^-1 fbar_n(q_n), q_{n+1} = q_n + h v,\n"
        "0 <= p_i _|_ a_i(v) + R_i p_i - w_i >= 0 where g_i <= 0, rows at (t_n, q_n); with\n"
        "A = <grad g, M^-1 grad g> and r = a(u_n):\n"
        "mujoco  R = (1-D)/D A, w = r - h (2 r/(dmax T) + D g/(dmax T zeta)^2),\n"
        "        T = max(time, 2h), D from dmin to dmax over an overlap of width\n"
        "sap     R = max(beta^2 A/(4 pi^2), 1/(h (h+tau) k)), w = -g/(h+tau)\n"
        "cfm     R = cfm/h, w = -erp g/h\n"
        "spook   R = 4/(h^2 k (1+4d)), w = (r - 4 (g+skin)/h)/(1+4d), d = relaxation: of "
        "cannon-es\n"
        "        with k=1e7, of p2 with k=1e6,relaxation=4,skin=0.005\n"
        "box2d   4 substeps s over contacts with g <= 1/50: a soft velocity, R = A/c and w =\n"
        "        min(-g omega/b, push (1+c)/c), omega = 2 pi hertz, b = 2 damping + s omega,\n"
        "        c = s omega b, moves positions; the rigid one is kept. Version 3, whose one\n"
        "        sweep a substep, warm, is solved here; its restitution is left out\n"
        "A projection with a slack a contact, certified. Contacts have no restitution; their\n"
        "stiffness does not grow as h falls, so the limit is a motion with springs. Left out:\n"
        "friction, margins, other integrators than the semi-implicit one.",
    .source = "MuJoCo 2.2, engine_core_constraint.c; Castro, Permenter & Han 2022; ODE manual; "
              "Lacoursiere 2007, Ghosts and machines (SPOOK); Box2D 3, contact_solver.c",
    .orders = 2u,
    .compliant = true,
    .other_limit = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = destroy};
