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
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "harness/run/registry.h"

/* More numbers than these are not looked at. */
enum { NUMBERS_MAX = 4000000 };

static void see_pull(il_fault_work *w, il_faults *faults) {
    char words[IL_DESCRIPTION_MAX];
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
}

/* Given impulses that do not explain what others would. */
static void see_given(il_fault_work *w, il_faults *faults) {
    il_assessment other;
    if (!w->given || !(w->now.residual > 0.0)) {
        return;
    }
    il_faults_assess(w, INFINITY, &other);
    if (other.residual <= IL_FAULTS_EXPLAINS * w->now.residual) {
        il_faults_add(faults, "impulses of another motion",
                      "those given leave %.3g of the change of velocity in step %zu, and others "
                      "%.3g",
                      w->now.residual, w->now.step, other.residual);
    }
}

/* Name what no explanation fits. */
static void name_rest(const il_fault_work *w, il_faults *faults) {
    char place[320];
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
}

static void explain_all(il_fault_work *w, il_faults *faults) {
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
    il_faults_look(w);
    bool excluded = il_faults_total(&w->now) > 0.0 || w->pull < 0.0 || w->far > 0.0;
    il_faults_try_side(w, faults);
    for (size_t k = 0; excluded && faults->n == 0 && k < sizeof tries / sizeof tries[0]; k++) {
        tries[k](w, faults);
    }
    if (!excluded && (il_faults_gross(w) || il_faults_hovers(w))) {
        il_faults_try_scales(w, faults);
    }
    bool named = faults->n > 0;
    for (size_t k = 0; !named && k < sizeof always / sizeof always[0]; k++) {
        always[k](w, faults);
    }
    if (faults->n == 0) {
        name_rest(w, faults);
    }
}

static void prepare(il_fault_work *w, const il_trajectory *run) {
    size_t n = w->nodes * w->d;
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    w->t = il_alloc_copy(run->t, w->nodes, sizeof *w->t);
    w->q = il_alloc_copy(run->q, n, sizeof *w->q);
    w->u = il_alloc_copy(run->u, n, sizeof *w->u);
    w->scratch = il_alloc(w->d, sizeof *w->scratch);
    w->first = il_alloc_zero(w->nodes + 2, sizeof *w->first);
    w->step = il_alloc_zero(w->nodes, sizeof *w->step);
    w->moved = il_alloc_zero(w->nodes * space, sizeof *w->moved);
    w->speed = il_largest(w->u, n);
    for (size_t k = 0, step = 0; step < w->nodes + 1; step++) {
        w->first[step] = k;
        while (k < run->ncontacts && run->contacts[k].step <= step) {
            k++;
        }
        w->first[step + 1] = k;
    }
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
    prepare(&w, run);
    il_status status = il_dynamics_create(&w.dynamics, problem, &options, err);
    if (status == IL_OK) {
        explain_all(&w, faults);
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
