/*
 * test_balance.c - the energy beyond the force's work, and impacts that stand alone, against closed
 * forms.
 */
#include <math.h>
#include <string.h>

#include "harness/measure/measure.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* Energies below 60, some hundred steps of a few roundings each. */
static const double ROUNDING = 1e-11;

typedef struct {
    il_test_problem made;
    il_measure *measure;
    double t, q, u;
} flight;

static void start(flight *w, const char *e, double q, double u) {
    const char *const settings[] = {e, NULL};
    *w = (flight){.made = il_test_problem_new("bouncing_ball", 10.0, settings), .q = q, .u = u};
    w->measure = il_measure_create(w->made.problem, &u);
}

/* A step of 0.1 to (q,u) under the force f, with the contact force lambda. */
static void go(flight *w, double q, double u, double f, double lambda) {
    il_rows rows;
    il_rows_init(&rows);
    il_rows_append(&rows, 0, 0.0, 0.0, 1, (const size_t[]){0}, (const double[]){1.0});
    il_step_report report = {
        .rows = &rows, .lambda = &lambda, .force = &f, .certificate = il_certificate_best()};
    il_state in = {.q = &w->q, .u = &w->u};
    il_state out = {.q = &q, .u = &u};
    il_measure_step(w->measure, w->t, w->t + 0.1, &in, &out, &report);
    il_rows_free(&rows);
    w->t += 0.1;
    w->q = q;
    w->u = u;
}

static il_balance_result end(flight *w) {
    il_balance_result r = il_measure_finish(w->measure).balance;
    il_measure_destroy(w->measure);
    il_test_problem_free(&w->made);
    return r;
}

/* Under gravity with e = 1 the exact motion keeps 1/2 u^2 + g q, whatever the steps: the balance of
 * its samples is rounding. */
static void exact_samples_gain_nothing(void) {
    static const char *const settings[] = {"e=1", "gravity=9.81", "q0=1", NULL};
    il_test_problem made = il_test_problem_new("bouncing_ball", 2.0, settings);
    const il_exact *exact = &made.problem->exact[0];
    flight w;
    start(&w, "e=1", 1.0, 0.0);
    for (int n = 1; n <= 20; n++) {
        double q = NAN;
        double u = NAN;
        exact->eval(exact, 0.1 * n, -1, &q, &u);
        go(&w, q, u, -9.81, 0.0);
    }
    il_balance_result r = end(&w);
    il_test_problem_free(&made);
    CU_ASSERT(fabs(r.final) <= ROUNDING && fabs(r.largest) <= ROUNDING);
    CU_ASSERT(fabs(r.largest_step) <= ROUNDING);
}

/* u_{n+1} = u_n - g h, q_{n+1} = q_n + h u_{n+1} loses (g h)^2/2 a step; q_{n+1} = q_n + h u_n
 * gains as much. */
static void euler_steps_lose_and_gain(void) {
    for (int implicit = 0; implicit < 2; implicit++) {
        flight w;
        start(&w, "e=0", 50.0, 3.0);
        for (int n = 0; n < 20; n++) {
            double u = w.u - 0.981;
            go(&w, w.q + 0.1 * (implicit ? u : w.u), u, -9.81, 0.0);
        }
        double step = (implicit ? -0.5 : 0.5) * 0.981 * 0.981;
        il_balance_result r = end(&w);
        CU_ASSERT(fabs(r.final - 20.0 * step) <= ROUNDING);
        CU_ASSERT(fabs(r.largest - (implicit ? step : 20.0 * step)) <= ROUNDING);
        CU_ASSERT(fabs(r.largest_step - step) <= ROUNDING);
        CU_ASSERT(r.events == 0 && isnan(r.gained_most) && isnan(r.lost_least));
    }
}

/* e = 1/2: from -2 to 1.2, for 1, (1.44 - 4)/2 = -1.28 for -1.5; and in two steps from -1 to 0.5,
 * as it is asked: -0.375. */
static void impacts_are_held_against_the_law(void) {
    flight w;
    start(&w, "e=0.5", 1.0, -2.0);
    go(&w, 0.8, -2.0, 0.0, 0.0);
    go(&w, 0.9, 1.2, 0.0, 32.0);
    go(&w, 1.0, 1.2, 0.0, 0.0);
    il_balance_result r = il_measure_finish(w.measure).balance;
    CU_ASSERT(r.events == 1 && fabs(r.gained_most - 0.22) <= ROUNDING);
    CU_ASSERT(fabs(r.lost_least - 1.28) <= ROUNDING);
    go(&w, 1.0, -1.0, -22.0, 0.0);
    go(&w, 1.0, -0.3, 0.0, 7.0);
    go(&w, 1.0, 0.5, 0.0, 8.0);
    r = il_measure_finish(w.measure).balance;
    CU_ASSERT_EQUAL(r.events, 1); /* it may go on */
    go(&w, 1.0, 0.5, 0.0, 0.0);
    go(&w, 1.0, 0.5, 0.0, 1e-11); /* what rounding explains is none */
    go(&w, 1.0, 0.5, 0.0, 0.0);
    r = end(&w);
    CU_ASSERT(r.events == 2 && fabs(r.gained_most - 0.22) <= ROUNDING);
    CU_ASSERT(fabs(r.lost_least - 0.375) <= ROUNDING);
}

/* Five steps of contact are no impact, nor are those of two contacts. */
static void contact_that_lasts_is_no_impact(void) {
    flight w;
    start(&w, "e=0", 1.0, -2.0);
    for (int n = 0; n < 5; n++) {
        go(&w, 0.0, 0.0, 0.0, 1.0);
    }
    go(&w, 0.0, 0.0, 0.0, 0.0);
    CU_ASSERT_EQUAL(end(&w).events, 0);
}

static const il_test tests[] = {
    {"exact samples gain nothing", exact_samples_gain_nothing},
    {"Euler's steps lose and gain", euler_steps_lose_and_gain},
    {"impacts are held against the law", impacts_are_held_against_the_law},
    {"contact that lasts is no impact", contact_that_lasts_is_no_impact},
    {NULL, NULL}};

const il_suite il_suite_balance = {"balance", tests};
