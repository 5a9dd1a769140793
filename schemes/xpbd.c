/*
 * xpbd.c - extended position-based dynamics of rigid contacts with small steps (Macklin, Mueller &
 * Chentanez 2016; Macklin et al. 2019; Mueller et al. 2020, "Detailed Rigid Body Simulation with
 * Extended Position Based Dynamics"). In each of `substeps` steps of size s = h/substeps:
 *
 *     q* = q + s u + s^2 M^{-1} fbar;
 *     `iterations` sweeps over the contacts, in their order, each at the position that those
 *     before it left: where g < 0,   q* += M^{-1} grad g (-g)/(W + compliance/s^2);
 *     u* = (q* - q)/s;
 *     where a contact acted, at q*: its velocity a(u*) = d_t g + <grad g, u*> becomes
 *     max(-e a(u), 0), e counting as 0 where |a(u)| <= 2 s |<grad g, M^{-1} fbar>|.
 *
 * W = <grad g, M^{-1} grad g>, u the velocity before the substep. Contacts are looked for once a
 * step, within four times the way of the fastest coordinate. The velocity of a contact that acted
 * is
 * set to 0 whether it approaches or leaves: between two chords of a curve of radius R the positions
 * give an impulse s (f_n - u^2/(2R)), the velocities -s u^2/(2R), in sum the right one; but a
 * contact
 * acts as long as the first is positive, and so pulls for u^2/(2R) < f_n < u^2/R. What is stacked
 * stays compressed for a
 * finite number of sweeps. lambda is the sum of impulses over h, rows those at the end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/stepping/velocity.h"

/* In ways of the fastest coordinate: two bodies may approach each other. */
static const double REACH = 4.0;

typedef struct {
    il_velocity base; /* rows: contacts within reach; speed: -1 where one acted, else 0 */
    il_rows row;      /* one at a time */
    double *u, *g;    /* [d] velocity before a substep, M^{-1} fbar */
    size_t substeps, iterations;
    double compliance;
} xpbd;

static void destroy(void *self) {
    xpbd *s = self;
    if (s != NULL) {
        il_rows_free(&s->row);
        free(s->u);
    }
    il_velocity_destroy(self);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    il_status status = il_velocity_create(self, sizeof(xpbd), problem, options, err);
    if (status != IL_OK) {
        return status;
    }
    xpbd *s = *self;
    s->substeps = il_params_integer(options->params, "substeps");
    s->iterations = il_params_integer(options->params, "iterations");
    s->compliance = il_params_number(options->params, "compliance");
    s->u = il_alloc(2 * problem->d, sizeof *s->u);
    s->g = s->u + problem->d;
    return IL_OK;
}

/* Contact i of those within reach, at (t,q), into s->row; *W. */
static il_status look(xpbd *s, double t, const double *q, size_t i, double *W, il_error *err) {
    const il_problem *problem = s->base.problem;
    il_rows_clear(&s->row);
    il_status status = problem->type->row(problem, t, q, s->base.rows.id[i], &s->row);
    *W = status == IL_OK ? il_velocity_mobility(&s->base, &s->row, 0) : 0.0;
    return status == IL_OK
               ? IL_OK
               : il_fail(err, status, "a contact could not be computed at t = %.10g", t);
}

/* One sweep over the positions q[d] at the end t of a substep of size h. */
static il_status sweep(xpbd *s, double t, double h, double *q, il_error *err) {
    il_velocity *w = &s->base;
    double W = 0.0;
    for (size_t i = 0; i < w->rows.p; i++) {
        il_status status = look(s, t, q, i, &W, err);
        if (status != IL_OK) {
            return status;
        }
        if (s->row.value[0] < 0.0 && W > 0.0) {
            double c = -s->row.value[0] / (W + s->compliance / (h * h));
            il_velocity_push(w, &s->row, 0, c, q);
            w->lambda[i] += c / h;
            w->speed[i] = -1.0;
        }
    }
    return IL_OK;
}

/* Restitution of the contacts that acted, on u[d]. */
static il_status rebound(xpbd *s, double t, double h, const double *q, double *u, il_error *err) {
    il_velocity *w = &s->base;
    double W = 0.0;
    for (size_t i = 0; i < w->rows.p; i++) {
        if (w->speed[i] == 0.0) {
            continue;
        }
        il_status status = look(s, t, q, i, &W, err);
        if (status != IL_OK) {
            return status;
        }
        double before = s->row.rate[0] + il_rows_dot(&s->row, 0, s->u);
        double after = s->row.rate[0] + il_rows_dot(&s->row, 0, u);
        bool slow = fabs(before) <= 2.0 * h * fabs(il_rows_dot(&s->row, 0, s->g));
        double wanted = slow ? 0.0 : fmax(0.0, -w->problem->restitution * before);
        if (W > 0.0) {
            il_velocity_push(w, &s->row, 0, (wanted - after) / W, u);
            w->lambda[i] += (wanted - after) / W;
        }
    }
    return IL_OK;
}

/* From (q, u) to (q, u) in place, over [t0, t1]. */
static il_status substep(xpbd *s, double t0, double t1, double *q, double *u, il_error *err) {
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    double h = t1 - t0;
    il_state now = {.q = q, .u = u};
    il_status status = il_force_predict(w->force, t0, t1, &now, w->v, w->f, err);
    for (size_t k = 0; status == IL_OK && k < d; k++) {
        s->u[k] = u[k];
        s->g[k] = (w->v[k] - u[k]) / h;
        u[k] = q[k]; /* the position before, for a while */
        q[k] += h * w->v[k];
    }
    for (size_t i = 0; i < w->rows.p; i++) {
        w->speed[i] = 0.0;
    }
    for (size_t n = 0; status == IL_OK && n < s->iterations; n++) {
        status = sweep(s, t1, h, q, err);
    }
    for (size_t k = 0; status == IL_OK && k < d; k++) {
        u[k] = (q[k] - u[k]) / h;
    }
    return status == IL_OK ? rebound(s, t1, h, q, u, err) : status;
}

/* Contacts within reach of the step, with impulses 0. */
static il_status begin(xpbd *s, double t0, double t1, const il_state *in, il_step_report *report,
                       il_error *err) {
    il_velocity *w = &s->base;
    double way = 0.0;
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    for (size_t k = 0; k < w->problem->d; k++) {
        way = fmax(way, (t1 - t0) * fmax(fabs(w->v[k]), fabs(in->u[k])));
    }
    il_rows_clear(&w->rows);
    if (status == IL_OK) {
        status = il_problem_scan(w->problem, t1, in->q, in->q, REACH * way, &w->rows);
        report->scans++;
        report->rows_offered += w->rows.p;
    }
    if (status != IL_OK) {
        return status;
    }
    il_velocity_reserve(w);
    for (size_t i = 0; i < w->rows.p; i++) {
        w->lambda[i] = 0.0;
    }
    return IL_OK;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    xpbd *s = self;
    il_velocity *w = &s->base;
    double h = t1 - t0;
    *report = (il_step_report){.force = w->f, .certificate = il_certificate_best()};
    il_status status = begin(s, t0, t1, in, report, err);
    memcpy(out->q, in->q, w->problem->d * sizeof *out->q);
    memcpy(out->u, in->u, w->problem->d * sizeof *out->u);
    for (size_t n = 0; status == IL_OK && n < s->substeps; n++) {
        double from = t0 + h * ((double)n / (double)s->substeps);
        double to = n + 1 < s->substeps ? t0 + h * ((double)(n + 1) / (double)s->substeps) : t1;
        status = substep(s, from, to, out->q, out->u, err);
    }
    il_velocity_report(w, h, &report->certificate, report);
    return status;
}

static const il_claim claims[] = {{.norm = NULL}};

static const il_param_spec params[] = {
    {"substeps", IL_PARAM_INTEGER, "1", 1.0, 1e6, false, NULL, "1", "steps within a step"},
    {"iterations", IL_PARAM_INTEGER, "1", 1.0, 1e6, false, NULL, "1", "sweeps over the contacts"},
    {"compliance", IL_PARAM_NUMBER, "0", 0.0, 1e30, false, NULL, "length/force",
     "of a contact: 1/stiffness; 0 is rigid"},
    {.key = NULL}};

const il_scheme_type il_scheme_xpbd = {
    .name = "xpbd",
    .title = "extended position-based dynamics: positions swept contact by contact, in substeps",
    .statement =
        "In each of substeps steps of size s = h/substeps: q* = q + s u + s^2 M^-1 fbar; in\n"
        "iterations sweeps, contact after contact, where g < 0:\n"
        "q* += M^-1 grad g (-g)/(<grad g, M^-1 grad g> + compliance/s^2); u* = (q* - q)/s; the\n"
        "velocity a(u*) of a contact that acted becomes max(-e a(u), 0), e counting as 0 where\n"
        "|a(u)| <= 2 s |<grad g, M^-1 fbar>|.\n"
        "Left out of the paper: rotations, friction, damping. Sweeps do not solve: a stack stays\n"
        "compressed. The last line may pull: a body that slides over another lets go where the\n"
        "force presses half as hard as the motion asks, u^2/(2R) and not u^2/R, whatever h.",
    .source = "Macklin, Mueller & Chentanez 2016; Mueller et al. 2020, algorithm 2",
    .orders = 2u,
    .restitution = true,
    .other_limit = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = destroy};
