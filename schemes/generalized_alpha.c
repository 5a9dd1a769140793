/*
 * generalized_alpha.c - the nonsmooth generalised-alpha scheme (Bruels, Acary & Cardona 2014;
 * Chen, Acary, Virlez & Bruels 2013), without friction, as Capobianco, Harsch, Eugster & Leine
 * (2021, doi 10.1002/nme.6801; equations 71 to 136) write it:
 *
 *     M a_1 = f(t_1,q_1) + W l_1,                        0 <= g'' compl. l_1 >= 0   for i in B,
 *     u_1 = u_0 + h ((1-gamma) A_0 + gamma A_1) + M^-1 W L,
 *                      0 <= a_i(u_1) + e a_i(u_0) compl. P >= 0   for i in A,
 *     q_1 = q_0 + h u_0 + h^2/2 ((1 - 2 beta) A_0 + 2 beta A_1) + M^-1 W K,
 *                      0 <= g(t_1,q_1) compl. S >= 0,
 *     P = L + h ((1-gamma) l~_0 + gamma l~_1),   S = K + h^2 ((1/2 - beta) l~_0 + beta l~_1),
 *     (1 - alpha_m) A_1 + alpha_m A_0 = (1 - alpha_f) a_1 + alpha_f a_0,   l~ from l likewise,
 *
 * W the gradients at (t_1, q_1), A = {i : S_i > 0 or g_i = 0}, B = {i in A : P_i > 0 or closed};
 * the multipliers of the others are 0. alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1),
 * gamma = 1/2 + alpha_f - alpha_m, beta = (1/2 + gamma)^2/4. The three levels are projections,
 * taken in turn until nothing moves. A state carries a, A, l, l~ on; they begin with the
 * accelerations that the start admits.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "schemes/stepping/cubic.h"
#include "schemes/stepping/curvature.h"
#include "schemes/stepping/velocity.h"

enum { ROUNDS = 200 };

/* Rounds end where positions and velocities move by this, relative to one plus the largest; */
static const double DONE = 2e-15;
/* they have ended where they do no better than that. */
static const double ENOUGH = 1e-11;

/* The numbers that are carried, in this order; l and l~ by constraint. */
typedef struct {
    double *a, *A, *l, *L;
} carried;

typedef struct {
    il_velocity base; /* rows: all at (t_1, q_1); lambda: P; f, y, x, v: scratch */
    il_curvature *curvature;
    il_cubic cubic;
    il_rows before, now; /* all at (t_0, q_0); of those that push at (t_1, q_1) */
    double alpha_m, alpha_f, gamma, beta;
    double *a, *f0, *q, *u, *target; /* [d] */
    double *l, *S, *P, *push;        /* [p] */
    double *start;                   /* carried, of the first step */
    size_t p;
} galpha;

static carried carried_in(double *room, size_t d, size_t p) {
    return (carried){room, room + d, room + 2 * d, room + 2 * d + p};
}

static size_t carries(const il_problem *problem) {
    return 2 * (problem->d + problem->p);
}

static void destroy(void *self) {
    galpha *s = self;
    if (s != NULL) {
        il_curvature_destroy(s->curvature);
        il_cubic_free(&s->cubic);
        il_rows_free(&s->before);
        il_rows_free(&s->now);
        free(s->a);
    }
    il_velocity_destroy(self);
}

static void choose_parameters(galpha *s, double rho) {
    s->alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    s->alpha_f = rho / (rho + 1.0);
    s->gamma = 0.5 + s->alpha_f - s->alpha_m;
    s->beta = 0.25 * (0.5 + s->gamma) * (0.5 + s->gamma);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    size_t d = problem->d;
    size_t p = problem->p;
    *self = NULL;
    il_status status = il_force_known(problem, "generalized_alpha", err);
    if (status == IL_OK) {
        status = il_velocity_create(self, sizeof(galpha), problem, options, err);
    }
    if (status != IL_OK) {
        return status;
    }
    galpha *s = *self;
    s->p = p;
    choose_parameters(s, il_params_number(options->params, "rho"));
    s->a = il_alloc_zero(5 * d + 4 * p + carries(problem), sizeof *s->a);
    s->f0 = s->a + d;
    s->q = s->f0 + d;
    s->u = s->q + d;
    s->target = s->u + d;
    s->l = s->target + d;
    s->S = s->l + p;
    s->P = s->S + p;
    s->push = s->P + p;
    s->start = s->push + p;
    il_cubic_create(&s->cubic, d);
    s->curvature = il_curvature_create(problem);
    return IL_OK;
}

/* ---- what the levels share ------------------------------------------------------------------ */

static il_status all_rows(const galpha *s, double t, const double *q, il_rows *rows,
                          il_error *err) {
    il_status status = IL_OK;
    il_rows_clear(rows);
    for (size_t id = 0; status == IL_OK && id < s->p; id++) {
        status = s->base.problem->type->row(s->base.problem, t, q, id, rows);
    }
    return status == IL_OK
               ? IL_OK
               : il_fail(err, status, "a contact could not be computed at t = %.10g", t);
}

/* x = A_1 or l~_1 of n numbers, from a_1 or l_1 and what was carried. */
static double filtered(const galpha *s, double now, double before, double filter) {
    return ((1.0 - s->alpha_f) * now + s->alpha_f * before - s->alpha_m * filter) /
           (1.0 - s->alpha_m);
}

/* target -= M^{-1} W push. */
static void take_off(galpha *s, double *target) {
    il_velocity *w = &s->base;
    memset(w->y, 0, w->problem->d * sizeof *w->y);
    for (size_t i = 0; i < s->p; i++) {
        il_rows_axpy(&w->rows, i, s->push[i], w->y);
    }
    il_metric_solve(w->problem->mass, w->y, w->y);
    for (size_t k = 0; k < w->problem->d; k++) {
        target[k] -= w->y[k];
    }
}

/* target onto { offsets + B x >= 0 } over the rows i with set[i] > 0, into x[d]; multipliers by
 * constraint into lambda[p]. offset[p] by constraint. */
static il_status level(galpha *s, double t, const double *set, const double *offset,
                       const double *target, double *x, double *lambda, il_step_report *report,
                       il_error *err) {
    il_velocity *w = &s->base;
    for (size_t i = 0; i < s->p; i++) {
        w->speed[i] = -set[i];
        lambda[i] = 0.0;
    }
    il_tangent_take(w->tangent, &w->rows, w->speed, 0.0);
    const il_rows *kept = il_tangent_rows(w->tangent);
    for (size_t k = 0; k < kept->p; k++) {
        il_tangent_offsets(w->tangent)[k] = offset[kept->id[k]];
    }
    il_status status = il_tangent_project(w->tangent, t, target, x, report, err);
    for (size_t k = 0; status == IL_OK && k < kept->p; k++) {
        lambda[kept->id[k]] = report->lambda[k];
    }
    return status;
}

/* a_1 and l_1 at (t, q, u), with force f, over the rows with set[i] > 0. */
static il_status accelerations(galpha *s, double t, const double *q, const double *u,
                               const double *f, const double *set, double *offset, double *a,
                               double *l, il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    for (size_t i = 0; i < s->p; i++) {
        offset[i] = set[i] > 0.0 ? il_curvature_at(s->curvature, t, q, u, i) : 0.0;
    }
    il_metric_solve(w->problem->mass, f, s->target);
    return level(s, t, set, offset, s->target, a, l, report, err);
}

/* The start: contacts that are closed and not approached take part in the accelerations. */
static il_status begin(galpha *s, double t, const il_state *in, il_step_report *report,
                       il_error *err) {
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    double closed = il_tangent_closed(in->q, d);
    carried c = carried_in(s->start, d, s->p);
    for (size_t i = 0; i < s->p; i++) {
        double rate = w->rows.rate[i] + il_rows_dot(&w->rows, i, in->u);
        s->S[i] = w->rows.value[i] <= closed && rate <= closed ? 1.0 : 0.0;
    }
    il_status status =
        accelerations(s, t, in->q, in->u, s->f0, s->S, s->push, c.a, c.l, report, err);
    memcpy(c.A, c.a, d * sizeof *c.A);
    memcpy(c.L, c.l, s->p * sizeof *c.L);
    return status;
}

/* ---- one round ------------------------------------------------------------------------------ */

/* q_1 and S; those that push or are closed into s->S as a set. */
static il_status positions(galpha *s, double t1, double h, const il_state *in, const carried *c,
                           il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    il_status status = all_rows(s, t1, s->q, &w->rows, err);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < d; k++) {
        double A = filtered(s, s->a[k], c->a[k], c->A[k]);
        s->target[k] = in->q[k] + h * in->u[k] +
                       0.5 * h * h * ((1.0 - 2.0 * s->beta) * c->A[k] + 2.0 * s->beta * A);
    }
    for (size_t i = 0; i < s->p; i++) {
        double l = filtered(s, s->l[i], c->l[i], c->L[i]);
        s->push[i] = h * h * ((0.5 - s->beta) * c->L[i] + s->beta * l);
        s->P[i] = 1.0; /* of all */
    }
    take_off(s, s->target);
    for (size_t i = 0; i < s->p; i++) {
        s->push[i] = w->rows.value[i] - il_rows_dot(&w->rows, i, s->q);
    }
    status = level(s, t1, s->P, s->push, s->target, s->q, s->S, report, err);
    double closed = il_tangent_closed(s->q, d);
    for (size_t i = 0; status == IL_OK && i < s->p; i++) {
        double gap = s->push[i] + il_rows_dot(&w->rows, i, s->q);
        s->S[i] = s->S[i] > 0.0 || gap <= closed ? 1.0 : 0.0;
    }
    return status;
}

/* u_1 and P; those that push or are at rest into s->S as a set. */
static il_status velocities(galpha *s, double t1, double h, const il_state *in, const carried *c,
                            il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    for (size_t k = 0; k < d; k++) {
        double A = filtered(s, s->a[k], c->a[k], c->A[k]);
        s->target[k] = in->u[k] + h * ((1.0 - s->gamma) * c->A[k] + s->gamma * A);
    }
    for (size_t i = 0; i < s->p; i++) {
        double l = filtered(s, s->l[i], c->l[i], c->L[i]);
        s->push[i] = h * ((1.0 - s->gamma) * c->L[i] + s->gamma * l);
    }
    take_off(s, s->target);
    for (size_t i = 0; i < s->p; i++) {
        double before = w->rows.rate[i] + il_rows_dot(&w->rows, i, in->u);
        s->push[i] = w->rows.rate[i] + w->problem->restitution * before;
    }
    il_status status = level(s, t1, s->S, s->push, s->target, s->u, s->P, report, err);
    double still = il_tangent_closed(s->u, d);
    for (size_t i = 0; status == IL_OK && i < s->p; i++) {
        double after = s->push[i] + il_rows_dot(&w->rows, i, s->u);
        s->S[i] = s->S[i] > 0.0 && (s->P[i] > 0.0 || after <= still) ? 1.0 : 0.0;
    }
    return status;
}

/* From q_1, u_1, a_1, l_1 as they are to better ones; *moved: by how much, of their size. */
static il_status go_round(galpha *s, double t1, double h, const il_state *in, const carried *c,
                          double *moved, il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    memcpy(w->x, s->q, d * sizeof *w->x);
    memcpy(w->v, s->u, d * sizeof *w->v);
    il_status status = positions(s, t1, h, in, c, report, err);
    status = status == IL_OK ? velocities(s, t1, h, in, c, report, err) : status;
    if (status == IL_OK) {
        il_force_at(w->problem, t1, s->q, w->f);
        status = accelerations(s, t1, s->q, s->u, w->f, s->S, s->push, s->a, s->l, report, err);
    }
    *moved = fmax(il_apart(w->x, s->q, d) / (1.0 + il_largest(s->q, d)),
                  il_apart(w->v, s->u, d) / (1.0 + il_largest(s->u, d)));
    return status;
}

static il_status solve(galpha *s, double t1, double h, const il_state *in, const carried *c,
                       il_step_report *report, il_error *err) {
    double moved = INFINITY;
    for (int k = 0; k < ROUNDS; k++) {
        double before = moved;
        il_status status = go_round(s, t1, h, in, c, &moved, report, err);
        if (status != IL_OK) {
            return status;
        }
        if (moved <= DONE || (moved <= ENOUGH && moved >= 0.5 * before)) {
            return IL_OK;
        }
    }
    return il_fail(err, IL_ENUMERIC,
                   "the three levels of the step to t = %.10g do not agree: after %d rounds they "
                   "move by %.2g; a smaller step may do",
                   t1, ROUNDS, moved);
}

/* ---- the step ------------------------------------------------------------------------------- */

static void carry_on(const galpha *s, const carried *c, const il_state *out) {
    size_t d = s->base.problem->d;
    carried next = carried_in(out->carried, d, s->p);
    for (size_t k = 0; k < d; k++) {
        next.A[k] = filtered(s, s->a[k], c->a[k], c->A[k]);
        next.a[k] = s->a[k];
    }
    for (size_t i = 0; i < s->p; i++) {
        next.L[i] = filtered(s, s->l[i], c->l[i], c->L[i]);
        next.l[i] = s->l[i];
    }
    memcpy(out->q, s->q, d * sizeof *out->q);
    memcpy(out->u, s->u, d * sizeof *out->u);
}

/* Contacts that pushed, with P/h; all rows stand in w->rows, those of the start in s->before. */
static void report_contacts(galpha *s, double t0, double t1, const il_state *in,
                            const il_state *out, il_step_report *report) {
    il_velocity *w = &s->base;
    for (size_t i = 0; i < s->p; i++) {
        w->lambda[i] = s->P[i] / (t1 - t0);
    }
    report->rows = &w->rows;
    report->lambda = w->lambda;
    for (size_t k = 0; k < w->problem->d; k++) {
        w->f[k] = 0.5 * (w->f[k] + s->f0[k]);
    }
    il_rows_clear(&s->now);
    for (size_t i = 0; i < s->p; i++) {
        if (s->P[i] > 0.0) {
            il_rows_append_row(&s->now, &w->rows, i);
        }
    }
    if (!il_cubic_strikes(&s->before, &s->now, in->u, w->problem->d)) {
        il_cubic_describe(&s->cubic, t0, t1, in, out, report);
    }
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    galpha *s = self;
    il_velocity *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    *report = (il_step_report){.force = w->f, .certificate = il_certificate_best()};
    il_force_at(w->problem, t0, in->q, s->f0);
    il_status status = all_rows(s, t0, in->q, &w->rows, err);
    if (status != IL_OK) {
        return status;
    }
    il_velocity_reserve(w);
    il_rows_clear(&s->before);
    for (size_t i = 0; i < s->p; i++) {
        il_rows_append_row(&s->before, &w->rows, i);
    }
    carried c = carried_in(in->carried, d, s->p);
    bool first = isnan(in->carried[0]);
    if (first) {
        status = begin(s, t0, in, report, err);
        c = carried_in(s->start, d, s->p);
    }
    if (status != IL_OK) {
        return status;
    }
    memcpy(s->a, c.a, d * sizeof *s->a);
    memcpy(s->l, c.l, s->p * sizeof *s->l);
    for (size_t k = 0; k < d; k++) {
        s->u[k] = in->u[k] + h * c.a[k];
        s->q[k] = in->q[k] + h * in->u[k];
    }
    status = solve(s, t1, h, in, &c, report, err);
    if (status != IL_OK) {
        return status;
    }
    carry_on(s, &c, out);
    report_contacts(s, t0, t1, in, out, report);
    return IL_OK;
}

static const il_claim claims[] = {{.norm = NULL}};

static const il_param_spec params[] = {
    {"rho", IL_PARAM_NUMBER, "0.9", 0.0, 1.0, false, NULL, "1",
     "spectral radius of the highest frequencies: 1 damps nothing"},
    {.key = NULL}};

const il_scheme_type il_scheme_generalized_alpha = {
    .name = "generalized_alpha",
    .title = "nonsmooth generalised alpha: positions, velocities, accelerations in turn",
    .statement =
        "M a_1 = f(t_1,q_1) + W l_1; u_1 = u_0 + h ((1-gamma) A_0 + gamma A_1) + M^-1 W L;\n"
        "q_1 = q_0 + h u_0 + h^2/2 ((1-2 beta) A_0 + 2 beta A_1) + M^-1 W K;\n"
        "(1-alpha_m) A_1 + alpha_m A_0 = (1-alpha_f) a_1 + alpha_f a_0, and l~ from l likewise;\n"
        "complementary: g(q_1) with K + h^2 ((1/2-beta) l~_0 + beta l~_1); where those push or\n"
        "are closed a_i(u_1) + e a_i(u_0) with L + h ((1-gamma) l~_0 + gamma l~_1); where those\n"
        "push or rest g'' with l_1. W at (t_1,q_1); alpha_m = (2 rho-1)/(rho+1), alpha_f =\n"
        "rho/(rho+1), gamma = 1/2 + alpha_f - alpha_m, beta = (1/2 + gamma)^2/4.\n"
        "Of order 2 while contacts last or nothing hits. a, A, l, l~ are carried from step to\n"
        "step. Left out: friction, mass matrices that depend on q.",
    .source = "Chen, Acary, Virlez & Bruels 2013; Bruels, Acary & Cardona 2014; Capobianco, "
              "Harsch, Eugster & Leine 2021",
    .orders = 2u,
    .restitution = true,
    .dense = true,
    .feasible_nodes = true,
    .claims = claims,
    .params = params,
    .carries = carries,
    .create = create,
    .step = step,
    .destroy = destroy};
