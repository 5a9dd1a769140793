/*
 * impulse.c - the velocity step of rigid-body engines, without friction: the velocity is projected
 * onto what contacts ask for, position errors among them,
 *
 *     u_{n+1} = P^M_V (v),   v = u_n + h M^{-1} fbar_n(q_n),      q_{n+1} = q_n + h u_{n+1},
 *     V = { w : d_t g_i + <grad g_i, w> >= b_i, g_i <= margin },     rows at (t_n, q_n),
 *
 * with r = d_t g_i + <grad g_i, u_n> (restitution=before) or of v (after), and
 *
 *     push_i   = -g_i/h where g_i > 0 (a contact within the margin may be reached, and no more),
 *                min(erp (-g_i - slop)^+/h, push) where g_i <= 0,
 *     bounce_i = -e r where -r > threshold, else none,
 *     b_i      = the larger of both (combine=max), the bounce where there is one (instead), their
 *                sum (add).
 *
 * With split=yes velocities bounce without being pushed, and the push moves positions alone:
 * q_{n+1} = q_n + h (u_{n+1} + p), p = P^M (0) onto { w : <grad g_i, w> >= push_i } (instead: 0 for
 * a contact that bounces). With sweeps = K overlaps are undone at the new position instead, K
 * times: q += P^M (0) onto { x : <grad g_i, x> >= min(erp (-g_i - slop)^+, farthest) } over the
 * contacts of the step. With first=positions q_{n+1} = q_n + h (u_n + p), and velocities change at
 * (t_{n+1}, q_{n+1}). With cfm > 0 a contact may be missed by R p_i, p_i its impulse
 * (stepping/slack.h). as=rapier sweeps soft contacts in substeps (stepping/sequential.h). Presets:
 * engines.c. What it tends to: schemes/README.md.
 */
#include <math.h>
#include <string.h>

#include "schemes/engines.h"
#include "schemes/stepping/positions.h"
#include "schemes/stepping/sequential.h"
#include "schemes/stepping/slack.h"
#include "schemes/stepping/velocity.h"

typedef struct {
    il_velocity base; /* rows: contacts of the step; x: what moves positions alone, over h */
    il_slack *slack;
    il_colours *colours;
    il_manner how;
} impulse;

static void destroy(void *self) {
    if (self != NULL) {
        il_slack_destroy(((impulse *)self)->slack);
        il_colours_destroy(((impulse *)self)->colours);
    }
    il_velocity_destroy(self);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    il_status status = il_velocity_create(self, sizeof(impulse), problem, options, err);
    if (status != IL_OK) {
        return status;
    }
    impulse *s = *self;
    status = il_manner_read(&s->how, options->params, err);
    if (status == IL_OK) {
        status = il_slack_create(&s->slack, problem, options, err);
    }
    if (status == IL_OK && s->how.substeps.count > 0) {
        s->colours = il_colours_create(problem);
    }
    if (status != IL_OK) {
        destroy(s);
        *self = NULL;
    }
    return status;
}

/* Contacts at (t, q): those within the margin, or that the velocity v may close. */
static il_status find(impulse *s, double t, double h, const double *q, il_step_report *report,
                      il_error *err) {
    il_velocity *w = &s->base;
    double margin = il_manner_reach(&s->how, w->v, q, w->problem->d, h);
    il_prediction near = {.t = t, .q = q, .u = w->v, .threshold = margin};
    return il_tangent_predict(w->tangent, &near, report, err);
}

/* p of split, into w->x. */
static il_status push_positions(impulse *s, double t, double h, const double *before,
                                il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    const il_rows *rows = il_tangent_rows(w->tangent);
    double *a = il_tangent_offsets(w->tangent);
    for (size_t i = 0; i < rows->p; i++) {
        double r = rows->rate[i] + il_rows_dot(rows, i, before);
        double after = rows->rate[i] + il_rows_dot(rows, i, w->v);
        a[i] = -il_manner_shift(&s->how, w->problem->restitution, rows->value[i], r, after, h);
    }
    return il_positions_undo(w, t, report, err);
}

/* u_{n+1} into u, from contacts that were collected; their impulses into w->lambda. */
static il_status project(impulse *s, double t, double h, const double *before, double *u,
                         il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    const il_manner *how = &s->how;
    double *a = il_tangent_offsets(w->tangent);
    double *R = NULL;
    il_status status = how->cfm > 0.0 ? il_slack_begin(s->slack, w->rows.p, &a, &R, err) : IL_OK;
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        double rate = w->rows.rate[i];
        double after = rate + il_rows_dot(&w->rows, i, w->v);
        a[i] = rate - il_manner_wanted(how, w->problem->restitution, w->rows.value[i],
                                       rate + il_rows_dot(&w->rows, i, before), after, h);
        if (R != NULL) {
            R[i] = how->cfm * (how->relative ? il_velocity_mobility(w, &w->rows, i) : 1.0 / h);
        }
    }
    if (status == IL_OK && how->cfm > 0.0) {
        return il_slack_project(s->slack, t, &w->rows, w->v, u, w->lambda, report, err);
    }
    status = status == IL_OK ? il_tangent_project(w->tangent, t, w->v, u, report, err) : status;
    if (status == IL_OK) {
        il_velocity_add(w, report, 1.0);
    }
    return status;
}

static void move(const impulse *s, double h, const double *from, const double *u, double *to) {
    for (size_t k = 0; k < s->base.problem->d; k++) {
        to[k] = from[k] + h * (u[k] + s->base.x[k]);
    }
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    impulse *s = self;
    il_velocity *w = &s->base;
    double h = t1 - t0;
    bool first = s->how.first;
    bool split = s->how.sweeps.count == 0 && !isinf(s->how.split);
    il_certificate worst = il_certificate_best();
    *report = (il_step_report){.force = w->f};
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    memset(w->x, 0, w->problem->d * sizeof *w->x);
    if (status == IL_OK && first && split) {
        status = find(s, t0, h, in->q, report, err);
        status = status == IL_OK ? push_positions(s, t0, h, in->u, report, err) : status;
        il_certificate_worsen(&worst, &report->certificate);
    }
    if (first) {
        move(s, h, in->q, in->u, out->q);
    }
    const double *q = first ? out->q : in->q;
    double t = first ? t1 : t0;
    status = status == IL_OK ? find(s, t, h, q, report, err) : status;
    if (status == IL_OK) {
        il_velocity_collect(w);
    }
    if (status == IL_OK && s->how.substeps.count > 0) {
        il_sequential_make(w, s->colours, &s->how.substeps, h, in, out);
        il_velocity_report(w, h, &worst, report);
        return IL_OK;
    }
    status = status == IL_OK ? project(s, t, h, in->u, out->u, report, err) : status;
    il_certificate_worsen(&worst, &report->certificate);
    if (status == IL_OK && !first && split) {
        status = push_positions(s, t0, h, in->u, report, err);
        il_certificate_worsen(&worst, &report->certificate);
    }
    if (!first) {
        move(s, h, in->q, out->u, out->q);
    }
    status = status == IL_OK
                 ? il_positions_sweep(w, &s->how.sweeps, t1, out->q, report, &worst, err)
                 : status;
    if (status == IL_OK) {
        il_velocity_report(w, h, &worst, report);
    }
    return status;
}

static const il_claim claims[] = {{.norm = NULL}};

static const il_param_spec params[] = {
    {"as", IL_PARAM_CHOICE, "none", 0.0, 0.0, false,
     "none,ode,bullet,box2d,chipmunk,jolt,dart,simbody,physx,rapier,chrono,anitescu_hart", NULL,
     "an engine's own values for all below; what is given beside it counts"},
    {"erp", IL_PARAM_NUMBER, NULL, 0.0, 1.0, false, NULL, "1",
     "part of an overlap that is undone in a step, or a sweep (1/5)"},
    {"slop", IL_PARAM_NUMBER, NULL, 0.0, 1e30, false, NULL, "that of g",
     "overlap that is left alone (0)"},
    {"push", IL_PARAM_NUMBER, NULL, 0.0, 1e30, false, NULL, "that of g/time",
     "largest speed by which an overlap is undone (unbounded)"},
    {"threshold", IL_PARAM_NUMBER, NULL, 0.0, 1e30, false, NULL, "that of g/time",
     "approach speeds up to this do not bounce; dart, chrono: rebounds (0)"},
    {"margin", IL_PARAM_NUMBER, NULL, 0.0, 1e30, false, NULL, "that of g",
     "gaps up to this are contacts (0)"},
    {"cfm", IL_PARAM_NUMBER, NULL, 0.0, 1e30, false, NULL, "that of g/(force time)",
     "constraint force mixing; dart: over the contact's own mobility (0)"},
    {"restitution", IL_PARAM_CHOICE, NULL, 0.0, 0.0, false, "before,after", NULL,
     "of the approach speed before the force of the step, or after it (before)"},
    {"combine", IL_PARAM_CHOICE, NULL, 0.0, 0.0, false, "max,instead,add", NULL,
     "a bounce and a push: the larger, the bounce alone, their sum (max)"},
    {"split", IL_PARAM_CHOICE, NULL, 0.0, 0.0, false, "no,yes", NULL,
     "the push moves positions alone (no)"},
    {"sweeps", IL_PARAM_INTEGER, NULL, 0.0, 1e6, false, NULL, "1",
     "of positions at the end of a step, in place of the push (0)"},
    {"first", IL_PARAM_CHOICE, NULL, 0.0, 0.0, false, "velocities,positions", NULL,
     "what changes first in a step (velocities)"},
    {.key = NULL}};

const il_scheme_type il_scheme_impulse = {
    .name = "impulse",
    .title = "the velocity step of rigid-body engines, with pushes by overlap",
    .statement =
        "u_{n+1} = P_V (u_n + h M^-1 fbar_n(q_n)), q_{n+1} = q_n + h u_{n+1},\n"
        "V = { w : d_t g_i + <grad g_i, w> >= b_i where g_i <= margin }, rows at (t_n, q_n);\n"
        "push = -g/h where g > 0, else min(erp (-g - slop)^+/h, push); bounce = -e r where\n"
        "-r > threshold, r the speed of the gap before or after the force; b = max, bounce\n"
        "instead, or sum. split: the push moves positions alone; sweeps: overlaps are undone at\n"
        "the new position, first=positions: positions move by u_n, and velocities change there.\n"
        "As engines:\n"
        "ode            max, before; cfm 1e-10\n"
        "bullet         sum, before; a margin for a ball of radius 1 over a plane, 3^(1/2)/50 of\n"
        "               its radius (margin=0 between balls); split from an overlap of 0.04\n"
        "box2d          2.4: bounce after the force above 1; three sweeps, none beyond 0.015\n"
        "chipmunk       positions first; -e r of any sign; erp 1/10 in 1/60; split; slop 0.1\n"
        "jolt           bounce by the slower of before and after, if the gap would close; two\n"
        "               sweeps; margin and slop 0.02\n"
        "dart           max, after; rebounds above 0.1; erp 0.01, push at most 0.001; cfm 1e-5\n"
        "simbody        -e r and the force of the step, or 0; margin 0.001; of contacts that are\n"
        "               struck alone, where its Poisson's law in rounds is this\n"
        "physx          bounce after the force above 2, if the gap would close; erp 0.8, split;\n"
        "               margin 0.04\n"
        "rapier         4 substeps of sweeps over soft contacts with g <= 1/50, 30 Hz, damping\n"
        "               10, a rigid sweep after each, a bounce at the end; no projection, and no\n"
        "               certificate; beside it only margin and push\n"
        "chrono         g + h w >= 0 with a push of at most 0.6, or a bounce where it would cross\n"
        "               the gap; its collision envelope is left out: contacts within reach\n"
        "anitescu_hart  erp 1, contacts within reach, e = 0\n"
        "The projection is exact, where engines stop after some sweeps over contacts (--projector\n"
        "gauss_seidel --max-iterations). Left out: friction, rotation, warm starts, sleeping,\n"
        "damping, joints, the search for contacts, the order of contacts in sweeps of positions;\n"
        "also single precision (box2d, jolt, physx, rapier). As h -> 0 a push leaves its velocity: "
        "the\n"
        "limit is not the solution where bodies strike.",
    .source =
        "ODE 0.16 contact.cpp; Bullet 3.24 btSequentialImpulseConstraintSolver.cpp; Box2D 2.4 "
        "b2_contact_solver.cpp; Chipmunk 7.0 cpArbiter.c; Jolt 5 ContactConstraintManager.cpp; "
        "DART 6.12 ContactConstraint.cpp; Simbody 3.7 SemiExplicitEulerTimeStepper.cpp; Rapier "
        "0.35 contact_with_coulomb_friction.rs; PhysX 5.6 DyContactPrep.cpp; Chrono 8 "
        "ChContactNSC.h; Anitescu & Hart 2004",
    .orders = 2u,
    .restitution = true,
    .other_limit = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = destroy};
