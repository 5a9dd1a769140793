/*
 * measure.c - accumulates the measures of a run.
 */
#include "harness/measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/sum.h"
#include "harness/base/worse.h"
#include "harness/data/bodies.h"
#include "harness/measure/balance.h"
#include "harness/measure/least_gap.h"

enum { SPACE_MAX = 3 };

struct il_measure {
    const il_problem *problem;
    il_measure_result result;
    double energy; /* at the last node */
    unsigned axes; /* bit c: contacts cannot change component c of the momentum */
    double total_mass;
    double momentum0[SPACE_MAX]; /* at the start */
    double centre0[SPACE_MAX];
    il_sum impulse[SPACE_MAX]; /* time integral of the resultant */
    il_sum variation, contact;
    il_least_gap gap;
    il_balance balance;
    il_drift drift; /* at the last node */
};

/* P_c = sum over bodies of m_i x_ic, summed with compensation. */
static void weighted_sum(const il_problem *problem, const double *x, bool with_mass, double *p) {
    const double *mass = il_metric_masses(problem->mass);
    il_sum sums[SPACE_MAX] = {{0.0, 0.0}};
    for (size_t k = 0; k < problem->d; k++) {
        il_sum_add(&sums[k % problem->space], with_mass ? mass[k] * x[k] : x[k]);
    }
    for (size_t c = 0; c < problem->space; c++) {
        p[c] = il_sum_value(&sums[c]);
    }
}

il_measure *il_measure_create(const il_problem *problem, const double *u0) {
    il_measure *w = il_alloc_zero(1, sizeof *w);
    w->problem = problem;
    il_least_gap_init(&w->gap, problem);
    il_balance_init(&w->balance, problem, u0);
    bool bodies = problem->order == 2 && problem->space > 0 && problem->space <= SPACE_MAX &&
                  il_metric_masses(problem->mass) != NULL;
    unsigned every = (1u << problem->space) - 1u;
    bool invariant = (problem->traits & IL_ROWS_INVARIANT) != 0;
    w->axes = bodies ? (invariant ? every : problem->conserved_axes & every) : 0u;
    if (w->axes != 0) {
        weighted_sum(problem, u0, true, w->momentum0);
        weighted_sum(problem, problem->q0, true, w->centre0);
        const double *mass = il_metric_masses(problem->mass);
        for (size_t k = 0; k < problem->d; k += problem->space) {
            w->total_mass += mass[k];
        }
    }
    w->energy = 0.5 * il_metric_inner(problem->mass, u0, u0);
    w->result = (il_measure_result){.energy_initial = w->energy,
                                    .energy_largest_increase = -INFINITY,
                                    .certificate = il_certificate_best()};
    w->drift = (il_drift){.momentum = NAN, .centre = NAN};
    return w;
}

void il_measure_nodes_only(il_measure *w) {
    w->gap.nodes_only = true;
}

void il_measure_destroy(il_measure *w) {
    if (w == NULL) {
        return;
    }
    il_least_gap_free(&w->gap);
    il_balance_free(&w->balance);
    free(w);
}

static bool centre_is_straight(const il_measure *w) {
    return w->axes != 0 && (w->problem->traits & IL_FORCE_FREE) != 0;
}

static void momentum(il_measure *w, double t0, double t1, const il_state *out, const double *f) {
    il_measure_result *r = &w->result;
    double now = 0.0;
    double path_now = 0.0;
    double p[SPACE_MAX];
    double force[SPACE_MAX];
    double centre[SPACE_MAX];
    weighted_sum(w->problem, out->u, true, p);
    weighted_sum(w->problem, f, false, force);
    weighted_sum(w->problem, out->q, true, centre);
    for (size_t c = 0; c < w->problem->space; c++) {
        if ((w->axes & 1u << c) == 0) {
            continue;
        }
        il_sum_add(&w->impulse[c], (t1 - t0) * force[c]);
        double drift = p[c] - w->momentum0[c] - il_sum_value(&w->impulse[c]);
        now = il_worse_high(now, fabs(drift));
        double path = (centre[c] - w->centre0[c] - t1 * w->momentum0[c]) / w->total_mass;
        path_now = il_worse_high(path_now, fabs(path));
    }
    r->momentum_drift = il_worse_high(r->momentum_drift, now);
    r->centre_drift = il_worse_high(r->centre_drift, path_now);
    w->drift = (il_drift){.momentum = now, .centre = centre_is_straight(w) ? path_now : NAN};
}

static void contacts(il_measure *w, double h, const il_step_report *report) {
    size_t active = 0;
    for (size_t i = 0; i < report->rows->p; i++) {
        double impulse = h * report->lambda[i];
        active += impulse > 0.0;
        il_sum_add(&w->contact, impulse);
    }
    if (active > w->result.active_max) {
        w->result.active_max = active;
    }
}

void il_measure_step(il_measure *w, double t0, double t1, const il_state *in, const il_state *out,
                     const il_step_report *report) {
    il_measure_result *r = &w->result;
    const il_problem *problem = w->problem;
    double jump = 0.0;
    for (size_t k = 0; k < problem->d; k++) {
        jump += (out->u[k] - in->u[k]) * (out->u[k] - in->u[k]);
    }
    il_sum_add(&w->variation, sqrt(jump));
    double energy = 0.5 * il_metric_inner(problem->mass, out->u, out->u);
    r->energy_largest_increase = il_worse_high(r->energy_largest_increase, energy - w->energy);
    il_balance_step(&w->balance, t0, t1, in, out, report, energy);
    w->energy = energy;
    il_least_gap_step(&w->gap, t0, t1, in, out, report->motion);
    if (w->axes != 0) {
        momentum(w, t0, t1, out, report->force);
    }
    w->drift.balance = w->balance.result.final;
    contacts(w, t1 - t0, report);
    il_certificate_worsen(&r->certificate, &report->certificate);
}

const il_drift *il_measure_drift(const il_measure *w) {
    return &w->drift;
}

double il_measure_gap(const il_measure *w) {
    return w->gap.gap;
}

il_measure_result il_measure_finish(const il_measure *w) {
    il_measure_result r = w->result;
    r.nodes_min = w->gap.nodes_min;
    r.between_min = w->gap.nodes_only ? NAN : w->gap.least;
    r.balance = il_balance_finish(&w->balance);
    r.energy_final = w->energy;
    r.total_variation = il_sum_value(&w->variation);
    r.impulse_total = il_sum_value(&w->contact);
    if (w->axes == 0) {
        r.momentum_drift = NAN;
    }
    if (!centre_is_straight(w)) {
        r.centre_drift = NAN;
    }
    return r;
}

#define CERTIFIED(member) IL_REAL(il_certificate, member)
#define REAL(member) IL_REAL(il_measure_result, member)
#define COUNT(member) IL_COUNT(il_measure_result, member)

const il_field il_certificate_fields[] = {
    {"primal", CERTIFIED(primal), IL_LENGTH, true},
    {"dual", CERTIFIED(dual), IL_FORCE, true},
    {"complementarity", CERTIFIED(complementarity), IL_POWER, true},
    {"stationarity", CERTIFIED(stationarity), IL_POWER, true},
    {"stationarity_relative", CERTIFIED(relative), IL_ONE, true},
    {.path = NULL}};

static void add_certificate(json_t *object, const char *key, const void *at) {
    il_json_set(object, key, il_field_json(il_certificate_fields, at));
}

const il_field il_measure_fields[] = {
    {"feasibility.nodes_min", REAL(nodes_min), IL_LENGTH, true},
    {"feasibility.between_min", REAL(between_min), IL_LENGTH, true},
    {"energy.initial", REAL(energy_initial), IL_WORK},
    {"energy.final", REAL(energy_final), IL_WORK},
    {"energy.largest_increase", REAL(energy_largest_increase), IL_WORK},
    {"energy.balance.final", REAL(balance.final), IL_WORK},
    {"energy.balance.largest", REAL(balance.largest), IL_WORK},
    {"energy.balance.largest_step", REAL(balance.largest_step), IL_WORK},
    {"energy.impacts.events", COUNT(balance.events), IL_OWN},
    {"energy.impacts.gained_most", REAL(balance.gained_most), IL_WORK, true},
    {"energy.impacts.lost_least", REAL(balance.lost_least), IL_WORK},
    {"momentum.largest_drift", REAL(momentum_drift), IL_IMPULSE, true},
    {"momentum.centre_of_mass_drift", REAL(centre_drift), IL_LENGTH, true},
    {"total_variation", REAL(total_variation), IL_SPEED},
    {"certificate", .kind = IL_FIELD_ADDED, .at = offsetof(il_measure_result, certificate),
     .add = add_certificate},
    {"contacts.active_max", COUNT(active_max), IL_OWN},
    {"contacts.impulse_total", REAL(impulse_total), IL_IMPULSE},
    {.path = NULL}};

/* ---- walls: sums over the run, and a ring of the last steps --------------------------------- */

struct il_wall_forces {
    const il_problem *problem;
    size_t steps;
    il_sum *total;    /* [nwalls] */
    double *ring;     /* [IL_WALL_FORCES_LAST][nwalls] impulse on each wall, */
    double *pressing; /* [the same] and of the outer force against it */
    double length[IL_WALL_FORCES_LAST];
};

il_wall_forces *il_wall_forces_create(const il_problem *problem) {
    size_t n = problem->nwalls;
    if (n == 0 || il_bodies_count(problem) == 0) {
        return NULL;
    }
    il_wall_forces *w = il_alloc_zero(1, sizeof *w);
    w->problem = problem;
    w->total = il_alloc_zero(n, sizeof *w->total);
    w->ring = il_alloc_zero(2 * n * IL_WALL_FORCES_LAST, sizeof *w->ring);
    w->pressing = w->ring + n * IL_WALL_FORCES_LAST;
    return w;
}

void il_wall_forces_destroy(il_wall_forces *w) {
    if (w == NULL) {
        return;
    }
    free(w->total);
    free(w->ring);
    free(w);
}

/* -<n, sum over bodies of f>. */
static double pressing_on(const il_problem *problem, const il_plane *wall, const double *f) {
    il_sum sum = {0.0, 0.0};
    for (size_t k = 0; k < problem->d; k++) {
        il_sum_add(&sum, -wall->n[k % problem->space] * f[k]);
    }
    return il_sum_value(&sum);
}

void il_wall_forces_step(il_wall_forces *w, double t0, double t1, const il_step_report *report) {
    if (w == NULL) {
        return;
    }
    const il_problem *problem = w->problem;
    size_t n = problem->nwalls;
    size_t at = w->steps++ % IL_WALL_FORCES_LAST;
    w->length[at] = t1 - t0;
    il_bodies_wall_impulses(problem, report, t1 - t0, w->ring + at * n);
    for (size_t k = 0; k < n; k++) {
        il_sum_add(&w->total[k], w->ring[at * n + k]);
        w->pressing[at * n + k] =
            (t1 - t0) * pressing_on(problem, &problem->walls[k], report->force);
    }
}

/* Sum of stride-apart numbers of the ring over the length of its steps. */
static double mean_of(const il_wall_forces *w, const double *x, size_t stride, size_t steps) {
    il_sum sum = {0.0, 0.0};
    il_sum time = {0.0, 0.0};
    for (size_t s = 0; s < steps; s++) {
        il_sum_add(&sum, x[s * stride]);
        il_sum_add(&time, w->length[s]);
    }
    return steps > 0 ? il_sum_value(&sum) / il_sum_value(&time) : NAN;
}

const il_field il_wall_force_fields[] = {
    {"name", IL_TEXT(il_wall_force, name)},
    {"impulse_total", IL_REAL(il_wall_force, impulse_total), IL_IMPULSE},
    {"force_mean_last", IL_REAL(il_wall_force, force_mean), IL_FORCE},
    {"weight", IL_REAL(il_wall_force, pressing_mean), IL_FORCE},
    {"last_steps", IL_COUNT(il_wall_force, last_steps)},
    {.path = NULL}};

void il_wall_forces_finish(const il_wall_forces *w, il_wall_force *forces) {
    if (w == NULL) {
        return;
    }
    size_t n = w->problem->nwalls;
    size_t steps = w->steps < IL_WALL_FORCES_LAST ? w->steps : IL_WALL_FORCES_LAST;
    for (size_t k = 0; k < n; k++) {
        forces[k] = (il_wall_force){.name = w->problem->walls[k].name,
                                    .impulse_total = il_sum_value(&w->total[k]),
                                    .force_mean = mean_of(w, w->ring + k, n, steps),
                                    .pressing_mean = mean_of(w, w->pressing + k, n, steps),
                                    .last_steps = steps};
    }
}
