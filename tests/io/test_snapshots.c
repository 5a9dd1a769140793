/*
 * test_snapshots.c - what bodies bear and walls carry, against the balance of momentum; radii,
 * walls and touches against the rows.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/data/history.h"
#include "harness/data/snapshots.h"
#include "harness/run/record.h"
#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/snapshot_run.h"
#include "tests/support/suite.h"

enum { PILE_N = 30, PILE_STEPS = 160 };

static const double H = 0.01;

/* Each of the steps rounds each of the N momenta, and M (u' - u) - h f = sum of impulses holds to
 * some roundings of what a contact passes on, at most the weight of all above it: a dozen roundings
 * of N weights a step, relative to one step's weight. */
static const double BALANCE = 12.0 * PILE_N * DBL_EPSILON;

/* Total momentum upward at node n. */
static double rise(const il_snapshot_run *b, size_t n) {
    const il_problem *p = b->made.problem;
    const double *mass = il_metric_masses(p->mass);
    double sum = 0.0;
    for (size_t k = p->space - 1; k < p->d; k += p->space) {
        sum += mass[k] * b->trajectory.u[n * p->d + k];
    }
    return sum;
}

static double weight_of(const il_problem *p, double gravity) {
    double sum = 0.0;
    for (size_t k = 0; k < p->d; k += p->space) {
        sum += gravity * il_metric_masses(p->mass)[k];
    }
    return sum;
}

/* ---- walls and loads ------------------------------------------------------------------------- */

static const char *const pile[] = {"N=30", "gravity=2", NULL};
static const char *const ball[] = {"N=1", "r0=2", NULL};

/* Side walls push along x only, so that along z: P(T) - P(s) = (impulse of the floor) - W (T - s).
 */
static void the_floor_carries_weight_and_momentum(void) {
    il_snapshot_run b;
    il_snapshot_run_start(&b, "pile", pile, H, PILE_STEPS, 40);
    double weight = weight_of(b.made.problem, 2.0);
    CU_ASSERT_EQUAL_FATAL(b.record.nwalls, 3);
    const il_wall_force *floor = &b.record.walls[0];
    CU_ASSERT_STRING_EQUAL(floor->name, "floor");
    CU_ASSERT_STRING_EQUAL(b.record.walls[2].name, "right wall");
    CU_ASSERT_EQUAL(floor->last_steps, IL_WALL_FORCES_LAST);
    CU_ASSERT(fabs(floor->pressing_mean / weight - 1.0) <= BALANCE);
    CU_ASSERT(b.record.walls[1].pressing_mean == 0.0);
    double all = rise(&b, PILE_STEPS) - rise(&b, 0) + weight * H * PILE_STEPS;
    CU_ASSERT(all > 0.1 * weight * H * PILE_STEPS); /* it has fallen onto the floor */
    CU_ASSERT(fabs(floor->impulse_total - all) <= BALANCE * PILE_STEPS * weight * H);
    double late = rise(&b, PILE_STEPS) - rise(&b, PILE_STEPS - IL_WALL_FORCES_LAST);
    double mean = weight + late / (H * IL_WALL_FORCES_LAST);
    CU_ASSERT(fabs(floor->force_mean - mean) <= BALANCE * IL_WALL_FORCES_LAST * weight);
    CU_ASSERT(fabs(floor->force_mean / weight - 1.0) > 1e-6); /* a mean, not the weight itself */
    il_snapshot_run_close(&b);
}

/* The series adds up to the record, and its energy is that of the trajectory's velocities. */
static void series_add_up_to_the_record(void) {
    il_snapshot_run b;
    il_snapshot_run_start(&b, "pile", pile, H, PILE_STEPS, 40);
    const il_history *s = &b.history;
    CU_ASSERT_EQUAL_FATAL(s->n, PILE_STEPS);
    double sum = 0.0;
    size_t iterations = 0;
    for (size_t n = 0; n < s->n; n++) {
        sum += H * s->force[n * s->nwalls];
        iterations += s->steps[n].iterations;
        double energy = 0.0;
        for (size_t k = 0; k < b.record.d; k++) {
            double u = b.trajectory.u[(n + 1) * b.record.d + k];
            energy += 0.5 * il_metric_masses(b.made.problem->mass)[k] * u * u;
        }
        CU_ASSERT(fabs(s->steps[n].energy - energy) <= BALANCE * (1.0 + energy));
    }
    CU_ASSERT(fabs(sum - b.record.walls[0].impulse_total) <= BALANCE * PILE_STEPS * sum);
    CU_ASSERT_EQUAL(iterations, b.record.projector_iterations);
    json_t *json = il_history_json(s);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(json, "t")), PILE_STEPS);
    json_t *forces = json_object_get(json, "force");
    CU_ASSERT_EQUAL(json_array_size(json_object_get(forces, "floor")), PILE_STEPS);
    json_decref(json);
    il_snapshot_run_close(&b);
}

/* One sphere meets the plane: what it bears is the momentum that it loses. */
static void a_load_is_the_momentum_that_is_lost(void) {
    il_snapshot_run b;
    il_snapshot_run_start(&b, "impact", ball, 1.5, 4, 1);
    double mass = il_metric_masses(b.made.problem->mass)[0];
    double before = b.trajectory.u[1];
    for (size_t n = 1; n <= 4; n++) {
        double after = b.trajectory.u[2 * n + 1];
        double lost = mass * (after - before);
        CU_ASSERT(fabs(b.snapshots.frames[n].load[0] - lost) <= 4.0 * DBL_EPSILON * mass);
        CU_ASSERT_EQUAL(b.snapshots.frames[n].ntouches, lost > 0.0 ? 1 : 0);
        before = after;
    }
    CU_ASSERT(fabs(before) <= 8.0 * DBL_EPSILON); /* it did meet the plane, at z of about 2 */
    il_snapshot_run_close(&b);
}

/* Two spheres: both bear what each gave the other, along the line of their centres. */
static void both_bodies_of_a_pair_bear_the_same(void) {
    static const char *const sets[] = {"scenario=pressed", "masses=1,3", NULL};
    il_snapshot_run b;
    il_snapshot_run_start(&b, "two_spheres", sets, 0.05, 40, 1);
    size_t touched = 0;
    for (size_t n = 1; n < b.snapshots.n; n++) {
        const il_snapshot *f = &b.snapshots.frames[n];
        CU_ASSERT_EQUAL(f->load[0], f->load[1]);
        if (f->ntouches == 0) {
            CU_ASSERT(f->load[0] == 0.0);
            continue;
        }
        touched++;
        CU_ASSERT_EQUAL(f->touches[0].a, 0);
        CU_ASSERT_EQUAL(f->touches[0].b, 1);
        const double *q = b.snapshots.frames[n - 1].q; /* the step is linearised there */
        double w[3] = {q[3] - q[0], q[4] - q[1], q[5] - q[2]};
        double norm = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        for (size_t c = 0; c < 3; c++) {
            CU_ASSERT(fabs(f->touches[0].direction[c] + w[c] / norm) <= 4.0 * DBL_EPSILON);
        }
        CU_ASSERT(fabs(f->touches[0].impulse - f->load[0]) <= 4.0 * DBL_EPSILON * f->load[0]);
    }
    CU_ASSERT(touched > 2);
    il_snapshot_run_close(&b);
}

static void samples_hold_loads_on_request(void) {
    static const double at[] = {0.0, 0.75, 1.5};
    il_snapshot_run b;
    il_snapshot_run_start(&b, "impact", ball, 1.5, 4, 1);
    il_record again = {0};
    b.spec.nobservers = 0;
    b.spec.samples = at;
    b.spec.nsamples = 3;
    b.spec.loads = true;
    CU_ASSERT_EQUAL_FATAL(il_run(&b.spec, &again, NULL, &b.err), IL_OK);
    CU_ASSERT_EQUAL(again.bodies, 1);
    CU_ASSERT(again.samples[0].load[0] == 0.0);
    CU_ASSERT_EQUAL(again.samples[1].load[0], b.snapshots.frames[1].load[0]); /* the step holds t */
    CU_ASSERT_EQUAL(again.samples[2].load[0], b.snapshots.frames[1].load[0]); /* and its end */
    json_t *json = il_record_json(&again);
    json_t *sample = json_array_get(json_object_get(json, "samples"), 2);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(sample, "load")), 1);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(json, "walls")), 1);
    json_decref(json);
    il_record_free(&again);
    il_snapshot_run_close(&b);
}

/* Distance of two bodies, or of a body from a wall, by their radii: what the row's value must be.
 */
static double gap_of(const il_problem *p, const double *r, size_t id, const il_touch *touch) {
    size_t s = p->space;
    const double *a = p->q0 + s * touch->a;
    if (touch->b != IL_NO_BODY) {
        double square = 0.0;
        for (size_t c = 0; c < s; c++) {
            double w = p->q0[s * touch->b + c] - a[c];
            square += w * w;
        }
        return sqrt(square) - r[touch->a] - r[touch->b];
    }
    const il_plane *wall = &p->walls[p->type->wall(p, id)];
    double along = -wall->c - r[touch->a];
    for (size_t c = 0; c < s; c++) {
        along += wall->n[c] * a[c];
    }
    return along;
}

/* Radii, walls and touches say of every problem that has radii what its own rows say. Positions and
 * radii are of size 20 at most, and four roundings enter. */
static void radii_and_walls_are_those_of_the_rows(void) {
    const double rounding = 4.0 * 20.0 * DBL_EPSILON;
    static const char *const few[] = {"N=12", NULL};
    static const char *const given[] = {NULL};
    size_t seen = 0;
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        const il_problem_type *type = il_problem_type_at(k);
        if (type->radii == NULL) {
            continue;
        }
        bool sized = strcmp(type->params[0].key, "N") == 0;
        il_test_problem made = il_test_problem_new(type->name, 0.0, sized ? few : given);
        const il_problem *p = made.problem;
        double r[64];
        il_rows rows;
        il_rows_init(&rows);
        CU_ASSERT_FATAL(il_bodies_count(p) > 0 && il_bodies_count(p) <= 64);
        il_bodies_radii(p, 0.0, r);
        CU_ASSERT_EQUAL(il_problem_scan(p, 0.0, p->q0, p->q0, INFINITY, &rows), IL_OK);
        for (size_t i = 0; i < rows.p; i++) {
            il_touch touch = il_bodies_touch(p, &rows, i, 1.0);
            double gap = gap_of(p, r, rows.id[i], &touch);
            CU_ASSERT(fabs(gap - rows.value[i]) <= rounding);
            seen++;
        }
        il_rows_free(&rows);
        il_test_problem_free(&made);
    }
    CU_ASSERT(seen > 100);
}

static const il_test tests[] = {
    {"the floor carries the weight and the change of momentum",
     the_floor_carries_weight_and_momentum},
    {"series add up to the record", series_add_up_to_the_record},
    {"a load is the momentum that is lost", a_load_is_the_momentum_that_is_lost},
    {"both bodies of a pair bear the same", both_bodies_of_a_pair_bear_the_same},
    {"samples hold loads on request", samples_hold_loads_on_request},
    {"radii and walls are those of the rows", radii_and_walls_are_those_of_the_rows},
    {NULL, NULL}};

const il_suite il_suite_snapshots = {"snapshots", tests};
