/*
 * test_sticky.c - the exact sticky particles: judged by the inclusion, by the projection formula,
 * and against every scheme.
 */
#include <math.h>
#include <string.h>

#include "harness/run/run.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Positions and speeds of order one, N <= 40 bodies, each merger a few roundings. */
static const double ROUNDING = 1e-12;

/* The issue's own bound for equal final states. */
static const double SAME_STATE = 1e-10;

static const char *const defaults[] = {NULL};
static const char *const heavy[] = {"N=12", "masses=1,3,0.2,1,5,1,1,0.01,2,1,1,4", "seed=7", NULL};
static const char *const wide[] = {"N=5", "q0=0,0.3,0.7,1.5,1.8", "u0=0.9,-0.4,0.2,-1,-0.3",
                                   "radii=0.1,0.2,0.2,0.1,0.05", NULL};
/* Touching at the start: two that close and two that part. */
static const char *const touching[] = {"N=4", "q0=0,0.2,0.4,1", "u0=1,0,0.5,-1", "radii=0.1", NULL};
static const char *const alone[] = {"N=1", "q0=0.5", "u0=-2", NULL};

static void the_inclusion_holds(void) {
    const char *const *const cases[] = {defaults, heavy, wide, touching, alone};
    const il_residual most = il_residual_within(ROUNDING);
    for (size_t k = 0; k < 5; k++) {
        il_expect_solution("sticky", cases[k], 1e-11, &most);
    }
}

/* P_K(z) by the minimax formula of isotonic regression (Robertson, Wright & Dykstra, 1.4):
 * x_i = max_{a <= i} min_{b >= i} mean(z_a..z_b). Not an algorithm anybody would use; another one
 * than the collisions that the problem follows. */
static double minimax(const double *z, const double *m, size_t n, size_t i) {
    double best = -INFINITY;
    for (size_t a = 0; a <= i; a++) {
        double least = INFINITY;
        double mass = 0.0;
        double moment = 0.0;
        for (size_t b = a; b < n; b++) {
            mass += m[b];
            moment += m[b] * z[b];
            if (b >= i) {
                least = fmin(least, moment / mass);
            }
        }
        best = fmax(best, least);
    }
    return best;
}

static void the_projection_formula_holds(void) {
    const char *const *const cases[] = {defaults, heavy, wide, touching, alone};
    for (size_t k = 0; k < 5; k++) {
        il_test_problem made = il_test_problem_new("sticky", 0.0, cases[k]);
        const il_problem *p = made.problem;
        const double *m = il_metric_masses(p->mass);
        double shift[40] = {0.0};
        double z[40];
        double q[40];
        double u[40];
        il_rows rows;
        il_rows_init(&rows);
        CU_ASSERT_EQUAL_FATAL(il_problem_scan(p, 0.0, p->q0, p->q0, INFINITY, &rows), IL_OK);
        for (size_t i = 0; i + 1 < p->d; i++) { /* g = q_{i+1} - q_i - gap */
            shift[i + 1] = shift[i] + (p->q0[i + 1] - p->q0[i]) - rows.value[i];
        }
        il_rows_free(&rows);
        for (int j = 0; j <= 20; j++) {
            double t = p->horizon * j / 20.0;
            p->exact->eval(p->exact, t, 1, q, u);
            for (size_t i = 0; i < p->d; i++) {
                z[i] = p->q0[i] + t * p->u0[i] - shift[i];
            }
            for (size_t i = 0; i < p->d; i++) {
                CU_ASSERT(fabs(q[i] - shift[i] - minimax(z, m, p->d, i)) <= ROUNDING);
            }
        }
        il_test_problem_free(&made);
    }
}

/* Maury, section 6.2: the same final state for h = 0.01, 0.5 and 1.5, by every scheme that projects
 * positions. */
static void large_steps_end_alike(void) {
    const double steps[3] = {0.01, 0.5, 1.5};
    double first[60];
    bool known = false;
    for (size_t s = 0; il_scheme_type_at(s) != NULL; s++) {
        for (int k = 0; k < 3; k++) {
            il_params *params = NULL;
            const il_problem_type *type = NULL;
            const il_projector_type *projector = NULL;
            CU_ASSERT_EQUAL_FATAL(il_problem_type_find("sticky", &type, NULL), IL_OK);
            CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &projector, NULL), IL_OK);
            CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, NULL), IL_OK);
            il_run_spec spec = {.problem = type,
                                .params = params,
                                .scheme = il_scheme_type_at(s),
                                .projector = projector,
                                .h = steps[k]};
            il_record record = {0};
            if (spec.scheme->projects_positions && il_run(&spec, &record, NULL, NULL) == IL_OK) {
                CU_ASSERT_EQUAL(record.status, IL_OK);
                if (!known) {
                    known = true;
                    memcpy(first, record.q, 60 * sizeof *first);
                    /* one cluster: a common speed */
                    CU_ASSERT(fabs(record.u[0] - record.u[29]) <= ROUNDING);
                }
                for (size_t i = 0; i < 60; i++) { /* q, then u behind it */
                    CU_ASSERT(fabs(record.q[i] - first[i]) <= SAME_STATE);
                }
            }
            il_record_free(&record);
            il_params_destroy(params);
        }
    }
}

/* The least error of a loose projector is in the gaps, never in the momentum (Remark 10). */
static void momentum_survives_a_loose_projector(void) {
    const double tolerances[3] = {1e-2, 1e-4, 1e-8};
    double overlap = 1.0;
    for (int k = 0; k < 3; k++) {
        il_params *params = NULL;
        il_run_spec spec = {.projection = {.tolerance = tolerances[k]}, .steps = 60};
        CU_ASSERT_EQUAL_FATAL(il_problem_type_find("sticky", &spec.problem, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &spec.scheme, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_projector_type_find("uzawa", &spec.projector, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_params_create(&params, spec.problem->params, NULL), IL_OK);
        spec.params = params;
        il_record record = {0};
        CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, NULL), IL_OK);
        CU_ASSERT_EQUAL(record.status, IL_OK);
        CU_ASSERT(record.measure.momentum_drift <= 30.0 * 60.0 * 2.3e-16);
        CU_ASSERT(record.measure.centre_drift <= 30.0 * 60.0 * 2.3e-16);
        CU_ASSERT(record.measure.nodes_min < 0.0 && -record.measure.nodes_min < overlap);
        overlap = -record.measure.nodes_min;
        il_record_free(&record);
        il_params_destroy(params);
    }
}

/* 1500 bodies: too many rows to offer all, so the step solves with the violated ones and must find
 * the others. A hidden violation would leave an overlap, and the final state would not be exact. */
static void the_selection_of_rows_is_certified(void) {
    il_params *params = NULL;
    il_run_spec spec = {.steps = 7};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("sticky", &spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, spec.problem->params, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "N", "1500", NULL), IL_OK);
    spec.params = params;
    il_record record = {0};
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    CU_ASSERT(record.solves > record.steps); /* rows were found that the first round lacked */
    CU_ASSERT(record.rows_solved < 7 * 1499);
    CU_ASSERT(record.measure.nodes_min >= -1e-12);
    CU_ASSERT(record.distances[0].error.final_q <= 1e-10); /* 1500 bodies, clusters of hundreds */
    il_record_free(&record);
    il_params_destroy(params);
}

static const il_test tests[] = {
    {"the inclusion holds", the_inclusion_holds},
    {"the projection formula holds", the_projection_formula_holds},
    {"large steps end alike", large_steps_end_alike},
    {"momentum survives a loose projector", momentum_survives_a_loose_projector},
    {"the selection of rows is certified", the_selection_of_rows_is_certified},
    {NULL, NULL}};

const il_suite il_suite_sticky = {"sticky", tests};
