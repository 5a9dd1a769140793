/*
 * fesd.c - finite elements with switch detection (Nurkanovic, Sperl, Albrecht & Diehl 2024; for
 * impacts Nurkanovic, Albrecht, Brogliato & Diehl 2023): a step is cut where a gap closes or a
 * contact lets go, its pieces are collocation steps whose last length is an unknown,
 *
 *     M q'' = f(t, q) + sum_{i in A} lambda_i grad g_i,   d^2 g_i/dt^2 = 0 for i in A,
 *     by Radau IIA of s stages (collocation.h) over [a, b],
 *     b: the first time at which some g_j, j not in A, falls through 0, or some lambda_i, i in A;
 *     there u+ = P_C u- - e P_N u-, and A the closed contacts that the acceleration keeps closed.
 *
 * After each piece the contacts in A are closed again by the least displacement, which changes no
 * order. Where impacts are isolated, q and u are of order 2s - 1; each impact is met where the
 * collocation meets it. Between nodes the motion is the polynomial through positions, velocities
 * and, for s = 3, accelerations at the ends of its piece: of degree 1, 3, 5.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/worse.h"
#include "schemes/stepping/collocation.h"
#include "schemes/stepping/force.h"
#include "schemes/stepping/held_contacts.h"

/* More events than that in a step are an accumulation. */
enum { EVENTS_MAX = 32, TRIES = 150 };

typedef struct {
    const il_problem *problem;
    size_t d, s, degree;
    il_held_contacts *contacts;
    il_collocation *stages;
    size_t pieces;
    double end[EVENTS_MAX + 1];
    double *c; /* [EVENTS_MAX + 1][degree + 1][d] */
    double *f; /* [d] mean of the force over the step */
    double t;
    double *q, *u;         /* [d] where a piece begins */
    double *a;             /* [d] its acceleration there, */
    double *last;          /* [d] and where it ends, */
    double *end_q, *end_u; /* [d] with its place and velocity there */
    double *impulse;       /* [p] over the step, by id */
    double *lambda;        /* [p] of rows, over h */
    il_rows rows;
    il_motion motion;
} fesd;

static const double *acceleration(void *self, double t, const double *q, const double *u) {
    return il_held_contacts_acceleration(((fesd *)self)->contacts, t, q, u);
}

static void destroy(void *self) {
    fesd *w = self;
    if (w == NULL) {
        return;
    }
    il_held_contacts_destroy(w->contacts);
    il_collocation_destroy(w->stages);
    il_rows_free(&w->rows);
    free(w->c);
    free(w);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    *self = NULL;
    il_status status = il_force_known(problem, "fesd", err);
    if (status != IL_OK) {
        return status;
    }
    fesd *w = il_alloc_zero(1, sizeof *w);
    size_t d = problem->d;
    w->problem = problem;
    w->d = d;
    w->s = (size_t)il_params_number(options->params, "s");
    w->degree = 2 * w->s - 1;
    size_t room = (EVENTS_MAX + 1) * (w->degree + 1) * d;
    w->c = il_alloc_zero(room + 7 * d + 2 * problem->p, sizeof *w->c);
    w->f = w->c + room;
    w->q = w->f + d;
    w->u = w->q + d;
    w->a = w->u + d;
    w->last = w->a + d;
    w->end_q = w->last + d;
    w->end_u = w->end_q + d;
    w->impulse = w->end_u + d;
    w->lambda = w->impulse + problem->p;
    status = il_held_contacts_create(&w->contacts, problem, options->projector, err);
    if (status != IL_OK) {
        destroy(w);
        return status;
    }
    unsigned straight = IL_ROWS_AFFINE | IL_ROWS_FIXED; /* held contacts ask for nothing new */
    bool bends = (problem->traits & straight) != straight;
    bool of_q =
        problem->type->force != NULL && (problem->traits & (IL_FORCE_FREE | IL_FORCE_OF_TIME)) == 0;
    w->stages = il_collocation_create(d, w->s, of_q || bends, bends, acceleration, w);
    *self = w;
    return IL_OK;
}

/* ---- one piece ------------------------------------------------------------------------------ */

/* A collocation step of length h, and the least margin at and between its stages: how far it is
 * from an event; negative past one. */
static il_status try_length(fesd *w, double h, double *margin, il_error *err) {
    il_status status = il_collocation_step(w->stages, h, err);
    *margin = INFINITY;
    il_stage before = {.t = w->t, .q = w->q, .u = w->u};
    for (size_t j = 0; status == IL_OK && j < w->s; j++) {
        il_stage at = il_collocation_stage(w->stages, j);
        const double t[2] = {before.t, at.t};
        const double *const q[2] = {before.q, at.q};
        const double *const u[2] = {before.u, at.u};
        *margin = il_worse_low(*margin, il_held_contacts_margin(w->contacts, at.t, at.q, at.u));
        *margin = il_worse_low(*margin, il_held_contacts_dip(w->contacts, t, q, u));
        before = at;
    }
    return status;
}

/* The acceleration at the last stage becomes that at the end of the piece. */
static void keep_last(fesd *w) {
    memcpy(w->last, il_collocation_stage(w->stages, w->s - 1).a, w->d * sizeof *w->last);
}

/* The longest step up to h before which nothing happens, to rounding; *event: something does at its
 * end. By the secant through the ends of the bracket, with halved values (Illinois), and its middle
 * where a secant has not halved it. */
static il_status find_length(fesd *w, double t, double *h, bool *event, il_error *err) {
    double past = 0.0;
    double low = 0.0;
    double high = *h;
    il_status status = try_length(w, high, &past, err);
    *event = status == IL_OK && !(past >= 0.0);
    if (!*event) {
        keep_last(w);
        return status;
    }
    double left = il_held_contacts_margin(w->contacts, t, w->q, w->u); /* margins, or halves of */
    double right = past;
    double met_by = il_held_contacts_rounding(w->contacts);
    bool fast = true; /* the last try halved the bracket */
    for (int k = 0; status == IL_OK && k < TRIES && !(past < 0.0 && past > -met_by); k++) {
        bool secant = fast && left > 0.0 && right < 0.0;
        double width = high - low;
        double mid = low + width * (secant ? left / (left - right) : 0.5);
        if (!(t + mid > t + low && t + mid < t + high)) {
            mid = 0.5 * (low + high);
        }
        if (!(t + mid > t + low && t + mid < t + high)) {
            break;
        }
        double margin = 0.0;
        status = try_length(w, mid, &margin, err);
        bool passed = !(margin >= 0.0);
        past = passed ? margin : past;
        left = passed ? 0.5 * left : margin;
        right = passed ? margin : 0.5 * right;
        *(passed ? &high : &low) = mid;
        fast = high - low <= 0.5 * width;
    }
    *h = high;
    bool met = past < 0.0 && past > -met_by; /* else the margin jumps, and so may accelerations: */
    if (status == IL_OK && !met && low > 0.0) { /* the one before is that of the piece */
        status = il_collocation_step(w->stages, low, err);
        keep_last(w);
    }
    status = status == IL_OK ? il_collocation_step(w->stages, high, err) : status;
    if (met || low == 0.0) {
        keep_last(w);
    }
    return status;
}

/* The polynomial over h through what is known at both ends: w->q, u, a and q, u, a. */
static void fit(const fesd *w, double h, const double *q, const double *u, const double *a,
                double *c) {
    size_t d = w->d;
    for (size_t i = 0; i < d; i++) {
        double way = q[i] - w->q[i];
        double u0 = h * w->u[i];
        double u1 = h * u[i];
        double a0 = h * h * w->a[i];
        double a1 = h * h * a[i];
        c[i] = w->q[i];
        if (w->s == 1) {
            c[d + i] = way;
        } else if (w->s == 2) {
            c[d + i] = u0;
            c[2 * d + i] = 3.0 * way - 2.0 * u0 - u1;
            c[3 * d + i] = -2.0 * way + u0 + u1;
        } else {
            c[d + i] = u0;
            c[2 * d + i] = 0.5 * a0;
            c[3 * d + i] = 10.0 * way - 6.0 * u0 - 4.0 * u1 - 1.5 * a0 + 0.5 * a1;
            c[4 * d + i] = -15.0 * way + 8.0 * u0 + 7.0 * u1 + 1.5 * a0 - a1;
            c[5 * d + i] = 6.0 * way - 3.0 * u0 - 3.0 * u1 - 0.5 * a0 + 0.5 * a1;
        }
    }
}

/* Add the forces of the piece of length h: of contacts to impulse, the given one to f. */
static void add_forces(fesd *w, double h) {
    const size_t *held = NULL;
    const double *force = NULL;
    for (size_t j = 0; j < w->s; j++) {
        il_stage at = il_collocation_stage(w->stages, j);
        (void)il_held_contacts_acceleration(w->contacts, at.t, at.q, at.u);
        size_t n = il_held_contacts_list(w->contacts, &held, &force);
        for (size_t i = 0; i < n; i++) {
            w->impulse[held[i]] += h * at.weight * force[i];
        }
        const double *f = il_held_contacts_force(w->contacts);
        for (size_t k = 0; k < w->d; k++) {
            w->f[k] += h * at.weight * f[k];
        }
    }
}

/* From (*t, w->q, w->u) to the next event, or to `stop`. */
static il_status go_on(fesd *w, double *t, double stop, il_error *err) {
    double h = stop - *t;
    bool event = false;
    w->t = *t;
    il_status status = il_collocation_begin(w->stages, *t, w->q, w->u, err);
    if (status != IL_OK) {
        return status;
    }
    memcpy(w->a, il_collocation_start(w->stages), w->d * sizeof *w->a);
    status = find_length(w, *t, &h, &event, err);
    if (status != IL_OK) {
        return status;
    }
    double end = event ? fmin(*t + h, stop) : stop;
    il_stage last = il_collocation_stage(w->stages, w->s - 1);
    double *c = w->c + w->pieces * (w->degree + 1) * w->d;
    memcpy(w->end_q, last.q, w->d * sizeof *w->end_q);
    memcpy(w->end_u, last.u, w->d * sizeof *w->end_u);
    add_forces(w, h);
    if (!il_held_contacts_close(w->contacts, end, w->end_q, w->end_u)) {
        return il_fail(err, IL_ENUMERIC, "the contacts could not be computed at t = %.10g", end);
    }
    fit(w, end - *t, w->end_q, w->end_u, w->last, c);
    memcpy(w->q, w->end_q, w->d * sizeof *w->q);
    memcpy(w->u, w->end_u, w->d * sizeof *w->u);
    w->end[w->pieces++] = end;
    *t = end;
    return IL_OK;
}

/* ---- a step --------------------------------------------------------------------------------- */

/* The next time after t at which the force may jump, or t1. */
static double next_stop(const fesd *w, double t, double t1) {
    double stop = t1;
    for (size_t k = 0; k < w->problem->nbreaks; k++) {
        if (w->problem->breaks[k] > t) {
            stop = fmin(stop, w->problem->breaks[k]);
        }
    }
    return stop;
}

static il_status report_forces(fesd *w, double h, double t1, const double *q,
                               il_step_report *report, il_error *err) {
    il_rows_clear(&w->rows);
    for (size_t id = 0; id < w->problem->p; id++) {
        if (w->impulse[id] == 0.0) {
            continue;
        }
        il_status status = w->problem->type->row(w->problem, t1, q, id, &w->rows);
        if (status != IL_OK) {
            return il_fail(err, status, "a contact could not be computed at t = %.10g", t1);
        }
        w->lambda[w->rows.p - 1] = w->impulse[id] / h;
    }
    for (size_t k = 0; k < w->d; k++) {
        w->f[k] /= h;
    }
    w->motion =
        (il_motion){.d = w->d, .n = w->pieces, .degree = w->degree, .end = w->end, .c = w->c};
    report->motion = &w->motion;
    report->rows = &w->rows;
    report->lambda = w->lambda;
    return IL_OK;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    fesd *w = self;
    size_t bytes = w->d * sizeof(double);
    il_status status = IL_OK;
    double t = t0;
    *report =
        (il_step_report){.force = w->f, .rows = &w->rows, .certificate = il_certificate_best()};
    il_held_contacts_step(w->contacts, t1 - t0);
    w->pieces = 0;
    memset(w->f, 0, bytes);
    memset(w->impulse, 0, w->problem->p * sizeof *w->impulse);
    memcpy(w->q, in->q, bytes);
    memcpy(w->u, in->u, bytes);
    while (status == IL_OK && t < t1) {
        if (w->pieces > EVENTS_MAX) {
            return il_fail(
                err, IL_EUNSUPPORTED,
                "impacts accumulate: more than %d events from t = %.10g to %.10g, in one "
                "step; allowed: isolated ones, so an earlier end or a scheme that does "
                "not locate them",
                EVENTS_MAX, t0, t);
        }
        status = il_held_contacts_settle(w->contacts, t, w->q, w->u, err);
        report->solves++;
        for (size_t id = 0; status == IL_OK && id < w->problem->p; id++) {
            w->impulse[id] += il_held_contacts_impulses(w->contacts)[id];
        }
        status = status == IL_OK ? go_on(w, &t, next_stop(w, t, t1), err) : status;
    }
    if (status != IL_OK) {
        return status;
    }
    memcpy(out->q, w->q, bytes);
    memcpy(out->u, w->u, bytes);
    return report_forces(w, t1 - t0, t1, out->q, report, err);
}

static const il_claim claims[] = {{.norm = NULL}};

static const il_param_spec params[] = {
    {"s", IL_PARAM_INTEGER, "3", 1.0, 3.0, false, NULL, "1", "stages: order 2s - 1"},
    {.key = NULL}};

const il_scheme_type il_scheme_fesd = {
    .name = "fesd",
    .title = "collocation by Radau IIA, steps cut where a gap closes or a contact lets go",
    .statement =
        "M q'' = f + sum_{i in A} lambda_i grad g_i, d^2 g_i/dt^2 = 0 in A, by Radau IIA of s\n"
        "stages up to the first time at which another gap closes or a lambda_i falls through 0,\n"
        "found to rounding; there u+ = P_C u- - e P_N u-, and A are the closed contacts that the\n"
        "acceleration keeps closed. Order 2s - 1 through isolated impacts; more than 32 events in\n"
        "a step are an accumulation, and refused. Between nodes the motion is a polynomial of\n"
        "degree 2s - 1 on each piece, which errors are measured with. Left out: friction, and\n"
        "the one large system that FESD makes of all steps, for optimal control.",
    .source = "Nurkanovic, Sperl, Albrecht & Diehl 2024; Nurkanovic, Albrecht, Brogliato & Diehl "
              "2023; Hairer & Wanner 1996, IV.5",
    .orders = 2u,
    .restitution = true,
    .dense = true,
    .claims = claims,
    .params = params,
    .create = create,
    .step = step,
    .destroy = destroy};
