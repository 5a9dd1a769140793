/*
 * assembly.c - projections one by one, and a check of the state made from them. Every coordinate of
 *
 *     v = c w,   v = u_{n+1} - u_n - h M^{-1} f,   or (q_{n+1} - q_n)/h - f for order 1
 *
 * must hold to rounding: c is 1 where that holds, else <v,w>/<w,w>, by least squares, in [1, 1 +
 * e]. Likewise the positions must satisfy
 *
 *     (q_{n+1} - q_n)/h = (1 - theta) u_n + theta u_{n+1},   theta in [0, 1],
 *
 * or be the result of a projection; for order 1, u_{n+1} must be that velocity.
 */
#include "schemes/assembly.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/stepping/linear.h"
#include "schemes/stepping/slack.h"
#include "schemes/stepping/tangent.h"
#include "schemes/stepping/true_set.h"

/* The balance may miss this: that part of the velocities that it is a sum of, as certificates
 * allow, and so many roundings of positions over h, from which a scheme may compute a velocity. */
#define BALANCE IL_PROJECTOR_EXACT
static const double ROUNDINGS = 16.0;

/* The last projection of its kind in the step. */
typedef struct {
    bool done;
    bool displacement; /* lambda is in units of M times displacement */
    double *x;         /* [d] what it came to, as a velocity */
    double *w;         /* [d] x - target, likewise */
    double *size;      /* [d] |x| + |target|, as velocities */
    const il_rows *rows;
    const double *lambda; /* in the projector's units */
} part;

struct il_assembly {
    const il_problem *problem;
    il_linear *linear; /* projections onto linearised sets, and the force */
    il_true_set *exact;
    il_tangent *tangent;
    il_tangent *chosen; /* holds the rows of il_assembly_choose */
    il_slack *slack;
    double *numbers; /* [3 capacity] */
    size_t capacity;
    il_assembly_contacts contacts;
    il_rows none;
    part parts[IL_ASSEMBLY_KINDS];
    il_assembly_kind last;
    double t0, t1;
    const il_state *in;
    il_state *out;
    il_step_report report; /* so far */
    bool forced;           /* the force was asked for */
    double *buffer;        /* [(3 IL_ASSEMBLY_KINDS + 4) d] */
    double *f;             /* [d] the force of the step */
    double *a;             /* [d] M^{-1} f */
    double *v;             /* [d] scratch */
    double *tolerance;     /* [d] scratch */
};

il_status il_assembly_create(il_assembly **out, const il_problem *problem,
                             const il_scheme_options *options, il_error *err) {
    size_t d = problem->d;
    void *linear = NULL;
    void *exact = NULL;
    *out = NULL;
    il_assembly *w = il_alloc_zero(1, sizeof *w);
    double *buffer = il_alloc_zero((3 * (size_t)IL_ASSEMBLY_KINDS + 4) * d, sizeof *buffer);
    w->problem = problem;
    w->buffer = buffer;
    w->f = buffer;
    w->a = buffer + d;
    w->v = buffer + 2 * d;
    w->tolerance = buffer + 3 * d;
    for (size_t k = 0; k < IL_ASSEMBLY_KINDS; k++) {
        w->parts[k].w = buffer + (4 + 3 * k) * d;
        w->parts[k].size = buffer + (5 + 3 * k) * d;
        w->parts[k].x = buffer + (6 + 3 * k) * d;
    }
    il_status status = il_linear_create(&linear, problem, options, err);
    w->linear = linear;
    if (status == IL_OK) {
        status = il_true_set_create(&exact, problem, options, err);
        w->exact = exact;
    }
    if (status == IL_OK) {
        status = il_tangent_create(&w->tangent, problem, options, err);
    }
    if (status == IL_OK) {
        status = il_tangent_create(&w->chosen, problem, options, err);
    }
    if (status == IL_OK) {
        status = il_slack_create(&w->slack, problem, options, err);
    }
    if (status != IL_OK) {
        il_assembly_destroy(w);
        return status;
    }
    *out = w;
    return IL_OK;
}

void il_assembly_destroy(il_assembly *w) {
    if (w == NULL) {
        return;
    }
    il_linear_destroy(w->linear);
    il_true_set_destroy(w->exact);
    il_tangent_destroy(w->tangent);
    il_tangent_destroy(w->chosen);
    il_slack_destroy(w->slack);
    free(w->numbers);
    free(w->buffer);
    free(w);
}

void il_assembly_begin(il_assembly *w, double t0, double t1, const il_state *in, il_state *out) {
    w->t0 = t0;
    w->t1 = t1;
    w->in = in;
    w->out = out;
    w->report = (il_step_report){.force = w->f, .certificate = il_certificate_best()};
    memset(w->f, 0, w->problem->d * sizeof *w->f);
    w->forced = w->problem->type->force == NULL && w->problem->type->force_mean == NULL;
    for (size_t k = 0; k < IL_ASSEMBLY_KINDS; k++) {
        w->parts[k].done = false;
    }
    w->contacts = (il_assembly_contacts){.p = 0};
}

/* ---- prediction ------------------------------------------------------------------------------ */

il_status il_assembly_force(il_assembly *w, const double *q, double *f, il_error *err) {
    const il_problem *problem = w->problem;
    il_status status = IL_OK;
    w->forced = true;
    if (problem->order == 2) {
        status = il_force_mean(w->linear->force, w->t0, w->t1, q, w->f, err);
    } else if (problem->type->force != NULL) {
        problem->type->force(problem, w->t0, q, w->f);
    }
    memcpy(f, w->f, problem->d * sizeof *f);
    return status;
}

il_status il_assembly_predict(il_assembly *w, double *v, il_error *err) {
    w->forced = true;
    return il_force_predict(w->linear->force, w->t0, w->t1, w->in, v, w->f, err);
}

void il_assembly_accelerate(const il_assembly *w, const double *f, double *x) {
    il_metric_solve(w->problem->mass, f, x);
}

/* ---- projections ----------------------------------------------------------------------------- */

static il_status linearised(il_assembly *w, const il_assembly_projection *in, double *x,
                            il_error *err) {
    il_correction correction = {.t = w->t1,
                                .y = in->at != NULL ? in->at : w->in->q,
                                .q = w->in->q,
                                .scale = in->displacement ? 1.0 : w->t1 - w->t0,
                                .target = in->target,
                                .before = w->in->contacts,
                                .after = w->out->contacts};
    return il_correct_solve(w->linear->correct, &correction, x, &w->report, err);
}

static il_status exact(il_assembly *w, const il_assembly_projection *in, double *x, il_error *err) {
    il_linear *linear = &w->exact->linear;
    double h = w->t1 - w->t0;
    for (size_t k = 0; k < w->problem->d; k++) {
        linear->v[k] = in->displacement ? in->target[k] : in->target[k] * h;
    }
    il_status status = il_true_set_project(w->exact, w->t1, w->in->q, &w->report, err);
    for (size_t k = 0; status == IL_OK && k < w->problem->d; k++) {
        x[k] = in->displacement ? linear->x[k] : linear->x[k] / h;
    }
    return status;
}

static il_status tangent(il_assembly *w, const il_assembly_projection *in, double *x,
                         il_error *err) {
    double h = w->t1 - w->t0;
    il_prediction prediction = {.t = w->t1,
                                .q = w->in->q,
                                .u = w->in->u,
                                .ahead = in->gamma * h,
                                .back = (1.0 - in->gamma) * h,
                                .threshold = in->threshold};
    il_status status = il_tangent_predict(w->tangent, &prediction, &w->report, err);
    return status == IL_OK ? il_tangent_solve(w->tangent, w->t1, w->problem->restitution, w->in->u,
                                              in->target, x, &w->report, err)
                           : status;
}

il_status il_assembly_choose(il_assembly *w, double t, const double *q, double margin,
                             il_assembly_contacts *out, il_error *err) {
    double closed = isnan(margin) ? il_tangent_closed(q, w->problem->d) : margin;
    il_prediction near = {.t = t, .q = q, .u = w->in->u, .threshold = closed};
    il_status status = il_tangent_predict(w->chosen, &near, &w->report, err);
    const il_rows *rows = il_tangent_rows(w->chosen);
    *out = (il_assembly_contacts){.p = 0};
    if (status == IL_OK && rows->p > w->capacity) {
        il_memory_grow(&w->numbers, 6 * rows->p, sizeof *w->numbers);
        w->capacity = 2 * rows->p;
    }
    if (status == IL_OK) {
        *out = (il_assembly_contacts){.p = rows->p,
                                      .rows = rows,
                                      .speed = w->numbers,
                                      .compliance = w->numbers + rows->p,
                                      .impulse = w->numbers + 2 * rows->p};
        if (rows->p > 0) {
            memset(w->numbers, 0, 3 * rows->p * sizeof *w->numbers);
        }
        w->contacts = *out;
    }
    return status;
}

static il_status contacts(il_assembly *w, const il_assembly_projection *in, double *x,
                          il_error *err) {
    const il_assembly_contacts *c = &w->contacts;
    if (c->p == 0) {
        memcpy(x, in->target, w->problem->d * sizeof *x);
        w->report.rows = &w->none;
        return IL_OK;
    }
    double *a = NULL;
    double *R = NULL;
    il_status status = il_slack_begin(w->slack, c->p, &a, &R, err);
    for (size_t i = 0; status == IL_OK && i < c->p; i++) {
        a[i] = c->rows->rate[i] - c->speed[i];
        R[i] = c->compliance[i];
    }
    if (status == IL_OK) {
        status = il_slack_project(w->slack, w->t1, c->rows, in->target, x, w->numbers + 2 * c->p,
                                  &w->report, err);
    }
    w->report.rows = c->rows;
    w->report.lambda = c->impulse;
    return status;
}

il_status il_assembly_project(il_assembly *w, const il_assembly_projection *in, double *x,
                              il_error *err) {
    static il_status (*const by[])(il_assembly *, const il_assembly_projection *, double *,
                                   il_error *) = {linearised, exact, tangent, contacts};
    part *p = &w->parts[in->kind];
    il_certificate worst = w->report.certificate;
    double unit = in->displacement ? 1.0 / (w->t1 - w->t0) : 1.0;
    il_status status = by[in->kind](w, in, x, err);
    if (status != IL_OK) {
        return status;
    }
    il_certificate_worsen(&worst, &w->report.certificate);
    w->report.certificate = worst;
    p->done = true;
    p->displacement = in->displacement || in->kind == IL_ASSEMBLY_EXACT;
    p->rows = w->report.rows;
    p->lambda = w->report.lambda;
    w->last = in->kind;
    for (size_t k = 0; k < w->problem->d; k++) {
        p->x[k] = x[k] * unit;
        p->w[k] = (x[k] - in->target[k]) * unit;
        p->size[k] = (fabs(x[k]) + fabs(in->target[k])) * unit;
    }
    return IL_OK;
}

const il_step_report *il_assembly_report(const il_assembly *w) {
    return &w->report;
}

/* ---- the report ------------------------------------------------------------------------------ */

/* v, and what each of its coordinates may miss beside what a projection adds. */
static void take_balance(il_assembly *w, const double *q, const double *u) {
    double h = w->t1 - w->t0;
    const double *q0 = w->in->q;
    const double *u0 = w->in->u;
    il_assembly_accelerate(w, w->f, w->a);
    for (size_t k = 0; k < w->problem->d; k++) {
        double positions = ROUNDINGS * DBL_EPSILON * (fabs(q[k]) + fabs(q0[k])) / h;
        if (w->problem->order == 2) {
            w->v[k] = u[k] - u0[k] - h * w->a[k];
            w->tolerance[k] = BALANCE * (fabs(u[k]) + fabs(u0[k]) + h * fabs(w->a[k])) + positions;
        } else {
            w->v[k] = (q[k] - q0[k]) / h - w->f[k];
            w->tolerance[k] = BALANCE * (fabs(q[k] - q0[k]) / h + fabs(w->f[k])) + positions;
        }
    }
}

/* The largest |v - c w|_k over what it may be: at most 1 where the balance holds; NaN where a
 * number is none. */
static double imbalance(const il_assembly *w, const part *p, double c) {
    double most = 0.0;
    for (size_t k = 0; k < w->problem->d; k++) {
        double allowed = w->tolerance[k] + BALANCE * fmax(c, 1.0) * p->size[k];
        double missed = fabs(w->v[k] - c * p->w[k]);
        double ratio = missed == 0.0 ? 0.0 : missed / allowed;
        if (isnan(ratio)) {
            return NAN;
        }
        most = fmax(most, ratio);
    }
    return most;
}

/* c of the part, or NaN where the state is not what it made. */
static double factor_of(const il_assembly *w, const part *p) {
    double vw = 0.0;
    double ww = 0.0;
    if (imbalance(w, p, 1.0) <= 1.0) {
        return 1.0;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        vw += w->v[k] * p->w[k];
        ww += p->w[k] * p->w[k];
    }
    /* into [1, 1 + e]: the balance says whether what that takes off is rounding */
    double c = ww > 0.0 ? fmin(fmax(vw / ww, 1.0), 1.0 + w->problem->restitution) : 1.0;
    return imbalance(w, p, c) <= 1.0 ? c : NAN;
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Did the positions move by v, but for rounding? */
static bool moved_by(const il_assembly *w, const double *q, const double *v) {
    double h = w->t1 - w->t0;
    bool did = true;
    for (size_t k = 0; k < w->problem->d; k++) {
        double q0 = w->in->q[k];
        double roundings = (fabs(q[k]) + fabs(q0)) / h + fabs(v[k]);
        did = did && fabs((q[k] - q0) / h - v[k]) <= ROUNDINGS * DBL_EPSILON * roundings;
    }
    return did;
}

/* Does the displacement belong to the velocities, or is it one that a projection made? Uses w->v.
 */
static bool is_displacement(il_assembly *w, const double *q, const double *u) {
    double h = w->t1 - w->t0;
    const double *u0 = w->in->u;
    double along = 0.0;
    double length = 0.0;
    bool own = moved_by(w, q, u);
    if (own || w->problem->order == 1) {
        return own;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        along += ((q[k] - w->in->q[k]) / h - u0[k]) * (u[k] - u0[k]);
        length += (u[k] - u0[k]) * (u[k] - u0[k]);
    }
    /* into [0, 1]: where u hardly changes the quotient is anything, and what counts is q */
    double theta = length > 0.0 ? fmin(fmax(along / length, 0.0), 1.0) : 0.0;
    /* 0 and 1/2 as they are: a quotient has the roundings of q/h, which a body at rest has not */
    const double means[] = {0.0, 0.5, theta};
    bool did = false;
    for (int i = 0; i < 3 && !did; i++) {
        for (size_t k = 0; k < w->problem->d; k++) {
            w->v[k] = (1.0 - means[i]) * u0[k] + means[i] * u[k];
        }
        did = moved_by(w, q, w->v);
    }
    for (size_t k = 0; k < IL_ASSEMBLY_KINDS; k++) {
        did = did || (w->parts[k].done && moved_by(w, q, w->parts[k].x));
    }
    return did;
}

/* The positions are elsewhere: where that is seen most. */
static il_status refuse_positions(const il_assembly *w, const double *q, const double *u,
                                  il_error *err) {
    double h = w->t1 - w->t0;
    const double *q0 = w->in->q;
    size_t k = 0;
    for (size_t i = 0; i < w->problem->d; i++) {
        if (!(fabs((q[i] - q0[i]) / h - u[i]) <= fabs((q[k] - q0[k]) / h - u[k]))) {
            k = i;
        }
    }
    const char *allowed =
        w->problem->order == 2 ? "a mean of u_n and u, or what a projection of the step made" : "u";
    return il_fail(err, IL_ENOTCERTIFIED,
                   "the step to t = %.10g moves positions by another velocity than its own: "
                   "(q - q_n)/h is %.10g in coordinate %zu, u_n is %.10g and u is %.10g; allowed: "
                   "%s",
                   w->t1, (q[k] - q0[k]) / h, k + 1, w->in->u[k], u[k], allowed);
}

/* ---- both ------------------------------------------------------------------------------------ */

/* From the projector's units to contact force, as il_step_report wants it. */
static void scale_lambda(il_assembly *w, il_assembly_kind kind, double c) {
    const part *p = &w->parts[kind];
    double h = w->t1 - w->t0;
    double factor = 1.0;
    if (p->displacement) {
        factor = w->problem->order == 1 ? 1.0 / h : 1.0 / (h * h);
    } else if (kind == IL_ASSEMBLY_TANGENT || kind == IL_ASSEMBLY_CONTACTS) {
        factor = w->problem->order == 1 ? 1.0 : 1.0 / h;
    } else {
        factor = w->problem->order == 1 ? h : 1.0;
    }
    w->report.rows = p->rows;
    w->report.lambda = p->lambda;
    factor = c == 1.0 ? factor : c * factor;
    if (kind == IL_ASSEMBLY_TANGENT) {
        il_tangent_scale_lambda(w->tangent, factor);
    } else if (kind == IL_ASSEMBLY_CONTACTS) {
        for (size_t i = 0; i < w->contacts.p; i++) {
            w->numbers[2 * w->contacts.p + i] *= factor;
        }
    } else {
        il_linear *linear = kind == IL_ASSEMBLY_EXACT ? &w->exact->linear : w->linear;
        il_linear_scale_lambda(linear, &w->report, factor);
    }
}

/* The state is not what any projection made: by how much it misses the last one. */
static il_status refuse(const il_assembly *w, il_error *err) {
    const part *p = &w->parts[w->last];
    size_t k = 0;
    for (size_t i = 0; i < w->problem->d; i++) {
        if (!(fabs(w->v[i] - p->w[i]) <= fabs(w->v[k] - p->w[k]))) {
            k = i;
        }
    }
    const char *v = w->problem->order == 2 ? "u - u_n - h M^-1 f" : "(q - q_n)/h - f";
    return il_fail(
        err, IL_ENOTCERTIFIED,
        "the step to t = %.10g does not balance: %s is %.10g in coordinate %zu, and the "
        "projection changed it by %.10g; allowed: the state that a projection of the step "
        "made",
        w->t1, v, w->v[k], k + 1, p->w[k]);
}

void il_assembly_take(il_assembly *w, const double *q, const double *u, il_step_report *report) {
    w->report.rows = &w->none;
    w->report.lambda = w->numbers;
    *report = w->report;
    memcpy(w->out->q, q, w->problem->d * sizeof *q);
    memcpy(w->out->u, u, w->problem->d * sizeof *u);
}

il_status il_assembly_finish(il_assembly *w, const double *q, const double *u,
                             il_step_report *report, il_error *err) {
    size_t d = w->problem->d;
    bool projected = w->parts[w->last].done;
    if (!projected || !w->forced) {
        *report = w->report;
        return il_fail(err, IL_ENOTCERTIFIED, "the step to t = %.10g %s; allowed: %s", w->t1,
                       projected ? "asked for no force, and there is one" : "projected nothing",
                       "the state that a projection made of the step before and the force");
    }
    take_balance(w, q, u);
    il_assembly_kind kind = w->last;
    double c = factor_of(w, &w->parts[kind]);
    for (int k = 0; k < (int)IL_ASSEMBLY_KINDS && isnan(c); k++) {
        kind = (il_assembly_kind)k;
        c = w->parts[k].done ? factor_of(w, &w->parts[k]) : NAN;
    }
    if (!isnan(c)) {
        scale_lambda(w, kind, c);
    }
    *report = w->report;
    memcpy(w->out->q, q, d * sizeof *q);
    memcpy(w->out->u, u, d * sizeof *u);
    if (isnan(c)) {
        return refuse(w, err);
    }
    return is_displacement(w, q, u) ? IL_OK : refuse_positions(w, q, u, err);
}
