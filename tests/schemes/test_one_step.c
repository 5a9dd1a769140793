/*
 * test_one_step.c - single steps by hand, where the times in them matter: a drift that depends on
 * time, and contacts predicted of a wall that moves.
 */
#include <math.h>
#include <string.h>

#include "harness/run/registry.h"
#include "schemes/assembly.h"
#include "tests/support/suite.h"

/* A point of mass 1 on a line above a wall at speed * t + below, f = t. */
typedef struct {
    double below, speed;
} moving_wall;

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const size_t col = 0;
    static const double coef = 1.0;
    const moving_wall *w = self->data;
    il_rows_append(rows, id, q[0] - w->below - w->speed * t, -w->speed, 1, &col, &coef);
    return IL_OK;
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    (void)self;
    (void)q;
    f[0] = t;
}

static const il_problem_type type = {.name = "moving_wall", .row = row, .force = force};
static const il_problem_type free_type = {.name = "moving_wall", .row = row};

typedef struct {
    il_problem problem;
    moving_wall wall;
    double q0, u0;
} stage;

static void open_stage(stage *w, const il_problem_type *of, int order, double below, double speed) {
    static const double mass = 1.0;
    *w = (stage){.wall = {below, speed}};
    w->problem = (il_problem){.type = of,
                              .order = order,
                              .d = 1,
                              .p = 1,
                              .horizon = 4.0,
                              .traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_FORCE_OF_TIME,
                              .q0 = &w->q0,
                              .u0 = &w->u0,
                              .data = &w->wall};
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w->problem.mass, 1, &mass, NULL), IL_OK);
}

/* One step of a scheme, "NAME:settings", from (q, u) at t0 to t1. */
static void step(const stage *w, const char *name, double t0, double t1, double *q, double *u) {
    il_scheme_choice choice;
    il_scheme_options options = {.projector = il_projector_type_default(), .certify = true};
    il_params *params = NULL;
    void *scheme = NULL;
    double q1 = NAN;
    double u1 = NAN;
    il_contacts before = {.n = 0};
    il_contacts after = {.n = 0};
    il_state in = {.q = q, .u = u, .contacts = &before};
    il_state out = {.q = &q1, .u = &u1, .contacts = &after};
    il_step_report report;
    CU_ASSERT_EQUAL_FATAL(il_scheme_choose(name, &choice, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_params(choice.type, choice.settings, &params, NULL), IL_OK);
    options.params = params;
    CU_ASSERT_EQUAL_FATAL(choice.type->create(&scheme, &w->problem, &options, NULL), IL_OK);
    CU_ASSERT_EQUAL(choice.type->step(scheme, t0, t1, &in, &out, &report, NULL), IL_OK);
    *q = q1;
    *u = u1;
    choice.type->destroy(scheme);
    il_params_destroy(params);
    il_contacts_free(&before);
    il_contacts_free(&after);
}

/* q' = t from 2 at t = 1, far above the wall: q_n + h f(t_n) is 2 + 1/2, by every scheme. */
static void a_drift_is_taken_where_a_step_begins(void) {
    size_t schemes = 0;
    for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
        const il_scheme_type *scheme = il_scheme_type_at(k);
        stage w;
        double q = 2.0;
        double u = 1.0;
        if ((scheme->orders & 1u) == 0) {
            continue;
        }
        schemes++;
        open_stage(&w, &type, 1, -64.0, 0.0);
        step(&w, scheme->name, 1.0, 1.5, &q, &u);
        CU_ASSERT(fabs(q - 2.5) <= 1e-12);
        il_metric_destroy(w.problem.mass);
    }
    CU_ASSERT(schemes >= 4);
}

/* The same by steps that are put together. */
static void so_it_is_in_steps_put_together(void) {
    stage w;
    il_assembly *assembly = NULL;
    il_scheme_options options = {.projector = il_projector_type_default(), .certify = true};
    double q = 2.0;
    double u = 1.0;
    double q1 = NAN;
    double u1 = NAN;
    double f = NAN;
    il_state in = {.q = &q, .u = &u};
    il_state out = {.q = &q1, .u = &u1};
    open_stage(&w, &type, 1, -64.0, 0.0);
    CU_ASSERT_EQUAL_FATAL(il_assembly_create(&assembly, &w.problem, &options, NULL), IL_OK);
    il_assembly_begin(assembly, 1.0, 1.5, &in, &out);
    CU_ASSERT_EQUAL(il_assembly_force(assembly, &q, &f, NULL), IL_OK);
    CU_ASSERT_EQUAL(f, 1.0);
    il_assembly_destroy(assembly);
    il_metric_destroy(w.problem.mass);
}

/* A body at rest half a way h c above a wall that comes up with speed c: at t_n + gamma h the wall
 * has come gamma h c, so it is a contact for gamma > 1/2, and then moves with the wall. */
static void contacts_are_predicted_at_gamma_of_the_step(void) {
    static const struct {
        const char *scheme;
        double u;
    } cases[] = {{"moreau_jean:gamma=0.25", 0.0}, {"moreau_jean:gamma=0.4", 0.0},
                 {"moreau_jean:gamma=0.6", 2.0},  {"moreau_jean:gamma=0.75", 2.0},
                 {"moreau_jean:gamma=0", 0.0},    {"moreau_jean:gamma=1", 2.0}};
    const double h = 0.125;
    const double c = 2.0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        stage w;
        double q = 1.0 * c + 0.5 * h * c; /* the wall is at c t */
        double u = 0.0;
        open_stage(&w, &free_type, 2, 0.0, c);
        step(&w, cases[k].scheme, 1.0, 1.0 + h, &q, &u);
        CU_ASSERT(fabs(u - cases[k].u) <= 1e-14);
        il_metric_destroy(w.problem.mass);
    }
}

static const il_test tests[] = {
    {"a drift is taken where a step begins", a_drift_is_taken_where_a_step_begins},
    {"so it is in steps put together", so_it_is_in_steps_put_together},
    {"contacts are predicted at gamma of the step", contacts_are_predicted_at_gamma_of_the_step},
    {NULL, NULL}};

const il_suite il_suite_one_step = {"one step", tests};
