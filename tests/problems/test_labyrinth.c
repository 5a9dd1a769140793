/*
 * test_labyrinth.c - the exact path of a ball under tilts: against the inclusion, for the board of
 * the problem and for boards at random, and against arcs worked out by hand.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/run.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Coordinates of about ten, a few roundings an event, some twenty events; divided by lengths of
 * pieces of 1e-2 and more. */
static const double ROUNDING = 1e-10;

/* Contacts are met to the rounding of positions. */
static const double ACTIVE = 1e-10;

static void expect_solution(const char *const *sets) {
    const il_residual most = il_residual_within(ROUNDING);
    il_expect_solution("labyrinth", sets, ACTIVE, &most);
}

/* Order 1 asks for more than the inclusion: the velocity is the one of least distance to f, which
 * for fixed sets is automatic; so the inclusion at almost all times, feasibility and continuity
 * together single out the solution (Venel, Theorem 2.12). */
static void the_inclusion_holds(void) {
    static const char *const cases[][5] = {
        {NULL},
        {"radius=0.35", NULL},
        {"times=3,11", NULL},
        {"f=0.2,-1,1,0.7,-1,0.1", NULL},
        {"q0=1,1", "f=1,0,0,1,-1,-1", NULL},
        {"q0=2.5,7", "f=0,-1,1,-1,1,1", NULL}, /* straight onto a hole: it stays on top */
        {"holes=6,4,1,7.5,4,1", "walls=0,0,12,0", "f=0.1,-1,0.3,1,1,0", "q0=6.7,7", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        expect_solution(cases[k]);
    }
}

/* Boards at random: a frame, two walls, five holes of which some overlap, and a start that is free.
 */
static void it_holds_at_random(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    int tried = 0;
    for (int k = 0; k < 60; k++) {
        char text[4][512];
        double x[32];
        for (int i = 0; i < 32; i++) {
            x[i] = gsl_rng_uniform(rng);
        }
        double start[2] = {1.0 + 8.0 * x[0], 1.0 + 8.0 * x[1]};
        (void)snprintf(text[0], sizeof text[0], "q0=%.17g,%.17g", start[0], start[1]);
        (void)snprintf(text[1], sizeof text[1], "f=%.17g,%.17g,%.17g,%.17g,%.17g,%.17g",
                       2 * x[2] - 1, 2 * x[3] - 1, 2 * x[4] - 1, 2 * x[5] - 1, 2 * x[6] - 1,
                       2 * x[7] - 1);
        (void)snprintf(text[2], sizeof text[2],
                       "walls=0,0,10,0,10,0,10,10,10,10,0,10,0,10,0,0,%.17g,%.17g,%.17g,%.17g",
                       10 * x[8], 10 * x[9], 10 * x[10], 10 * x[11]);
        int n = snprintf(text[3], sizeof text[3], "holes=");
        bool free_start = true;
        for (int i = 0; i < 5; i++) {
            double c[3] = {10 * x[12 + 3 * i], 10 * x[13 + 3 * i], 0.3 + x[14 + 3 * i]};
            n += snprintf(text[3] + n, sizeof text[3] - (size_t)n, "%s%.17g,%.17g,%.17g",
                          i > 0 ? "," : "", c[0], c[1], c[2]);
            free_start = free_start && hypot(start[0] - c[0], start[1] - c[1]) > c[2] + 0.01;
        }
        double e[2] = {10 * (x[10] - x[8]), 10 * (x[11] - x[9])};
        double s = ((start[0] - 10 * x[8]) * e[0] + (start[1] - 10 * x[9]) * e[1]) /
                   (e[0] * e[0] + e[1] * e[1]);
        s = fmax(0.0, fmin(1.0, s));
        free_start = free_start &&
                     hypot(start[0] - 10 * x[8] - s * e[0], start[1] - 10 * x[9] - s * e[1]) > 0.25;
        const char *const sets[] = {text[0], text[1], text[2], text[3], NULL};
        if (free_start) {
            tried++;
            expect_solution(sets);
        }
    }
    CU_ASSERT(tried >= 30);
    gsl_rng_free(rng);
}

/* One hole of radius 1 about 0, f = (0,-1), start (b, 2): it meets the hole at height sqrt(1-b^2),
 * psi_0 the angle from f, and leaves it at (1,0): after log tan(psi_0/2); x = 1 from then on. On
 * the way lambda = -cos psi adds up to log(1/sin psi_0) = log(1/b). */
static void an_arc_is_the_one_worked_out_by_hand(void) {
    const double b = 0.3;
    const char *const sets[] = {
        "holes=0,0,1", "walls=-9,-9,9,-9", "q0=0.3,2", "f=0,-1,0,-1,0,-1", "times=5,6", "T=7",
        NULL};
    il_test_problem made = il_test_problem_new("labyrinth", 0.0, sets);
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    const il_exact *exact = made.problem->exact;
    double meets = 2.0 - sqrt(1.0 - b * b);
    double slides = log(tan(0.5 * (M_PI - asin(b))));
    double q[2];
    double u[2];
    double Lambda[2];
    CU_ASSERT(fabs(exact->breaks[1] - meets) <= ROUNDING);
    CU_ASSERT(fabs(exact->breaks[2] - meets - slides) <= ROUNDING);
    exact->eval(exact, 4.9, -1, q, u);
    CU_ASSERT(fabs(q[0] - 1.0) <= ROUNDING);
    CU_ASSERT(fabs(q[1] + (4.9 - meets - slides)) <= ROUNDING);
    CU_ASSERT(fabs(u[0]) <= ROUNDING && fabs(u[1] + 1.0) <= ROUNDING);
    exact->impulse(exact, 7.0, -1, Lambda);
    CU_ASSERT(fabs(Lambda[1] - log(1.0 / b)) <= ROUNDING);
    CU_ASSERT(Lambda[0] == 0.0);
    il_test_problem_free(&made);
}

/* q(t) - q_0 - int f = sum int grad g_i dLambda_i, over fine parts: the midpoint rule makes 1e-6.
 */
static void impulses_balance_the_motion(void) {
    il_test_problem made = il_test_problem_new("labyrinth", 0.0, NULL);
    const il_problem *p = made.problem;
    enum { PARTS = 40000, ROOM = 64 };
    double before[ROOM];
    double after[ROOM];
    double sum[2] = {p->q0[0], p->q0[1]};
    double q[2];
    double u[2];
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_FATAL(p->p <= ROOM);
    p->exact->impulse(p->exact, 0.0, 1, before);
    for (int k = 0; k < PARTS; k++) {
        double t = p->horizon * (k + 0.5) / PARTS;
        double f[2];
        p->exact->eval(p->exact, t, 1, q, u);
        p->exact->impulse(p->exact, p->horizon * (k + 1.0) / PARTS, 1, after);
        p->type->force(p, t, q, f);
        il_rows_clear(&rows);
        CU_ASSERT_FATAL(il_problem_scan(p, t, q, q, INFINITY, &rows) == IL_OK);
        for (int c = 0; c < 2; c++) {
            sum[c] += p->horizon / PARTS * f[c];
        }
        for (size_t i = 0; i < rows.p; i++) {
            CU_ASSERT(after[rows.id[i]] >= before[rows.id[i]] - ROUNDING);
            il_rows_axpy(&rows, i, after[rows.id[i]] - before[rows.id[i]], sum);
        }
        memcpy(before, after, sizeof before);
    }
    p->exact->eval(p->exact, p->horizon, -1, q, u);
    /* a break inside a part is off by at most its length times the jump of u, below 2: 15 breaks */
    CU_ASSERT(hypot(sum[0] - q[0], sum[1] - q[1]) <= 15.0 * 2.0 * p->horizon / PARTS);
    il_rows_free(&rows);
    il_test_problem_free(&made);
}

/* A run; its error in q over all times. */
static double error_of(const char *scheme, size_t steps, il_trajectory *traj) {
    il_run_spec spec = {.steps = steps};
    il_record record = {0};
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("labyrinth", &spec.problem, &err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &spec.scheme, &err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, &err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&spec.params, spec.problem->params, &err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, traj, &err), IL_OK);
    double error = record.status == IL_OK ? record.distances[0].error.q_Linf : NAN;
    il_record_free(&record);
    il_params_destroy(spec.params);
    return error;
}

/* The largest distance of two schemes at the nodes. */
static double apart(const char *one, const char *other, size_t steps) {
    il_trajectory a = {0};
    il_trajectory b = {0};
    double most = isnan(error_of(one, steps, &a)) || isnan(error_of(other, steps, &b)) ? NAN : 0.0;
    for (size_t k = 0; k < a.nodes * a.d && a.nodes == b.nodes; k++) {
        most = fmax(most, fabs(a.q[k] - b.q[k]));
    }
    most = a.nodes == b.nodes ? most : NAN;
    il_trajectory_free(&a);
    il_trajectory_free(&b);
    return most;
}

static void overdamped_forms_are_the_order_1_schemes(void) {
    CU_ASSERT(apart("maury", "venel", 500) <= ROUNDING);
    CU_ASSERT(apart("paoli", "catching_up", 500) <= ROUNDING);
    double coarse = apart("venel", "catching_up", 700);
    double fine = apart("venel", "catching_up", 11200);
    CU_ASSERT(coarse >= 1e-4);       /* they differ, */
    CU_ASSERT(fine <= 0.2 * coarse); /* by less and less */
}

/* Tilts have a length: the first change of them comes before the second. */
static void tilts_come_one_after_the_other(void) {
    static const struct {
        const char *sets[2];
        il_status right;
    } cases[] = {{{"times=3,11"}, IL_OK}, {{"times=3,3"}, IL_EINVAL}, {{"times=11,3"}, IL_EINVAL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const il_problem_type *type = NULL;
        il_params *params = il_test_params_new("labyrinth", cases[k].sets, &type);
        il_problem *problem = NULL;
        CU_ASSERT_EQUAL(il_problem_create(&problem, type, params, 0.0, NULL), cases[k].right);
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
}

static const il_test tests[] = {
    {"the inclusion holds on several boards", the_inclusion_holds},
    {"it holds on boards at random", it_holds_at_random},
    {"an arc is the one worked out by hand", an_arc_is_the_one_worked_out_by_hand},
    {"impulses balance the motion", impulses_balance_the_motion},
    {"overdamped maury and paoli are venel and catching_up",
     overdamped_forms_are_the_order_1_schemes},
    {"tilts come one after the other", tilts_come_one_after_the_other},
    {NULL, NULL}};

const il_suite il_suite_labyrinth = {"labyrinth", tests};
