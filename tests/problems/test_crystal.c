/*
 * test_crystal.c - the hexagonal piles: their counts, and rest as a solution, judged by the
 * inclusion and not by the formulas that made them.
 */
#include <math.h>

#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* Coordinates below 10, distances of a few roundings. */
static const double TOUCH = 1e-14;

/* The cone of the active gradients is searched by non-negative least squares; what is left over is
 * rounding of up to a hundred forces of order one. */
static const double ROUNDING = 1e-12;

typedef struct {
    const char *sets[6];
    size_t N, contacts;
} counted;

static const counted cases[] = {
    {{"support=wedge", "rows=1", NULL}, 1, 2},
    {{"support=wedge", "rows=2", "masses=3,1,2", NULL}, 3, 7},
    {{"support=wedge", "rows=4", "radius=0.2", NULL}, 10, 26},
    {{"support=box", "rows=1", NULL}, 1, 3},
    /* 2 discs on the floor (2), wall to wall (3), one on top (2) */
    {{"support=box", "rows=2", NULL}, 3, 7},
    /* floor 3, rows 3 + 3 walls and discs: 4, 1, 4; between rows 4 + 4 */
    {{"support=box", "rows=3", "gravity=9.81", NULL}, 8, 20},
    {{"support=free", "rows=1", NULL}, 1, 0},
    {{"support=free", "rows=2", NULL}, 7, 12},
    {{"support=free", "rows=3", "masses=2", "pressure=7", NULL}, 19, 42}};

static size_t touching(const il_problem *problem, double *overlap) {
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL(il_problem_scan(problem, 0.0, problem->q0, problem->q0, TOUCH, &rows), IL_OK);
    *overlap = 0.0;
    for (size_t i = 0; i < rows.p; i++) {
        *overlap = fmax(*overlap, -rows.value[i]);
    }
    size_t n = rows.p;
    il_rows_free(&rows);
    return n;
}

static void discs_and_contacts_are_counted(void) {
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        il_test_problem made = il_test_problem_new("crystal", 0.0, cases[k].sets);
        double overlap = NAN;
        CU_ASSERT_EQUAL(made.problem->d, 2 * cases[k].N);
        CU_ASSERT_EQUAL(touching(made.problem, &overlap), cases[k].contacts);
        CU_ASSERT(overlap <= TOUCH);
        il_test_problem_free(&made);
    }
}

static il_residual residual(const char *const *sets) {
    il_test_problem made = il_test_problem_new("crystal", 0.0, sets);
    il_residual r = il_residual_of(made.problem, 0, 1, TOUCH);
    il_test_problem_free(&made);
    return r;
}

static void rest_is_a_solution(void) {
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        il_residual r = residual(cases[k].sets);
        CU_ASSERT(r.start == 0.0 && r.kinematics == 0.0 && r.continuity == 0.0);
        CU_ASSERT(r.infeasible <= TOUCH);
        CU_ASSERT(r.dynamics <= ROUNDING);
        CU_ASSERT(r.impact <= ROUNDING && r.momentum <= ROUNDING);
    }
}

/* A planted mistake: with the weight turned upside down rest is no solution, as the wedge has no
 * lid; half of the weight, or a tenth, is left over at least. */
static void lift(const il_problem *self, double t, const double *q, double *f) {
    const double *mass = il_metric_masses(self->mass);
    (void)t;
    (void)q;
    for (size_t k = 0; k < self->d; k++) {
        f[k] = k % 2 == 1 ? mass[k] : 0.0;
    }
}

static void a_lift_is_not_carried(void) {
    il_test_problem made = il_test_problem_new("crystal", 0.0, cases[2].sets);
    il_problem_type type = *made.problem->type;
    il_problem lifted = *made.problem;
    type.force_mean = NULL;
    type.force = lift;
    lifted.type = &type;
    CU_ASSERT(il_residual_of(&lifted, 0, 1, TOUCH).dynamics >= 0.1);
    il_test_problem_free(&made);
}

/* Rest at every step, to the rounding of a gap over the step, which grows by itself at most as the
 * number of steps: 1e-16 * 64 * 64. */
static void schemes_stay_at_rest(void) {
    const char *const names[] = {"maury", "venel", "paoli"};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (size_t s = 0; s < 3; s++) {
            il_test_problem made = il_test_problem_new("crystal", 0.0, cases[k].sets);
            il_run_spec spec = {.problem = made.problem->type, .params = made.params, .steps = 64};
            il_record record = {0};
            CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(names[s], &spec.scheme, NULL), IL_OK);
            CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
            CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, NULL), IL_OK);
            CU_ASSERT_EQUAL(record.status, IL_OK);
            CU_ASSERT_EQUAL(record.ndistances, 1);
            CU_ASSERT(record.distances[0].error.q_Linf <= ROUNDING);
            CU_ASSERT(record.distances[0].error.u_L1 <= ROUNDING);
            il_record_free(&record);
            il_test_problem_free(&made);
        }
    }
}

static const il_test tests[] = {{"discs and contacts are counted", discs_and_contacts_are_counted},
                                {"rest is a solution", rest_is_a_solution},
                                {"a lift is not carried", a_lift_is_not_carried},
                                {"schemes stay at rest", schemes_stay_at_rest},
                                {NULL, NULL}};

const il_suite il_suite_crystal = {"crystal", tests};
