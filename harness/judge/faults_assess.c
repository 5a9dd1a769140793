/*
 * faults_assess.c - how far samples are from a motion: (1), (2) and (5) of faults.c in every step.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "harness/judge/faults.h"

static double start_of(const il_fault_work *w) {
    const double *q0 = w->problem->q0;
    const double *u0 = w->problem->u0;
    double most = 0.0;
    double q = IL_FAULTS_TOLERANCE * (1.0 + il_largest(q0, w->d));
    double u = IL_FAULTS_TOLERANCE * (1.0 + w->speed) +
               (w->track->half ? (w->t[1] - w->t[0]) * w->acceleration : 0.0);
    for (size_t k = 0; k < w->d; k++) {
        double off = fabs(w->q[k] - q0[k]);
        most = off > q + il_faults_wrong(w, q0[k]) ? fmax(most, off) : most;
        off = w->has_u && w->problem->order == 2 ? fabs(w->u[k] - u0[k]) : 0.0;
        most = off > u + il_faults_wrong(w, u0[k]) ? fmax(most, off) : most;
    }
    return most;
}

/* How far (q_{n+1} - q_n)/h lies outside the velocities at the ends of the step, and what the force
 * adds while contacts are near, at coordinate *where; allowed[d] more is allowed. */
static double bent(const il_fault_work *w, const il_interval *s, const double *a, bool near,
                   const double *allowed, size_t *where) {
    double h = s->t1 - s->t0;
    double dt = 2.0 * il_faults_wrong(w, s->t1);
    double most = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        double mean = (s->q1[k] - s->q0[k]) / h;
        double slack =
            (il_faults_wrong(w, s->q0[k]) + il_faults_wrong(w, s->q1[k]) + dt * fabs(mean)) / h +
            il_faults_wrong(w, s->u0[k]) + il_faults_wrong(w, s->u1[k]) +
            IL_FAULTS_TOLERANCE * w->speed + h * allowed[k] + (near ? h * fabs(a[k]) : 0.0) +
            0x1p-51 * fabs(s->q1[k]) / h;
        double low = fmin(s->u0[k], s->u1[k]) - slack;
        double high = fmax(s->u0[k], s->u1[k]) + slack;
        double out = fmax(low - mean, mean - high);
        if (out > most) {
            most = out;
            *where = k;
        }
    }
    return most;
}

/* (2) of step n: 0, or how far its positions are from its velocities. room[3 d]. */
static void see_motion(il_fault_work *w, size_t n, const il_explained *e, double *room,
                       il_assessment *out) {
    double *a = room;
    double *mean = room + w->d;
    double *more = room + 2 * w->d;
    bool near = e->rows->p > 0 || w->given;
    size_t where = 0;
    il_interval s;
    il_faults_interval(w, n, &s);
    memcpy(mean, e->mean, w->d * sizeof *mean);
    il_metric_solve(w->problem->mass, mean, a);
    memset(more, 0, w->d * sizeof *more);
    if (!(bent(w, &s, a, near, more, &where) > 0.0)) {
        return;
    }
    il_faults_varying(w, n, mean, more);
    double most = bent(w, &s, a, near, more, &where);
    if (most > 0.0 && near) { /* a push of positions by contacts? */
        il_explained pushed;
        double h = s.t1 - s.t0;
        double rounding = 0.0;
        for (size_t k = 0; k < w->d; k++) {
            mean[k] = (s.q1[k] - s.q0[k]) / h;
            w->scratch[k] =
                0.5 * h * fabs(a[k]) + h * more[k] +
                2.0 * (il_faults_wrong(w, s.q1[k]) + il_faults_wrong(w, s.t1) * fabs(mean[k])) / h;
        }
        rounding = sqrt(il_metric_inner(w->problem->mass, w->scratch, w->scratch));
        s.u1 = mean;
        s.given = false;
        s.force = 0.5 * w->force;
        if (il_dynamics_explain(w->dynamics, &s, &pushed, NULL) != IL_OK ||
            pushed.size <= pushed.allowed + rounding) {
            return;
        }
    }
    if (most > out->motion) {
        out->motion = most;
        out->at = n + 1;
        out->coordinate = where;
    }
}

double il_faults_total(const il_assessment *a) {
    return a->start + a->motion + a->residual;
}

/* The largest gap at the end of step n at which contact i may have acted in it: bodies that others
 * strike within the step may have been as fast as any. */
static double reach_of(const il_fault_work *w, size_t n, const il_rows *rows, size_t i) {
    double h = w->t[n + 1] - w->t[n];
    double size = il_largest(w->q + (n + 1) * w->d, w->d);
    double own = h * fabs(rows->rate[i]);
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        size_t k = rows->col[e];
        double way = fmax(h * w->speed, fabs(w->q[(n + 1) * w->d + k] - w->q[n * w->d + k]));
        own += fabs(rows->coef[e]) * (way + h * h * w->acceleration);
    }
    return IL_DYNAMICS_REACH * own + 4.0 * il_faults_wrong(w, size) + 1e-6 * (1.0 + size);
}

/* By how much bodies move by what the samples say, along contact i. */
static double moved_by(const il_fault_work *w, size_t n, const il_rows *rows, size_t i) {
    double own = 0.0;
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        const double *q = w->q + n * w->d + rows->col[e];
        own += fabs(rows->coef[e]) * fabs(q[w->d] - q[0]);
    }
    return IL_DYNAMICS_REACH * own;
}

/* The change of momentum along axis c in step n that force and contacts leave; *whole is the mass.
 * M is diagonal. */
static double momentum_of(const il_fault_work *w, size_t n, const il_explained *e, size_t c,
                          double *whole) {
    const double *mass = il_metric_masses(w->problem->mass);
    double h = w->t[n + 1] - w->t[n];
    double sum = 0.0;
    *whole = 0.0;
    for (size_t k = c; k<w->d; k += w->problem->space> 0 ? w->problem->space : 1) {
        double change = w->u[(n + 1) * w->d + k] - il_faults_velocity(w, n)[k];
        sum += mass[k] * change - h * e->mean[k];
        *whole += mass[k];
    }
    return sum;
}

/* The momentum of step n, which neither force nor contacts explain, and which contacts are felt:
 * of the samples as they are. */
static void note(il_fault_work *w, size_t n, const il_explained *e) {
    il_fault_step *step = &w->step[n];
    const double *mass = il_metric_masses(w->problem->mass);
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    double size = il_largest(w->q + (n + 1) * w->d, w->d);
    double touch = 4.0 * (il_faults_wrong(w, size) + il_faults_wrong(w, w->t[n + 1]) * w->speed +
                          IL_FAULTS_TOLERANCE * (1.0 + size));
    step->known = step->closed = true;
    bool hovers = false;
    memcpy(w->scratch, e->mean, w->d * sizeof *w->scratch);
    il_metric_solve(w->problem->mass, w->scratch, w->scratch);
    w->acceleration = fmax(w->acceleration, il_largest(w->scratch, w->d));
    for (size_t i = 0; i < e->rows->p; i++) {
        bool felt = e->push[i] > e->allowed;
        hovers = hovers || (felt && e->gap[i] > moved_by(w, n, e->rows, i) + touch);
        step->felt += felt;
        step->id = felt ? e->rows->id[i] : step->id;
        step->closed = step->closed && (!felt || fabs(e->gap[i]) <= touch);
        if (w->given && felt && e->gap[i] > w->far && e->gap[i] > reach_of(w, n, e->rows, i)) {
            w->far = e->gap[i];
            w->far_step = n + 1;
            w->far_id = e->rows->id[i];
        }
        if (w->given && e->push[i] > e->rounding && e->lambda[i] < w->pull) {
            w->pull = e->lambda[i];
            w->pull_step = n + 1;
            w->pull_id = e->rows->id[i];
        }
    }
    w->hovers += hovers;
    for (size_t c = 0; mass != NULL && c < space; c++) {
        double whole = 0.0;
        w->moved[(n + 1) * space + c] = w->moved[n * space + c] + momentum_of(w, n, e, c, &whole);
        w->momentum = fmax(w->momentum, whole * w->speed);
    }
}

/* A change of momentum that contacts keep, whatever their gradients, as |.|_M of the least change
 * of velocity that has it: |sum m dv|/sqrt(sum m). 0 where it is below what is allowed. */
static double momentum_left(const il_fault_work *w, size_t n, const il_explained *e) {
    const il_problem *p = w->problem;
    const double *mass = il_metric_masses(p->mass);
    size_t space = p->space > 0 ? p->space : 1;
    unsigned axes = (p->traits & IL_ROWS_INVARIANT) != 0 ? (1u << space) - 1u : p->conserved_axes;
    double most = 0.0;
    for (size_t c = 0; mass != NULL && p->order == 2 && c < space; c++) {
        double whole = 0.0;
        double sum = (axes >> c & 1u) != 0 ? momentum_of(w, n, e, c, &whole) : 0.0;
        most = whole > 0.0 ? fmax(most, fabs(sum) / sqrt(whole)) : most;
    }
    return most > e->rounding ? most : 0.0;
}

static void show_progress(const il_fault_work *w, size_t n, bool first) {
    char what[64];
    (void)snprintf(what, sizeof what, "step %zu of %zu", n + 1, w->nodes - 1);
    il_progress_show(w->progress, NAN, what,
                     first ? "looking for faults" : "trying an explanation");
}

static void assess(il_fault_work *w, double enough, bool first, il_assessment *out) {
    double *room = il_alloc(3 * w->d, sizeof *room);
    bool moves = w->problem->order == 2 && w->has_u;
    *out = (il_assessment){.start = start_of(w)};
    size_t from = w->delay < 0.0 ? 1 : 0; /* times begin with 0 */
    for (size_t n = from; n + 1 < w->nodes; n++) {
        il_explained e;
        if (il_interrupted() || !(il_faults_total(out) < enough)) {
            break;
        }
        if (w->progress != NULL && il_progress_due(w->progress)) {
            show_progress(w, n, first);
        }
        if (!il_faults_explain(w, n, &e)) {
            continue;
        }
        bool felt = w->problem->order == 1 || e.residual > IL_FAULTS_TOLERANCE * w->speed;
        double left = felt && e.size > e.allowed ? e.size : 0.0;
        if (left == 0.0 && e.size > e.rounding) {
            left = momentum_left(w, n, &e);
        }
        out->sum += left * left;
        out->steps += left > 0.0;
        if (left > out->residual) {
            out->residual = left;
            out->step = n + 1;
        }
        if (first) {
            note(w, n, &e);
            il_faults_see_overlaps(w, n, &e);
        }
        if (moves) {
            see_motion(w, n, &e, room, out);
        }
    }
    free(room);
}

void il_faults_assess(il_fault_work *w, double enough, il_assessment *out) {
    bool given = w->given;
    w->given = false; /* they are those of the samples as they were */
    assess(w, enough, false, out);
    w->given = given;
}

void il_faults_look(il_fault_work *w) {
    assess(w, INFINITY, true, &w->now);
    w->now.start = start_of(w); /* which knows the acceleration now */
}
