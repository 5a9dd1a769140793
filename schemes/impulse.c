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
 * q_{n+1} = q_n + h (u_{n+1} + p), p = P^M (0) onto { w : <grad g_i, w> >= push_i }.
 *
 * Presets, read in the sources and compared step by step on a ball and two spheres:
 *
 *     ode             ODE 0.16, dxJointContact::getInfo2: max, before, erp 1/5, margin 0
 *     bullet          Bullet 3.24, btSequentialImpulseConstraintSolver::setupContactConstraint:
 *     add,
 *                     before, erp 1/5, threshold 1/5, margin 1/50: of a sphere's radius over a
 *                     plane, so a radius of 1; between spheres it has none, margin=0
 *     anitescu_hart   Anitescu & Hart 2004: erp = 1, every contact within reach, e = 0: Maury's
 *                     scheme with rows at t_n where the margin is large
 *
 * As h -> 0 a push by erp costs nothing where contacts are closed by impacts of overlap O(h), but
 * leaves its velocity: a ball that strikes with e = 0 at an overlap of theta h |u| leaves with
 * erp theta |u|, whatever h (schemes/README.md).
 */
#include <math.h>
#include <string.h>

#include "schemes/stepping/velocity.h"

typedef enum { MAX, INSTEAD, ADD } combination;

typedef struct {
    double erp, slop, push, threshold, margin;
    bool after, split;
    combination combine;
} manner;

typedef struct {
    il_velocity base;
    manner how;
} impulse;

static const struct {
    const char *name;
    manner how;
} presets[] = {
    {"none", {.erp = 0.2, .push = INFINITY}},
    {"ode", {.erp = 0.2, .push = INFINITY}},
    {"bullet", {.erp = 0.2, .push = INFINITY, .threshold = 0.2, .margin = 0.02, .combine = ADD}},
    {"anitescu_hart", {.erp = 1.0, .push = INFINITY, .margin = INFINITY}}};

static double chosen(const il_params *params, const char *key, double preset) {
    return il_params_given(params, key) ? il_params_number(params, key) : preset;
}

/* The preset, and what was given beside it. */
static manner read(const il_params *params) {
    const char *as = il_params_choice(params, "as");
    size_t k = 0;
    while (strcmp(presets[k].name, as) != 0) {
        k++;
    }
    manner how = presets[k].how;
    how.erp = chosen(params, "erp", how.erp);
    how.slop = chosen(params, "slop", how.slop);
    how.push = chosen(params, "push", how.push);
    how.threshold = chosen(params, "threshold", how.threshold);
    how.margin = chosen(params, "margin", how.margin);
    if (il_params_given(params, "restitution")) {
        how.after = strcmp(il_params_choice(params, "restitution"), "after") == 0;
    }
    if (il_params_given(params, "split")) {
        how.split = strcmp(il_params_choice(params, "split"), "yes") == 0;
    }
    if (il_params_given(params, "combine")) {
        const char *word = il_params_choice(params, "combine");
        how.combine = strcmp(word, "max") == 0 ? MAX : strcmp(word, "add") == 0 ? ADD : INSTEAD;
    }
    return how;
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    il_status status = il_velocity_create(self, sizeof(impulse), problem, options, err);
    if (status == IL_OK) {
        ((impulse *)*self)->how = read(options->params);
    }
    return status;
}

/* The speed that a gap g asks for. */
static double push_of(const manner *how, double g, double h) {
    return g > 0.0 ? -g / h : fmin(how->erp * fmax(-g - how->slop, 0.0) / h, how->push);
}

static double wanted(const impulse *s, double g, double r, double h) {
    const manner *how = &s->how;
    double push = how->split && g <= 0.0 ? 0.0 : push_of(how, g, h);
    double e = s->base.problem->restitution;
    if (!(e > 0.0 && -r > how->threshold)) {
        return push;
    }
    return how->combine == ADD ? push - e * r : how->combine == MAX ? fmax(push, -e * r) : -e * r;
}

/* p of split=yes into p[d]. */
static il_status push_positions(impulse *s, double t, double h, double *p, il_step_report *report,
                                il_error *err) {
    il_velocity *w = &s->base;
    const il_rows *rows = il_tangent_rows(w->tangent);
    double *a = il_tangent_offsets(w->tangent);
    for (size_t i = 0; i < rows->p; i++) {
        a[i] = -fmax(0.0, push_of(&s->how, rows->value[i], h));
    }
    memset(w->y, 0, w->problem->d * sizeof *w->y);
    return il_tangent_project(w->tangent, t, w->y, p, report, err);
}

/* u_{n+1} into out->u. */
static il_status project(impulse *s, double t0, double h, const il_state *in, il_state *out,
                         il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    const il_rows *rows = il_tangent_rows(w->tangent);
    const double *from = s->how.after ? w->v : in->u;
    double *a = il_tangent_offsets(w->tangent);
    for (size_t i = 0; i < rows->p; i++) {
        double r = rows->rate[i] + il_rows_dot(rows, i, from);
        a[i] = rows->rate[i] - wanted(s, rows->value[i], r, h);
    }
    return il_tangent_project(w->tangent, t0, w->v, out->u, report, err);
}

/* Four times the way of the fastest coordinate: no two bodies come nearer to each other in space.
 * */
static double reach(const il_velocity *w, double h) {
    double fastest = 0.0;
    for (size_t k = 0; k < w->problem->d; k++) {
        fastest = fmax(fastest, fabs(w->v[k]));
    }
    return 4.0 * h * fastest;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    impulse *s = self;
    il_velocity *w = &s->base;
    double h = t1 - t0;
    il_certificate worst = il_certificate_best();
    double closed = il_velocity_closed(w, in->q);
    *report = (il_step_report){.force = w->f};
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    double margin = isinf(s->how.margin) ? reach(w, h) : s->how.margin;
    il_prediction near = {.t = t0, .q = in->q, .u = in->u, .threshold = fmax(margin, closed)};
    if (status == IL_OK) {
        status = il_tangent_predict(w->tangent, &near, report, err);
    }
    if (status == IL_OK) {
        status = il_velocity_collect(w, err);
    }
    if (status == IL_OK) {
        status = project(s, t0, h, in, out, report, err);
    }
    if (status != IL_OK) {
        return status;
    }
    il_velocity_add(w, report, 1.0);
    il_certificate_worsen(&worst, &report->certificate);
    memset(w->x, 0, w->problem->d * sizeof *w->x);
    if (s->how.split) {
        status = push_positions(s, t0, h, w->x, report, err);
        il_certificate_worsen(&worst, &report->certificate);
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        out->q[k] = in->q[k] + h * (out->u[k] + w->x[k]);
    }
    il_velocity_report(w, h, &worst, report);
    return status;
}

static const il_claim claims[] = {{.norm = NULL}};

static const il_param_spec params[] = {
    {"as", IL_PARAM_CHOICE, "none", 0.0, 0.0, false, "none,ode,bullet,anitescu_hart", NULL,
     "an engine's own values for all below; what is given beside it counts"},
    {"erp", IL_PARAM_NUMBER, NULL, 0.0, 1.0, false, NULL, "1",
     "part of an overlap that is undone in a step (1/5)"},
    {"slop", IL_PARAM_NUMBER, NULL, 0.0, 1e30, false, NULL, "that of g",
     "overlap that is left alone (0)"},
    {"push", IL_PARAM_NUMBER, NULL, 0.0, 1e30, false, NULL, "that of g/time",
     "largest speed by which an overlap is undone (unbounded)"},
    {"threshold", IL_PARAM_NUMBER, NULL, 0.0, 1e30, false, NULL, "that of g/time",
     "approach speeds up to this do not bounce (0)"},
    {"margin", IL_PARAM_NUMBER, NULL, 0.0, 1e30, false, NULL, "that of g",
     "gaps up to this are contacts (0)"},
    {"restitution", IL_PARAM_CHOICE, "before", 0.0, 0.0, false, "before,after", NULL,
     "of the approach speed before the force of the step, or after it"},
    {"combine", IL_PARAM_CHOICE, "max", 0.0, 0.0, false, "max,instead,add", NULL,
     "a bounce and a push: the larger, the bounce alone, their sum"},
    {"split", IL_PARAM_CHOICE, "no", 0.0, 0.0, false, "no,yes", NULL,
     "the push moves positions alone"},
    {.key = NULL}};

const il_scheme_type il_scheme_impulse = {
    .name = "impulse",
    .title = "the velocity step of rigid-body engines, with pushes by overlap",
    .statement =
        "u_{n+1} = P_V (u_n + h M^-1 fbar_n(q_n)), q_{n+1} = q_n + h u_{n+1},\n"
        "V = { w : d_t g_i + <grad g_i, w> >= b_i where g_i <= margin }, rows at (t_n, q_n);\n"
        "push = -g/h where g > 0, else min(erp (-g - slop)^+/h, push); bounce = -e r where\n"
        "-r > threshold, r the speed of the gap before or after the force; b = max, bounce\n"
        "instead, or sum. split: the push moves positions alone.\n"
        "as=ode, bullet, anitescu_hart: their values and rules. The projection is exact, where\n"
        "engines stop after some sweeps (--projector gauss_seidel --max-iterations). Left out:\n"
        "friction, rotation, warm starts, sleeping, damping, softness (cfm), joints, the search\n"
        "for contacts. As h -> 0 a push leaves its velocity: the limit is not the solution where\n"
        "bodies strike.",
    .source = "ODE 0.16.2 contact.cpp; Bullet 3.24 btSequentialImpulseConstraintSolver.cpp; "
              "Anitescu & Hart 2004",
    .orders = 2u,
    .restitution = true,
    .other_limit = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = il_velocity_destroy};
