/*
 * faults.c - finds faults in samples, by trying explanations on the data.
 *
 * Three numbers assess a motion: the distance of its beginning from the problem's start, the
 * difference between velocities and positions, and the residual of its dynamics. Where one of them
 * exceeds rounding, samples are shifted, velocities moved by a step, coordinates swapped, and in
 * faults_try.c force and masses scaled and impulses allowed to pull; a change that reduces the
 * number to a hundredth is reported. Springs, the coefficient of restitution and a drift of the
 * momentum are estimated in faults_read.c.
 */
#include "harness/judge/faults.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* |a - b|_inf */
static double apart(const double *a, const double *b, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

const double *il_faults_velocity(const il_fault_work *w, size_t n) {
    return n == 0 && !w->has_u ? w->problem->u0 : w->u + n * w->d;
}

/* Sum over steps of |q_{n+1} - q_n - h v| with v the velocity that `between` means on the way, if
 * velocities stood `shift` samples later. Steps with an impulse are left out in flight. */
static double kinematics(const il_fault_work *w, il_between between, int shift) {
    double sum = 0.0;
    for (size_t n = 1; n + 2 < w->nodes; n++) {
        double h = w->t[n + 1] - w->t[n];
        const double *u0 = w->u + (size_t)((long)n + shift) * w->d;
        const double *u1 = u0 + w->d;
        for (size_t k = 0; k < w->d; k++) {
            double mean = between == IL_BETWEEN_AFFINE     ? u1[k]
                          : between == IL_BETWEEN_CONSTANT ? u0[k]
                                                           : 0.5 * (u0[k] + u1[k]);
            double left = w->q[(n + 1) * w->d + k] - w->q[n * w->d + k] - h * mean;
            bool jumps =
                between == IL_BETWEEN_BALLISTIC &&
                fabs(u1[k] - u0[k]) > 2.0 * h * w->acceleration + IL_FAULTS_RELATIVE * w->speed;
            sum += jumps ? 0.0 : fabs(left);
        }
    }
    return sum;
}

static double total(const il_fault_work *w, const il_assessment *a) {
    double span = w->t[w->nodes - 1] - w->t[0];
    return a->start + a->motion / (span > 0.0 ? span : 1.0) + a->residual;
}

il_status il_faults_assess(il_fault_work *w, double enough, il_assessment *out, il_error *err) {
    il_status status = IL_OK;
    *out = (il_assessment){
        .start =
            fmax(apart(w->q, w->problem->q0, w->d),
                 w->has_u && w->problem->order == 2 ? apart(w->u, w->problem->u0, w->d) : 0.0)};
    out->motion = w->problem->order == 2 && w->has_u ? kinematics(w, w->between, 0) : 0.0;
    size_t first = w->delay < 0.0 ? 1 : 0; /* times begin with 0 */
    for (size_t n = first; status != IL_ENOMEM && n + 1 < w->nodes && total(w, out) < enough; n++) {
        il_explained e;
        status = il_faults_explain(w, n, &e, err);
        if (status == IL_OK) {
            out->residual = fmax(out->residual, e.residual);
            out->sum += e.residual * e.residual;
        }
    }
    return status == IL_ENOMEM ? status : IL_OK;
}

il_status il_faults_explain(il_fault_work *w, size_t n, il_explained *e, il_error *err) {
    const il_interval step = {.t0 = w->t[n] + w->delay,
                              .t1 = w->t[n + 1] + w->delay,
                              .q0 = w->q + n * w->d,
                              .u0 = il_faults_velocity(w, n),
                              .q1 = w->q + (n + 1) * w->d,
                              .u1 = w->u + (n + 1) * w->d,
                              .both_signs = w->both_signs,
                              .force = w->force};
    return il_dynamics_explain(w->dynamics, &step, e, err);
}

static bool is_noticed(const il_fault_work *w, double velocity) {
    return velocity > IL_FAULTS_RELATIVE * w->scale;
}

/* ---- explanations --------------------------------------------------------------------------- */

static void add_shift(il_faults *faults, bool early, const char *why) {
    il_faults_add(faults, "shifted samples", "sample n is the state one step %s: %s",
                  early ? "later" : "earlier", why);
}

/* Does the step from the problem's start to the first sample explain it? */
static il_status try_early(il_fault_work *w, il_faults *faults, il_error *err) {
    double h = w->t[1] - w->t[0];
    il_explained e;
    const il_interval before = {.t0 = 0.0,
                                .t1 = h,
                                .q0 = w->problem->q0,
                                .u0 = w->problem->u0,
                                .q1 = w->q,
                                .u1 = il_faults_velocity(w, 0),
                                .force = 1.0};
    il_status status = il_dynamics_explain(w->dynamics, &before, &e, err);
    double move = 0.0;
    for (size_t k = 0; status == IL_OK && k < w->d; k++) {
        double mean = 0.5 * (w->problem->u0[k] + before.u1[k]);
        move = fmax(move, fabs(w->q[k] - w->problem->q0[k] - h * mean));
    }
    if (status == IL_OK && move <= h * h * w->acceleration + IL_FAULTS_RELATIVE &&
        e.residual <= IL_FAULTS_EXPLAINS * w->now.start / h + IL_FAULTS_RELATIVE * w->scale) {
        char why[160];
        (void)snprintf(why, sizeof why,
                       "the first is %.3g from the start of the problem, one step of h = %.4g from "
                       "it",
                       w->now.start, h);
        add_shift(faults, true, why);
    }
    return status == IL_ENOMEM ? status : IL_OK;
}

/* By a force that depends on time, by the start, by a first sample that stands twice. */
static il_status try_shift(il_fault_work *w, il_faults *faults, il_error *err) {
    double h = w->t[1] - w->t[0];
    for (int way = 1; way >= -1 && !w->explained; way -= 2) {
        il_assessment other;
        w->delay = way * h;
        il_status status = il_faults_assess(w, INFINITY, &other, err);
        w->delay = 0.0;
        if (status != IL_OK) {
            return status;
        }
        if (other.residual <= IL_FAULTS_EXPLAINS * w->now.residual) {
            char why[120];
            (void)snprintf(why, sizeof why, "so read, the residual falls from %.3g to %.3g",
                           w->now.residual, other.residual);
            add_shift(faults, way > 0, why);
            return IL_OK;
        }
    }
    if (w->problem->order == 2 && is_noticed(w, w->now.start / h)) {
        return try_early(w, faults, err);
    }
    bool twice = apart(w->q, w->q + w->d, w->d) == 0.0 &&
                 apart(w->q + w->d, w->q + 2 * w->d, w->d) > 0.0 &&
                 (!w->explained || is_noticed(w, il_largest(w->u, w->d)));
    if (twice) {
        add_shift(faults, false, "the first two are the same");
    }
    return IL_OK;
}

/* Velocities that mean something else than said. Where flight is said, constant velocities are
 * tried; where they are said, those of the neighbouring samples. Flight is not tried in their
 * place: samples of flight may be read as if straight. */
static void try_side(const il_fault_work *w, il_faults *faults) {
    static const struct {
        il_between said, between;
        int shift;
        const char *of, *means;
    } tries[] = {
        {IL_BETWEEN_AFFINE, IL_BETWEEN_AFFINE, -1, "the sample before", "constant"},
        {IL_BETWEEN_AFFINE, IL_BETWEEN_AFFINE, 1, "the sample after", NULL},
        {IL_BETWEEN_CONSTANT, IL_BETWEEN_CONSTANT, -1, "the sample before", NULL},
        {IL_BETWEEN_CONSTANT, IL_BETWEEN_CONSTANT, 1, "the sample after", "affine"},
        {IL_BETWEEN_BALLISTIC, IL_BETWEEN_AFFINE, 0, "the sample that is reached", "affine"},
        {IL_BETWEEN_BALLISTIC, IL_BETWEEN_CONSTANT, 0, "the sample left", "constant"}};
    if (w->problem->order != 2 || !w->has_u || !(w->now.motion > 1e-6 * w->path)) {
        return;
    }
    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++) {
        if (tries[k].said != w->between) {
            continue;
        }
        double left = kinematics(w, tries[k].between, tries[k].shift);
        if (left <= IL_FAULTS_EXPLAINS * w->now.motion) {
            il_faults_add(faults, "velocity of the wrong side",
                          "positions move by the velocity of %s: what is left of them falls from "
                          "%.3g to %.3g%s%s",
                          tries[k].of, w->now.motion, left,
                          tries[k].means != NULL ? "; so they are read by --between " : "",
                          tries[k].means != NULL ? tries[k].means : "");
        }
    }
}

static void swap(double *x, size_t nodes, size_t d, size_t i, size_t j) {
    for (size_t n = 0; n < nodes; n++) {
        double kept = x[n * d + i];
        x[n * d + i] = x[n * d + j];
        x[n * d + j] = kept;
    }
}

/* Exchange coordinates i and j of positions and velocities, or of `what`: 1 positions alone, 2
 * velocities alone. */
static void exchange(il_fault_work *w, size_t i, size_t j, size_t what) {
    if (what != 2) {
        swap(w->q, w->nodes, w->d, i, j);
    }
    if (what != 1) {
        swap(w->u, w->nodes, w->d, i, j);
    }
}

static il_status try_swaps(il_fault_work *w, il_faults *faults, il_error *err) {
    static const char *const where[] = {"", " of positions", " of velocities"};
    enum { PAIRS_MAX = 24 };
    double before = total(w, &w->now);
    double best = IL_FAULTS_EXPLAINS * before;
    size_t pair[3] = {0, 0, 0};
    if (w->d > PAIRS_MAX || (w->starts && w->explained)) {
        return IL_OK;
    }
    for (size_t i = 0; i < w->d; i++) {
        for (size_t k = 3 * (i + 1); k < 3 * w->d; k++) {
            il_assessment other;
            exchange(w, i, k / 3, k % 3);
            il_status status = il_faults_assess(w, best, &other, err);
            exchange(w, i, k / 3, k % 3);
            if (status != IL_OK) {
                return status;
            }
            if (total(w, &other) < best) {
                best = total(w, &other);
                pair[0] = i + 1;
                pair[1] = k / 3 + 1;
                pair[2] = k % 3;
            }
        }
    }
    if (pair[0] > 0) {
        il_faults_add(faults, "swapped coordinates",
                      "coordinates %zu and %zu%s stand in each other's place: what is left of "
                      "start, motion and dynamics falls from %.3g to %.3g",
                      pair[0], pair[1], where[pair[2]], before, best);
    }
    return IL_OK;
}

/* Mean velocities outside of those at the ends of their step, by more than allowed. */
static il_status contradict(const il_fault_work *w, double allowed, il_faults *faults) {
    if (w->has_u && w->found->bent > allowed) {
        il_faults_add(faults, "speeds that contradict positions",
                      "%.200s: (q - q_before)/h lies %.4g outside the velocities at its ends, as "
                      "--between %s means them",
                      w->found->bent_place, w->found->bent, il_between_name(w->between));
    }
    return IL_OK;
}

/* So grossly that the speeds cannot be used. */
static il_status contradict_grossly(il_fault_work *w, il_faults *faults, il_error *err) {
    (void)err;
    return contradict(w, 0.05 * w->scale, faults);
}

/* What no explanation fits. */
static il_status name_rest(il_fault_work *w, il_faults *faults, il_error *err) {
    const il_residuals *f = w->found;
    (void)err;
    if (!w->starts) {
        il_faults_add(faults, "another start",
                      "the first sample is %.6g from the start of the problem", w->now.start);
        return IL_OK;
    }
    (void)contradict(w, 1e-6 * w->scale, faults);
    if (faults->n == 0 && f->largest > 1e-6 * w->scale) {
        il_faults_add(faults, "an unexplained change of velocity",
                      "step %zu leaves %.4g that no force and no contact makes, of a largest speed "
                      "of %.4g",
                      f->step, f->largest, f->speed);
    }
    return IL_OK;
}

static il_status explain_all(il_fault_work *w, il_faults *faults, il_error *err) {
    static il_faults_try *const tries[] = {try_shift,          try_swaps,
                                           contradict_grossly, il_faults_try_force,
                                           il_faults_try_pull, il_faults_try_masses,
                                           il_faults_read,     name_rest};
    const il_residuals *found = w->found;
    const il_problem *problem = w->problem;
    char words[IL_DESCRIPTION_MAX];
    il_status status = il_faults_assess(w, INFINITY, &w->now, err);
    if (status != IL_OK) {
        return status;
    }
    w->starts = w->now.start <= IL_FAULTS_RELATIVE * (1.0 + il_largest(problem->q0, w->d) +
                                                      il_largest(problem->u0, w->d));
    w->explained = !is_noticed(w, w->now.residual);
    status = il_faults_springs(w, faults, err);
    if (faults->n == 0 && problem->gamma0 == NULL && found->pull < -IL_FAULTS_RELATIVE * w->scale) {
        il_faults_add(faults, "an impulse that pulls", "%s in step %zu: %.6g; allowed: >= 0",
                      il_problem_describe(problem, found->pull_id, words, sizeof words),
                      found->pull_step, found->pull);
    }
    try_side(w, faults);
    for (size_t k = 0; status == IL_OK && faults->n == 0 && k < sizeof tries / sizeof tries[0];
         k++) {
        status = tries[k](w, faults, err);
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void measure(il_fault_work *w) {
    for (size_t n = 0; n < w->nodes; n++) {
        w->speed = fmax(w->speed, il_largest(w->u + n * w->d, w->d));
        for (size_t k = 0; n > 0 && k < w->d; k++) {
            w->path += fabs(w->q[n * w->d + k] - w->q[(n - 1) * w->d + k]);
        }
    }
    if (w->problem->type->force != NULL) {
        w->problem->type->force(w->problem, 0.0, w->q, w->scratch);
        il_metric_solve(w->problem->mass, w->scratch, w->scratch);
        w->acceleration = il_largest(w->scratch, w->d);
    }
    double span = w->t[w->nodes - 1];
    w->scale = w->speed + (1e-3 * (1.0 + il_largest(w->q, w->nodes * w->d))) / span +
               w->acceleration * span / (double)w->nodes;
}

il_status il_faults_find(il_faults *faults, const il_problem *problem, const il_track *track,
                         il_between between, const il_residuals *found, il_error *err) {
    const il_trajectory *run = &track->run;
    const il_scheme_options options = {.projector = il_projector_type_default()};
    *faults = (il_faults){.whole = run->nodes * (2 * run->d + 1) <= NUMBERS_MAX};
    if (!faults->whole || run->nodes < 4) {
        return IL_OK;
    }
    size_t n = run->nodes * run->d;
    il_fault_work w = {.problem = problem,
                       .found = found,
                       .between = between,
                       .has_u = track->has_u,
                       .d = run->d,
                       .nodes = run->nodes,
                       .t = run->t,
                       .q = malloc(n * sizeof(double)),
                       .u = malloc(n * sizeof(double)),
                       .scratch = malloc(run->d * sizeof(double)),
                       .force = 1.0,
                       .both_signs = problem->gamma0 != NULL};
    il_status status = w.q != NULL && w.u != NULL && w.scratch != NULL
                           ? il_dynamics_create(&w.dynamics, problem, &options, err)
                           : il_fail(err, IL_ENOMEM, "no memory to look for faults");
    if (status == IL_OK) {
        memcpy(w.q, run->q, n * sizeof *w.q);
        memcpy(w.u, run->u, n * sizeof *w.u);
        measure(&w);
        status = explain_all(&w, faults, err);
    }
    il_dynamics_destroy(w.dynamics);
    free(w.q);
    free(w.u);
    free(w.scratch);
    return status;
}
