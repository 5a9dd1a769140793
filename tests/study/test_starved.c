/*
 * test_starved.c - every allocation of what measures, compares and projects fails once: the answer
 * is IL_ENOMEM, and what was begun is freed. Runs and studies that call them are starved in
 * test_memory.c and by `suite faults`, in samples; here nothing is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/measure/deviation.h"
#include "harness/measure/graph.h"
#include "harness/measure/multipliers.h"
#include "harness/measure/pulses.h"
#include "harness/measure/measure.h"
#include "harness/reference/held_contacts.h"
#include "harness/run/registry.h"
#include "harness/study/ensemble/ensemble.h"
#include "harness/study/ensemble/spread.h"
#include "harness/study/hypotheses/derivatives.h"
#include "harness/study/hypotheses/feasible.h"
#include "harness/study/hypotheses/least_distance.h"
#include "tests/support/allocation.h"
#include "tests/support/contract.h"
#include "tests/support/suite.h"

/* None of them makes so many. */
enum { CALLS_MAX = 2000 };

/* What there is to work on: a run and its problem. */
typedef struct {
    il_params *params;
    il_problem *problem;
    il_trajectory run;
    size_t member; /* of a registry, where there is one to try */
} stage;

typedef struct {
    const char *name;
    il_status (*act)(const stage *s, il_error *err);
    /* GSL takes part, whose reserve (harness/base/reserve.h) steps in, or `auto`, which asks a
     * second time whether rows form a chain, with memory by then, and takes whom it would have. */
    bool reserved;
} action;

static il_variant open_problem(stage *s, const char *name) {
    il_variant v = {.type = NULL};
    memset(s, 0, sizeof *s);
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(name, &v.type, NULL), IL_OK);
    s->params = il_contract_params(&v);
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&s->problem, v.type, s->params, 0.0, NULL), IL_OK);
    return v;
}

static void open_stage(stage *s, const char *name) {
    il_variant v = open_problem(s, name);
    il_record record;
    CU_ASSERT_FATAL(
        il_contract_run(&v, il_contract_scheme("moreau_jean"), "newton", 8, &record, &s->run));
    il_record_free(&record);
}

static void close_stage(stage *s) {
    il_trajectory_free(&s->run);
    il_problem_destroy(s->problem);
    il_params_destroy(s->params);
}

/* Without a fault it ends with `right`; with one, by lack of memory, or where there is a reserve as
 * without. */
static void starve(const action *a, const stage *s, il_status right) {
    bool failed = allocation_counted();
    size_t refused = 0;
    for (size_t k = 1; failed && k < CALLS_MAX; k++) {
        il_error err = {IL_OK, ""};
        allocation_fail(k);
        il_status status = a->act(s, &err);
        failed = allocation_failed();
        allocation_fail(0);
        bool told = status == IL_ENOMEM;
        refused += told;
        bool fine = told ? failed : status == right && (!failed || a->reserved);
        if (!fine) {
            (void)printf("\n%s, member %zu, allocation %zu: %s, %s\n", a->name, s->member, k,
                         il_status_name(status), err.message);
        }
        CU_ASSERT(fine);
    }
    CU_ASSERT_FALSE(failed);
    CU_ASSERT(refused > 0 || !allocation_counted());
}

static void starve_all(const action *list, size_t n, const char *problem) {
    stage s;
    open_stage(&s, problem);
    for (size_t k = 0; k < n; k++) {
        starve(&list[k], &s, IL_OK);
    }
    close_stage(&s);
}

/* ---- measures ------------------------------------------------------------------------------- */

static il_status deviate(const stage *s, il_error *err) {
    il_deviation *w = NULL;
    il_status status = il_deviation_create(&w, s->problem->exact, s->problem->d, err);
    il_deviation_destroy(w);
    return status;
}

static il_status press(const stage *s, il_error *err) {
    il_wall_forces *w = NULL;
    il_status status = il_wall_forces_create(&w, s->problem, err);
    il_wall_forces_destroy(w);
    return status;
}

static il_status graph(const stage *s, il_error *err) {
    il_graph a = {.d = 0};
    il_graph b = {.d = 0};
    double distance = 0.0;
    double T = s->problem->horizon;
    il_status status = il_graph_of_run(&a, &s->run, err);
    if (status == IL_OK) {
        status = il_graph_of_exact(&b, s->problem->exact, s->problem->d, T, err);
    }
    if (status == IL_OK) {
        status = il_graph_distance(&a, &b, T, 1.0, &distance, NULL, err);
    }
    il_graph_free(&a);
    il_graph_free(&b);
    return status;
}

static il_status pulse(const stage *s, il_error *err) {
    il_pulses a = {.contacts = 0};
    il_pulses b = {.contacts = 0};
    il_pulses_distance_result distance;
    double T = s->problem->horizon;
    il_status status = il_pulses_of_run(&a, &s->run, err);
    if (status == IL_OK) {
        status = il_pulses_of_exact(&b, s->problem->exact, s->problem->p, T, err);
    }
    if (status == IL_OK) {
        status = il_pulses_distance(&a, &b, T, &distance, err);
    }
    il_pulses_free(&a);
    il_pulses_free(&b);
    return status;
}

static void measures_are_whole_or_memory_ran_out(void) {
    static const action list[] = {
        {"deviation", deviate, false}, {"graphs", graph, false}, {"pulses", pulse, false}};
    starve_all(list, sizeof list / sizeof list[0], "bouncing_ball");
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static il_status derive(const stage *s, il_error *err) {
    il_derivatives_query query = {.problem = s->problem};
    il_derivatives_work *w = NULL;
    il_status status = il_derivatives_create(&w, &query, err);
    il_derivatives_destroy(w);
    return status;
}

static il_status hold(const stage *s, il_error *err) {
    il_held_contacts *w = NULL;
    il_status status =
        il_held_contacts_create(&w, s->problem, il_contract_projector("newton"), err);
    il_held_contacts_destroy(w);
    return status;
}

static il_status stay(const stage *s, il_error *err) {
    il_feasible *set = NULL;
    il_independence found;
    double *x = calloc(s->problem->d, sizeof *x);
    il_status status = x == NULL ? IL_ENOMEM : il_feasible_create(&set, s->problem, err);
    if (status == IL_OK) {
        status = il_feasible_project(set, 0.0, s->problem->q0, s->problem->q0, x, err);
    }
    if (status == IL_OK) {
        status = il_feasible_independence(set, 0.0, s->problem->q0, 1.0, &found, err);
    }
    il_feasible_destroy(set);
    free(x);
    return status;
}

static il_status gather(const stage *s, il_error *err) {
    il_ensemble *e = NULL;
    il_status status = il_ensemble_create(&e, s->problem->type, 3, 1e-10, err);
    if (status == IL_OK) {
        const il_state start = {.q = s->run.q, .u = s->run.u};
        il_observer base = il_ensemble_observer(e, 0);
        status = base.begin(base.self, s->problem, 8, &start, err);
    }
    il_ensemble_destroy(e);
    return status;
}

static il_status scatter(const stage *s, il_error *err) {
    static const double x[2] = {1.0, 2.0};
    static const double size[2] = {1e-15, 1e-12};
    il_spread_query q = {.value = 1.0, .n = 2, .x = x, .size = size, .scale = 1.0};
    il_spread out;
    (void)s;
    return il_spread_of(&q, &out, err);
}

static il_status approach(const stage *s, il_error *err) {
    static const double g[4] = {1.0, 0.0, 0.6, 0.8};
    static const double h[2] = {1.0, 1.0};
    il_polyhedron p = {.p = 2, .d = 2, .g = g, .h = h};
    double y[2];
    double lambda[2];
    (void)s;
    return il_least_distance(&p, y, lambda, err);
}

/* Two equal rows share what pushes. */
static il_status share(const stage *s, il_error *err) {
    static const double chosen[3] = {1.0, 0.0, 2.0};
    static const double coef[2] = {1.0, -1.0};
    static const size_t col[2] = {0, 1};
    il_rows rows = {.p = 0};
    il_multipliers m = {.contacts = 0};
    il_status status = IL_OK;
    (void)s;
    for (size_t i = 0; status == IL_OK && i < 3; i++) {
        status = il_rows_append(&rows, i, 0.0, 0.0, i < 2 ? 1 : 2, col, coef);
    }
    if (status == IL_OK) {
        status = il_multipliers_compute(&m, 2, &rows, chosen, err);
    }
    il_multipliers_free(&m);
    il_rows_free(&rows);
    return status;
}

static void comparisons_are_whole_or_memory_ran_out(void) {
    static const action list[] = {
        {"derivatives", derive, false},       {"held contacts", hold, true},
        {"feasible set", stay, true},         {"ensemble", gather, false},
        {"spread", scatter, false},           {"least distance", approach, true},
        {"range of multipliers", share, true}};
    starve_all(list, sizeof list / sizeof list[0], "two_spheres");
}

static void wall_forces_are_whole_or_memory_ran_out(void) {
    static const action list[] = {{"wall forces", press, false}};
    starve_all(list, 1, "pile");
}

/* ---- projectors ----------------------------------------------------------------------------- */

enum { BODIES = 9 };

/* Bodies on a line that must stay apart by 1, and a wall: from 0 each. */
static il_status press_together(const stage *s, const il_metric *mass, il_error *err) {
    const il_projector_type *type = il_projector_type_at(s->member);
    const il_projector_options options = {.tolerance = 0.0};
    double target[BODIES] = {0.0};
    double a[BODIES];
    double x[BODIES];
    double lambda[BODIES] = {0.0};
    il_rows rows = {.p = 0};
    void *self = NULL;
    il_status status = IL_OK;
    for (size_t i = 0; status == IL_OK && i < BODIES; i++) {
        const size_t col[2] = {i > 0 ? i - 1 : 0, i};
        const double coef[2] = {i > 0 ? -1.0 : 1.0, 1.0};
        a[i] = -1.0;
        status = il_rows_append(&rows, i, -1.0, 0.0, i > 0 ? 2 : 1, col, coef);
    }
    if (status == IL_OK) {
        status = type->create(&self, &options, err);
    }
    if (status == IL_OK) {
        il_qp qp = {
            .d = BODIES, .mass = mass, .target = target, .rows = &rows, .a = a, .scale = 1.0};
        il_projection_info info;
        status = type->solve(self, &qp, x, lambda, &info);
    }
    if (self != NULL) {
        type->destroy(self);
    }
    il_rows_free(&rows);
    return status;
}

static il_status project(const stage *s, il_error *err) {
    static const double ones[BODIES] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    il_metric *mass = NULL;
    il_status status = il_metric_diagonal(&mass, BODIES, ones, err);
    if (status == IL_OK) {
        status = press_together(s, mass, err);
    }
    il_metric_destroy(mass);
    return status;
}

static void projections_are_whole_or_memory_ran_out(void) {
    static const action projection = {"projection", project, true};
    stage s = {.member = 0};
    size_t solved = 0;
    for (; il_projector_type_at(s.member) != NULL; s.member++) {
        il_status right = project(&s, NULL); /* one_row does not take so many rows */
        CU_ASSERT(right == IL_OK || right == IL_EUNSUPPORTED);
        solved += right == IL_OK;
        starve(&projection, &s, right);
    }
    CU_ASSERT(solved > 3);
}

/* ---- schemes -------------------------------------------------------------------------------- */

enum { PLACES_MAX = 16, QUARTERS = 4 };

/* A scheme of the registry is made and makes a run of four steps. */
static il_status advance(const stage *s, il_error *err) {
    const il_scheme_type *type = il_scheme_type_at(s->member);
    il_scheme_options options = {
        .type = type, .projector = il_contract_projector("newton"), .certify = true};
    double place[QUARTERS + 1][2][PLACES_MAX];
    double h = s->problem->horizon / QUARTERS;
    il_params *params = NULL;
    void *self = NULL;
    il_status status = il_scheme_admits(type, s->problem, err);
    if (status == IL_OK) {
        status = il_scheme_params(type, il_contract_settings(type), &params, err);
    }
    if (status == IL_OK) {
        options.params = params;
        status = type->create(&self, s->problem, &options, err);
    }
    memcpy(place[0][0], s->problem->q0, s->problem->d * sizeof *s->problem->q0);
    memcpy(place[0][1], s->problem->u0, s->problem->d * sizeof *s->problem->u0);
    for (int n = 0; status == IL_OK && n < QUARTERS; n++) {
        il_state in = {.q = place[n][0], .u = place[n][1]};
        il_state out = {.q = place[n + 1][0], .u = place[n + 1][1]};
        il_step_report report;
        status = type->step(self, h * n, h * (n + 1), &in, &out, &report, err);
    }
    if (self != NULL) {
        type->destroy(self);
    }
    il_params_destroy(params);
    return status;
}

static void steps_are_whole_or_memory_ran_out(void) {
    static const action steps = {"steps", advance, true};
    static const char *const problems[] = {"bouncing_ball", "growing_radii", "labyrinth"};
    size_t made = 0;
    for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++) {
        stage s;
        open_problem(&s, problems[k]);
        CU_ASSERT_FATAL(s.problem->d <= PLACES_MAX);
        for (; il_scheme_type_at(s.member) != NULL; s.member++) {
            il_status right = advance(&s, NULL);
            CU_ASSERT(right == IL_OK || right == IL_EUNSUPPORTED);
            if (right == IL_OK) {
                made++;
                starve(&steps, &s, right);
            }
        }
        close_stage(&s);
    }
    CU_ASSERT(made > 12);
}

static const il_test tests[] = {
    {"measures are whole, or memory ran out", measures_are_whole_or_memory_ran_out},
    {"comparisons are whole, or memory ran out", comparisons_are_whole_or_memory_ran_out},
    {"wall forces are whole, or memory ran out", wall_forces_are_whole_or_memory_ran_out},
    {"projections are whole, or memory ran out", projections_are_whole_or_memory_ran_out},
    {"steps are whole, or memory ran out", steps_are_whole_or_memory_ran_out},
    {NULL, NULL}};

extern const il_suite il_suite_starved;
const il_suite il_suite_starved = {"starved", tests};
