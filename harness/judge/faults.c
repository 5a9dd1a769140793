/*
 * faults.c - finds faults in samples: what no right motion leaves, and then what explains it.
 *
 * A number of the file is an interval (il_track: resolution, quantum). Samples t_n, q_n, u_n are
 * right if within these intervals there is a motion for which, in every step of length h,
 *
 *     M (u_{n+1} - u_n) = h fbar + sum Lambda_i grad g_i,                  Lambda_i >= 0,       (1)
 *     M ((q_{n+1} - q_n)/h - u_n) = s h fbar + sum kappa_i grad g_i,  0 <= s <= 1, kappa_i >= 0 (2)
 *
 * over contacts that own motion can have closed in the step. (2) holds for positions by either
 * velocity, for a mean of both, for flight, for impacts within the step, and for programs that push
 * positions apart without a velocity; (1) for all of them. Further
 *
 *     g_i(q_n) < 0  and  d/dt g_i < 0 before the step  =>  d/dt g_i >= 0 after it,              (3)
 *
 * as a contact is closed at the latest when it overlaps: schemes that do not hold positions overlap
 * by at most what they move in a step; and an impact of one contact obeys u+ = P_C u- - e P_N u-
 * with the time of the impact anywhere in its steps (4), the first sample is the start (5), given
 * impulses do not pull (6), and the momentum that contacts keep does not drift (7).
 *
 * Each test asks whether what is left exceeds what the data resolve (dynamics.h). Only where one
 * does, explanations are tried; one that reduces it to a hundredth is reported, else the test
 * itself. Velocities that stand at another sample satisfy all but for single steps: they are tried
 * always.
 */
#include "harness/judge/faults.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/vector.h"
#include "harness/run/registry.h"

/* More numbers than these are not looked at. */
enum { NUMBERS_MAX = 4000000 };

void il_faults_add(il_faults *faults, const char *name, const char *format, ...) {
    if (faults->n < IL_FAULTS_MAX) {
        va_list list;
        va_start(list, format);
        faults->list[faults->n].name = name;
        (void)vsnprintf(faults->list[faults->n].text, sizeof faults->list[0].text, format, list);
        va_end(list);
        faults->n++;
    }
}

/* ---- assessing ------------------------------------------------------------------------------ */

double il_faults_wrong(const il_fault_work *w, double x) {
    return w->track->resolution * fabs(x) + w->track->quantum;
}

const double *il_faults_velocity(const il_fault_work *w, size_t n) {
    return n == 0 && !w->has_u ? w->problem->u0 : w->u + n * w->d;
}

static void interval(const il_fault_work *w, size_t n, il_interval *s) {
    size_t at = w->first[n + 1];
    *s = (il_interval){.t0 = w->t[n] + w->delay,
                       .t1 = w->t[n + 1] + w->delay,
                       .q0 = w->q + n * w->d,
                       .u0 = il_faults_velocity(w, n),
                       .q1 = w->q + (n + 1) * w->d,
                       .u1 = w->u + (n + 1) * w->d,
                       .given = w->given,
                       .n = w->given ? w->first[n + 2] - at : 0,
                       .contacts = w->given ? w->track->run.contacts + at : NULL,
                       .both_signs = w->both_signs,
                       .force = w->force,
                       .reach = w->reach,
                       .resolution = w->track->resolution,
                       .quantum = w->track->quantum};
    if (!w->has_u || w->track->half) {
        s->q_before = n > 0 ? s->q0 - w->d : s->q0;
        s->before = n > 0 ? w->t[n - 1] + w->delay : s->t0;
    }
}

il_status il_faults_explain(il_fault_work *w, size_t n, il_explained *e, il_error *err) {
    il_interval step;
    interval(w, n, &step);
    return il_dynamics_explain(w->dynamics, &step, e, err);
}

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

void il_faults_varying(il_fault_work *w, size_t n, const double *mean, double *out) {
    memset(out, 0, w->d * sizeof *out);
    for (size_t end = n; end < n + 2 && w->problem->type->force != NULL; end++) {
        w->problem->type->force(w->problem, w->t[end] + w->delay, w->q + end * w->d, w->scratch);
        for (size_t k = 0; k < w->d; k++) {
            w->scratch[k] = w->force * w->scratch[k] - mean[k];
        }
        il_metric_solve(w->problem->mass, w->scratch, w->scratch);
        for (size_t k = 0; k < w->d; k++) {
            out[k] += fabs(w->scratch[k]);
        }
    }
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
static il_status see_motion(il_fault_work *w, size_t n, const il_explained *e, double *room,
                            il_assessment *out, il_error *err) {
    double *a = room;
    double *mean = room + w->d;
    double *more = room + 2 * w->d;
    bool near = e->rows->p > 0 || w->given;
    size_t where = 0;
    il_interval s;
    interval(w, n, &s);
    memcpy(mean, e->mean, w->d * sizeof *mean);
    il_metric_solve(w->problem->mass, mean, a);
    memset(more, 0, w->d * sizeof *more);
    if (!(bent(w, &s, a, near, more, &where) > 0.0)) {
        return IL_OK;
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
        il_status status = il_dynamics_explain(w->dynamics, &s, &pushed, err);
        if (status != IL_OK || pushed.size <= pushed.allowed + rounding) {
            return status == IL_ENOMEM ? status : IL_OK;
        }
    }
    if (most > out->motion) {
        out->motion = most;
        out->at = n + 1;
        out->coordinate = where;
    }
    return IL_OK;
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

/* What force and contacts leave of the change of momentum along axis c in step n; *whole is the
 * mass. M is diagonal. */
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

static il_status assess(il_fault_work *w, double enough, bool first, il_assessment *out,
                        il_error *err) {
    il_status status = IL_OK;
    double *room = malloc(3 * w->d * sizeof *room);
    bool moves = w->problem->order == 2 && w->has_u;
    *out = (il_assessment){.start = start_of(w)};
    if (room == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to look for faults");
    }
    size_t from = w->delay < 0.0 ? 1 : 0; /* times begin with 0 */
    for (size_t n = from; status != IL_ENOMEM && n + 1 < w->nodes; n++) {
        il_explained e;
        if (il_interrupted() || !(il_faults_total(out) < enough)) {
            break;
        }
        if (w->progress != NULL && il_progress_due(w->progress)) {
            show_progress(w, n, first);
        }
        status = il_faults_explain(w, n, &e, err);
        bool felt = w->problem->order == 1 || e.residual > IL_FAULTS_TOLERANCE * w->speed;
        double left = status == IL_OK && felt && e.size > e.allowed ? e.size : 0.0;
        if (status == IL_OK && left == 0.0 && e.size > e.rounding) {
            left = momentum_left(w, n, &e);
        }
        out->sum += left * left;
        out->steps += left > 0.0;
        if (left > out->residual) {
            out->residual = left;
            out->step = n + 1;
        }
        if (status == IL_OK && first) {
            note(w, n, &e);
            status = il_faults_see_overlaps(w, n, &e, err);
        }
        if (status == IL_OK && moves) {
            status = see_motion(w, n, &e, room, out, err);
        }
    }
    free(room);
    return status == IL_ENOMEM ? status : IL_OK;
}

il_status il_faults_assess(il_fault_work *w, double enough, il_assessment *out, il_error *err) {
    bool given = w->given;
    w->given = false; /* they are those of the samples as they were */
    il_status status = assess(w, enough, false, out, err);
    w->given = given;
    return status;
}

/* ---- all ------------------------------------------------------------------------------------ */

static il_status see_pull(il_fault_work *w, il_faults *faults, il_error *err) {
    char words[IL_DESCRIPTION_MAX];
    (void)err;
    if (w->problem->gamma0 == NULL && w->pull < 0.0) {
        il_faults_add(faults, "an impulse that pulls", "%s in step %zu: %.6g; allowed: >= 0",
                      il_problem_describe(w->problem, w->pull_id, words, sizeof words),
                      w->pull_step, w->pull);
    }
    if (w->far > 0.0 && faults->n == 0) {
        il_faults_add(faults, "an impulse at a distance",
                      "%s in step %zu, at a gap of %.4g that motion in a step does not close",
                      il_problem_describe(w->problem, w->far_id, words, sizeof words), w->far_step,
                      w->far);
    }
    return IL_OK;
}

/* Given impulses that do not explain what others would. */
static il_status see_given(il_fault_work *w, il_faults *faults, il_error *err) {
    il_assessment other;
    if (!w->given || !(w->now.residual > 0.0)) {
        return IL_OK;
    }
    il_status status = il_faults_assess(w, INFINITY, &other, err);
    if (status == IL_OK && other.residual <= IL_FAULTS_EXPLAINS * w->now.residual) {
        il_faults_add(faults, "impulses of another motion",
                      "those given leave %.3g of the change of velocity in step %zu, and others "
                      "%.3g",
                      w->now.residual, w->now.step, other.residual);
    }
    return status;
}

/* What no explanation fits. */
static il_status name_rest(il_fault_work *w, il_faults *faults, il_error *err) {
    char place[320];
    (void)err;
    if (w->now.start > 0.0) {
        il_faults_add(faults, "another start",
                      "the first sample is %.6g from the start of the problem", w->now.start);
    } else if (w->now.motion > 0.0) {
        il_faults_add(faults, "speeds that contradict positions",
                      "%.200s: (q - q_before)/h lies %.4g outside the velocities at its ends",
                      il_track_place(w->track, w->now.at, w->now.coordinate, place, sizeof place),
                      w->now.motion);
    } else if (w->now.residual > 0.0) {
        il_faults_add(faults, "an unexplained change of velocity",
                      "step %zu leaves %.4g that no force and no contact makes, of a largest speed "
                      "of %.4g",
                      w->now.step, w->now.residual, w->speed);
    }
    return IL_OK;
}

static il_status explain_all(il_fault_work *w, il_faults *faults, il_error *err) {
    static il_faults_try *const always[] = {il_faults_overlaps, il_faults_restitution,
                                            il_faults_momentum};
    static il_faults_try *const tries[] = {see_pull,
                                           see_given,
                                           il_faults_try_scales,
                                           il_faults_try_shift,
                                           il_faults_try_swaps,
                                           il_faults_try_force,
                                           il_faults_overlaps,
                                           il_faults_try_distance,
                                           il_faults_try_pull,
                                           il_faults_try_masses};
    il_status status = assess(w, INFINITY, true, &w->now, err);
    w->now.start = start_of(w); /* which knows the acceleration now */
    bool excluded = il_faults_total(&w->now) > 0.0 || w->pull < 0.0 || w->far > 0.0;
    if (status == IL_OK) {
        status = il_faults_try_side(w, faults, err);
    }
    for (size_t k = 0;
         excluded && status == IL_OK && faults->n == 0 && k < sizeof tries / sizeof tries[0]; k++) {
        status = tries[k](w, faults, err);
    }
    if (!excluded && status == IL_OK && (il_faults_gross(w) || il_faults_hovers(w))) {
        status = il_faults_try_scales(w, faults, err);
    }
    bool named = faults->n > 0;
    for (size_t k = 0; !named && status == IL_OK && k < sizeof always / sizeof always[0]; k++) {
        status = always[k](w, faults, err);
    }
    if (faults->n == 0 && status == IL_OK) {
        status = name_rest(w, faults, err);
    }
    return status;
}

static il_status prepare(il_fault_work *w, const il_trajectory *run) {
    size_t n = w->nodes * w->d;
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    w->t = calloc(w->nodes, sizeof *w->t);
    w->q = calloc(n, sizeof *w->q);
    w->u = calloc(n, sizeof *w->u);
    w->scratch = malloc(w->d * sizeof *w->scratch);
    w->first = calloc(w->nodes + 2, sizeof *w->first);
    w->step = calloc(w->nodes, sizeof *w->step);
    w->moved = calloc(w->nodes * space, sizeof *w->moved);
    if (w->t == NULL || w->q == NULL || w->u == NULL || w->scratch == NULL || w->first == NULL ||
        w->step == NULL || w->moved == NULL) {
        return IL_ENOMEM;
    }
    memcpy(w->t, run->t, w->nodes * sizeof *w->t);
    memcpy(w->q, run->q, n * sizeof *w->q);
    memcpy(w->u, run->u, n * sizeof *w->u);
    w->speed = il_largest(w->u, n);
    for (size_t k = 0, step = 0; step < w->nodes + 1; step++) {
        w->first[step] = k;
        while (k < run->ncontacts && run->contacts[k].step <= step) {
            k++;
        }
        w->first[step + 1] = k;
    }
    return IL_OK;
}

il_status il_faults_find(il_faults *faults, const il_problem *problem, const il_track *track,
                         il_between between, il_progress *progress, il_error *err) {
    const il_trajectory *run = &track->run;
    const il_scheme_options options = {.projector = il_projector_type_default()};
    *faults = (il_faults){.whole = run->nodes * (2 * run->d + 1) <= NUMBERS_MAX};
    if (!faults->whole || run->nodes < 4) {
        return IL_OK;
    }
    il_fault_work w = {.problem = problem,
                       .track = track,
                       .between = between,
                       .progress = progress,
                       .has_u = track->has_u,
                       .given = track->has_impulses,
                       .d = run->d,
                       .nodes = run->nodes,
                       .force = 1.0,
                       .both_signs = problem->gamma0 != NULL};
    il_status status = prepare(&w, run) == IL_OK
                           ? il_dynamics_create(&w.dynamics, problem, &options, err)
                           : il_fail(err, IL_ENOMEM, "no memory to look for faults");
    if (status == IL_OK) {
        status = explain_all(&w, faults, err);
    }
    il_dynamics_destroy(w.dynamics);
    free(w.t);
    free(w.q);
    free(w.u);
    free(w.scratch);
    free(w.first);
    free(w.step);
    free(w.moved);
    return status;
}
