/*
 * d1minus.c - half-explicit time-stepping on acceleration level, from a time-discontinuous Galerkin
 * method (Schindler & Acary 2014, doi 10.1016/j.matcom.2012.04.012), as Siconos' D1MinusLinearOSI
 * makes its steps. With the contacts closed where g <= c, at rest where a_i(u) <= c,
 *
 *     M a_0 = f(t_0,q_0) + W_0 l_0,     0 <= g'' compl. l_0 >= 0   for those closed and at rest,
 *     v = u_0 + h a_0,   q_1 = q_0 + h/2 (u_0 + v),
 *     M a_1 = f(t_1,q_1) + W_1 l_1,     the same at (t_1, q_1, v),
 *     w = u_0 + h/2 (a_0 + a_1); where a contact has closed, w = u_0 + h/2 M^-1 (f_0 + f_1),
 *     M (u_1 - w) = W_1 P,              0 <= a_i(u_1) + e a_i(w) compl. P >= 0   for those closed,
 *
 * W_k the gradients at (t_k, q_k), a_i(u) = d_t g_i + <grad g_i, u>. Positions are explicit: a
 * contact that closes overlaps at the node, and no later step takes that back. Where nothing closes
 * the motion between nodes is the cubic through positions and velocities; else q is affine, and u
 * that at the end.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/stepping/cubic.h"
#include "schemes/stepping/curvature.h"
#include "schemes/stepping/velocity.h"

typedef struct {
    il_velocity base; /* rows: closed at (t_1, q_1); lambda: (l_0 + l_1)/2 + P/h; f: force; x: a;
                         v: velocities before P; y: scratch */
    il_rows start;    /* closed and at rest at (t_0, q_0) */
    il_rows before;   /* base.rows at (t_0, q_0) */
    il_curvature *curvature;
    il_cubic cubic;
    double closed; /* c */
    double *g;     /* [d] f(t_1, q_1) */
    double *v;     /* [d] v */
    double *push;  /* [start.p] l_0 */
    size_t room;   /* of push */
} d1minus;

static void destroy(void *self) {
    d1minus *s = self;
    if (s != NULL) {
        il_curvature_destroy(s->curvature);
        il_cubic_free(&s->cubic);
        il_rows_free(&s->start);
        il_rows_free(&s->before);
        free(s->push);
        free(s->g);
    }
    il_velocity_destroy(self);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    *self = NULL;
    il_status status = il_force_known(problem, "d1minus", err);
    if (status == IL_OK) {
        status = il_velocity_create(self, sizeof(d1minus), problem, options, err);
    }
    if (status != IL_OK) {
        return status;
    }
    d1minus *s = *self;
    s->closed = il_params_number(options->params, "closed");
    s->g = il_alloc_zero(2 * problem->d, sizeof *s->g);
    s->v = s->g + problem->d;
    il_cubic_create(&s->cubic, problem->d);
    s->curvature = il_curvature_create(problem);
    return IL_OK;
}

/* ---- contacts ------------------------------------------------------------------------------- */

/* A NaN counts as closed, and is refused by the projector. */
static bool is_closed(const d1minus *s, const il_rows *rows, size_t i) {
    return !(rows->value[i] > s->closed);
}

static bool at_rest(const d1minus *s, const il_rows *rows, size_t i, const double *u) {
    return is_closed(s, rows, i) && !(rows->rate[i] + il_rows_dot(rows, i, u) > s->closed);
}

/* Rows at (t, q) whose gaps are closed, and no others. */
static il_status closed_rows(d1minus *s, double t, const double *q, il_rows *rows,
                             il_step_report *report, il_error *err) {
    il_rows_clear(rows);
    il_status status = il_problem_scan(s->base.problem, t, q, q, s->closed, rows);
    report->scans++;
    report->rows_offered += rows->p;
    return status == IL_OK
               ? IL_OK
               : il_fail(err, status, "the contacts could not be computed at t = %.10g", t);
}

/* Row id at (t, q) to the end of rows. */
static il_status append(const d1minus *s, double t, const double *q, size_t id, il_rows *rows,
                        il_error *err) {
    il_status status = s->base.problem->type->row(s->base.problem, t, q, id, rows);
    return status == IL_OK
               ? IL_OK
               : il_fail(err, status, "a contact could not be computed at t = %.10g", t);
}

/* base.rows: what is closed at (t1, q), then what was at rest at the start and is no longer closed;
 * s->before the first of these at (t0, q0). *closes: one was open there. */
static il_status end_rows(d1minus *s, double t0, double t1, const double *q0, const double *q,
                          bool *closes, il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    il_status status = closed_rows(s, t1, q, &w->rows, report, err);
    size_t n = w->rows.p;
    *closes = false;
    il_rows_clear(&s->before);
    for (size_t i = 0; status == IL_OK && i < n; i++) {
        status = append(s, t0, q0, w->rows.id[i], &s->before, err);
        *closes |= status == IL_OK && !is_closed(s, &s->before, i);
    }
    for (size_t k = 0; status == IL_OK && k < s->start.p; k++) {
        size_t i = 0;
        while (i < n && w->rows.id[i] != s->start.id[k]) {
            i++;
        }
        status = i == n ? append(s, t1, q, s->start.id[k], &w->rows, err) : IL_OK;
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

/* ---- the two levels ------------------------------------------------------------------------- */

/* The least change of M^{-1} force that keeps the rows of `from` with speed[i] < 0 from being
 * violated, at (t, q, u), into a[d]; its multipliers into report. */
static il_status accelerate(d1minus *s, double t, const double *q, const double *u,
                            const double *force, const il_rows *from, const double *speed,
                            double *a, il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    il_certificate before = report->certificate;
    il_tangent_take(w->tangent, from, speed, 0.0);
    const il_rows *kept = il_tangent_rows(w->tangent);
    for (size_t i = 0; i < kept->p; i++) {
        il_tangent_offsets(w->tangent)[i] = il_curvature_at(s->curvature, t, q, u, kept->id[i]);
    }
    il_metric_solve(w->problem->mass, force, w->y);
    il_status status = il_tangent_project(w->tangent, t, w->y, a, report, err);
    il_certificate_worsen(&report->certificate, &before);
    return status;
}

/* a_0 into w->x, l_0 by row of s->start into s->push. */
static il_status start(d1minus *s, double t0, const il_state *in, il_step_report *report,
                       il_error *err) {
    il_velocity *w = &s->base;
    il_status status = closed_rows(s, t0, in->q, &s->before, report, err);
    il_rows_clear(&s->start);
    for (size_t i = 0; status == IL_OK && i < s->before.p; i++) {
        if (at_rest(s, &s->before, i, in->u)) {
            il_rows_append_row(&s->start, &s->before, i);
        }
    }
    if (status == IL_OK && s->start.p > s->room) {
        il_memory_grow(&s->push, 2 * s->start.p, sizeof *s->push);
        s->room = 2 * s->start.p;
    }
    for (size_t i = 0; status == IL_OK && i < s->start.p; i++) {
        s->push[i] = -1.0;
    }
    status = status == IL_OK
                 ? accelerate(s, t0, in->q, in->u, w->f, &s->start, s->push, w->x, report, err)
                 : status;
    if (status == IL_OK && s->start.p > 0) {
        memcpy(s->push, report->lambda, s->start.p * sizeof *s->push);
    }
    return status;
}

/* w into w->v, from a_0 in w->x and v; half of both forces of contacts into w->lambda. */
static il_status smooth_end(d1minus *s, double t1, double h, const double *q, const double *u0,
                            const double *v, il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    for (size_t i = 0; i < w->rows.p; i++) {
        w->speed[i] = at_rest(s, &w->rows, i, v) ? -1.0 : 1.0;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        w->v[k] = u0[k] + 0.5 * h * w->x[k];
    }
    il_status status = accelerate(s, t1, q, v, s->g, &w->rows, w->speed, w->x, report, err);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        w->v[k] += 0.5 * h * w->x[k];
    }
    il_velocity_add(w, report, 0.5 * h);
    for (size_t i = 0; i < w->rows.p; i++) {
        for (size_t k = 0; k < s->start.p; k++) {
            w->lambda[i] += s->start.id[k] == w->rows.id[i] ? 0.5 * h * s->push[k] : 0.0;
        }
    }
    return IL_OK;
}

/* The same where a contact closes: without forces of contacts. */
static void struck_end(d1minus *s, double h, const double *u0) {
    il_velocity *w = &s->base;
    for (size_t k = 0; k < w->problem->d; k++) {
        w->v[k] = 0.5 * h * (w->f[k] + s->g[k]);
    }
    il_metric_solve(w->problem->mass, w->v, w->v);
    for (size_t k = 0; k < w->problem->d; k++) {
        w->v[k] += u0[k];
    }
}

/* u_1 from w in w->v. */
static il_status percussions(d1minus *s, double t1, double *u, il_step_report *report,
                             il_error *err) {
    il_velocity *w = &s->base;
    il_certificate before = report->certificate;
    for (size_t i = 0; i < w->rows.p; i++) {
        w->speed[i] = is_closed(s, &w->rows, i) ? -1.0 : 1.0;
    }
    il_tangent_take(w->tangent, &w->rows, w->speed, 0.0);
    il_status status =
        il_tangent_solve(w->tangent, t1, w->problem->restitution, w->v, w->v, u, report, err);
    if (status == IL_OK) {
        il_velocity_add(w, report, 1.0);
    }
    il_certificate_worsen(&report->certificate, &before);
    return status;
}

/* ---- the step ------------------------------------------------------------------------------- */

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    d1minus *s = self;
    il_velocity *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    bool closes = false;
    *report = (il_step_report){.force = w->f, .certificate = il_certificate_best()};
    il_force_at(w->problem, t0, in->q, w->f);
    il_status status = start(s, t0, in, report, err);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < d; k++) {
        s->v[k] = in->u[k] + h * w->x[k];
        out->q[k] = in->q[k] + 0.5 * h * (in->u[k] + s->v[k]);
    }
    il_force_at(w->problem, t1, out->q, s->g);
    status = end_rows(s, t0, t1, in->q, out->q, &closes, report, err);
    if (status == IL_OK && closes) {
        struck_end(s, h, in->u);
    } else if (status == IL_OK) {
        status = smooth_end(s, t1, h, out->q, in->u, s->v, report, err);
    }
    status = status == IL_OK ? percussions(s, t1, out->u, report, err) : status;
    if (status != IL_OK) {
        return status;
    }
    il_certificate worst = report->certificate;
    il_velocity_report(w, h, &worst, report);
    for (size_t k = 0; k < d; k++) {
        w->f[k] = 0.5 * (w->f[k] + s->g[k]);
    }
    if (!closes && !il_cubic_strikes(&s->before, &w->rows, in->u, d)) {
        il_cubic_describe(&s->cubic, t0, t1, in, out, report);
    }
    return IL_OK;
}

static const il_claim claims[] = {{.norm = NULL}};

static const il_param_spec params[] = {
    {"closed", IL_PARAM_NUMBER, "1e-8", 0.0, 1e100, false, NULL, "length",
     "gaps up to this are closed, and speeds of gaps up to this are rest (length/time)"},
    {.key = NULL}};

const il_scheme_type il_scheme_d1minus = {
    .name = "d1minus",
    .title = "half-explicit, forces of contacts by accelerations at both ends, impacts at the last",
    .statement =
        "M a_0 = f_0 + W_0 l_0, 0 <= g'' compl. l_0 >= 0 for the contacts closed and at rest;\n"
        "v = u_0 + h a_0, q_1 = q_0 + h/2 (u_0 + v); M a_1 = f_1 + W_1 l_1 likewise at (q_1, v);\n"
        "w = u_0 + h/2 (a_0 + a_1), or where a contact has closed u_0 + h/2 M^-1 (f_0 + f_1);\n"
        "M (u_1 - w) = W_1 P, 0 <= a_i(u_1) + e a_i(w) compl. P >= 0 for the closed contacts,\n"
        "a_i = d_t g_i + <grad g_i, u>. Closed is g_i <= closed, Siconos' own 1e-8.\n"
        "Of order 2 while contacts last or nothing hits; an impact inside a step is met at its\n"
        "end, and leaves an overlap. Left out: friction, forces that depend on u, mass matrices\n"
        "that depend on q.",
    .source = "Siconos, D1MinusLinearOSI, halfexplicit_acceleration_level (its source was read), "
              "after Schindler & Acary 2014; Schindler, Rezaei, Kursawe & Acary 2015 has the "
              "velocity level",
    .orders = 2u,
    .restitution = true,
    .dense = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = destroy};
