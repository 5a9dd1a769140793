/*
 * test_residual.c - the judge of exact motions, tests/support/residual.h, finds what is wrong with
 * motions of two_spheres: each planted fault in the one number that it belongs to.
 */
#include "tests/support/residual.h"
#include "tests/support/suite.h"

enum { SPACE = 3, DIM = 6, SAMPLES = 24 };

/* Positions and velocities are O(1) to O(10) and go through some ten operations: 1e-15 each. The
 * kinematic residual adds up SAMPLES x 16 Gauss points. */
static const double RESIDUAL = 1e-12;
/* Contact as the residual sees it: the rounding of |w| - R, with room for |q| of order 10. */
static const double ACTIVE = 1e-12;
/* A wrong motion here is wrong by O(0.1) or more. */
static const double CAUGHT = 1e-2;

#define FREE(...) ((const char *const[]){"scenario=free", __VA_ARGS__, NULL})
#define PRESSED(...) ((const char *const[]){"scenario=pressed", __VA_ARGS__, NULL})

typedef enum { GHOST, ELASTIC, STUCK, HURRIED, SHIFTED } fault;

typedef struct {
    const il_problem *problem;
    fault fault;
} wrong;

/* The free motion with a fault after (or, HURRIED, all along) the impact. */
static void wrong_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const wrong *w = exact->data;
    const il_problem *problem = w->problem;
    const double *m = il_metric_masses(problem->mass);
    double impact = problem->exact->breaks[1];
    double before[DIM];
    double at[DIM];
    double after[DIM];
    problem->exact->eval(problem->exact, t, side, q, u);
    if (w->fault == HURRIED) {
        u[4] += 1e-3; /* the velocity is not the derivative of the position */
        return;
    }
    if (t < impact || (t == impact && side < 0)) {
        return;
    }
    problem->exact->eval(problem->exact, impact, -1, at, before);
    problem->exact->eval(problem->exact, impact, 1, at, after);
    for (int k = 0; k < DIM; k++) {
        double common =
            (m[0] * before[k % SPACE] + m[SPACE] * before[SPACE + k % SPACE]) / (m[0] + m[SPACE]);
        u[k] = w->fault == GHOST     ? before[k]
               : w->fault == ELASTIC ? 2.0 * after[k] - before[k]
               : w->fault == STUCK   ? common
                                     : after[k];
        q[k] = at[k] + (t - impact) * u[k] + (w->fault == SHIFTED ? 0.1 : 0.0);
    }
}

static il_residual residual_of_wrong(fault kind) {
    il_test_problem made = il_test_problem_new("two_spheres", 0.0, NULL);
    wrong w = {made.problem, kind};
    il_residual r = il_residual_of_other(made.problem, wrong_eval, &w, SAMPLES, ACTIVE);
    il_test_problem_free(&made);
    return r;
}

static void residual_finds_wrong_motions(void) {
    il_residual r = residual_of_wrong(GHOST); /* one sphere passes through the other */
    CU_ASSERT(r.infeasible >= CAUGHT);
    CU_ASSERT(r.impact >= CAUGHT);
    CU_ASSERT(r.kinematics <= RESIDUAL);
    r = residual_of_wrong(ELASTIC); /* admissible but for the law of impact */
    CU_ASSERT(r.impact >= CAUGHT);
    CU_ASSERT(r.infeasible <= RESIDUAL);
    CU_ASSERT(r.momentum <= RESIDUAL);
    r = residual_of_wrong(STUCK); /* friction: the impulse is not normal */
    CU_ASSERT(r.impact >= CAUGHT);
    CU_ASSERT(r.momentum >= CAUGHT);
    r = residual_of_wrong(HURRIED);
    CU_ASSERT(r.kinematics >= 1e-4);
    r = residual_of_wrong(SHIFTED);
    CU_ASSERT(r.continuity >= CAUGHT);
}

/* Without the force the pressed motion leaves the cone; with the wrong masses the impulse does. */
static void residual_knows_the_force(void) {
    il_test_problem pulled = il_test_problem_new("two_spheres", 0.0, PRESSED("F=2,0,0"));
    il_test_problem idle = il_test_problem_new("two_spheres", 0.0, NULL);
    il_problem mixed = *idle.problem;
    mixed.exact = pulled.problem->exact;
    CU_ASSERT(il_residual_of(&mixed, 0, SAMPLES, ACTIVE).dynamics >= CAUGHT);
    il_test_problem heavy = il_test_problem_new("two_spheres", 0.0, FREE("masses=1,5"));
    mixed = *heavy.problem;
    mixed.exact = idle.problem->exact;
    CU_ASSERT(il_residual_of(&mixed, 0, SAMPLES, ACTIVE).impact >= CAUGHT);
    il_test_problem_free(&heavy);
    il_test_problem_free(&idle);
    il_test_problem_free(&pulled);
}

static const il_test tests[] = {{"the residual finds wrong motions", residual_finds_wrong_motions},
                                {"the residual knows force and masses", residual_knows_the_force},
                                {NULL, NULL}};

const il_suite il_suite_residual = {"residual", tests};
