/*
 * test_feasible.c - projections and cones of feasible sets against closed forms.
 */
#include <math.h>
#include <string.h>

#include "harness/study/hypotheses/feasible.h"
#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

/* A fixed point of projections that are right to some hundred roundings. */
static const double TOLERANCE = 1e-12;

typedef struct {
    il_params *params;
    il_problem *problem;
    il_feasible *set;
} stage;

static void open_stage(stage *s, const char *name, const char *key, const char *value) {
    const il_problem_type *type = NULL;
    *s = (stage){NULL, NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(name, &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&s->params, type->params, NULL), IL_OK);
    if (key != NULL) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(s->params, key, value, NULL), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&s->problem, type, s->params, 0.0, NULL), IL_OK);
    s->set = il_feasible_create(s->problem);
}

static void close_stage(stage *s) {
    il_feasible_destroy(s->set);
    il_problem_destroy(s->problem);
    il_params_destroy(s->params);
}

/* Overlapping spheres go apart along the line of centres by half of the overlap each: the Euclidean
 * projection, whatever the masses (1 and 2 here). */
static void spheres_are_pushed_apart(void) {
    const double target[] = {0, 0, 0, 0.3, 0.4, 0}; /* 0.5 apart; the radii make 0.9 */
    double x[6];
    stage s;
    open_stage(&s, "two_spheres", NULL, NULL);
    CU_ASSERT_EQUAL(il_feasible_project(s.set, 0.0, target, target, x, NULL), IL_OK);
    const double wanted[] = {-0.12, -0.16, 0, 0.42, 0.56, 0};
    for (int k = 0; k < 6; k++) {
        CU_ASSERT(fabs(x[k] - wanted[k]) <= TOLERANCE);
    }
    close_stage(&s);
}

/* In the metric of M the momentum is shared: masses 1 and 2 meet head on with speeds 3 and 0 and go
 * on together with speed 1. */
static void velocities_are_projected_in_the_metric(void) {
    const double q[] = {0, 0, 0, 0.9, 0, 0};
    const double v[] = {3, 1, 0, 0, 0, 2};
    double out[6];
    stage s;
    open_stage(&s, "two_spheres", NULL, NULL);
    CU_ASSERT_EQUAL(il_feasible_velocity(s.set, 0.0, q, v, 1e-12, false, out, NULL), IL_OK);
    const double wanted[] = {1, 1, 0, 1, 0, 2};
    for (int k = 0; k < 6; k++) {
        CU_ASSERT(fabs(out[k] - wanted[k]) <= TOLERANCE);
    }
    for (int k = 0; k < 6; k++) { /* across the line of centres nothing pushes: the same bits */
        CU_ASSERT(k % 3 == 0 || out[k] == v[k]);
    }
    close_stage(&s);
}

/* vibroimpact at its corner (2,-1): gradients (1,1) and (-1,1), both rates 1. */
static void the_corner_has_its_constants(void) {
    const double corner[] = {2, -1};
    const double below[] = {2.1, -1.9};
    const double v[] = {0.25, -3};
    double x[2];
    il_independence found;
    stage s;
    open_stage(&s, "vibroimpact", "scenario", "corner");
    CU_ASSERT_EQUAL(il_feasible_independence(s.set, 0.0, corner, 1e-12, &found, NULL), IL_OK);
    CU_ASSERT_EQUAL(found.rows, 2);
    CU_ASSERT(fabs(found.slope - 1.0) <= TOLERANCE);         /* v = (0,1) */
    CU_ASSERT(fabs(found.inverse - sqrt(0.5)) <= TOLERANCE); /* cos 45 degrees */
    CU_ASSERT(fabs(found.angle) <= TOLERANCE);               /* a right angle */
    CU_ASSERT_EQUAL(il_feasible_project(s.set, 0.0, below, below, x, NULL), IL_OK);
    CU_ASSERT(fabs(x[0] - 2.0) <= TOLERANCE && fabs(x[1] + 1.0) <= TOLERANCE);
    /* y' >= |x'| - 1 with the walls' rate, y' >= |x'| without */
    CU_ASSERT_EQUAL(il_feasible_velocity(s.set, 0.0, corner, v, 1e-12, false, x, NULL), IL_OK);
    CU_ASSERT(fabs(x[0]) <= TOLERANCE && fabs(x[1] + 1.0) <= TOLERANCE);
    CU_ASSERT_EQUAL(il_feasible_velocity(s.set, 0.0, corner, v, 1e-12, true, x, NULL), IL_OK);
    CU_ASSERT(fabs(x[0]) <= TOLERANCE && fabs(x[1]) <= TOLERANCE);
    close_stage(&s);
}

/* Opposite gradients: no direction raises both. */
static void a_slot_has_no_slope(void) {
    il_stage_try_file("tests/lua/set.lua", 12);
}

static const il_test tests[] = {
    {"spheres are pushed apart", spheres_are_pushed_apart},
    {"velocities are projected in the metric", velocities_are_projected_in_the_metric},
    {"the corner has its constants", the_corner_has_its_constants},
    {"lab.set tells what it finds and refuses what it cannot", a_slot_has_no_slope},
    {NULL, NULL}};
const il_suite il_suite_feasible = {"feasible", tests};
